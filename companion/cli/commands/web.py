"""`marrakech web`: the page for phones, of a table that runs.

The table starts it itself; by hand it serves another page of the same table, until Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.arguments import whole_number
from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.web.server import PageSettings

NOT_INSTALLED = (
    "the page's server is not installed: run ./marrakech in a checkout, or 'pip install aiohttp'"
)
Say = Callable[["PageSettings", int], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from companion.control.client import add_socket_argument

    add_socket_argument(parser)
    parser.add_argument("--config", type=Path, metavar="FILE", help="use this marrakech.toml")
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="where the games are (default: as set)"
    )
    parser.add_argument(
        "--host", metavar="ADDRESS", help="listen at this address (default: as set)"
    )
    parser.add_argument(
        "--port", type=whole_number(0), metavar="N", help="its port; 0 is any (default: as set)"
    )
    parser.add_argument(
        "--name",
        action="append",
        metavar="HOST",
        help="answer to this name as well (default: as set)",
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

    from companion.web.cpu_yield import yielding_loop

    settings = settings_of(args)
    say = _say_to_table if args.parent is not None else _say_to_people
    try:
        with asyncio.Runner(loop_factory=yielding_loop) as runner:
            runner.run(_serve(settings, say))
    except MemoryError:
        raise CompanionError("the page has used up the memory that it may have") from None
    return 0


def settings_of(args: argparse.Namespace) -> PageSettings:
    """As the arguments say, and the config where they do not; a table says all of it."""
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
    """Of the table that runs, where `marrakech status` finds it too."""
    from companion.control.client import NO_TABLE, NoTableError, open_client, places

    for place in places(os.environ):
        with suppress(NoTableError), open_client(place):
            return place
    raise NoTableError(NO_TABLE)


async def _serve(settings: PageSettings, say: Say) -> None:
    import asyncio

    from companion.web.server import serving

    stopped = asyncio.Event()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with serving(settings, tell=_complain) as page:
        say(settings, page.port)
        page.fault.add_done_callback(lambda _: stopped.set())
        await stopped.wait()
        if page.fault.done():
            page.fault.result()


def _say_to_table(settings: PageSettings, port: int) -> None:
    """One line of JSON: the table hears where the page is."""
    said = (
        f"the page for phones: {_taken(settings.port, port)}" if _is_other(settings, port) else ""
    )
    print(json.dumps({"port": port, "said": said}), flush=True)


def _say_to_people(settings: PageSettings, port: int) -> None:
    from companion.web.address import page_address, qr_lines

    if _is_other(settings, port):
        print(_taken(settings.port, port))
    address = page_address(settings.host, port)
    print(*qr_lines(address.to_scan), *address.urls, sep="\n", flush=True)


def _is_other(settings: PageSettings, port: int) -> bool:
    return settings.port not in (0, port)


def _taken(wanted: int, port: int) -> str:
    return f"port {wanted} is taken by another program, it is at {port}"


def _complain(text: str) -> None:
    with suppress(OSError):
        print(f"marrakech: {text}", file=sys.stderr, flush=True)
