"""Event streams: each change, the newest to slow phones, disconnecting those that do not read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.page.page_server import ServedPage, read_chunk, serve_test_page
from helpers.patience import PATIENCE_S

from companion.web import server
from companion.web.http import event_streams
from companion.web.http.event_streams import GONE, HEARTBEAT, RETRY, EventStreams
from companion.web.http.http_error import HttpError


def event_of(data: bytes) -> tuple[str, int, Any]:
    """The event's name, id and data."""
    name, number, line, *end = data.decode().split("\n")
    assert end == ["", ""]
    assert line.startswith("data: ")
    return name.removeprefix("event: "), int(number.removeprefix("id: ")), json.loads(line[6:])


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.01)


def test_a_stream_sends_the_current_snapshot_and_each_change(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.open_stream() as reader:
            assert await read_chunk(reader) == RETRY
            name, number, data = event_of(await read_chunk(reader))
            assert (name, number) == ("table", 1)
            assert data == (await page.get("/api/table")).json
            for n in (2, 3):
                page.table.change(title=f"change {n}\nof <b>many</b>")
                name, number, data = event_of(await read_chunk(reader))
                assert (name, number) == ("table", n)
                assert data["table"]["title"] == f"change {n}\nof <b>many</b>"

    asyncio.run(scenario())


def test_a_stream_says_whether_the_phone_is_paired(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            await page.pair()
            async with page.phone.get(f"{page.url}/api/events") as stream:
                assert stream.headers["Content-Type"] == "text/event-stream"
                assert stream.headers["Cache-Control"] == "no-store"
                assert await stream.content.readuntil(b"\n\n") == RETRY
                _, _, data = event_of(await stream.content.readuntil(b"\n\n"))
                assert data["paired"] is True

    asyncio.run(scenario())


def test_a_stream_reports_a_lost_and_a_returned_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.open_stream() as reader:
            await read_chunk(reader)
            await read_chunk(reader)
            await page.table.close()
            assert await read_chunk(reader) == GONE
            await page.table.open()
            assert event_of(await read_chunk(reader))[:2] == ("table", 1)
            page.table.send_line(b'{"ok": true}\n')  # not a snapshot
            assert await read_chunk(reader) == GONE
            assert event_of(await read_chunk(reader))[0] == "table"

    asyncio.run(scenario())


def use_limits(monkeypatch: pytest.MonkeyPatch, **limits: Any) -> list[EventStreams]:  # noqa: ANN401
    """Set other limits for the next page. The list gets its `EventStreams`."""
    created: list[EventStreams] = []

    def make(*args: Any) -> EventStreams:  # noqa: ANN401
        created.append(EventStreams(*args, **limits))
        return created[-1]

    monkeypatch.setattr(server, "EventStreams", make)
    return created


def test_an_idle_stream_sends_heartbeats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_limits(monkeypatch, heartbeat_s=0.05)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.open_stream() as reader:
            await read_chunk(reader)
            await read_chunk(reader)
            assert [await read_chunk(reader) for _ in range(3)] == [HEARTBEAT] * 3
            page.table.change()
            while (chunk := await read_chunk(reader)) == HEARTBEAT:
                pass
            assert event_of(chunk)[1] == 2

    asyncio.run(scenario())


def test_a_closed_stream_makes_room_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = use_limits(monkeypatch, max_total=3, max_per_address=2)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            async with page.open_stream(), page.open_stream():
                answer = await page.get("/api/events")
                assert answer.status == 503
                assert answer.error == "Too many pages are open already: close some of them."
                async with page.connect("127.0.0.2") as (reader, writer):
                    writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
                    async with page.connect("127.0.0.3") as (reader, writer):
                        writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        assert await reader.readline() == b"HTTP/1.1 503 Service Unavailable\r\n"
            await wait_until(lambda: created[0].count == 0)
            async with page.open_stream():
                assert created[0].count == 1

    asyncio.run(scenario())


def test_a_reserved_stream_is_released_after_an_error() -> None:
    streams = EventStreams(None, None, max_total=2, max_per_address=1)  # type: ignore[arg-type]
    with pytest.raises(HttpError), streams.reserve("a"), streams.reserve("b"), streams.reserve("a"):
        pass
    with streams.reserve("a"):
        assert streams.count == 1
    assert streams.count == 0
    assert not streams._open


@pytest.fixture
def transports(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.Transport]:
    """The server's transport of each stream, in the order of opening."""
    seen: list[asyncio.Transport] = []
    send = EventStreams.send

    async def record(self: EventStreams, response: Any, transport: Any, **more: Any) -> None:  # noqa: ANN401
        seen.append(transport)
        await send(self, response, transport, **more)

    monkeypatch.setattr(EventStreams, "send", record)
    return seen


async def fill(page: ServedPage, transport: asyncio.Transport) -> int:
    """Change the table until the kernel's buffer of a phone that does not read is full."""
    while not transport.get_write_buffer_size():
        page.table.change(title="x" * 50_000)
        await asyncio.sleep(0.01)
    return transport.get_write_buffer_size()


def test_a_slow_phone_gets_the_newest_snapshot_and_nothing_piles_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transports: list[asyncio.Transport]
) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.connect(limit=1024) as (reader, writer):
            writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await wait_until(lambda: bool(transports))
            size = await fill(page, transports[0])
            for _ in range(50):
                page.table.change(title="x" * 50_000)
                await asyncio.sleep(0.002)
            assert transports[0].get_write_buffer_size() <= size < 2 * 50_000
            page.table.change(title="the newest")
            newest = b'"sequence":%d' % page.table.snapshot["sequence"]
            read = b""
            async with asyncio.timeout(PATIENCE_S):
                while b"the newest" not in read:
                    read = read[-100_000:] + await reader.read(1 << 16)
            assert newest in read

    asyncio.run(scenario())


def test_a_phone_that_does_not_read_is_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transports: list[asyncio.Transport]
) -> None:
    created = use_limits(monkeypatch, read_timeout_s=0.2)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.connect(limit=1024) as (_, writer):
            writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await wait_until(lambda: bool(transports))
            await fill(page, transports[0])
            async with page.open_stream() as other:
                await read_chunk(other)
                page.table.change(title="short")
                await wait_until(lambda: created[0].count == 1)
                assert b"short" in await read_chunk(other) + await read_chunk(other)
                assert transports[0].is_closing()
                assert transports[0].get_write_buffer_size() == 0, "nothing is kept for the phone"
                assert (await page.get("/api/table")).status == 200
                assert page.log == []

    asyncio.run(scenario())


