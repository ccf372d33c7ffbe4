"""Fuzzing the page: any input is answered or disconnected, and the page still works.

Each run sends its examples to one page and checks that page afterwards.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from helpers.page.page_server import ServedPage, serve_test_page
from helpers.profiles import examples
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

ANSWER = re.compile(rb"HTTP/\d\.\d ([1-5]\d\d) [^\r\n]*\r\n(?:[!-9;-~]+: [^\r\n]*\r\n)*\r\n")
UNFINISHED_S = 0.05
"""Half a request has no answer. A later answer to a whole one is not checked."""
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "X")
PATHS = (
    "/",
    "/api/table",
    "/api/pair",
    "/api/press",
    "/api/setup",
    "/api/history",
    "/api/history/0",
    "/api/games",
    "/api/games/1",
    "/api/games/1/moments/1",
    "/api/games/1/record.txt",
    "/api/games/1/table.svg",
    "/api/standings",
    "/api/words",
    "/static/js/words.js",
)
HOSTS = ("localhost", "127.0.0.1:8080", "evil.example", "[::1]", "")

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=10,
)
members = st.dictionaries(
    st.sampled_from(["do", "code", "button", "hold", "die", "roll", "players", "names", "options"])
    | st.text(max_size=6),
    values,
    max_size=5,
)
texts = st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=30)
HEADERS = (
    "Origin",
    "Cookie",
    "Content-Length",
    "Content-Type",
    "Transfer-Encoding",
    "Upgrade",
    "Connection",
    "Expect",
    "Sec-Fetch-Site",
    "If-None-Match",
    "Range",
    "Host",
    "X",
)
HEADER_VALUES = ("websocket", "100-continue", "chunked", "close", "5", "bytes=0-")
headers = st.lists(
    st.tuples(st.sampled_from(HEADERS), texts | st.sampled_from(HEADER_VALUES)), max_size=4
)


@st.composite
def odd_requests(draw: st.DrawFn) -> bytes:
    """Requests of the right form, with odd values."""
    path = draw(st.sampled_from(PATHS) | texts.map(lambda text: f"/{text}"))
    lines = [
        f"{draw(st.sampled_from(METHODS))} {path} HTTP/1.{draw(st.sampled_from('01'))}",
        f"Host: {draw(st.sampled_from(HOSTS))}",
        *(f"{name}: {value}" for name, value in draw(headers)),
    ]
    body = draw(st.binary(max_size=60) | members.map(lambda plain: json.dumps(plain).encode()))
    if draw(st.booleans()):
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def send_all(folder: Path, examples: Iterable[bytes]) -> None:
    async def send(page: ServedPage, sent: bytes) -> None:
        async with page.connect() as (reader, writer):
            writer.write(sent)
            try:
                async with asyncio.timeout(UNFINISHED_S):
                    answer = await reader.read(1 << 20)
            except (ConnectionError, TimeoutError):
                return
            assert not answer or ANSWER.match(answer), answer[:200]

    _with_page(folder, lambda page: _each(page, examples, send))


async def _each(
    page: ServedPage,
    examples: Iterable[bytes],
    send: Callable[[ServedPage, bytes], Awaitable[None]],
) -> None:
    for sent in examples:
        await send(page, sent)


def _with_page(folder: Path, work: Callable[[ServedPage], Awaitable[None]]) -> None:
    async def scenario() -> None:
        faults: list[dict[str, object]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        async with serve_test_page(folder) as page:
            await work(page)
            assert (await page.get("/api/table")).status == 200
            assert page.log == [], "no errors of our own"
            assert not page.server.failure.done()
            assert all(one["do"] == "choices" for one in page.table.requests if one["do"] != "pair")
        assert faults == []

    asyncio.run(scenario())


@settings(max_examples=examples(25), suppress_health_check=list(HealthCheck))
@given(examples=st.lists(st.binary(min_size=1, max_size=200), max_size=10))
def test_any_bytes_are_answered_or_disconnected(tmp_path: Path, examples: list[bytes]) -> None:
    send_all(tmp_path, examples)


@settings(
    max_examples=examples(40),
    suppress_health_check=list(HealthCheck),
    phases=(
        Phase.explicit,
        Phase.reuse,
        Phase.generate,
    ),  # shrinking would need a page for each step
)
@given(examples=st.lists(odd_requests(), min_size=5, max_size=20))
def test_odd_requests_are_answered_and_never_press(tmp_path: Path, examples: list[bytes]) -> None:
    send_all(tmp_path, examples)


@settings(max_examples=examples(25), suppress_health_check=list(HealthCheck))
@given(examples=st.lists(st.tuples(st.sampled_from(PATHS), members), min_size=5, max_size=10))
def test_any_json_object_is_answered_in_json(
    tmp_path: Path, examples: list[tuple[str, dict[str, object]]]
) -> None:
    async def work(page: ServedPage) -> None:
        for path, plain in examples:
            answer = await page.request(
                "POST",
                path,
                data=json.dumps(plain).encode(),
                headers={"Content-Type": "application/json"},
            )
            assert answer.status in (204, 400, 403, 405, 413, 429)
            if answer.status != 204:
                assert list(answer.json) == ["error"]

    _with_page(tmp_path, work)


def test_a_request_sent_byte_by_byte_is_answered(tmp_path: Path) -> None:
    whole = b"GET /api/table HTTP/1.0\r\nHost: localhost\r\n\r\n"

    async def work(page: ServedPage) -> None:
        async with page.connect() as (reader, writer):
            for at in range(len(whole)):
                writer.write(whole[at : at + 1])
                await asyncio.sleep(0)
            assert (await reader.read()).startswith(b"HTTP/1.0 200 OK\r\n")

    _with_page(tmp_path, work)
