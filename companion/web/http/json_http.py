"""JSON requests and responses, with limits of size and time."""

from __future__ import annotations

import asyncio
import json

from aiohttp import web

from companion.i18n.message import message
from companion.json_types import JsonObject
from companion.web.http.http_error import HttpError
from companion.web.snapshot_cache import dump_json

MAX_BODY_BYTES = 4096
BODY_TIMEOUT_S = 5.0
JSON = "application/json"


def json_response(value: object, status: int = 200) -> web.Response:
    return bytes_response(dump_json(value), JSON, status)


def bytes_response(body: bytes, content_type: str, status: int = 200) -> web.Response:
    """A response that browsers do not cache: the table changes all the time."""
    response = web.Response(status=status, body=body, content_type=content_type)
    if content_type.startswith("text/") or content_type == JSON:
        response.charset = "utf-8"
    response.headers["Cache-Control"] = "no-store"
    return response


async def read_json_object(request: web.Request) -> JsonObject:
    """The JSON object in the body, or an `HttpError` that says what is wrong with it."""
    if request.content_type != JSON or "Content-Encoding" in request.headers:
        raise HttpError(415, message("page.no_json"))
    if (request.content_length or 0) > MAX_BODY_BYTES:
        raise HttpError(413, message("page.too_large", most=MAX_BODY_BYTES))
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            body = await request.read()
    except web.HTTPRequestEntityTooLarge:
        raise HttpError(413, message("page.too_large", most=MAX_BODY_BYTES)) from None
    except TimeoutError:
        raise HttpError(408, message("page.slow")) from None
    except (web.RequestPayloadError, ConnectionError):
        raise HttpError(400, message("page.no_json")) from None
    try:
        value = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise HttpError(400, message("page.no_json")) from None
    if not isinstance(value, dict):
        raise HttpError(400, message("page.no_json"))
    return value
