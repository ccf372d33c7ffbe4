"""What phones ask about games: the one in progress from its beginning, and those of the archive.

All of it is read from files, in the reading room; the modules that read them are imported there
too, when the first phone asks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from aiohttp import web

from companion.errors import CompanionError, one_line
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import WireRenderer, spoken
from companion.web.file_worker import FileWorker
from companion.web.http.json_http import JSON, answer_bytes
from companion.web.http.phone_language import speech_of
from companion.web.http.refusal import Refusal
from companion.web.snapshot_cache import dump

if TYPE_CHECKING:
    from companion.web.views.archive_view import ArchiveView
    from companion.web.views.history import History

T = TypeVar("T")
GAME = "/api/games/{game:[0-9A-Za-z_-]{1,40}}"
MOMENT = "{moment:[0-9]{1,6}}"


class Past:
    """What is in a folder of games. It blocks: it belongs into the reading room."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def history(self) -> History:
        from companion.web.views.history import History

        return History(self._folder, WireRenderer())

    @cached_property
    def archive(self) -> ArchiveView:
        from companion.web.views.archive_view import ArchiveView

        return ArchiveView(self._folder, WireRenderer())

    def standings(self) -> Any:  # noqa: ANN401 - plain JSON
        from companion.web.views.standings import standings

        return standings(self._folder, self.archive)

    def svg(self, game: str, speech: TextRenderer) -> bytes:
        from companion.web.views.final_picture import table_svg

        return table_svg(spoken(self.archive.game(game), speech), speech).encode()

    def png(self, game: str, speech: TextRenderer) -> bytes:
        from companion.web.views.final_picture import drawable_speech, table_png

        speech = drawable_speech(speech)
        return table_png(spoken(self.archive.game(game), speech), speech)


class PastRoutes:
    def __init__(self, past: Past, room: FileWorker) -> None:
        self._past = past
        self._room = room

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
                "moments": self._past.history.moments(),
                "damaged": self._past.history.damaged(),
            },
        )

    async def history_moment(self, request: web.Request) -> web.Response:
        number = int(request.match_info["moment"])
        return await self._json(request, lambda: self._past.history.moment(number))

    async def games(self, request: web.Request) -> web.Response:
        return await self._json(request, lambda: {"games": self._past.archive.games()})

    async def game(self, request: web.Request) -> web.Response:
        game = request.match_info["game"]
        return await self._json(request, lambda: self._past.archive.game(game))

    async def game_moment(self, request: web.Request) -> web.Response:
        game, number = request.match_info["game"], int(request.match_info["moment"])
        return await self._json(request, lambda: self._past.archive.moment(game, number))

    async def standings(self, request: web.Request) -> web.Response:
        return await self._json(request, lambda: {"standings": self._past.standings()})

    async def record(self, request: web.Request) -> web.Response:
        game = request.match_info["game"]
        text = await self._read(lambda: self._past.archive.record(game))
        return _file(text.encode(), "text/plain", f"marrakech-{game}.txt")

    async def svg(self, request: web.Request) -> web.Response:
        game, speech = request.match_info["game"], speech_of(request)
        return answer_bytes(await self._read(lambda: self._past.svg(game, speech)), "image/svg+xml")

    async def png(self, request: web.Request) -> web.Response:
        game, speech = request.match_info["game"], speech_of(request)
        return answer_bytes(await self._read(lambda: self._past.png(game, speech)), "image/png")

    async def _json(self, request: web.Request, work: Callable[[], object]) -> web.Response:
        """Said and written in the thread as well: a long game is a long text."""
        speech = speech_of(request)
        return answer_bytes(await self._read(lambda: _dumped(work(), speech)), JSON)

    async def _read(self, work: Callable[[], T | None]) -> T:
        try:
            found = await self._room.read(work)
        except Refusal:
            raise
        except (CompanionError, OSError) as error:
            status = 404 if isinstance(error, LookupError) else 500
            raise Refusal(status, message("page.unreadable", why=one_line(str(error)))) from None
        if found is None:
            raise Refusal(404, message("page.not_found"))
        return found


def _dumped(plain: object, speech: TextRenderer) -> bytes | None:
    return None if plain is None else dump(spoken(plain, speech))


def _file(body: bytes, kind: str, name: str) -> web.Response:
    """To be kept under a name, where a browser asks for one."""
    answer = answer_bytes(body, kind)
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return answer
