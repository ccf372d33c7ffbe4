"""Routes of recorded games: the history of the game in progress, the archive and standings.

All of it is read from files, in the file worker. The modules that read them are imported there
with the first request.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from aiohttp import web

from companion.errors import CompanionError, one_line
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import WireRenderer, render_wire
from companion.json_types import JsonObject
from companion.web.file_worker import FileWorker
from companion.web.http.http_error import HttpError
from companion.web.http.json_http import JSON, bytes_response
from companion.web.http.phone_language import request_renderer
from companion.web.snapshot_cache import dump_json

if TYPE_CHECKING:
    from companion.web.views.archive_view import ArchiveView
    from companion.web.views.history import CurrentGameView

T = TypeVar("T")
GAME = "/api/games/{game:[0-9A-Za-z_-]{1,40}}"
MOMENT = "{moment:[0-9]{1,6}}"


class GameViews:
    """The views of a folder of games. They block: call them in the file worker."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def history(self) -> CurrentGameView:
        from companion.web.views.history import CurrentGameView

        return CurrentGameView(self._folder, WireRenderer())

    @cached_property
    def archive(self) -> ArchiveView:
        from companion.web.views.archive_view import ArchiveView

        return ArchiveView(self._folder, WireRenderer())

    def standings(self) -> list[JsonObject]:
        from companion.web.views.standings import standings

        return standings(self._folder, self.archive)

    def svg(self, game: str, renderer: TextRenderer) -> bytes:
        from companion.web.views.final_picture import table_svg

        return table_svg(render_wire(self.archive.game(game), renderer), renderer).encode()

    def png(self, game: str, renderer: TextRenderer) -> bytes:
        from companion.web.views.final_picture import drawable_renderer, table_png

        renderer = drawable_renderer(renderer)
        return table_png(render_wire(self.archive.game(game), renderer), renderer)


class HistoryRoutes:
    def __init__(self, views: GameViews, worker: FileWorker) -> None:
        self._views = views
        self._worker = worker

    def routes(self) -> list[web.AbstractRouteDef]:
        return [
            web.get("/api/history", self.history),
            web.get(f"/api/history/{MOMENT}", self.history_moment),
            web.get("/api/games", self.games),
            web.get(GAME, self.game),
            web.get(f"{GAME}/moments/{MOMENT}", self.game_moment),
            web.get(f"{GAME}/record.txt", self.record),
            web.get(f"{GAME}/table.svg", self.svg),
            web.get(f"{GAME}/table.png", self.png),
            web.get("/api/standings", self.standings),
        ]

    async def history(self, request: web.Request) -> web.Response:
        return await self._json(
            request,
            lambda: {
                "moments": self._views.history.moments(),
                "damaged": self._views.history.damage_text(),
            },
        )

    async def history_moment(self, request: web.Request) -> web.Response:
        number = int(request.match_info["moment"])
        return await self._json(request, lambda: self._views.history.moment(number))

    async def games(self, request: web.Request) -> web.Response:
        return await self._json(request, lambda: {"games": self._views.archive.games()})

    async def game(self, request: web.Request) -> web.Response:
        game = request.match_info["game"]
        return await self._json(request, lambda: self._views.archive.game(game))

    async def game_moment(self, request: web.Request) -> web.Response:
        game, number = request.match_info["game"], int(request.match_info["moment"])
        return await self._json(request, lambda: self._views.archive.moment(game, number))

    async def standings(self, request: web.Request) -> web.Response:
        return await self._json(request, lambda: {"standings": self._views.standings()})

    async def record(self, request: web.Request) -> web.Response:
        game = request.match_info["game"]
        text = await self._read(lambda: self._views.archive.record(game))
        return _file_response(text.encode(), "text/plain", f"marrakech-{game}.txt")

    async def svg(self, request: web.Request) -> web.Response:
        game, renderer = request.match_info["game"], request_renderer(request)
        return bytes_response(
            await self._read(lambda: self._views.svg(game, renderer)), "image/svg+xml"
        )

    async def png(self, request: web.Request) -> web.Response:
        game, renderer = request.match_info["game"], request_renderer(request)
        return bytes_response(
            await self._read(lambda: self._views.png(game, renderer)), "image/png"
        )

    async def _json(self, request: web.Request, job: Callable[[], object]) -> web.Response:
        """Rendered and encoded in the worker too: a long game is a long text."""
        renderer = request_renderer(request)
        return bytes_response(await self._read(lambda: _encode(job(), renderer)), JSON)

    async def _read(self, job: Callable[[], T | None]) -> T:
        try:
            found = await self._worker.run(job)
        except HttpError:
            raise
        except (CompanionError, OSError) as error:
            status = 404 if isinstance(error, LookupError) else 500
            raise HttpError(status, message("page.unreadable", why=one_line(str(error)))) from None
        if found is None:
            raise HttpError(404, message("page.not_found"))
        return found


def _encode(value: object, renderer: TextRenderer) -> bytes | None:
    return None if value is None else dump_json(render_wire(value, renderer))


def _file_response(body: bytes, content_type: str, name: str) -> web.Response:
    """A response that browsers save under this name."""
    response = bytes_response(body, content_type)
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response
