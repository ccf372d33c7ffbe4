"""The page's aiohttp application: its routes and one middleware for checks and errors."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable

from aiohttp import web
from aiohttp.typedefs import Middleware

from companion.i18n.catalogue_loader import RendererLoader
from companion.i18n.message import Message, message
from companion.web.http.connections import error_kind
from companion.web.http.http_error import HttpError
from companion.web.http.json_http import MAX_BODY_BYTES, json_response
from companion.web.http.phone_language import RENDERERS, TABLE_LANGUAGE, request_renderer
from companion.web.http.request_guard import SECURITY_HEADERS, RequestGuard
from companion.web.page_text import page_text
from companion.web.static_files import read_static_files, static_routes

_LOGGER = logging.getLogger(__name__)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(
    guard: RequestGuard,
    routes: Iterable[web.AbstractRouteDef],
    *,
    on_fatal_error: Callable[[BaseException], None] = lambda _: None,
    table_language: Callable[[], object] = lambda: None,
) -> web.Application:
    """`on_fatal_error` is called with an error after which the server cannot go on."""
    middleware = _make_middleware(guard, on_fatal_error)
    app = web.Application(client_max_size=MAX_BODY_BYTES, middlewares=[middleware])
    app[TABLE_LANGUAGE], app[RENDERERS] = table_language, RendererLoader(_LOGGER.warning)
    app.on_response_prepare.append(_add_security_headers)
    text_route = web.get("/api/words", _page_text)
    app.add_routes([*routes, text_route, *static_routes(read_static_files())])
    return app


def _make_middleware(
    guard: RequestGuard, on_fatal_error: Callable[[BaseException], None]
) -> Middleware:
    @web.middleware
    async def check_and_answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        """Check every request first; answer every error as one line of JSON."""
        try:
            guard.check(request.method, request.headers, request.headers.getall("Host", []))
            return await handler(request)
        except HttpError as error:
            return _refuse(request, error.status, error.message)
        except web.HTTPNotFound:
            return _refuse(request, 404, message("page.not_found"))
        except web.HTTPMethodNotAllowed as error:
            response = _refuse(request, 405, message("page.method"))
            response.headers["Allow"] = error.headers["Allow"]
            return response
        except web.HTTPException as error:
            return _refuse(request, error.status, message("page.no_http"))
        except ConnectionError:
            raise  # the client has disconnected
        except MemoryError as error:
            on_fatal_error(error)
            raise
        except Exception as error:
            _LOGGER.error("%s failed: %s: %s", request.path, type(error).__name__, error)
            if request.writer.output_size and request.transport is not None:
                request.transport.abort()  # a second response would be read as part of the first
                raise ConnectionAbortedError("an error in the middle of a response") from error
            return _refuse(request, 500, message("page.fault", why=error_kind(error)))

    return check_and_answer


def _refuse(request: web.Request, status: int, reason: Message) -> web.Response:
    return json_response({"error": request_renderer(request).render(reason)}, status)


async def _add_security_headers(_: web.Request, response: web.StreamResponse) -> None:
    for name, value in SECURITY_HEADERS.items():
        response.headers[name] = value


async def _page_text(request: web.Request) -> web.Response:
    return json_response(page_text(request_renderer(request).catalogue))