def test_an_error_in_a_stream_ends_it_and_is_logged(tmp_path: Path) -> None:
    """A second response would be read as part of the first."""

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.open_stream() as reader:
            await read_chunk(reader)
            await read_chunk(reader)
            page.table.change(title={"say": "title.turn", "with": {"player": 1.5}})
            async with asyncio.timeout(PATIENCE_S):
                try:
                    rest = await reader.read()
                except ConnectionResetError:
                    rest = b""
            assert rest == b""
            assert page.log == ["/api/events failed: TypeError: 1.5 is not a value of a message"]
            page.table.change(title="well again")
            async with page.open_stream() as another:
                await read_chunk(another)
                assert b"well again" in await read_chunk(another)

    asyncio.run(scenario())


def test_an_unknown_message_is_shown_as_its_key(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.open_stream() as reader:
            await read_chunk(reader)
            await read_chunk(reader)
            page.table.change(title={"say": "title.new", "with": {"player": 3}}, stage="lay")
            table = event_of(await read_chunk(reader))[2]["table"]
            assert (table["title"], table["stage"]) == ("title.new", "lay")
            assert page.log == []

    asyncio.run(scenario())


def test_stream_limits_have_these_values() -> None:
    assert (
        event_streams.MAX_STREAMS,
        event_streams.MAX_PER_ADDRESS,
        event_streams.HEARTBEAT_S,
    ) == (
        256,
        32,
        15.0,
    )
