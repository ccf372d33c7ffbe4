"""Limits of connections: number, time, and malformed HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from helpers.page.page_server import serve_test_page
from helpers.patience import PATIENCE_S

from companion.web import server
from companion.web.http import connections
from companion.web.http.connections import ConnectionLimits


def test_limits_count_open_connections_in_total_and_by_address() -> None:
    limits = ConnectionLimits(max_total=3, max_per_address=2)
    assert [limits.acquire("a") for _ in range(3)] == [True, True, False]
    assert limits.acquire("b")
    assert not limits.acquire("c"), "the total is reached"
    limits.release("a")
    assert limits.acquire("c")
    for address in ("a", "b", "c"):
        limits.release(address)
    assert limits.count == 0
    assert not limits._open


def test_too_many_connections_of_one_address_are_closed_without_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    created: list[ConnectionLimits] = []

    def make() -> ConnectionLimits:
        created.append(ConnectionLimits(max_per_address=3))
        return created[-1]

    monkeypatch.setattr(server, "ConnectionLimits", make)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            assert created[0].count == 1, "the test's own connection"
            async with page.connect(), page.connect():
                async with asyncio.timeout(PATIENCE_S):
                    while created[0].count < 3:
                        await asyncio.sleep(0.01)
                async with page.connect() as (reader, _):
                    with suppress(ConnectionResetError):
                        assert await reader.read(1) == b""
                async with page.connect("127.0.0.2") as (reader, writer):
                    writer.write(b"GET /api/table HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
            async with asyncio.timeout(PATIENCE_S):
                while created[0].count > 1:
                    await asyncio.sleep(0.01)

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: local", b"POST /api/pair HTTP/1.1\r\n"]
)
def test_a_client_that_sends_no_request_in_time_is_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setitem(connections.LIMITS, "keepalive_timeout", 0.1)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.connect() as (reader, writer):
            writer.write(sent)
            async with asyncio.timeout(PATIENCE_S):
                assert await reader.read() == b""

    asyncio.run(scenario())


def test_slow_headers_do_not_extend_the_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connections.LIMITS, "keepalive_timeout", 0.2)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.connect() as (reader, writer):
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
def test_malformed_http_gets_one_line_and_a_closed_connection(tmp_path: Path, sent: bytes) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.connect() as (reader, writer):
            writer.write(sent)
            async with asyncio.timeout(PATIENCE_S):
                answer = await reader.read()
            head, _, body = answer.partition(b"\r\n\r\n")
            assert head.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 "))
            assert b"\r\nContent-Security-Policy: default-src 'none'" in head
            assert json.loads(body) == {"error": "This is no request that a browser sends."}
            assert page.log == [], "a flood must not fill the log"

    asyncio.run(scenario())


@pytest.mark.parametrize("path", [b"/api/table", b"/nowhere"])
def test_an_invalid_expect_header_is_a_client_error(tmp_path: Path, path: bytes) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.connect() as (reader, writer):
            writer.write(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nExpect: \xe9\r\n\r\n")
            async with asyncio.timeout(PATIENCE_S):
                head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 417 ")
            assert json.loads(body) == {"error": "This is no request that a browser sends."}
            assert page.log == []

    asyncio.run(scenario())


def test_the_kernel_drops_a_client_that_leaves_bytes_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    connection_made = connections.LimitedConnection.connection_made

    def record(self: connections.LimitedConnection, transport: Any) -> None:  # noqa: ANN401
        connection_made(self, transport)
        opened = transport.get_extra_info("socket")
        seen.append(opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))

    monkeypatch.setattr(connections.LimitedConnection, "connection_made", record)

    async def scenario() -> None:
        async with serve_test_page(tmp_path):
            assert seen == [connections.UNREAD_TIMEOUT_MS]

    asyncio.run(scenario())


def test_limits_have_these_values() -> None:
    """Bodies are never decompressed: a few bytes could become very many."""
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
