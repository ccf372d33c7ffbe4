"""Connections: how many, how slow, and what is no HTTP at all."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from helpers.page.page_server import page_of
from helpers.patience import PATIENCE_S

from companion.web import server
from companion.web.http import connections
from companion.web.http.connections import ConnectionLimits


def test_a_house_counts_who_is_inside() -> None:
    house = ConnectionLimits(most=3, most_each=2)
    assert [house.enter("a") for _ in range(3)] == [True, True, False]
    assert house.enter("b")
    assert not house.enter("c"), "it is full"
    house.leave("a")
    assert house.enter("c")
    for address in ("a", "b", "c"):
        house.leave(address)
    assert house.count == 0
    assert not house._inside


def test_who_comes_too_often_is_hung_up_on_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    houses: list[ConnectionLimits] = []

    def make() -> ConnectionLimits:
        houses.append(ConnectionLimits(most_each=3))
        return houses[-1]

    monkeypatch.setattr(server, "ConnectionLimits", make)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            assert houses[0].count == 1, "the phone of this test"
            async with desk.wire(), desk.wire():
                async with asyncio.timeout(PATIENCE_S):
                    while houses[0].count < 3:
                        await asyncio.sleep(0.01)
                async with desk.wire() as (reader, _):
                    with suppress(ConnectionResetError):
                        assert await reader.read(1) == b""
                async with desk.wire("127.0.0.2") as (reader, writer):
                    writer.write(b"GET /api/table HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
            async with asyncio.timeout(PATIENCE_S):
                while houses[0].count > 1:
                    await asyncio.sleep(0.01)

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: local", b"POST /api/pair HTTP/1.1\r\n"]
)
def test_who_does_not_ask_in_time_is_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setitem(connections.LIMITS, "keepalive_timeout", 0.1)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.wire() as (reader, writer):
            writer.write(sent)
            async with asyncio.timeout(PATIENCE_S):
                assert await reader.read() == b""

    asyncio.run(scenario())


def test_a_trickle_of_headers_does_not_make_the_time_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connections.LIMITS, "keepalive_timeout", 0.2)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.wire() as (reader, writer):
            writer.write(b"GET / HTTP/1.1\r\n")
            ended = asyncio.ensure_future(reader.read())
            async with asyncio.timeout(PATIENCE_S):
                while not ended.done():
                    writer.write(b"X: y\r\n")
                    await asyncio.sleep(0.02)

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 5000 + b"\r\n\r\n",
        b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 100 + b"\r\n",
        b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=lambda sent: repr(sent[:24]),
)
def test_what_is_no_http_gets_one_line_and_the_end(tmp_path: Path, sent: bytes) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.wire() as (reader, writer):
            writer.write(sent)
            async with asyncio.timeout(PATIENCE_S):
                answer = await reader.read()
            head, _, body = answer.partition(b"\r\n\r\n")
            assert head.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 "))
            assert b"\r\nContent-Security-Policy: default-src 'none'" in head
            assert json.loads(body) == {"error": "This is no request that a browser sends."}
            assert desk.told == [], "a flood is not worth a line"

    asyncio.run(scenario())


@pytest.mark.parametrize("path", [b"/api/table", b"/nowhere"])
def test_what_nobody_can_be_expected_to_do_is_no_fault_of_ours(tmp_path: Path, path: bytes) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.wire() as (reader, writer):
            writer.write(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nExpect: \xe9\r\n\r\n")
            async with asyncio.timeout(PATIENCE_S):
                head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 417 ")
            assert json.loads(body) == {"error": "This is no request that a browser sends."}
            assert desk.told == []

    asyncio.run(scenario())


def test_the_kernel_gives_up_on_who_leaves_bytes_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    made = connections.LimitedConnection.connection_made

    def note(self: connections.LimitedConnection, transport: Any) -> None:  # noqa: ANN401
        made(self, transport)
        opened = transport.get_extra_info("socket")
        seen.append(opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))

    monkeypatch.setattr(connections.LimitedConnection, "connection_made", note)

    async def scenario() -> None:
        async with page_of(tmp_path):
            assert seen == [connections.UNREAD_MS]

    asyncio.run(scenario())


def test_the_limits_are_those_that_were_meant() -> None:
    """Nothing that is sent is unpacked: a few bytes could become very many."""
    assert connections.LIMITS == {
        "max_line_size": 2048,
        "max_field_size": 4096,
        "max_headers": 64,
        "keepalive_timeout": 15.0,
        "lingering_time": 1.0,
        "read_bufsize": 8192,
        "auto_decompress": False,
        "access_log": None,
    }
