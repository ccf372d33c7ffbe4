"""`marrakech web`: serves the phone page of a running table until Ctrl-C.

A table starts this command itself. Started by hand, it serves an additional page.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion import logs
from companion.cli.arguments import whole_number
from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.web.server import PageSettings

NOT_INSTALLED = (
    "the web server is not installed: run ./marrakech in a checkout, or 'pip install aiohttp'"
)
ReportPort = Callable[["PageSettings", int], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from companion.control.client import add_socket_argument

    add_socket_argument(parser)
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="config file (default: the first marrakech.toml found)",
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="folder of the games (default: from the config)"
    )
    parser.add_argument(
        "--host", metavar="ADDRESS", help="address to listen on (default: from the config)"
    )
    parser.add_argument(
        "--port",
        type=whole_number(0),
        metavar="N",
        help="port; 0 for any free one (default: from the config)",
    )
    parser.add_argument(
        "--name",
        action="append",
        metavar="HOST",
        help="also accept this host name (default: from the config)",
    )
    parser.add_argument("--no-odds", action="store_true", help="do not show the odds")
    parser.add_argument("--parent", type=whole_number(1), help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    if args.parent is not None:
        from companion.web.process_limits import exit_with_parent, lower_priority

        exit_with_parent(args.parent)
        lower_priority()
    if find_spec("aiohttp") is None:
        raise CompanionError(NOT_INSTALLED)
    import asyncio

    from companion.web.cpu_yield import new_yielding_loop

    settings = settings_of(args)
    logs.configure(has_priorities=True if args.parent is not None else None)  # the table reads them
    report = _report_to_table if args.parent is not None else _print_address
    try:
        with asyncio.Runner(loop_factory=new_yielding_loop) as runner:
            runner.run(_serve(settings, report))
    except MemoryError:
        raise CompanionError("the page has reached its memory limit") from None
    return 0


def settings_of(args: argparse.Namespace) -> PageSettings:
    """Settings from the arguments, then from the config. A parent table passes all of them."""
    from companion.web.server import PageSettings

    if args.parent is not None:
        return PageSettings(
            args.socket, args.folder, args.host, args.port, tuple(args.name or ()), not args.no_odds
        )
    from companion.config.file import load_config

    config, _ = load_config(args.config, environ=os.environ, cwd=Path.cwd())
    return PageSettings(
        args.socket or _find_socket(),
        args.folder or config.journal_folder(os.environ),
        config.web.host if args.host is None else args.host,
        config.web.port if args.port is None else args.port,
        config.web.hosts if args.name is None else tuple(args.name),
        config.web.odds and not args.no_odds,
    )


def _find_socket() -> Path:
    """The socket of the running table, searched for in the same order as by `marrakech status`."""
    from companion.control.client import NO_TABLE, NoTableError, open_client, places

    for place in places(os.environ):
        with suppress(NoTableError), open_client(place):
            return place
    raise NoTableError(NO_TABLE)


async def _serve(settings: PageSettings, report: ReportPort) -> None:
    import asyncio

    from companion.web.server import serve_page

    stopped = asyncio.Event()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with serve_page(settings) as server:
        report(settings, server.port)
        server.failure.add_done_callback(lambda _: stopped.set())
        await stopped.wait()
        if server.failure.done():
            server.failure.result()


def _report_to_table(settings: PageSettings, port: int) -> None:
    """Print one line of JSON, which the parent process reads."""
    is_other = _is_other_port(settings, port)
    note = f"the page for phones: {_port_taken_text(settings.port, port)}" if is_other else ""
    print(json.dumps({"port": port, "said": note}), flush=True)


def _print_address(settings: PageSettings, port: int) -> None:
    from companion.web.address import page_address, qr_lines

    if _is_other_port(settings, port):
        print(_port_taken_text(settings.port, port))
    address = page_address(settings.host, port)
    print(*qr_lines(address.to_scan), *address.urls, sep="\n", flush=True)


def _is_other_port(settings: PageSettings, port: int) -> bool:
    return settings.port not in (0, port)


def _port_taken_text(wanted: int, port: int) -> str:
    return f"port {wanted} is in use by another program, using {port} instead"
