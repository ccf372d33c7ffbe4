"""Connections to the page's server: how many there may be, how large a request, how slow a reader.

Everything here is cheap to refuse: whoever comes too often is hung up on without a word, and what
is no HTTP gets one line and the end of the connection.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from contextlib import suppress
from typing import Any, cast

from aiohttp import web

from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.web.http.request_guard import HEADERS
from companion.web.snapshot_cache import dump

MOST_VISITORS = 384
"""All streams there may be, and room for those who ask."""
MOST_EACH = 48
IDLE_S = 15.0
"""How long a connection may take to ask: from its first moment, and between two requests."""
UNREAD_MS = 30_000
"""How long the other side may leave bytes unread before the kernel gives it up."""
_HIGH_WATER = 32 * 1024
LIMITS: dict[str, Any] = {
    "max_line_size": 2048,
    "max_field_size": 4096,
    "max_headers": 64,
    "keepalive_timeout": IDLE_S,
    "lingering_time": 1.0,
    "read_bufsize": 8192,
    "auto_decompress": False,  # a few bytes could become very many
    "access_log": None,
}
"""Of aiohttp's request handlers."""


class ConnectionLimits:
    """Counts who is inside."""

    def __init__(self, most: int = MOST_VISITORS, most_each: int = MOST_EACH) -> None:
        self._most = most
        self._most_each = most_each
        self._inside: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self._inside.total()

    def enter(self, address: str) -> bool:
        if self.count >= self._most or self._inside[address] >= self._most_each:
            return False
        self._inside[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]


class LimitedConnection(web.RequestHandler):
    """One connection."""

    def __init__(
        self,
        server: web.Server,
        house: ConnectionLimits,
        loop: asyncio.AbstractEventLoop,
        **limits: object,
    ) -> None:
        super().__init__(server, loop=loop, **{**LIMITS, **limits})
        self._house = house
        self._entered: str | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        connected = cast("asyncio.Transport", transport)
        address = str(connected.get_extra_info("peername", [""])[0])
        if not self._house.enter(address):
            connected.abort()
            return
        self._entered = address
        connected.set_write_buffer_limits(high=_HIGH_WATER)
        with suppress(OSError, AttributeError):  # Linux alone has it
            opened = connected.get_extra_info("socket")
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._entered is not None:
            self._house.leave(self._entered)
            self._entered = None
            super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - it repeats what was sent, to whom it was
    ) -> web.StreamResponse:
        """What came is no HTTP, or a fault of our own in answering it. A flood is not logged."""
        if request.writer.output_size > 0:
            raise ConnectionError("the answer is half sent already")
        # An Expect that it does not know, aiohttp repeats, and stumbles if it has odd letters.
        if isinstance(exc, UnicodeEncodeError) and "Expect" in request.headers:
            status = 417
        answer = refusing(status, exc)
        answer.force_close()
        return answer


def refusing(status: int, exc: BaseException | None) -> web.Response:
    said = message("page.no_http") if status < 500 else message("page.fault", why=kind_of(exc))
    return web.Response(
        status=status,
        body=dump({"error": TextRenderer().say(said)}),
        content_type="application/json",
        headers=HEADERS,
    )


def kind_of(exc: BaseException | None) -> str:
    """What can be told of a fault to anybody: no more than its kind."""
    return "?" if exc is None else type(exc).__name__
