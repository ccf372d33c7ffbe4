"""A page for phones that is served, and a table behind it that says what a test wants.

    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            answer = await desk.get("/api/table")

Everything is on one real loop, over real sockets.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aiohttp import ClientSession, CookieJar

from companion.web import server
from companion.web.server import PageSettings, Served
from helpers.patience import PATIENCE_S

Plain = dict[str, Any]
CODE = "0417"
ACCOUNT: Plain = {"version": 1, "sequence": 1, "stage": "players", "game": None}


class FakeTable:
    """Answers at a control socket as a table does."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.account = dict(ACCOUNT)
        self.asked: list[Plain] = []
        """All but who watches."""
        self.answers: dict[str, Plain] = {}
        self.is_silent = False
        """Whether it hears, and does not answer."""
        self._server: asyncio.Server | None = None
        self._connected: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self._watchers: list[asyncio.StreamWriter] = []

    async def open(self) -> None:
        self._server = await asyncio.start_unix_server(self._meet, str(self.path))

    async def close(self) -> None:
        """As a table that is killed, but for its socket."""
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
        self.account = {**self.account, "sequence": self.account["sequence"] + 1, **members}
        for writer in self._watchers:
            writer.write(self._line({"ok": True, "table": self.account}))

    def say(self, line: bytes) -> None:
        """To who watches, whatever it is."""
        for writer in self._watchers:
            writer.write(line)

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.ensure_future(self._serve(reader, writer))
        self._connected[writer] = serving
        serving.add_done_callback(lambda _: self._connected.pop(writer, None))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                request = json.loads(line)
                if request["do"] == "watch":
                    self._watchers.append(writer)
                    writer.write(self._line({"ok": True, "table": self.account}))
                else:
                    self.asked.append(request)
                    if not self.is_silent:
                        writer.write(self._line(self._answer(request)))
        except ConnectionError:
            pass
        finally:
            if writer in self._watchers:
                self._watchers.remove(writer)
            writer.transport.abort()

    def _answer(self, request: Plain) -> Plain:
        if (answer := self.answers.get(request["do"])) is not None:
            return answer
        if request["do"] == "pair" and request["code"] != CODE:
            return {"ok": False, "reason": "wrong", "error": "That is not the code."}
        return {"ok": True, "choices": {"booklets": ["en"]}}

    @staticmethod
    def _line(plain: Plain) -> bytes:
        return json.dumps(plain).encode() + b"\n"


@dataclass(frozen=True)
class InputResult:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def plain(self) -> Any:  # noqa: ANN401 - whatever JSON can say
        return json.loads(self.body)

    @property
    def error(self) -> str:
        assert list(self.plain) == ["error"]
        return str(self.plain["error"])


class PageDesk:
    """A page, a phone, and the table behind it."""

    def __init__(self, page: Served, table: FakeTable, phone: ClientSession) -> None:
        self.page = page
        self.table = table
        self.phone = phone
        self.told: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.page.port}"

    async def ask(self, method: str, path: str, **more: Any) -> InputResult:  # noqa: ANN401
        async with self.phone.request(method, f"{self.url}{path}", **more) as answer:
            return InputResult(answer.status, answer.headers, await answer.read())

    async def get(self, path: str, **more: Any) -> InputResult:  # noqa: ANN401 - as aiohttp has it
        return await self.ask("GET", path, **more)

    async def post(self, path: str, plain: object, **more: Any) -> InputResult:  # noqa: ANN401
        return await self.ask("POST", path, json=plain, **more)

    async def pair(self) -> None:
        assert (await self.post("/api/pair", {"code": CODE})).status == 204

    async def is_met(self, *, is_there: bool = True) -> None:
        """Until the page knows whether there is a table."""
        async with asyncio.timeout(PATIENCE_S):
            while ((await self.get("/api/table")).status == 200) is not is_there:
                await asyncio.sleep(0.01)

    async def until_told(self, is_so: Callable[[Plain], bool]) -> None:
        """Until the page has heard from the table what is so now."""
        async with asyncio.timeout(PATIENCE_S):
            while not is_so((await self.get("/api/table")).plain["table"]):
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[asyncio.StreamReader]:
        """The events of a stream, as bytes, after its header."""
        async with self.wire() as (reader, writer):
            writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
            await reader.readuntil(b"\r\n\r\n")
            yield reader

    @asynccontextmanager
    async def wire(
        self, address: str = "127.0.0.1", limit: int = 1 << 20
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection on which anything may be sent, from an address of one's own."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.page.port, local_addr=(address, 0), limit=limit
        )
        try:
            yield reader, writer
        finally:
            writer.transport.abort()


async def read_chunk(reader: asyncio.StreamReader) -> bytes:
    """What was written at once, of an answer that comes in chunks."""
    async with asyncio.timeout(PATIENCE_S):
        size = int(await reader.readline(), 16)
        return (await reader.readexactly(size + 2))[:-2]


@asynccontextmanager
async def page_of(folder: Path, **settings: Any) -> AsyncIterator[PageDesk]:  # noqa: ANN401
    """A page on any port, a table that is there, and a phone that keeps its cookies."""
    with TemporaryDirectory(prefix="m") as short:
        table = FakeTable(Path(short) / "control.sock")
        await table.open()
        told: list[str] = []
        wanted = PageSettings(table.path, folder, port=0, **settings)
        try:
            async with (
                ClientSession(cookie_jar=CookieJar(unsafe=True)) as phone,
                server.serving(wanted, told.append) as page,
            ):
                desk = PageDesk(page, table, phone)
                desk.told = told
                await desk.is_met()
                yield desk
        finally:
            await table.close()
