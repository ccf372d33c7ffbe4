"""Routes of the running table: its state and, for paired phones, presses and set-up."""

from __future__ import annotations

import re

from aiohttp import web

from companion.control.pairing import DIGITS
from companion.games.marrakech import Booklet, Options, booklet_named
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.i18n.rules_summary import summarize_rules
from companion.i18n.wire_form import render_wire
from companion.json_types import JsonObject
from companion.web.http.event_streams import EventStreams
from companion.web.http.http_error import HttpError
from companion.web.http.json_http import JSON, bytes_response, json_response, read_json_object
from companion.web.http.phone_language import request_renderer
from companion.web.http.sessions import SESSION_COOKIE, SESSION_S, Sessions
from companion.web.snapshot_cache import SnapshotCache
from companion.web.table_client import TableClient

_CODE = re.compile(f"[0-9]{{{DIGITS}}}")


class TableRoutes:
    def __init__(
        self,
        table_client: TableClient,
        snapshots: SnapshotCache,
        streams: EventStreams,
        sessions: Sessions,
    ) -> None:
        self._table_client = table_client
        self._snapshots = snapshots
        self._streams = streams
        self._sessions = sessions
        self._choices: tuple[int, JsonObject] | None = None
        """The connection to the table, and what a set-up may choose there."""

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
        body = self._snapshots.json_for(
            request_renderer(request), is_paired=self._is_paired(request)
        )
        if body is None:
            raise HttpError(503, message("page.no_table"))
        return bytes_response(body, JSON)

    async def events(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        response.content_type = "text/event-stream"
        response.headers["Cache-Control"] = "no-store"
        with self._streams.reserve(request.remote or ""):
            await response.prepare(request)
            if request.transport is not None:
                await self._streams.send(
                    response,
                    request.transport,
                    is_paired=lambda: self._is_paired(request),
                    renderer=lambda: request_renderer(request),
                )
        return response

    async def rules(self, request: web.Request) -> web.Response:
        """The rules by the booklet of the game, or of the set-up in progress."""
        table = self._table_client.snapshot or {}
        game = table.get("game") or table.get("setup") or {}
        booklet = booklet_named(str(game.get("booklet", "en")))
        options = booklet.options.with_changes(game.get("options") or {})
        return json_response(rendered_rules(booklet, options, request_renderer(request)))

    # --- Pairing ----------------------------------------------------------------------

    def _is_paired(self, request: web.Request) -> bool:
        return self._sessions.is_paired(request.cookies.get(SESSION_COOKIE))

    def _check_paired(self, request: web.Request) -> None:
        if not self._is_paired(request):
            raise HttpError(403, message("page.not_paired"))

    async def pair(self, request: web.Request) -> web.Response:
        code = (await read_json_object(request)).get("code")
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            raise HttpError(400, message("page.no_code"))  # does not count as a try
        if not self._sessions.allow_try(request.remote or ""):
            raise HttpError(429, message("page.too_many_tries"))
        answer = await self._table_client.request("pair", code=code)
        if answer.get("ok") is not True:
            status = 429 if answer.get("reason") == "too_many" else 403
            return json_response({"error": _error_of(answer, request)}, status)
        response = web.Response(status=204)
        response.set_cookie(
            SESSION_COOKIE,
            self._sessions.create_session(),
            max_age=SESSION_S,
            path="/",
            httponly=True,
            samesite="Strict",
        )
        return response

    # --- Presses and set-up -----------------------------------------------------------

    async def press(self, request: web.Request) -> web.Response:
        self._check_paired(request)
        return await self._forward(request, "press")

    async def set_up(self, request: web.Request) -> web.Response:
        self._check_paired(request)
        return await self._forward(request, "setup")

    async def _forward(self, request: web.Request, do: str) -> web.Response:
        """The table checks the members itself; its answer goes back to the phone."""
        members = await read_json_object(request)
        for reserved in ("do", "words"):
            members.pop(reserved, None)
        answer = await self._table_client.request(do, **members)
        if answer.get("ok") is True:
            return json_response({"ok": True, "error": None})
        error = _error_of(answer, request)
        if not answer.get("refused"):
            return json_response({"ok": False, "error": error}, 400)
        refused_at = (self._table_client.snapshot or {}).get("refused_at")
        return json_response({"ok": False, "error": error, "refused_at": refused_at})

    async def choices(self, request: web.Request) -> web.Response:
        """The table is asked once per connection, for all phones."""
        if self._choices is None or self._choices[0] != self._table_client.connection_count:
            connection = self._table_client.connection_count
            answer = await self._table_client.request("choices")
            if answer.get("ok") is not True:
                return json_response({"error": _error_of(answer, request)}, 503)
            self._choices = connection, answer.get("choices", answer)
        return json_response(render_wire(self._choices[1], request_renderer(request)))


def rendered_rules(booklet: Booklet, options: Options, renderer: TextRenderer) -> JsonObject:
    rules = summarize_rules(booklet, options)
    return {
        "title": renderer.render(rules.title),
        "booklet": renderer.render(rules.booklet),
        "paragraphs": [renderer.render_all(paragraph) for paragraph in rules.paragraphs],
        "differs": [renderer.render(one) for one in rules.differs],
        "agreed": [renderer.render(one) for one in rules.agreed],
    }


def _error_of(answer: JsonObject, request: web.Request) -> str:
    """The table's refusal, or what is wrong with a request that our page never sends."""
    return str(render_wire(answer.get("error", ""), request_renderer(request)))
