"""`marrakech watch`: what happens at the table that runs, a line for every change."""

from __future__ import annotations

import argparse
import json
from typing import Any

from companion.cli.snapshot_text import SIMULATED, told
from companion.control.client import add_socket_argument, open_client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_socket_argument(parser)
    parser.add_argument(
        "--json", action="store_true", help="everything, as a JSON document for each change"
    )


def run(args: argparse.Namespace) -> int:
    """Until Ctrl-C, or until the table stops."""
    last = ""
    with open_client(args.socket) as client:
        for table in client.watch():
            if args.json:
                print(json.dumps(table), flush=True)
                continue
            if not last and table["simulated"]:
                print(SIMULATED, flush=True)
            line = line_of(table)
            if line != last:  # what only the rail's marks tell is not worth a line
                print(line, flush=True)
            last = line
    return 0


def line_of(table: dict[str, Any]) -> str:
    """What is wrong or refused, else what happened; and what to do now."""
    said = [f"! {trouble}" for trouble in table["trouble"]]
    if table["refused"]:
        said.append(f"✗ {table['refused']}")
    else:
        said += [f"✓ {news}" for news in table["news"]]
    return " ".join(map(told, (*said, f"{table['title']}.", *table["todo"])))
