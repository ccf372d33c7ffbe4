"""The page's server in front of a fake table that says what a test wants.

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            response = await page.get("/api/table")

Everything runs on one real loop, over real sockets.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aiohttp import ClientSession, CookieJar

from companion.json_types import JsonObject
from companion.web import server
from companion.web.server import PageServer, PageSettings
from helpers.patience import PATIENCE_S

CODE = "0417"
SNAPSHOT: JsonObject = {"version": 1, "sequence": 1, "stage": "players", "game": None}


class FakeTable:
    """A control socket that answers as a table does."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.snapshot = dict(SNAPSHOT)
        self.requests: list[JsonObject] = []
        """All requests except `watch`."""
        self.answers: dict[str, JsonObject] = {}
        self.is_silent = False
        """Whether it reads requests without answering them."""
        self._server: asyncio.Server | None = None
        self._connected: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self._watchers: list[asyncio.StreamWriter] = []

    async def open(self) -> None:
        self._server = await asyncio.start_unix_server(self._accept, str(self.path))

    async def close(self) -> None:
        """Like a killed table, except that its socket file is removed."""
        if self._server is not None:
            self._server.close()
        self.path.unlink(missing_ok=True)
        tasks = list(self._connected.values())
        for writer, task in list(self._connected.items()):
            writer.transport.abort()
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._watchers.clear()

    def change(self, **members: object) -> None:
        self.snapshot = {**self.snapshot, "sequence": self.snapshot["sequence"] + 1, **members}
        for writer in self._watchers:
            writer.write(self._line({"ok": True, "table": self.snapshot}))

    def send_line(self, line: bytes) -> None:
        """Send anything to the clients that watch."""
        for writer in self._watchers:
            writer.write(line)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serve_page = asyncio.ensure_future(self._serve(reader, writer))
        self._connected[writer] = serve_page
        serve_page.add_done_callback(lambda _: self._connected.pop(writer, None))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                request = json.loads(line)
                if request["do"] == "watch":
                    self._watchers.append(writer)
                    writer.write(self._line({"ok": True, "table": self.snapshot}))
                else:
                    self.requests.append(request)
                    if not self.is_silent:
                        writer.write(self._line(self._answer(request)))
        except ConnectionError:
            pass
        finally:
            if writer in self._watchers:
                self._watchers.remove(writer)
            writer.transport.abort()

    def _answer(self, request: JsonObject) -> JsonObject:
        if (answer := self.answers.get(request["do"])) is not None:
            return answer
        if request["do"] == "pair" and request["code"] != CODE:
            return {"ok": False, "reason": "wrong", "error": "That is not the code."}
        return {"ok": True, "choices": {"booklets": ["en"]}}

    @staticmethod
    def _line(members: JsonObject) -> bytes:
        return json.dumps(members).encode() + b"\n"


@dataclass(frozen=True)
class HttpResponse:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON value
        return json.loads(self.body)

    @property
    def error(self) -> str:
        assert list(self.json) == ["error"]
        return str(self.json["error"])


class ServedPage:
    """The page's server, the fake table behind it, and a phone that sends requests."""

    def __init__(self, server: PageServer, table: FakeTable, phone: ClientSession) -> None:
        self.server = server
        self.table = table
        self.phone = phone
        self.log: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    async def request(self, method: str, path: str, **more: Any) -> HttpResponse:  # noqa: ANN401
        async with self.phone.request(method, f"{self.url}{path}", **more) as response:
            return HttpResponse(response.status, response.headers, await response.read())

    async def get(self, path: str, **more: Any) -> HttpResponse:  # noqa: ANN401 - as in aiohttp
        return await self.request("GET", path, **more)

    async def post(self, path: str, value: object, **more: Any) -> HttpResponse:  # noqa: ANN401
        return await self.request("POST", path, json=value, **more)

    async def pair(self) -> None:
        assert (await self.post("/api/pair", {"code": CODE})).status == 204

    async def wait_for_table(self, *, is_there: bool = True) -> None:
        """Wait until the page knows that the table is there, or that it is not."""
        async with asyncio.timeout(PATIENCE_S):
            while ((await self.get("/api/table")).status == 200) is not is_there:
                await asyncio.sleep(0.01)

    async def wait_until(self, condition: Callable[[JsonObject], bool]) -> None:
        """Wait until the page's snapshot of the table meets the condition."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition((await self.get("/api/table")).json["table"]):
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def open_stream(self) -> AsyncIterator[asyncio.StreamReader]:
        """An event stream as bytes, after its headers."""
        async with self.connect() as (reader, writer):
            writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
            await reader.readuntil(b"\r\n\r\n")
            yield reader

    @asynccontextmanager
    async def connect(
        self, address: str = "127.0.0.1", limit: int = 1 << 20
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A TCP connection from this address, on which a test may send anything."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.server.port, local_addr=(address, 0), limit=limit
        )
        try:
            yield reader, writer
        finally:
            writer.transport.abort()


class _LogHandler(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


async def read_chunk(reader: asyncio.StreamReader) -> bytes:
    """The next chunk of a chunked response."""
    async with asyncio.timeout(PATIENCE_S):
        size = int(await reader.readline(), 16)
        return (await reader.readexactly(size + 2))[:-2]


@asynccontextmanager
async def serve_test_page(folder: Path, **settings: Any) -> AsyncIterator[ServedPage]:  # noqa: ANN401
    """A page at any free port, connected to a fake table, and a phone that keeps its cookies."""
    logger, log_handler = logging.getLogger("companion.web"), _LogHandler()
    with TemporaryDirectory(prefix="m") as short:
        table = FakeTable(Path(short) / "control.sock")
        await table.open()
        logger.addHandler(log_handler)
        try:
            async with (
                ClientSession(cookie_jar=CookieJar(unsafe=True)) as phone,
                server.serve_page(PageSettings(table.path, folder, port=0, **settings)) as running,
            ):
                page = ServedPage(running, table, phone)
                page.log = log_handler.lines
                await page.wait_for_table()
                yield page
        finally:
            logger.removeHandler(log_handler)
            await table.close()
