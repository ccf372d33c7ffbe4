"""What `marrakech bench web` sends: hundreds of pages that listen, and whoever means harm.

It gives way to the table and its page, by the page's own means: phones and strangers have
processors of their own.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from itertools import count

from benchmarks.child import tell
from companion.web.cpu_yield import yielding_loop

EACH_ADDRESS = 25
"""Streams of one address, of those of this machine: 127.0.0.2 and so on."""
BAD_CLIENTS = 4
"""Of each kind, all the time."""
SLOW_S = 0.5
_LISTEN = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
BAD: dict[str, bytes] = {
    "malformed": b"\x16\x03\x01 nonsense\r\n\r\n",
    "oversized_header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 60_000 + b"\r\n\r\n",
    "oversized_body": b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
    b"application/json\r\nContent-Length: 60000\r\n\r\n" + b" " * 60_000,
    "wrong_host": b"GET /api/table HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    "wrong_code": b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
    b'application/json\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{"code":"9999"}',
}


class Flood:
    def __init__(self, port: int) -> None:
        self._port = port
        self.events = 0
        self.open = 0
        self.sent: Counter[str] = Counter()

    async def _wire(self, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(address, 0))

    async def listen(self, address: str) -> None:
        """A page that is open and reads."""
        reader, writer = await self._wire(address)
        writer.write(_LISTEN)
        await reader.readuntil(b"\r\n\r\n")
        self.open += 1
        while piece := await reader.read(1 << 16):
            self.events += piece.count(b"event: table")
        self.open -= 1

    async def spoil(self, kind: str, address: str) -> None:
        """One bad request after the other, each on a connection of its own."""
        while True:
            with suppress(OSError, TimeoutError):
                reader, writer = await self._wire(address)
                try:
                    writer.write(BAD[kind])
                    async with asyncio.timeout(5):
                        await reader.read(4096)
                finally:
                    writer.transport.abort()
                self.sent[kind] += 1
            await asyncio.sleep(0)

    async def dawdle(self, address: str) -> None:
        """Requests that never end, a byte now and then."""
        while True:
            with suppress(OSError):
                _, writer = await self._wire(address)
                writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
                self.sent["slow"] += 1
                while not writer.transport.is_closing():
                    writer.write(b"X: y\r\n")
                    await asyncio.sleep(SLOW_S)


async def flood(port: int, streams: int) -> None:
    loop = asyncio.get_running_loop()
    what = Flood(port)
    tasks = [
        loop.create_task(what.listen(f"127.0.0.{2 + n // EACH_ADDRESS}")) for n in range(streams)
    ]
    while what.open < streams:
        await asyncio.sleep(0.01)
        for task in tasks:
            if task.done():
                task.result()
    addresses = (f"127.0.1.{n}" for n in count(1))
    ways: list[Callable[[str], Awaitable[None]]] = [what.dawdle]
    ways += [partial(what.spoil, kind) for kind in BAD]
    tasks += [
        asyncio.ensure_future(way(next(addresses))) for way in ways for _ in range(BAD_CLIENTS)
    ]
    began = loop.time()
    await asyncio.sleep(0.5)
    tell(streams=what.open)
    await asyncio.to_thread(sys.stdin.readline)
    seconds = loop.time() - began
    tell(
        streams=what.open,
        events=what.events,
        bad_requests=dict(what.sent),
        bad_requests_per_s=round(what.sent.total() / seconds, 1),
    )
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with asyncio.Runner(loop_factory=yielding_loop) as runner:
        runner.run(flood(int(sys.argv[1]), int(sys.argv[2])))
