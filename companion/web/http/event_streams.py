"""Phones that listen: server-sent events, at once and at each change.

A phone that reads slowly is told the newest thing when it has read the last, and skips what was
in between; one that does not read at all is dropped. So nothing piles up for anybody.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiohttp import web

from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.web.http.refusal import Refusal
from companion.web.snapshot_cache import SnapshotCache
from companion.web.table_client import TableClient

MOST_STREAMS = 256
MOST_EACH = 32
"""Streams of one address: a family behind one router, each with a few pages open."""
HEARTBEAT_S = 15.0
SLOW_S = 20.0
"""How long an event may take to be read."""
_LOOK_S = 0.1
BEGIN = b"retry: 2000\n\n"
HEARTBEAT = b":\n\n"
GONE = b"event: gone\ndata: {}\n\n"


class Streams:
    """Those that are open, and what flows in them. All on the loop."""

    def __init__(
        self,
        feed: TableClient,
        telling: SnapshotCache,
        *,
        most: int = MOST_STREAMS,
        most_each: int = MOST_EACH,
        heartbeat_s: float = HEARTBEAT_S,
        slow_s: float = SLOW_S,
    ) -> None:
        self._feed = feed
        self._telling = telling
        self._most = most
        self._most_each = most_each
        self._heartbeat_s = heartbeat_s
        self._slow_s = slow_s
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self._open.total()

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """A place among those who listen, as long as there is one."""
        if self.count >= self._most or self._open[address] >= self._most_each:
            raise Refusal(503, message("page.full"))
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            self._open += Counter()  # who has no stream is forgotten

    async def flow(
        self,
        response: web.StreamResponse,
        transport: asyncio.Transport,
        is_paired: Callable[[], bool],
        speech: Callable[[], TextRenderer],
    ) -> None:
        """Until the phone hangs up, or has to be hung up on."""
        await response.write(BEGIN)
        while True:
            await self._wait_until_read(transport)
            version = self._feed.version
            await response.write(self._event(speech(), is_paired=is_paired()))
            while version == self._feed.version:
                try:
                    async with asyncio.timeout(self._heartbeat_s):
                        await self._feed.wait_for_change(version)
                except TimeoutError:
                    await self._wait_until_read(transport)
                    await response.write(HEARTBEAT)

    def _event(self, speech: TextRenderer, *, is_paired: bool) -> bytes:
        told = self._telling.json_for(speech, is_paired=is_paired)
        if told is None:
            return GONE
        assert self._feed.table is not None
        sequence = int(self._feed.table.get("sequence", 0))
        return b"event: table\nid: %d\ndata: %b\n\n" % (sequence, told)

    async def _wait_until_read(self, transport: asyncio.Transport) -> None:
        """Until what was sent before is on its way, so that what is sent next is the newest."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._slow_s
        while transport.get_write_buffer_size():
            if loop.time() >= end:
                transport.abort()
                raise ConnectionResetError("a phone that does not read")
            await asyncio.sleep(_LOOK_S)
        if transport.is_closing():
            raise ConnectionResetError("a phone that has gone")
