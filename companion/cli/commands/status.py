"""`marrakech status`: shows the running table's state."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from companion.cli.market_text import has_colours
from companion.cli.snapshot_text import draw_snapshot
from companion.control.client import add_socket_argument, open_client
from companion.errors import CompanionError

PAGE_TIMEOUT_S = 20.0
"""A small Pi takes several seconds to start the page."""
POLL_INTERVAL_S = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_socket_argument(parser)
    parser.add_argument("--json", action="store_true", help="print everything as a JSON document")
    parser.add_argument(
        "--page",
        action="store_true",
        help="print only the address of the page for phones; wait for it while the table starts",
    )


def run(args: argparse.Namespace) -> int:
    if args.page:
        return _print_page(args.socket)
    with open_client(args.socket) as client:
        snapshot = client.table()
    if args.json:
        print(json.dumps(snapshot, indent=2))
    else:
        print(*draw_snapshot(snapshot, is_coloured=has_colours()), sep="\n")
        if snapshot["page"]:
            print(*page_lines(snapshot["page"]), sep="\n")
    return 0


def page_lines(page: dict[str, Any]) -> list[str]:
    """The page's address as a QR code and as text."""
    from companion.web.address import page_address, qr_lines

    address = page_address(page["host"], page["port"])
    return ["", *qr_lines(address.to_scan), f"Page for phones: {' or '.join(address.urls)}"]


def _print_page(socket: Path | None) -> int:
    for _ in range(round(PAGE_TIMEOUT_S / POLL_INTERVAL_S)):
        with open_client(socket) as client:
            page = client.table()["page"]
        if page:
            print(*page_lines(page), sep="\n")
            return 0
        time.sleep(POLL_INTERVAL_S)
    raise CompanionError(
        "the table has no page for phones: see [web] in marrakech.toml, and the table's log"
    )
