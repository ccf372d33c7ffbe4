"""Server-sent events: the table's snapshot at once and after each change.

A phone that reads slowly gets the newest snapshot once it has read the last one, and skips those in
between. One that does not read at all is disconnected. So no data piles up.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiohttp import web

from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.web.http.http_error import HttpError
from companion.web.snapshot_cache import SnapshotCache
from companion.web.table_client import TableClient

MAX_STREAMS = 256
MAX_PER_ADDRESS = 32
"""Streams per address: a family behind one router, each with a few pages open."""
HEARTBEAT_S = 15.0
READ_TIMEOUT_S = 20.0
"""How long a phone may take to read an event."""
_POLL_S = 0.1
RETRY = b"retry: 2000\n\n"
HEARTBEAT = b":\n\n"
GONE = b"event: gone\ndata: {}\n\n"


class EventStreams:
    """All open event streams. Belongs to the event loop."""

    def __init__(
        self,
        table_client: TableClient,
        snapshots: SnapshotCache,
        *,
        max_total: int = MAX_STREAMS,
        max_per_address: int = MAX_PER_ADDRESS,
        heartbeat_s: float = HEARTBEAT_S,
        read_timeout_s: float = READ_TIMEOUT_S,
    ) -> None:
        self._table_client = table_client
        self._snapshots = snapshots
        self._max_total = max_total
        self._max_per_address = max_per_address
        self._heartbeat_s = heartbeat_s
        self._slow_s = read_timeout_s
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self._open.total()

    @contextmanager
    def reserve(self, address: str) -> Iterator[None]:
        """Count a stream of this address, or refuse it if there are too many."""
        if self.count >= self._max_total or self._open[address] >= self._max_per_address:
            raise HttpError(503, message("page.full"))
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            self._open += Counter()  # drops addresses without streams

    async def send(
        self,
        response: web.StreamResponse,
        transport: asyncio.Transport,
        is_paired: Callable[[], bool],
        renderer: Callable[[], TextRenderer],
    ) -> None:
        """Send events until the phone disconnects, or must be disconnected."""
        await response.write(RETRY)
        while True:
            await self._wait_until_read(transport)
            version = self._table_client.version
            await response.write(self._event(renderer(), is_paired=is_paired()))
            while version == self._table_client.version:
                try:
                    async with asyncio.timeout(self._heartbeat_s):
                        await self._table_client.wait_for_change(version)
                except TimeoutError:
                    await self._wait_until_read(transport)
                    await response.write(HEARTBEAT)

    def _event(self, renderer: TextRenderer, *, is_paired: bool) -> bytes:
        data = self._snapshots.json_for(renderer, is_paired=is_paired)
        if data is None:
            return GONE
        assert self._table_client.snapshot is not None
        sequence = int(self._table_client.snapshot.get("sequence", 0))
        return b"event: table\nid: %d\ndata: %b\n\n" % (sequence, data)

    async def _wait_until_read(self, transport: asyncio.Transport) -> None:
        """Wait until the last event has left our buffer, so that the next one is the newest."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._slow_s
        while transport.get_write_buffer_size():
            if loop.time() >= end:
                transport.abort()
                raise ConnectionResetError("the phone does not read")
            await asyncio.sleep(_POLL_S)
        if transport.is_closing():
            raise ConnectionResetError("the phone has disconnected")
