"""The page's real files and routes over a fake table: `stub.show(driver)`, and the page draws it.

The stub runs in its own thread, since Playwright blocks the test's thread. Files, texts, headers
and history come from the real server's code.
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
from companion.control.setup_schema import setup_choices
from companion.control.snapshot import snapshot_of
from companion.control.table_language import booklet_of
from companion.games.marrakech import booklet_named
from companion.i18n.languages import language_of_booklet
from companion.i18n.message import Message
from companion.i18n.wire_form import WireRenderer, render_wire
from companion.json_types import JsonObject
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import RailStatus
from companion.table.view import TableView
from companion.web.app import make_app
from companion.web.file_worker import FileWorker
from companion.web.history_routes import GameViews, HistoryRoutes
from companion.web.http.phone_language import request_renderer
from companion.web.http.request_guard import RequestGuard
from companion.web.table_routes import rendered_rules
from companion.web.views.coins import payment_of
from companion.web.views.odds import odds_of
from helpers.table.table_driver import INPUTS, TableDriver

CODE = "0417"
COOKIE = "paired"
T = TypeVar("T")


class PageStub:
    """Serves the page inside a `with` block, and records presses and set-ups."""

    def __init__(self, folder: Path) -> None:
        self.presses: list[JsonObject] = []
        self.setups: list[JsonObject] = []
        self.answer: JsonObject = {"ok": True, "error": None}
        """The answer to presses and set-ups."""
        self.companion = __version__
        self.rules_booklet = "cs"
        """The booklet of `/api/rules`."""
        self.port = 0
        self._folder = folder
        self.sequence = 0
        self._snapshot: JsonObject | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="stub")
        self._changed = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._worker = FileWorker()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> PageStub:
        self._thread.start()
        self._run(self._open())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop_server()
        self._worker.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # --- For tests --------------------------------------------------------------------

    def show(
        self, driver: TableDriver, *, is_simulated: bool = False, trouble: tuple[Message, ...] = ()
    ) -> None:
        """Set the table's state."""
        status = RailStatus(is_simulated=is_simulated)
        view = TableView(driver.conversation, status, driver.refusal, trouble)
        self.sequence += 1
        self._set(self._snapshot_of(view))

    def change_silently(self, driver: TableDriver) -> None:
        """Set the table's state without sending it to open streams."""
        self.sequence += 1
        view = TableView(driver.conversation, RailStatus())
        self._set(self._snapshot_of(view), is_hidden=True)

    def _snapshot_of(self, view: TableView) -> JsonObject:
        language = language_of_booklet(booklet_of(view.conversation))
        snapshot = snapshot_of(
            view, sequence=self.sequence, renderer=WireRenderer(), language=language
        )
        return {**snapshot, "companion": self.companion}

    def lose_table(self) -> None:
        """The server is there, but the table is not."""
        self._set(None)

    def stop_server(self) -> None:
        """The server does not answer any more."""
        self._run(self._close())

    def start_server(self) -> None:
        self._run(self._open())

    # --- The server -------------------------------------------------------------------

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def _set(self, snapshot: JsonObject | None, *, is_hidden: bool = False) -> None:
        async def change() -> None:
            self._snapshot = snapshot
            if not is_hidden:
                self._changed.set()
                self._changed = asyncio.Event()

        self._run(change())

    async def _open(self) -> None:
        routes = [
            web.get("/api/table", self._table),
            web.get("/api/events", self._events),
            web.post("/api/pair", self._pair),
            web.post("/api/press", self._press),
            web.get("/api/setup", self._choices),
            web.post("/api/setup", self._set_up),
            web.get("/api/rules", self._rules),
            *HistoryRoutes(GameViews(self._folder), self._worker).routes(),
        ]
        app = make_app(
            RequestGuard("stub"),
            routes,
            table_language=lambda: (self._snapshot or {}).get("language"),
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

    def _shown(self, request: web.Request) -> JsonObject | None:
        if self._snapshot is None:
            return None
        game = self._snapshot["game"]
        position = game["position"] if game else ""
        tribute, renderer = game["tribute"] if game else None, request_renderer(request)
        return {
            "language": renderer.language,
            "table": render_wire(self._snapshot, renderer),
            "paired": COOKIE in request.cookies,
            "odds": odds_of(position),
            "payment": payment_of(position, tribute, renderer),
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
        self.presses.append(await request.json())
        return web.json_response(self.answer)

    async def _choices(self, request: web.Request) -> web.Response:
        return web.json_response(setup_choices(request_renderer(request)))

    async def _rules(self, request: web.Request) -> web.Response:
        booklet = booklet_named(self.rules_booklet)
        return web.json_response(
            rendered_rules(booklet, booklet.options, request_renderer(request))
        )

    async def _set_up(self, request: web.Request) -> web.Response:
        self.setups.append(await request.json())
        return web.json_response(self.answer)


# --- Games --------------------------------------------------------------------------------

_DIRECTIONS = ("north", "east", "south", "west")


def play_on(driver: TableDriver, random: Random, until: Stage) -> list[str]:
    """Press random keys until the table reaches this stage. Returns the accepted keys."""
    keys: list[str] = []
    for _ in range(2000):
        if driver.stage is until and keys:
            return keys
        key = _next_key(driver.stage, random)
        driver.handle(INPUTS[key])
        if driver.refusal is None:
            keys.append(key)
    raise AssertionError(f"the game never reaches {until}")


def _next_key(stage: Stage, random: Random) -> str:
    match stage:
        case Stage.ORIENT | Stage.PIVOT if random.random() < 0.5:
            return random.choice(_DIRECTIONS)
        case Stage.ORIENT | Stage.ROLL:
            return random.choice("122334")
        case Stage.DRAW:
            return random.choice(("east", "west"))
        case Stage.LAY if random.random() < 0.6:
            return random.choice(_DIRECTIONS)
    return "ok"
