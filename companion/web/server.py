"""The page's server, from the sockets up: put together, run until it is told to stop."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from companion.errors import CompanionError
from companion.web.app import make_app
from companion.web.file_worker import FileWorker
from companion.web.history_routes import Past, PastRoutes
from companion.web.http.connections import ConnectionLimits, LimitedConnection
from companion.web.http.event_streams import Streams
from companion.web.http.request_guard import Guard
from companion.web.http.sessions import Sessions
from companion.web.snapshot_cache import SnapshotCache
from companion.web.static_files import read_static_files
from companion.web.table_client import TableClient
from companion.web.table_routes import TableRoutes
from companion.web.views.coins import payment_of
from companion.web.views.odds import odds_of

MOST_PORTS = 10
"""How many are tried, one after the other, where another program has the first."""
_BACKLOG = 64
_BUFFER = 64 * 1024
"""Bytes that the kernel keeps for each phone, each way: by itself it would give megabytes."""


class PortTakenError(CompanionError, OSError):
    """No port to listen at."""


@dataclass(frozen=True, slots=True)
class PageSettings:
    socket: Path
    """The table's control socket."""
    folder: Path
    """Where its games are."""
    host: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()
    has_odds: bool = True


@dataclass(frozen=True, slots=True)
class Served:
    """A page that is served."""

    port: int
    fault: asyncio.Future[None]
    """Done when it cannot go on, with what is wrong: better to start anew."""


@asynccontextmanager
async def serving(
    settings: PageSettings, tell: Callable[[str], None] = lambda _: None
) -> AsyncIterator[Served]:
    """A page, served for as long as one is inside."""
    loop = asyncio.get_running_loop()
    logging.getLogger("aiohttp").addHandler(logging.NullHandler())  # a flood is not worth a line
    logging.getLogger("aiohttp").propagate = False
    listening = listen(settings.host, settings.port)
    feed, room, house = TableClient(settings.socket), FileWorker(), ConnectionLimits()
    fault: asyncio.Future[None] = loop.create_future()

    def give_up(error: BaseException) -> None:
        if not fault.done():
            fault.set_exception(error)

    watching = loop.create_task(feed.run())

    def note_end(done: asyncio.Task[None]) -> None:
        if not done.cancelled() and (error := done.exception()) is not None:
            give_up(error)

    watching.add_done_callback(note_end)
    app = make_app(
        Guard(socket.gethostname(), settings.names),
        read_static_files(),
        _routes(settings, feed, room, tell),
        tell=tell,
        give_up=give_up,
        usual=lambda: (feed.table or {}).get("language"),
    )
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.5)
    try:
        await runner.setup()
        server = runner.server
        assert server is not None
        doors = await loop.create_server(
            lambda: LimitedConnection(server, house, loop), sock=listening, backlog=_BACKLOG
        )
        try:
            yield Served(int(listening.getsockname()[1]), fault)
        finally:
            doors.close()
    finally:
        watching.cancel()
        await asyncio.wait({watching})
        await runner.cleanup()
        room.close()
        listening.close()
        fault.cancel()


def _routes(
    settings: PageSettings, feed: TableClient, room: FileWorker, tell: Callable[[str], None]
) -> list[web.AbstractRouteDef]:
    telling = SnapshotCache(feed, odds_of if settings.has_odds else None, payment_of, tell)
    table = TableRoutes(feed, telling, Streams(feed, telling), Sessions())
    return [*table.routes(), *PastRoutes(Past(settings.folder), room).routes()]


def listen(host: str, port: int) -> socket.socket:
    """Listen at this port, or at one of the next where another program has it."""
    ports: Sequence[int] = range(port, min(port + MOST_PORTS, 65536)) if port else (0,)
    for one in ports:
        with suppress(_TakenError):
            return _listen(host, one)
    told = f"port {port} is" if len(ports) == 1 else f"ports {port} to {ports[-1]} are"
    raise PortTakenError(
        f"{told} taken by another program: set [web] port in the config to one that is free"
    )


class _TakenError(Exception):
    pass


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        opened.bind((host, port))
        opened.listen(_BACKLOG)
        opened.setblocking(False)
    except OSError as error:
        opened.close()
        if error.errno == errno.EADDRINUSE:
            raise _TakenError from None
        raise PortTakenError(
            f"the page cannot listen at {host}, port {port} ({error.strerror}): set [web] host and "
            "port in the config"
        ) from None
    return opened
