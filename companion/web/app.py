"""The page as an application of aiohttp: its routes, and the one way in and out of all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping

from aiohttp import web
from aiohttp.typedefs import Middleware

from companion.errors import one_line
from companion.i18n.catalogue_loader import Library
from companion.i18n.message import Message, message
from companion.web.http.connections import kind_of
from companion.web.http.json_http import LARGEST_BODY, answer_json
from companion.web.http.phone_language import LIBRARY, USUAL, speech_of
from companion.web.http.refusal import Refusal
from companion.web.http.request_guard import HEADERS, Guard
from companion.web.page_text import page_words
from companion.web.static_files import INDEX, StaticFile

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(
    guard: Guard,
    files: Mapping[str, StaticFile],
    routes: Iterable[web.AbstractRouteDef],
    *,
    tell: Callable[[str], None] = lambda _: None,
    give_up: Callable[[BaseException], None] = lambda _: None,
    usual: Callable[[], object] = lambda: None,
) -> web.Application:
    """`tell` is told of faults that go by; `give_up` of what nobody can go on after; `usual` tells
    the language of the table.
    """
    way_in = _way_in(guard, tell, give_up)
    app = web.Application(client_max_size=LARGEST_BODY, middlewares=[way_in])
    app[USUAL], app[LIBRARY] = usual, Library(tell)
    app.on_response_prepare.append(_add_headers)
    app.add_routes([*routes, web.get("/api/words", _words), *_file_routes(files)])
    return app


def _way_in(
    guard: Guard, tell: Callable[[str], None], give_up: Callable[[BaseException], None]
) -> Middleware:
    """Whatever is asked is looked at first, and whatever is wrong is answered in one line."""

    @web.middleware
    async def way_in(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            guard.check(request.method, request.headers, request.headers.getall("Host", []))
            return await handler(request)
        except Refusal as refusal:
            return _refuse(request, refusal.status, refusal.said)
        except web.HTTPNotFound:
            return _refuse(request, 404, message("page.not_found"))
        except web.HTTPMethodNotAllowed as wrong:
            answer = _refuse(request, 405, message("page.method"))
            answer.headers["Allow"] = wrong.headers["Allow"]
            return answer
        except web.HTTPException as wrong:
            return _refuse(request, wrong.status, message("page.no_http"))
        except ConnectionError:
            raise  # nobody is there any more
        except MemoryError as error:
            give_up(error)
            raise
        except Exception as error:
            tell(one_line(f"a fault at {request.path}: {type(error).__name__}: {error}"))
            if request.writer.output_size and request.transport is not None:
                request.transport.abort()  # a second answer would be read as part of the first
                raise ConnectionAbortedError("a fault in half an answer") from error
            return _refuse(request, 500, message("page.fault", why=kind_of(error)))

    return way_in


def _refuse(request: web.Request, status: int, said: Message) -> web.Response:
    return answer_json({"error": speech_of(request).say(said)}, status)


async def _add_headers(_: web.Request, answer: web.StreamResponse) -> None:
    for name, value in HEADERS.items():
        answer.headers[name] = value


# --- What is always the same --------------------------------------------------------------


async def _words(request: web.Request) -> web.Response:
    return answer_json(page_words(speech_of(request).catalogue))


def _file_routes(files: Mapping[str, StaticFile]) -> list[web.AbstractRouteDef]:
    async def index(request: web.Request) -> web.Response:
        return _file(request, files.get(INDEX))

    async def static(request: web.Request) -> web.Response:
        return _file(request, files.get(request.match_info["name"]))

    return [web.get("/", index), web.get("/static/{name:.+}", static)]


def _file(request: web.Request, found: StaticFile | None) -> web.Response:
    """Browsers keep it, and ask each time whether it is still the same."""
    if found is None:
        raise Refusal(404, message("page.not_found"))
    tag = f'"{found.tag}"'
    kept = request.headers.get("If-None-Match", "")
    answer = web.Response(status=304) if tag in kept else web.Response(body=found.body)
    answer.content_type = found.kind
    if found.kind.startswith("text/"):
        answer.charset = "utf-8"
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["ETag"] = tag
    return answer
