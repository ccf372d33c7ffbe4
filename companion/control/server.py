"""The control socket: clients ask for the table's state, watch it, or press buttons.

A request is a line of JSON (protocol.py), and so is the answer:

    {"ok": true, "table": {...}}                   status and watch: the snapshot (snapshot.py)
    {"ok": true, "saved": true, "table": {...}}    a press or set-up that is done
    {"ok": false, "refused": true, "error": "...", "table": {...}}    one that was refused
    {"ok": true, "code": "0417", "valid_s": 120}   the pairing code that the matrix shows now
    {"ok": false, "reason": "wrong", "error": "..."}    pair: or no_code, void, too_many
    {"ok": true, "choices": {...}}                 what a set-up form can offer (setup_schema.py)
    {"ok": false, "error": "..."}                  any other error

A press is answered once the table has answered it: it is on the disk, unless `saved` is false.
Presses of all clients are handled one after the other. A client that watches gets a line after
every change, and is disconnected if it does not read them.

A snapshot never contains the pairing code or the frame that shows it: everybody may see it.
A request cannot harm the table. A fault in here is logged, and the server goes on.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from asyncio import IncompleteReadError, LimitOverrunError, StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from companion import __version__
from companion.adapters.hardware import Hardware
from companion.adapters.pad_health import PadHealth
from companion.config.model import Config
from companion.control.messages import Response, Snapshot
from companion.control.pairing import VALID_S
from companion.control.protocol import (
    MAX_LINE_BYTES,
    TOO_LONG,
    WIRE_WORDS,
    Pair,
    Press,
    Query,
    SetUp,
    parse_request,
)
from companion.control.remote_input import InputTarget, RemoteInput, RemoteKeys, remote_keys_for
from companion.control.setup_schema import setup_choices
from companion.control.snapshot import VERSION, PagePlace, snapshot_of
from companion.control.table_language import TableLanguage
from companion.control.unix_socket import ControlError, Listener, socket_path
from companion.errors import CompanionError, one_line
from companion.i18n.languages import BOOKLET_LANGUAGE
from companion.i18n.message import Message
from companion.i18n.wire_form import Renderer, WireRenderer
from companion.light.frame import LedFrame
from companion.table.view import Outcome, OutcomeKind, TableView

MAX_CLIENTS = 16
MAX_BACKLOG_BYTES = 256 * 1024
"""Bytes that may wait for a watching client, beside the buffers of the system."""
CLOSE_TIMEOUT_S = 5.0
"""How long a client may take to read the last answer."""

logger = logging.getLogger(__name__)


class TableController(InputTarget, Protocol):
    """The controller as the control socket uses it."""

    @property
    def view(self) -> TableView: ...
    def watch(self, watcher: Callable[[TableView], None]) -> None: ...
    def show_code(self) -> str: ...
    def pair(self, code: str) -> Message | None: ...


class ShownFrame(Protocol):
    """The display as the control socket uses it."""

    @property
    def shown(self) -> LedFrame | None: ...


class ControlledTable(Protocol):
    @property
    def controller(self) -> TableController: ...
    @property
    def display(self) -> ShownFrame: ...


class ControlServer:
    """Serves the socket of one table, from `start` to `close`. All on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        table: ControlledTable,
        keys: RemoteKeys,
        path: Path,
        *,
        hold_ms: float,
        language: str = BOOKLET_LANGUAGE,
        pad: Callable[[], PadHealth | None] = lambda: None,
        page: Callable[[], PagePlace | None] = lambda: None,
    ) -> None:
        self._loop = loop
        self._controller = table.controller
        self._display = table.display
        self._remote_input = RemoteInput(table.controller, keys, hold_ms=hold_ms)
        self.path = path
        self._pad = pad
        self._page = page
        self._language = TableLanguage(language)
        self._started_at = loop.time()
        self._listener: Listener | None = None
        self._server: asyncio.Server | None = None
        self._clients: dict[StreamWriter, asyncio.Task[None]] = {}
        self._watchers: dict[StreamWriter, tuple[int, str | None]] = {}
        """Watching clients: the sequence number they saw first, and their words."""
        self._sequence = 0
        self._unsent: list[tuple[int, TableView]] = []
        """Changes that watching clients have not been sent yet."""
        self._is_closed = False

    @property
    def is_open(self) -> bool:
        """Whether clients that connect to the path reach this table."""
        return self._server is not None and not self._is_closed

    async def start(self) -> None:
        """Open the socket. Raises `ControlError` if that is not possible."""
        self._listener = Listener(self.path, backlog=MAX_CLIENTS)
        self._server = await asyncio.start_unix_server(
            self._accept, sock=self._listener.socket, limit=MAX_LINE_BYTES, backlog=MAX_CLIENTS
        )
        self._controller.watch(self._handle_change)

    def close(self) -> None:
        """Disconnect all clients, release a pressed key and remove the socket."""
        self._is_closed = True
        self._remote_input.close()
        if self._server is not None:
            self._server.close()
        if self._listener is not None:
            self._listener.close()
        for writer, client in self._clients.items():
            client.cancel()
            writer.transport.abort()

    # --- Clients ----------------------------------------------------------------------

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Not a coroutine: Python 3.11 reports a cancelled one to the loop as a fault."""
        if self._is_closed:
            writer.transport.abort()
            return
        if len(self._clients) >= MAX_CLIENTS:
            writer.write(_line(_error(f"{MAX_CLIENTS} clients are connected already: close one")))
            writer.close()
            return
        self._clients[writer] = self._loop.create_task(self._serve(reader, writer))

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            with suppress(OSError):  # the client has disconnected
                await self._answer_requests(reader, writer)
                writer.close()
                async with asyncio.timeout(CLOSE_TIMEOUT_S):
                    await writer.wait_closed()
        finally:
            writer.transport.abort()
            self._watchers.pop(writer, None)
            del self._clients[writer]

    async def _answer_requests(self, reader: StreamReader, writer: StreamWriter) -> None:
        async for line in _lines(reader):
            writer.write(_line(await self._answer(line, writer)))
            await writer.drain()

    async def _answer(self, line: bytes | None, writer: StreamWriter) -> Response:
        try:
            if line is None:
                return _error(TOO_LONG)
            request, words = parse_request(line)
            if writer in self._watchers:
                return _error("this connection watches: ask on another one")
            match request:
                case Press():
                    return self._outcome(await self._remote_input.press(request), words)
                case SetUp(wishes):
                    return self._outcome(await self._remote_input.apply_wishes(wishes), words)
                case Pair(code):
                    return self._paired(self._controller.pair(code), words)
                case Query.SHOW_CODE:
                    code = self._controller.show_code()
                    return {"ok": True, "code": code, "valid_s": round(VALID_S)}
                case Query.CHOICES:
                    return {"ok": True, "choices": setup_choices(self._renderer(words))}
                case Query.VERSION:
                    return {"ok": True, "version": VERSION, "companion": __version__}
                case Query.WATCH:
                    self._watchers[writer] = self._sequence, words
            return {"ok": True, "table": self._snapshot(words)}
        except CompanionError as error:
            return _error(str(error))
        except Exception as error:
            return _error(_log_fault(error))

    def _renderer(self, words: str | None, view: TableView | None = None) -> Renderer:
        if words == WIRE_WORDS:
            return WireRenderer()
        if words is not None:
            return self._language.renderer_for(words)
        return self._language.renderer((view or self._controller.view).conversation)

    def _outcome(self, outcome: Outcome, words: str | None) -> Response:
        table = self._snapshot(words)
        if outcome.kind is OutcomeKind.DONE or outcome.message is None:
            return {"ok": True, "saved": not table["status"]["unsaved"], "table": table}
        error = self._renderer(words).render(outcome.message)
        return {"ok": False, "refused": True, "error": error, "table": table}

    def _paired(self, refused: Message | None, words: str | None) -> Response:
        if refused is None:
            return {"ok": True}
        reason = refused.key.removeprefix("pair.")
        return {"ok": False, "error": self._renderer(words).render(refused), "reason": reason}

    def _snapshot(self, words: str | None) -> Snapshot:
        return self._snapshot_of(self._sequence, self._controller.view, words)

    def _snapshot_of(self, sequence: int, view: TableView, words: str | None) -> Snapshot:
        """An older view is sent with the frame of now, so it is now that must not show the code."""
        return snapshot_of(
            view,
            light=None if self._controller.view.shows_code else self._display.shown,
            pad=self._pad(),
            page=self._page(),
            uptime_s=self._loop.time() - self._started_at,
            sequence=sequence,
            renderer=self._renderer(words, view),
            language=self._language.language(view.conversation),
        )

    # --- Watching ---------------------------------------------------------------------

    def _handle_change(self, view: TableView) -> None:
        """Called by the controller while it answers the table: slow work comes later."""
        self._sequence += 1
        if self._watchers and not self._is_closed:
            if not self._unsent:
                self._loop.call_soon(self._send_changes)
            self._unsent.append((self._sequence, view))

    def _send_changes(self) -> None:
        changes, self._unsent = self._unsent, []
        try:
            for sequence, view in changes:
                lines: dict[str | None, bytes] = {}
                for writer, (first, words) in list(self._watchers.items()):
                    if sequence <= first:
                        continue
                    if words not in lines:
                        snapshot = self._snapshot_of(sequence, view, words)
                        lines[words] = _line({"ok": True, "table": snapshot})
                    self._send(writer, lines[words])
        except Exception as error:
            _log_fault(error)

    def _send(self, writer: StreamWriter, line: bytes) -> None:
        transport = writer.transport
        if transport.get_write_buffer_size() + len(line) > MAX_BACKLOG_BYTES:
            self._watchers.pop(writer, None)
            transport.abort()
        elif not transport.is_closing():
            writer.write(line)


async def _lines(reader: StreamReader) -> AsyncIterator[bytes | None]:
    """The lines of a client; None for one that is too long, once it has ended."""
    is_long = False
    while True:
        try:
            line = await reader.readuntil()
        except LimitOverrunError as error:
            await reader.readexactly(error.consumed)
            is_long = True
        except IncompleteReadError as error:
            if error.partial or is_long:  # the last line may lack its end
                yield None if is_long else error.partial
            return
        else:
            yield None if is_long else line
            is_long = False


def _log_fault(error: Exception) -> str:
    text = one_line(f"a fault in the control socket: {type(error).__name__}: {error}")
    logger.error(text)
    return text


def _error(why: str) -> Response:
    return {"ok": False, "error": why}


def _line(response: Response) -> bytes:
    return json.dumps(response, separators=(",", ":")).encode() + b"\n"


async def open_control_server(
    loop: asyncio.AbstractEventLoop,
    table: ControlledTable,
    config: Config,
    hardware: Hardware,
    folder: Path,
    *,
    environ: Mapping[str, str] = os.environ,
    pad: Callable[[], PadHealth | None] = lambda: None,
    page: Callable[[], PagePlace | None] = lambda: None,
) -> ControlServer:
    """Start the control server of an open table; close it before the table.

    If the socket cannot be opened, that is logged, and the table goes on without it.
    """
    server = ControlServer(
        loop,
        table,
        remote_keys_for(loop, table.controller, config, hardware),
        socket_path(environ, folder),
        hold_ms=config.buttons.hold_ms,
        language=config.language,
        pad=pad,
        page=page,
    )
    try:
        await server.start()
    except ControlError as error:
        logger.warning(str(error))
    return server
