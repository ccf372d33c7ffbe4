"""Phones that listen: each change once, the newest to the slow, an end for who does not read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.page.page_server import PageDesk, page_of, read_chunk
from helpers.patience import PATIENCE_S

from companion.web import server
from companion.web.http import event_streams
from companion.web.http.event_streams import BEGIN, GONE, HEARTBEAT, Streams
from companion.web.http.refusal import Refusal

RETRY = BEGIN


def event_of(data: bytes) -> tuple[str, int, Any]:
    """The name, the id and what is told."""
    name, number, told, *end = data.decode().split("\n")
    assert end == ["", ""]
    assert told.startswith("data: ")
    return name.removeprefix("event: "), int(number.removeprefix("id: ")), json.loads(told[6:])


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.01)


def test_a_stream_begins_with_the_table_as_it_is_and_tells_each_change(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.listening() as reader:
            assert await read_chunk(reader) == RETRY
            name, number, told = event_of(await read_chunk(reader))
            assert (name, number) == ("table", 1)
            assert told == (await desk.get("/api/table")).plain
            for n in (2, 3):
                desk.table.change(title=f"change {n}\nof <b>many</b>")
                name, number, told = event_of(await read_chunk(reader))
                assert (name, number) == ("table", n)
                assert told["table"]["title"] == f"change {n}\nof <b>many</b>"

    asyncio.run(scenario())


def test_a_stream_of_a_phone_that_is_paired_says_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            await desk.pair()
            async with desk.phone.get(f"{desk.url}/api/events") as stream:
                assert stream.headers["Content-Type"] == "text/event-stream"
                assert stream.headers["Cache-Control"] == "no-store"
                assert await stream.content.readuntil(b"\n\n") == RETRY
                _, _, told = event_of(await stream.content.readuntil(b"\n\n"))
                assert told["paired"] is True

    asyncio.run(scenario())


def test_a_table_that_goes_and_comes_is_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.listening() as reader:
            await read_chunk(reader)
            await read_chunk(reader)
            await desk.table.close()
            assert await read_chunk(reader) == GONE
            await desk.table.open()
            assert event_of(await read_chunk(reader))[:2] == ("table", 1)
            desk.table.say(b'{"ok": true}\n')  # it does not speak as a table does
            assert await read_chunk(reader) == GONE
            assert event_of(await read_chunk(reader))[0] == "table"

    asyncio.run(scenario())


def listen_with(monkeypatch: pytest.MonkeyPatch, **limits: Any) -> list[Streams]:  # noqa: ANN401
    """Other limits than usual, and the streams of the page that is opened next."""
    opened: list[Streams] = []

    def make(*args: Any) -> Streams:  # noqa: ANN401
        opened.append(Streams(*args, **limits))
        return opened[-1]

    monkeypatch.setattr(server, "Streams", make)
    return opened


def test_a_stream_in_which_nothing_happens_shows_that_it_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listen_with(monkeypatch, heartbeat_s=0.05)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.listening() as reader:
            await read_chunk(reader)
            await read_chunk(reader)
            assert [await read_chunk(reader) for _ in range(3)] == [HEARTBEAT] * 3
            desk.table.change()
            while (told := await read_chunk(reader)) == HEARTBEAT:
                pass
            assert event_of(told)[1] == 2

    asyncio.run(scenario())


def test_who_has_hung_up_leaves_a_place_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = listen_with(monkeypatch, most=3, most_each=2)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            async with desk.listening(), desk.listening():
                answer = await desk.get("/api/events")
                assert answer.status == 503
                assert answer.error == "Too many pages are open already: close some of them."
                async with desk.wire("127.0.0.2") as (reader, writer):
                    writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
                    async with desk.wire("127.0.0.3") as (reader, writer):
                        writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        assert await reader.readline() == b"HTTP/1.1 503 Service Unavailable\r\n"
            await until(lambda: opened[0].count == 0)
            async with desk.listening():
                assert opened[0].count == 1

    asyncio.run(scenario())


def test_a_place_is_given_back_whatever_happens() -> None:
    place = Streams(None, None, most=2, most_each=1)  # type: ignore[arg-type]
    with pytest.raises(Refusal), place.place("a"), place.place("b"), place.place("a"):
        pass
    with place.place("a"):
        assert place.count == 1
    assert place.count == 0
    assert not place._open


@pytest.fixture
def transports(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.Transport]:
    """The server's side of each stream, in the order of their coming."""
    seen: list[asyncio.Transport] = []
    flow = Streams.flow

    async def note(self: Streams, response: Any, transport: Any, **more: Any) -> None:  # noqa: ANN401
        seen.append(transport)
        await flow(self, response, transport, **more)

    monkeypatch.setattr(Streams, "flow", note)
    return seen


