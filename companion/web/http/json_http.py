"""Requests read, and answers written: JSON in, JSON out, and nothing larger than it need be."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from aiohttp import web

from companion.i18n.message import message
from companion.web.http.refusal import Refusal
from companion.web.snapshot_cache import dump

LARGEST_BODY = 4096
BODY_S = 5.0
JSON = "application/json"

Plain = dict[str, Any]


def answer_json(plain: object, status: int = 200) -> web.Response:
    return answer_bytes(dump(plain), JSON, status)


def answer_bytes(body: bytes, kind: str, status: int = 200) -> web.Response:
    """What is told of a table is never the same for long: nobody keeps it."""
    answer = web.Response(status=status, body=body, content_type=kind)
    if kind.startswith("text/") or kind == JSON:
        answer.charset = "utf-8"
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def read_object(request: web.Request) -> Plain:
    """The JSON object that was sent, or a refusal that says what is wrong with it."""
    if request.content_type != JSON or "Content-Encoding" in request.headers:
        raise Refusal(415, message("page.no_json"))
    if (request.content_length or 0) > LARGEST_BODY:
        raise Refusal(413, message("page.too_large", most=LARGEST_BODY))
    try:
        async with asyncio.timeout(BODY_S):
            body = await request.read()
    except web.HTTPRequestEntityTooLarge:
        raise Refusal(413, message("page.too_large", most=LARGEST_BODY)) from None
    except TimeoutError:
        raise Refusal(408, message("page.slow")) from None
    except (web.RequestPayloadError, ConnectionError):
        raise Refusal(400, message("page.no_json")) from None
    try:
        plain = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise Refusal(400, message("page.no_json")) from None
    if not isinstance(plain, dict):
        raise Refusal(400, message("page.no_json"))
    return plain
