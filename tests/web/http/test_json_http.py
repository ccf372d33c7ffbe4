"""Request bodies: a small JSON object, or a refusal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers.page.page_server import serve_test_page

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
def test_a_body_that_is_not_a_small_json_object_is_refused(tmp_path: Path, body: bytes) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            headers = {"Content-Type": "application/json"}
            answer = await page.request("POST", "/api/pair", data=body, headers=headers)
            assert answer.status == BODIES[body]
            assert answer.error.endswith(".")
            assert page.table.requests == []

    asyncio.run(scenario())


def test_a_chunked_body_has_the_same_size_limit(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.connect() as (reader, writer):
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
def test_content_types_of_html_forms_are_refused(tmp_path: Path, headers: dict[str, str]) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            body = b'{"code": "0417"}'
            answer = await page.request("POST", "/api/pair", data=body, headers=headers)
            assert answer.status == 415
            assert page.table.requests == []

    asyncio.run(scenario())


def test_a_body_that_does_not_arrive_in_time_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_http, "BODY_TIMEOUT_S", 0.1)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.connect() as (reader, writer):
            writer.write(
                b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 16\r\n\r\n{"
            )
            assert await reader.readline() == b"HTTP/1.1 408 Request Timeout\r\n"

    asyncio.run(scenario())
