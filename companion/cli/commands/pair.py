"""`marrakech pair`: shows a pairing code, here and on the matrix of the running table."""

from __future__ import annotations

import argparse

from companion.cli.snapshot_text import printable
from companion.control.client import NoTableError, add_socket_argument, open_client
from companion.control.pairing import VALID_S


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_socket_argument(parser)


def run(args: argparse.Namespace) -> int:
    with open_client(args.socket) as client:
        answer = client.ask("show_code")
    if not answer["ok"]:
        raise NoTableError(printable(str(answer.get("error"))))
    print(printable(str(answer.get("code"))))
    print(f"Type this code into the page on the phone within {VALID_S / 60:.0f} minutes.")
    print("The matrix shows it too, for a minute or until a button is pressed.")
    return 0
