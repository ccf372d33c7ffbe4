"""The page's files over accounts that a test makes up: `stub.show(talk)`, and the page draws it.

The stub serves in a thread of its own, since a test drives its browser in this one. Files, words,
headers and the past are those of the real server; the table is the test's.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Coroutine
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, TypeVar

from aiohttp import web

from companion import __version__
from companion.control.setup_schema import choices
from companion.control.snapshot import snapshot_of
from companion.control.table_language import booklet_of
from companion.daemon.controller import TableView
from companion.games.marrakech import booklet_named
from companion.i18n.languages import language_of_booklet
from companion.i18n.message import Message
from companion.i18n.wire_form import WireRenderer, spoken
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import Status
from companion.web.app import make_app
from companion.web.file_worker import FileWorker
from companion.web.history_routes import Past, PastRoutes
from companion.web.http.phone_language import speech_of
from companion.web.http.request_guard import Guard
from companion.web.static_files import read_static_files
from companion.web.table_routes import said_rules
from companion.web.views.coins import payment_of
from companion.web.views.odds import odds_of
from helpers.table.table_driver import INPUTS, TableDriver

CODE = "0417"
COOKIE = "paired"
Plain = dict[str, Any]
T = TypeVar("T")


class WebStub:
    """A page that is served between `with` and its end. What it was asked is kept."""

    def __init__(self, folder: Path) -> None:
        self.pressed: list[Plain] = []
        self.set_up: list[Plain] = []
        self.answer: Plain = {"ok": True, "error": None}
        """What comes of the next presses."""
        self.companion = __version__
        self.rules_by = "cs"
        """The booklet by which it tells how to play."""
        self.port = 0
        self._folder = folder
        self.sequence = 0
        self._account: Plain | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="stub")
        self._changed = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._room = FileWorker()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> WebStub:
        self._thread.start()
        self._do(self._open())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.hang_up()
        self._room.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # --- What a test does -------------------------------------------------------------

    def show(
        self, talk: TableDriver, *, is_simulated: bool = False, trouble: tuple[Message, ...] = ()
    ) -> None:
        """The table is so now."""
        status = Status(is_simulated=is_simulated)
        view = TableView(talk.conversation, status, talk.refused, trouble)
        self.sequence += 1
        self._tell(self._plain(view))

    def keep_from_streams(self, talk: TableDriver) -> None:
        """The table is so now, and those who listen are not told."""
        self.sequence += 1
        view = TableView(talk.conversation, Status())
        self._tell(self._plain(view), is_quiet=True)

    def _plain(self, view: TableView) -> Plain:
        language = language_of_booklet(booklet_of(view.conversation))
        told = snapshot_of(view, sequence=self.sequence, speech=WireRenderer(), language=language)
        return {**told, "companion": self.companion}

    def lose_table(self) -> None:
        """The page's server is there, and the table is not."""
        self._tell(None)

    def hang_up(self) -> None:
        """Nobody answers any more."""
        self._do(self._close())

    def come_back(self) -> None:
        self._do(self._open())

    # --- The server -------------------------------------------------------------------

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def _tell(self, account: Plain | None, *, is_quiet: bool = False) -> None:
        async def tell() -> None:
            self._account = account
            if not is_quiet:
                self._changed.set()
                self._changed = asyncio.Event()

        self._do(tell())

    async def _open(self) -> None:
        routes = [
            web.get("/api/table", self._table),
            web.get("/api/events", self._events),
            web.post("/api/pair", self._pair),
            web.post("/api/press", self._press),
            web.get("/api/setup", self._choices),
            web.post("/api/setup", self._set_up),
            web.get("/api/rules", self._rules),
            *PastRoutes(Past(self._folder), self._room).routes(),
        ]
        app = make_app(
            Guard("stub"),
            read_static_files(),
            routes,
            usual=lambda: (self._account or {}).get("language"),
        )
        self._runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=0.01
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def _close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def _shown(self, request: web.Request) -> Plain | None:
        if self._account is None:
            return None
        game = self._account["game"]
        position = game["position"] if game else ""
        tribute, speech = game["tribute"] if game else None, speech_of(request)
        return {
            "language": speech.language,
            "table": spoken(self._account, speech),
            "paired": COOKIE in request.cookies,
            "odds": odds_of(position),
            "payment": payment_of(position, tribute, speech),
        }

    async def _table(self, request: web.Request) -> web.Response:
        return web.json_response(self._shown(request))

    async def _events(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        while True:
            shown, changed = self._shown(request), self._changed
            kind = "gone" if shown is None else "table"
            data = json.dumps(shown or {})
            await response.write(f"event: {kind}\ndata: {data}\n\n".encode())
            await changed.wait()

    async def _pair(self, request: web.Request) -> web.Response:
        if (await request.json())["code"] != CODE:
            return web.json_response({"error": "That is not the code."}, status=403)
        response = web.Response(status=204)
        response.set_cookie(COOKIE, "yes", httponly=True, samesite="Strict", path="/")
        return response

    async def _press(self, request: web.Request) -> web.Response:
        self.pressed.append(await request.json())
        return web.json_response(self.answer)

    async def _choices(self, request: web.Request) -> web.Response:
        return web.json_response(choices(speech_of(request)))

    async def _rules(self, request: web.Request) -> web.Response:
        booklet = booklet_named(self.rules_by)
        return web.json_response(said_rules(booklet, booklet.options, speech_of(request)))

    async def _set_up(self, request: web.Request) -> web.Response:
        self.set_up.append(await request.json())
        return web.json_response(self.answer)


# --- Games --------------------------------------------------------------------------------

_WAYS = ("north", "east", "south", "west")


def play_on(talk: TableDriver, chance: Random, until: Stage) -> list[str]:
    """Play as people do until the table is at that stage; what was told."""
    words: list[str] = []
    for _ in range(2000):
        if talk.stage is until and words:
            return words
        word = _next_word(talk.stage, chance)
        talk.hear(INPUTS[word])
        if talk.refused is None:
            words.append(word)
    raise AssertionError(f"the game never comes to {until}")


def _next_word(stage: Stage, chance: Random) -> str:
    match stage:
        case Stage.ORIENT | Stage.PIVOT if chance.random() < 0.5:
            return chance.choice(_WAYS)
        case Stage.ORIENT | Stage.ROLL:
            return chance.choice("122334")
        case Stage.DRAW:
            return chance.choice(("east", "west"))
        case Stage.LAY if chance.random() < 0.6:
            return chance.choice(_WAYS)
    return "ok"
