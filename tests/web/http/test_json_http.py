"""What phones send: a small object of JSON, or one line that says what it should have been."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers.page.page_server import page_of

from companion.web.http import json_http

BODIES = {
    b"": 400,
    b"{": 400,
    b"[]": 400,
    b'"text"': 400,
    b"[" * 4000: 400,
    b'{"code": "\xff"}': 400,
    b'{"code": "' + b"1" * 4096 + b'"}': 413,
}


@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:12]))
def test_what_is_no_small_object_of_json_is_refused(tmp_path: Path, body: bytes) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            kind = {"Content-Type": "application/json"}
            answer = await desk.ask("POST", "/api/pair", data=body, headers=kind)
            assert answer.status == BODIES[body]
            assert answer.error.endswith(".")
            assert desk.table.asked == []

    asyncio.run(scenario())


def test_a_body_that_does_not_say_its_length_has_the_same_limit(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.wire() as (reader, writer):
            writer.write(
                b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n"
            )
            writer.write(b"1000\r\n" + b" " * 4096 + b"\r\n" + b"10\r\n" + b" " * 16 + b"\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 413 ")

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
def test_what_a_form_of_another_page_can_send_is_no_request(
    tmp_path: Path, headers: dict[str, str]
) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            body = b'{"code": "0417"}'
            answer = await desk.ask("POST", "/api/pair", data=body, headers=headers)
            assert answer.status == 415
            assert desk.table.asked == []

    asyncio.run(scenario())


def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_http, "BODY_S", 0.1)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.wire() as (reader, writer):
            writer.write(
                b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 16\r\n\r\n{"
            )
            assert await reader.readline() == b"HTTP/1.1 408 Request Timeout\r\n"

    asyncio.run(scenario())
