"""What phones ask about the table that runs: how it is, and, once paired, to press its buttons."""

from __future__ import annotations

import re
from typing import Any

from aiohttp import web

from companion.daemon.pairing import DIGITS
from companion.games.marrakech import Booklet, Options, booklet_named
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.i18n.rules_summary import rules_of
from companion.i18n.wire_form import spoken
from companion.web.http.event_streams import Streams
from companion.web.http.json_http import JSON, answer_bytes, answer_json, read_object
from companion.web.http.phone_language import speech_of
from companion.web.http.refusal import Refusal
from companion.web.http.sessions import COOKIE, LASTS_S, Sessions
from companion.web.snapshot_cache import SnapshotCache
from companion.web.table_client import TableClient

Plain = dict[str, Any]
_CODE = re.compile(f"[0-9]{{{DIGITS}}}")


class TableRoutes:
    def __init__(
        self, feed: TableClient, telling: SnapshotCache, streams: Streams, desk: Sessions
    ) -> None:
        self._feed = feed
        self._telling = telling
        self._streams = streams
        self._desk = desk
        self._choices: tuple[int, Plain] | None = None
        """What a set-up may choose, and of which meeting with the table that is."""

    def routes(self) -> list[web.AbstractRouteDef]:
        return [
            web.get("/api/table", self.table),
            web.get("/api/events", self.events, allow_head=False),
            web.post("/api/pair", self.pair),
            web.post("/api/press", self.press),
            web.get("/api/setup", self.choices),
            web.post("/api/setup", self.set_up),
            web.get("/api/rules", self.rules),
        ]

    # --- Watching ---------------------------------------------------------------------

    async def table(self, request: web.Request) -> web.Response:
        told = self._telling.json_for(speech_of(request), is_paired=self._is_paired(request))
        if told is None:
            raise Refusal(503, message("page.no_table"))
        return answer_bytes(told, JSON)

    async def events(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        response.content_type = "text/event-stream"
        response.headers["Cache-Control"] = "no-store"
        with self._streams.place(request.remote or ""):
            await response.prepare(request)
            if request.transport is not None:
                await self._streams.flow(
                    response,
                    request.transport,
                    is_paired=lambda: self._is_paired(request),
                    speech=lambda: speech_of(request),
                )
        return response

    async def rules(self, request: web.Request) -> web.Response:
        """How to play as this table does: by the booklet that is played by, or leafed to."""
        table = self._feed.table or {}
        game = table.get("game") or table.get("setup") or {}
        booklet = booklet_named(str(game.get("booklet", "en")))
        options = booklet.options.but(game.get("options") or {})
        return answer_json(said_rules(booklet, options, speech_of(request)))

    # --- Pairing ----------------------------------------------------------------------

    def _is_paired(self, request: web.Request) -> bool:
        return self._desk.is_paired(request.cookies.get(COOKIE))

    def _check_paired(self, request: web.Request) -> None:
        if not self._is_paired(request):
            raise Refusal(403, message("page.not_paired"))

    async def pair(self, request: web.Request) -> web.Response:
        code = (await read_object(request)).get("code")
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            raise Refusal(400, message("page.no_code"))  # which is no try
        if not self._desk.may_try(request.remote or ""):
            raise Refusal(429, message("page.too_many_tries"))
        answer = await self._feed.ask("pair", code=code)
        if answer.get("ok") is not True:
            status = 429 if answer.get("reason") == "too_many" else 403
            return answer_json({"error": _error_of(answer, request)}, status)
        response = web.Response(status=204)
        response.set_cookie(
            COOKIE,
            self._desk.make_context(),
            max_age=LASTS_S,
            path="/",
            httponly=True,
            samesite="Strict",
        )
        return response

    # --- Pressing, and setting up -----------------------------------------------------

    async def press(self, request: web.Request) -> web.Response:
        self._check_paired(request)
        return await self._pass_on(request, "press")

    async def set_up(self, request: web.Request) -> web.Response:
        self._check_paired(request)
        return await self._pass_on(request, "setup")

    async def _pass_on(self, request: web.Request, do: str) -> web.Response:
        """The table itself knows best what it can be asked: its words come back."""
        members = await read_object(request)
        for ours in ("do", "words"):
            members.pop(ours, None)
        answer = await self._feed.ask(do, **members)
        if answer.get("ok") is True:
            return answer_json({"ok": True, "error": None})
        error = _error_of(answer, request)
        if not answer.get("refused"):
            return answer_json({"ok": False, "error": error}, 400)
        refused_at = (self._feed.table or {}).get("refused_at")
        return answer_json({"ok": False, "error": error, "refused_at": refused_at})

    async def choices(self, request: web.Request) -> web.Response:
        """Asked of the table once, for all phones."""
        if self._choices is None or self._choices[0] != self._feed.meetings:
            meeting = self._feed.meetings
            answer = await self._feed.ask("choices")
            if answer.get("ok") is not True:
                return answer_json({"error": _error_of(answer, request)}, 503)
            self._choices = meeting, answer.get("choices", answer)
        return answer_json(spoken(self._choices[1], speech_of(request)))


def said_rules(booklet: Booklet, options: Options, speech: TextRenderer) -> Plain:
    rules = rules_of(booklet, options)
    return {
        "title": speech.say(rules.title),
        "booklet": speech.say(rules.booklet),
        "paragraphs": [speech.say_all(paragraph) for paragraph in rules.paragraphs],
        "differs": [speech.say(one) for one in rules.differs],
        "agreed": [speech.say(one) for one in rules.agreed],
    }


def _error_of(answer: Plain, request: web.Request) -> str:
    """What the table says, or what is wrong with a request that no page of ours makes."""
    return str(spoken(answer.get("error", ""), speech_of(request)))
