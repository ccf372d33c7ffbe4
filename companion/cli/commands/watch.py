"""`marrakech watch`: prints a line for every change at the running table."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion.cli.snapshot_text import SIMULATED, printable
from companion.control.client import add_socket_argument, open_client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_socket_argument(parser)
    parser.add_argument(
        "--json", action="store_true", help="print everything as a JSON document for each change"
    )


def run(args: argparse.Namespace) -> int:
    """Runs until Ctrl-C, or until the table stops."""
    last = ""
    with open_client(args.socket) as client:
        for snapshot in client.watch():
            if args.json:
                print(json.dumps(snapshot), flush=True)
                continue
            if not last and snapshot["simulated"]:
                print(SIMULATED, flush=True)
            line = line_of(snapshot)
            if line != last:  # skip changes of the status LEDs only
                print(line, flush=True)
            last = line
    return 0


def line_of(snapshot: dict[str, Any]) -> str:
    """Problems, then the refusal or the news, then the instructions."""
    parts = [f"! {trouble}" for trouble in snapshot["trouble"]]
    if snapshot["refused"]:
        parts.append(f"✗ {snapshot['refused']}")
    else:
        parts += [f"✓ {news}" for news in snapshot["news"]]
    return " ".join(map(printable, (*parts, f"{snapshot['title']}.", *snapshot["todo"])))
