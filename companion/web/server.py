"""The page's HTTP server: opens the socket, builds the parts, runs them, and stops them."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from companion.errors import CompanionError
from companion.web.app import make_app
from companion.web.file_worker import FileWorker
from companion.web.history_routes import GameViews, HistoryRoutes
from companion.web.http.connections import ConnectionLimits, LimitedConnection
from companion.web.http.event_streams import EventStreams
from companion.web.http.request_guard import RequestGuard
from companion.web.http.sessions import Sessions
from companion.web.snapshot_cache import SnapshotCache
from companion.web.table_client import TableClient
from companion.web.table_routes import TableRoutes
from companion.web.views.coins import payment_of
from companion.web.views.odds import odds_of

MAX_PORTS_TRIED = 10
"""If the port is taken, the next ones are tried."""
_BACKLOG = 64
_BUFFER_BYTES = 64 * 1024
"""The kernel's send and receive buffer per connection; its default is megabytes."""


class ListenError(CompanionError, OSError):
    """The server cannot listen at the configured host and port."""


@dataclass(frozen=True, slots=True)
class PageSettings:
    socket: Path
    """The table's control socket."""
    folder: Path
    """The folder of its games."""
    host: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()
    has_odds: bool = True


@dataclass(frozen=True, slots=True)
class PageServer:
    """A running server."""

    port: int
    failure: asyncio.Future[None]
    """Gets an exception when the server cannot go on and must be restarted."""


@asynccontextmanager
async def serve_page(settings: PageSettings) -> AsyncIterator[PageServer]:
    """Serve the page inside an `async with` block."""
    loop = asyncio.get_running_loop()
    _silence_aiohttp()
    listening = listen(settings.host, settings.port)
    table_client, worker, limits = TableClient(settings.socket), FileWorker(), ConnectionLimits()
    failure: asyncio.Future[None] = loop.create_future()

    def fail(error: BaseException) -> None:
        if not failure.done():
            failure.set_exception(error)

    watching = loop.create_task(table_client.run())

    def on_watching_done(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            fail(error)

    watching.add_done_callback(on_watching_done)
    app = make_app(
        RequestGuard(socket.gethostname(), settings.names),
        _routes(settings, table_client, worker),
        on_fatal_error=fail,
        table_language=lambda: (table_client.snapshot or {}).get("language"),
    )
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.5)
    try:
        await runner.setup()
        handler = runner.server
        assert handler is not None
        server = await loop.create_server(
            lambda: LimitedConnection(handler, limits, loop), sock=listening, backlog=_BACKLOG
        )
        try:
            yield PageServer(int(listening.getsockname()[1]), failure)
        finally:
            server.close()
    finally:
        watching.cancel()
        await asyncio.wait({watching})
        await runner.cleanup()
        worker.close()
        listening.close()
        failure.cancel()


def _silence_aiohttp() -> None:
    """aiohttp logs every malformed request: a flood of them would fill the log."""
    logger = logging.getLogger("aiohttp")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False


def _routes(
    settings: PageSettings, table_client: TableClient, worker: FileWorker
) -> list[web.AbstractRouteDef]:
    snapshots = SnapshotCache(table_client, odds_of if settings.has_odds else None, payment_of)
    streams = EventStreams(table_client, snapshots)
    table = TableRoutes(table_client, snapshots, streams, Sessions())
    return [*table.routes(), *HistoryRoutes(GameViews(settings.folder), worker).routes()]


def listen(host: str, port: int) -> socket.socket:
    """Listen at this port, or at one of the next if another program uses it."""
    ports: Sequence[int] = range(port, min(port + MAX_PORTS_TRIED, 65536)) if port else (0,)
    for one in ports:
        with suppress(_PortTakenError):
            return _listen(host, one)
    taken = f"port {port} is" if len(ports) == 1 else f"ports {port} to {ports[-1]} are"
    raise ListenError(
        f"{taken} in use by another program: set [web] port in the config to one that is free"
    )


class _PortTakenError(Exception):
    pass


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER_BYTES)
        opened.bind((host, port))
        opened.listen(_BACKLOG)
        opened.setblocking(False)
    except OSError as error:
        opened.close()
        if error.errno == errno.EADDRINUSE:
            raise _PortTakenError from None
        raise ListenError(
            f"the page cannot listen at {host}, port {port} ({error.strerror}): set [web] host and "
            "port in the config"
        ) from None
    return opened
