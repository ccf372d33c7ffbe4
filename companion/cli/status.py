"""`marrakech status`: how the table that runs is."""

from __future__ import annotations

import argparse
import json

from companion.cli.account_text import draw_table
from companion.cli.control_client import add_socket_argument, open_client
from companion.cli.drawing import has_colours


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_socket_argument(parser)
    parser.add_argument("--json", action="store_true", help="everything, as a JSON document")


def run(args: argparse.Namespace) -> int:
    with open_client(args.socket) as client:
        table = client.table()
    if args.json:
        print(json.dumps(table, indent=2))
    else:
        print(*draw_table(table, is_coloured=has_colours()), sep="\n")
    return 0
