"""The flood of `marrakech bench web`: hundreds of event streams, and malicious clients.

Runs at the lowest priority, because real clients run on other machines.
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

from benchmarks.child import print_figures
from companion.web.cpu_yield import new_yielding_loop

STREAMS_PER_ADDRESS = 25
"""The addresses are local: 127.0.0.2 and so on."""
BAD_CLIENTS = 4
"""Concurrent clients of each kind."""
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

    async def _connect(self, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(address, 0))

    async def listen(self, address: str) -> None:
        """An open page that reads its event stream."""
        reader, writer = await self._connect(address)
        writer.write(_LISTEN)
        await reader.readuntil(b"\r\n\r\n")
        self.open += 1
        while piece := await reader.read(1 << 16):
            self.events += piece.count(b"event: table")
        self.open -= 1

    async def send_bad_requests(self, kind: str, address: str) -> None:
        """Send one bad request after another, each on a new connection."""
        while True:
            with suppress(OSError, TimeoutError):
                reader, writer = await self._connect(address)
                try:
                    writer.write(BAD[kind])
                    async with asyncio.timeout(5):
                        await reader.read(4096)
                finally:
                    writer.transport.abort()
                self.sent[kind] += 1
            await asyncio.sleep(0)

    async def send_slowly(self, address: str) -> None:
        """Send requests that never end, a header line now and then."""
        while True:
            with suppress(OSError):
                _, writer = await self._connect(address)
                writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
                self.sent["slow"] += 1
                while not writer.transport.is_closing():
                    writer.write(b"X: y\r\n")
                    await asyncio.sleep(SLOW_S)


async def flood(port: int, streams: int) -> None:
    loop = asyncio.get_running_loop()
    clients = Flood(port)
    tasks = [
        loop.create_task(clients.listen(f"127.0.0.{2 + n // STREAMS_PER_ADDRESS}"))
        for n in range(streams)
    ]
    while clients.open < streams:
        await asyncio.sleep(0.01)
        for task in tasks:
            if task.done():
                task.result()
    addresses = (f"127.0.1.{n}" for n in count(1))
    attacks: list[Callable[[str], Awaitable[None]]] = [clients.send_slowly]
    attacks += [partial(clients.send_bad_requests, kind) for kind in BAD]
    tasks += [
        asyncio.ensure_future(attack(next(addresses)))
        for attack in attacks
        for _ in range(BAD_CLIENTS)
    ]
    start = loop.time()
    await asyncio.sleep(0.5)
    print_figures(streams=clients.open)
    await asyncio.to_thread(sys.stdin.readline)
    seconds = loop.time() - start
    print_figures(
        streams=clients.open,
        events=clients.events,
        bad_requests=dict(clients.sent),
        bad_requests_per_s=round(clients.sent.total() / seconds, 1),
    )
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with asyncio.Runner(loop_factory=new_yielding_loop) as runner:
        runner.run(flood(int(sys.argv[1]), int(sys.argv[2])))
