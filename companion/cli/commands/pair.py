"""`marrakech pair`: a code for phones, here and on the matrix of the table that runs."""

from __future__ import annotations

import argparse

from companion.cli.snapshot_text import told
from companion.control.client import NoTableError, add_socket_argument, open_client
from companion.daemon.pairing import VALID_S


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_socket_argument(parser)


def run(args: argparse.Namespace) -> int:
    with open_client(args.socket) as client:
        answer = client.ask("show_code")
    if not answer["ok"]:
        raise NoTableError(told(str(answer.get("error"))))
    print(told(str(answer.get("code"))))
    print(f"Type this on the page of the phone within {VALID_S / 60:.0f} minutes.")
    print("The matrix shows it as well, for a minute or until a button is pressed.")
    return 0
