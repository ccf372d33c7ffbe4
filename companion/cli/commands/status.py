"""`marrakech status`: how the table that runs is."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from companion.cli.market_text import has_colours
from companion.cli.snapshot_text import draw_table
from companion.control.client import add_socket_argument, open_client
from companion.errors import CompanionError

PATIENCE_S = 20.0
"""A small Pi takes its time to start the page."""
LOOK_EACH_S = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_socket_argument(parser)
    parser.add_argument("--json", action="store_true", help="everything, as a JSON document")
    parser.add_argument(
        "--page",
        action="store_true",
        help="only where phones find their page; of a table that has just begun, wait for it",
    )


def run(args: argparse.Namespace) -> int:
    if args.page:
        return _tell_page(args.socket)
    with open_client(args.socket) as client:
        table = client.table()
    if args.json:
        print(json.dumps(table, indent=2))
    else:
        print(*draw_table(table, is_coloured=has_colours()), sep="\n")
        if table["page"]:
            print(*page_lines(table["page"]), sep="\n")
    return 0


def page_lines(page: dict[str, Any]) -> list[str]:
    """Its address to scan and to type."""
    from companion.web.address import page_address, qr_lines

    address = page_address(page["host"], page["port"])
    return ["", *qr_lines(address.to_scan), f"The page for phones: {' or '.join(address.urls)}"]


def _tell_page(socket: Path | None) -> int:
    for _ in range(round(PATIENCE_S / LOOK_EACH_S)):
        with open_client(socket) as client:
            page = client.table()["page"]
        if page:
            print(*page_lines(page), sep="\n")
            return 0
        time.sleep(LOOK_EACH_S)
    raise CompanionError(
        "the table has no page for phones: see [web] in marrakech.toml, and its log"
    )
