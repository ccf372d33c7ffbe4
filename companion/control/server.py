"""The control socket: whoever may open it asks how the table is, watches it, or presses a button.

A line of JSON is asked (request.py), a line of JSON answers:

    {"ok": true, "table": {...}}                status and watch: the account (account.py)
    {"ok": true, "saved": true, "table": {...}}    a press that is done
    {"ok": false, "refused": true, "error": "...", "table": {...}}    and one that is not, with why
    {"ok": true, "code": "0417", "valid_s": 120}   the code that the matrix shows now
    {"ok": false, "reason": "wrong", "error": "..."}    pair: or no_code, void, too_many
    {"ok": true, "choices": {...}}              what a set-up can be (choices.py)
    {"ok": false, "error": "..."}               whatever else cannot be

A press is answered when the table has answered it: done is on the disk, unless `saved` says that
the disk does not take it. Presses of all clients come one after the other. Who watches gets a line
after every change; who does not read them is dropped. A set-up is answered as a press is.

An account never has the code in it, nor the light that shows it: a page may show accounts to all.

Nothing that is asked here harms the table, and a fault in here is told and goes by.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio import IncompleteReadError, LimitOverrunError, StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import __version__
from companion.adapters.hardware import Hardware
from companion.adapters.pad_health import PadHealth
from companion.config.model import Config
from companion.control.protocol import (
    LONGEST_LINE,
    PLAIN_WORDS,
    TOO_LONG,
    Ask,
    Pair,
    Press,
    SetUp,
    parse_asked,
)
from companion.control.remote_input import RemoteInput
from companion.control.remote_keys import Fingers, remote_keys_for
from companion.control.setup_schema import choices
from companion.control.snapshot import VERSION, PagePlace, Snapshot, snapshot_of
from companion.control.table_language import TableLanguage
from companion.control.unix_socket import ControlError, Listener, socket_path
from companion.daemon.controller import TableView
from companion.daemon.pairing import VALID_S
from companion.daemon.wiring import Table
from companion.errors import CompanionError, one_line
from companion.i18n.languages import BOOKLETS_LANGUAGE
from companion.i18n.message import Message
from companion.i18n.wire_form import Renderer, WireRenderer

MOST_CLIENTS = 16
MOST_BEHIND = 256 * 1024
"""Bytes that may wait for one who watches, beside what the system keeps for him."""
LINGER_S = 5.0
"""How long a last answer may take to be read."""

Plain = Mapping[str, Any]


class Control:
    """Serves the socket of one table, between `start` and `close`. All on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        table: Table,
        fingers: Fingers,
        path: Path,
        *,
        hold_ms: float,
        language: str = BOOKLETS_LANGUAGE,
        pad: Callable[[], PadHealth | None] = lambda: None,
        page: Callable[[], PagePlace | None] = lambda: None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._loop = loop
        self._daemon = table.daemon
        self._screen = table.screen
        self._presser = RemoteInput(loop, table.daemon, fingers, hold_ms=hold_ms)
        self.path = path
        self._pad = pad
        self._page = page
        self._tell = tell
        self._tongue = TableLanguage(language, tell)
        self._began = loop.time()
        self._listener: Listener | None = None
        self._server: asyncio.Server | None = None
        self._clients: dict[StreamWriter, asyncio.Task[None]] = {}
        self._watchers: dict[StreamWriter, tuple[int, str | None]] = {}
        """Who watches, which change he was shown first, and in which words."""
        self._sequence = 0
        self._news: list[tuple[int, TableView]] = []
        """Changes that those who watch are still to be told."""
        self._is_closed = False

    @property
    def is_open(self) -> bool:
        """Whether whoever calls at the path reaches this table, and not another one or nobody."""
        return self._server is not None and not self._is_closed

    async def start(self) -> None:
        """Open the socket. `ControlError` says why there is none."""
        self._listener = Listener(self.path, backlog=MOST_CLIENTS)
        self._server = await asyncio.start_unix_server(
            self._meet, sock=self._listener.socket, limit=LONGEST_LINE, backlog=MOST_CLIENTS
        )
        self._daemon.watch(self._see)

    def close(self) -> None:
        """Hang up on everybody, take the finger away and the socket with it."""
        self._is_closed = True
        self._presser.close()
        if self._server is not None:
            self._server.close()
        if self._listener is not None:
            self._listener.close()
        for writer, client in self._clients.items():
            client.cancel()
            writer.transport.abort()

    # --- Clients ----------------------------------------------------------------------

    def _meet(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Not a coroutine: one that is cancelled would be a fault to the loop, in Python 3.11."""
        if self._is_closed:
            writer.transport.abort()
            return
        if len(self._clients) >= MOST_CLIENTS:
            writer.write(_line(_error(f"{MOST_CLIENTS} clients are here already: close one")))
            writer.close()
            return
        self._clients[writer] = self._loop.create_task(self._serve(reader, writer))

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            with suppress(OSError):  # gone: he is forgotten
                await self._talk(reader, writer)
                writer.close()
                async with asyncio.timeout(LINGER_S):
                    await writer.wait_closed()
        finally:
            writer.transport.abort()
            self._watchers.pop(writer, None)
            del self._clients[writer]

    async def _talk(self, reader: StreamReader, writer: StreamWriter) -> None:
        async for line in _lines(reader):
            writer.write(_line(await self._answer(line, writer)))
            await writer.drain()

    async def _answer(self, line: bytes | None, writer: StreamWriter) -> Plain:
        try:
            if line is None:
                return _error(TOO_LONG)
            request, words = parse_asked(line)
            if writer in self._watchers:
                return _error("this connection watches: ask on another one")
            match request:
                case Press():
                    return self._outcome(await self._presser.press(request), words)
                case SetUp(wishes):
                    return self._outcome(await self._presser.agree(wishes), words)
                case Pair(code):
                    return self._paired(self._daemon.pair(code), words)
                case Ask.SHOW_CODE:
                    return {"ok": True, "code": self._daemon.show_code(), "valid_s": round(VALID_S)}
                case Ask.CHOICES:
                    return {"ok": True, "choices": choices(self._voice(words))}
                case Ask.VERSION:
                    return {"ok": True, "version": VERSION, "companion": __version__}
                case Ask.WATCH:
                    self._watchers[writer] = self._sequence, words
            return {"ok": True, "table": self._account(words)}
        except CompanionError as error:
            return _error(str(error))
        except Exception as error:
            return _error(self._tell_fault(error))

    def _voice(self, words: str | None, view: TableView | None = None) -> Renderer:
        if words == PLAIN_WORDS:
            return WireRenderer()
        if words is not None:
            return self._tongue.speech_in(words)
        return self._tongue.speech((view or self._daemon.view).conversation)

    def _outcome(self, refused: Message | None, words: str | None) -> Plain:
        table = self._account(words)
        if refused is None:
            return {"ok": True, "saved": not table["status"]["unsaved"], "table": table}
        error = self._voice(words).say(refused)
        return {"ok": False, "refused": True, "error": error, "table": table}

    def _paired(self, refused: Message | None, words: str | None) -> Plain:
        if refused is None:
            return {"ok": True}
        reason = refused.key.removeprefix("pair.")
        return {"ok": False, "error": self._voice(words).say(refused), "reason": reason}

    def _account(self, words: str | None) -> Snapshot:
        return self._account_of(self._sequence, self._daemon.view, words)

    def _account_of(self, sequence: int, view: TableView, words: str | None) -> Snapshot:
        """An older view is told with the light of now, so it is now that must not be the code's."""
        return snapshot_of(
            view,
            light=None if self._daemon.view.shows_code else self._screen.shown,
            pad=self._pad(),
            page=self._page(),
            uptime_s=self._loop.time() - self._began,
            sequence=sequence,
            speech=self._voice(words, view),
            language=self._tongue.language(view.conversation),
        )

    def _tell_fault(self, error: Exception) -> str:
        told = one_line(f"a fault in the control socket: {type(error).__name__}: {error}")
        self._tell(told)
        return told

    # --- Watching ---------------------------------------------------------------------

    def _see(self, view: TableView) -> None:
        """The daemon calls this while it answers the table: whatever takes time comes later."""
        self._sequence += 1
        if self._watchers and not self._is_closed:
            if not self._news:
                self._loop.call_soon(self._spread)
            self._news.append((self._sequence, view))

    def _spread(self) -> None:
        news, self._news = self._news, []
        try:
            for sequence, view in news:
                lines: dict[str | None, bytes] = {}
                for writer, (first, words) in list(self._watchers.items()):
                    if sequence <= first:
                        continue
                    if words not in lines:
                        told = self._account_of(sequence, view, words)
                        lines[words] = _line({"ok": True, "table": told})
                    self._send(writer, lines[words])
        except Exception as error:
            self._tell_fault(error)

    def _send(self, writer: StreamWriter, line: bytes) -> None:
        transport = writer.transport
        if transport.get_write_buffer_size() + len(line) > MOST_BEHIND:
            self._watchers.pop(writer, None)
            transport.abort()
        elif not transport.is_closing():
            writer.write(line)


async def _lines(reader: StreamReader) -> AsyncIterator[bytes | None]:
    """What is asked, line by line; None for a line that is too long, once it has ended."""
    is_long = False
    while True:
        try:
            line = await reader.readuntil()
        except LimitOverrunError as error:
            await reader.readexactly(error.consumed)
            is_long = True
        except IncompleteReadError as error:
            if error.partial or is_long:  # the last line need not end
                yield None if is_long else error.partial
            return
        else:
            yield None if is_long else line
            is_long = False


def _error(why: str) -> Plain:
    return {"ok": False, "error": why}


def _line(plain: Plain) -> bytes:
    return json.dumps(plain, separators=(",", ":")).encode() + b"\n"


def tell_on_stderr(text: str) -> None:
    with suppress(OSError):
        print(f"marrakech: {text}", file=sys.stderr, flush=True)


async def open_control_server(
    loop: asyncio.AbstractEventLoop,
    table: Table,
    config: Config,
    hardware: Hardware,
    folder: Path,
    *,
    environ: Mapping[str, str] = os.environ,
    pad: Callable[[], PadHealth | None] = lambda: None,
    page: Callable[[], PagePlace | None] = lambda: None,
    tell: Callable[[str], None] = tell_on_stderr,
) -> Control:
    """The control of a table that is open, to be closed before the table is.

    Where the socket cannot be opened, that is told, and the table goes on without.
    """
    control = Control(
        loop,
        table,
        remote_keys_for(loop, table.daemon, config, hardware),
        socket_path(environ, folder),
        hold_ms=config.buttons.hold_ms,
        language=config.language,
        pad=pad,
        page=page,
        tell=tell,
    )
    try:
        await control.start()
    except ControlError as error:
        tell(str(error))
    return control