async def fill(desk: PageDesk, transport: asyncio.Transport) -> int:
    """Change the table until a phone that does not read has more than the kernel keeps."""
    while not transport.get_write_buffer_size():
        desk.table.change(title="x" * 50_000)
        await asyncio.sleep(0.01)
    return transport.get_write_buffer_size()


def test_who_reads_slowly_is_told_the_newest_and_nothing_piles_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transports: list[asyncio.Transport]
) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.wire(limit=1024) as (reader, writer):
            writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await until(lambda: bool(transports))
            most = await fill(desk, transports[0])
            for _ in range(50):
                desk.table.change(title="x" * 50_000)
                await asyncio.sleep(0.002)
            assert transports[0].get_write_buffer_size() <= most < 2 * 50_000
            desk.table.change(title="the newest")
            newest = b'"sequence":%d' % desk.table.account["sequence"]
            read = b""
            async with asyncio.timeout(PATIENCE_S):
                while b"the newest" not in read:
                    read = read[-100_000:] + await reader.read(1 << 16)
            assert newest in read

    asyncio.run(scenario())


def test_who_does_not_read_at_all_is_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transports: list[asyncio.Transport]
) -> None:
    opened = listen_with(monkeypatch, slow_s=0.2)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.wire(limit=1024) as (_, writer):
            writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await until(lambda: bool(transports))
            await fill(desk, transports[0])
            async with desk.listening() as other:
                await read_chunk(other)
                desk.table.change(title="short")
                await until(lambda: opened[0].count == 1)
                assert b"short" in await read_chunk(other) + await read_chunk(other)
                assert transports[0].is_closing()
                assert transports[0].get_write_buffer_size() == 0, "and nothing is kept for him"
                assert (await desk.get("/api/table")).status == 200
                assert desk.told == []

    asyncio.run(scenario())


def test_a_fault_in_a_stream_ends_it_and_is_told(tmp_path: Path) -> None:
    """A second answer would be read as part of the first."""

    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.listening() as reader:
            await read_chunk(reader)
            await read_chunk(reader)
            desk.table.change(title={"say": "title.turn", "with": {"player": 1.5}})
            async with asyncio.timeout(PATIENCE_S):
                try:
                    rest = await reader.read()
                except ConnectionResetError:
                    rest = b""
            assert rest == b""
            assert desk.told == ["a fault at /api/events: TypeError: 1.5 is no value of a message"]
            desk.table.change(title="well again")
            async with desk.listening() as another:
                await read_chunk(another)
                assert b"well again" in await read_chunk(another)

    asyncio.run(scenario())


def test_a_message_of_another_version_leaves_the_rest_of_the_page_as_it_is(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.listening() as reader:
            await read_chunk(reader)
            await read_chunk(reader)
            desk.table.change(title={"say": "title.new", "with": {"player": 3}}, stage="lay")
            told = event_of(await read_chunk(reader))[2]["table"]
            assert (told["title"], told["stage"]) == ("title.new", "lay")
            assert desk.told == []

    asyncio.run(scenario())


def test_there_is_room_for_a_family_and_a_bound_for_a_flood() -> None:
    assert (event_streams.MOST_STREAMS, event_streams.MOST_EACH, event_streams.HEARTBEAT_S) == (
        256,
        32,
        15.0,
    )
