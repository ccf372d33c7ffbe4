"""Limits of HTTP connections: their number, the size of a request, the time a client may take.

Refusing is cheap: a connection over the limit is closed without an answer, and malformed HTTP gets
one line of JSON and a closed connection.
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
from companion.web.http.request_guard import SECURITY_HEADERS
from companion.web.snapshot_cache import dump_json

MAX_CONNECTIONS = 384
"""All event streams, and some more for other requests."""
MAX_PER_ADDRESS = 48
REQUEST_TIMEOUT_S = 15.0
"""How long a client may take to send a request: the first one and each one after it."""
UNREAD_TIMEOUT_MS = 30_000
"""How long sent bytes may stay unacknowledged before the kernel drops the connection."""
_HIGH_WATER = 32 * 1024
LIMITS: dict[str, Any] = {
    "max_line_size": 2048,
    "max_field_size": 4096,
    "max_headers": 64,
    "keepalive_timeout": REQUEST_TIMEOUT_S,
    "lingering_time": 1.0,
    "read_bufsize": 8192,
    "auto_decompress": False,  # no decompression bombs
    "access_log": None,
}
"""Arguments of aiohttp's request handler."""


class ConnectionLimits:
    """Counts open connections, in total and by address."""

    def __init__(
        self, max_total: int = MAX_CONNECTIONS, max_per_address: int = MAX_PER_ADDRESS
    ) -> None:
        self._max_total = max_total
        self._max_per_address = max_per_address
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self._open.total()

    def acquire(self, address: str) -> bool:
        if self.count >= self._max_total or self._open[address] >= self._max_per_address:
            return False
        self._open[address] += 1
        return True

    def release(self, address: str) -> None:
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


class LimitedConnection(web.RequestHandler):
    """One connection, closed at once if it is over the limits."""

    def __init__(
        self,
        server: web.Server,
        connection_limits: ConnectionLimits,
        loop: asyncio.AbstractEventLoop,
        **limits: object,
    ) -> None:
        super().__init__(server, loop=loop, **{**LIMITS, **limits})
        self._limits = connection_limits
        self._address: str | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        connected = cast("asyncio.Transport", transport)
        address = str(connected.get_extra_info("peername", [""])[0])
        if not self._limits.acquire(address):
            connected.abort()
            return
        self._address = address
        connected.set_write_buffer_limits(high=_HIGH_WATER)
        with suppress(OSError, AttributeError):  # Linux only
            opened = connected.get_extra_info("socket")
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_TIMEOUT_MS)
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._address is not None:
            self._limits.release(self._address)
            self._address = None
            super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - it repeats what the client sent
    ) -> web.StreamResponse:
        """Malformed HTTP, or an error of our own. Not logged: a flood would fill the log."""
        if request.writer.output_size > 0:
            raise ConnectionError("the response has been sent in part")
        # aiohttp repeats an unknown Expect header, and fails if it is not valid UTF-8.
        if isinstance(exc, UnicodeEncodeError) and "Expect" in request.headers:
            status = 417
        response = error_response(status, exc)
        response.force_close()
        return response


def error_response(status: int, exc: BaseException | None) -> web.Response:
    reason = message("page.no_http") if status < 500 else message("page.fault", why=error_kind(exc))
    return web.Response(
        status=status,
        body=dump_json({"error": TextRenderer().render(reason)}),
        content_type="application/json",
        headers=SECURITY_HEADERS,
    )


def error_kind(exc: BaseException | None) -> str:
    """The type of an error: all that a client may know of it."""
    return "?" if exc is None else type(exc).__name__
