"""Pairing, presses and set-up over HTTP."""

from __future__ import annotations

import asyncio
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from aiohttp import ClientSession, DummyCookieJar
from helpers.page.page_server import CODE, serve_test_page
from helpers.patience import PATIENCE_S
from helpers.table.control_harness import open_control

from companion.web.http.sessions import SESSION_COOKIE, TRIES_PER_ADDRESS
from companion.web.server import PageSettings, serve_page


def test_an_unpaired_phone_cannot_press(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            for path in ("/api/press", "/api/setup"):
                answer = await page.post(path, {"button": "ok"})
                assert answer.status == 403
                assert answer.error.startswith("This phone only watches: ")
            assert page.table.requests == []

    asyncio.run(scenario())


def test_pairing_sets_an_http_only_cookie(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            wrong = await page.post("/api/pair", {"code": "9999"})
            assert (wrong.status, wrong.error) == (403, "That is not the code.")
            assert "Set-Cookie" not in wrong.headers
            right = await page.post("/api/pair", {"code": CODE})
            assert (right.status, right.body) == (204, b"")
            (cookie,) = SimpleCookie(right.headers["Set-Cookie"]).values()
            assert cookie.key == SESSION_COOKIE
            assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")
            assert cookie["max-age"] == str(12 * 3600)
            assert (await page.get("/api/table")).json["paired"] is True
            async with ClientSession(cookie_jar=DummyCookieJar()) as stranger:
                page.phone, phone = stranger, page.phone
                assert (await page.get("/api/table")).json["paired"] is False
                page.phone = phone

    asyncio.run(scenario())


def test_tries_of_codes_are_limited(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            tried = [
                (await page.post("/api/pair", {"code": f"{n:04}"})).status
                for n in range(TRIES_PER_ADDRESS + 2)
            ]
            assert tried == [403] * TRIES_PER_ADDRESS + [429] * 2
            assert len(page.table.requests) == TRIES_PER_ADDRESS, (
                "the others do not reach the table"
            )

    asyncio.run(scenario())


def test_one_address_cannot_use_up_the_tries_of_others(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            for n in range(TRIES_PER_ADDRESS + 1):
                answer = await page.post("/api/pair", {"code": f"{n:04}"})
            assert answer.status == 429
            body = b'{"code": "%b"}' % CODE.encode()
            async with page.connect("127.0.0.2") as (reader, writer):
                writer.write(
                    b"POST /api/pair HTTP/1.0\r\nHost: localhost\r\n"
                    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                    % len(body)
                    + body
                )
                assert (await reader.readline()).startswith(b"HTTP/1.0 204 ")

    asyncio.run(scenario())


def test_a_malformed_code_does_not_count_as_a_try(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            for _ in range(TRIES_PER_ADDRESS + 1):
                assert (await page.post("/api/pair", {"code": "041"})).status == 400
            await page.pair()

    asyncio.run(scenario())


def test_the_tables_own_limit_of_tries_is_passed_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            refusal = {"ok": False, "reason": "too_many", "error": "Wait a minute."}
            page.table.answers["pair"] = refusal
            answer = await page.post("/api/pair", {"code": CODE})
            assert (answer.status, answer.error) == (429, "Wait a minute.")

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "code", [1234, None, "", "041", "04170", "04 7", "abcd", "٠٤١٧", "0417\n", ["0417"]]
)
def test_a_malformed_code_is_not_sent_to_the_table(tmp_path: Path, code: object) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            answer = await page.post("/api/pair", {"code": code})
            assert (answer.status, answer.error) == (400, "The code has four digits.")
            assert page.table.requests == []

    asyncio.run(scenario())


def test_presses_and_set_ups_are_forwarded_with_the_tables_answer(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            await page.pair()
            done = await page.post("/api/press", {"button": "ok", "hold": True})
            assert (done.status, done.json) == (200, {"ok": True, "error": None})
            refusal = {"ok": False, "refused": True, "error": "Roll first."}
            page.table.answers["press"] = refusal
            refused = await page.post("/api/press", {"die": 3})
            assert (refused.status, refused.json) == (
                200,
                {"ok": False, "error": "Roll first.", "refused_at": None},
            )
            page.table.answers["press"] = {"ok": False, "error": "unknown button 'up'"}
            wrong = await page.post("/api/press", {"button": "up"})
            assert (wrong.status, wrong.json["error"]) == (400, "unknown button 'up'")
            await page.post("/api/setup", {"players": 3, "do": "show_code", "words": "fr"})
            await page.post("/api/press", {"self": 1, "request": 2})
            assert page.table.requests[1:] == [
                {"do": "press", "words": "plain", "button": "ok", "hold": True},
                {"do": "press", "words": "plain", "die": 3},
                {"do": "press", "words": "plain", "button": "up"},
                {"do": "setup", "words": "plain", "players": 3},
                {"do": "press", "words": "plain", "self": 1, "request": 2},
            ], "phones cannot choose what is done"

    asyncio.run(scenario())


def test_setup_choices_are_requested_once_per_connection(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            for _ in range(3):
                assert (await page.get("/api/setup")).json == {"booklets": ["en"]}
            assert page.table.requests == [{"do": "choices", "words": "plain"}]
            await page.table.close()
            await page.wait_for_table(is_there=False)
            await page.table.open()
            await page.wait_for_table()
            await page.get("/api/setup")
            assert page.table.requests == [{"do": "choices", "words": "plain"}] * 2

    asyncio.run(scenario())


def test_a_table_that_hangs_blocks_only_a_few_requests(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            await page.pair()
            page.table.is_silent = True
            asking = [
                asyncio.ensure_future(page.post("/api/press", {"button": "ok"})) for _ in range(12)
            ]
            async with asyncio.timeout(PATIENCE_S):
                while sum(one.done() for one in asking) < 4 or len(page.table.requests) < 1 + 3:
                    await asyncio.sleep(0.01)
            for one in asking:
                if one.done():
                    assert one.result().status == 503
                    assert one.result().error.startswith("Too much is asked at once")
            assert len(page.table.requests) == 1 + 3, "the others wait in the page's server"
            assert (await page.get("/api/table")).status == 200
            for one in asking:
                one.cancel()
            await asyncio.gather(*asking, return_exceptions=True)

    asyncio.run(scenario())


def test_a_press_reaches_a_real_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path / "games") as harness:
            settings = PageSettings(harness.path, tmp_path / "games", port=0)
            async with serve_test_page(tmp_path) as page, serve_page(settings) as server:
                page.server = server
                await page.wait_for_table()
                code = harness.virtual_table.table.controller.show_code()
                assert code not in (await page.get("/api/table")).body.decode()
                assert (await page.post("/api/pair", {"code": code})).status == 204
                assert (await page.post("/api/press", {"button": "south"})).json["ok"]
                assert (await page.get("/api/table")).json["table"]["setup"]["players"] == 3
                refused = (await page.post("/api/press", {"die": 3})).json
                snapshot = (await page.get("/api/table")).json["table"]
                assert refused == {
                    "ok": False,
                    "error": "The game has not begun: agree on the set-up first.",
                    "refused_at": snapshot["refused_at"],
                }
                assert 0 < snapshot["refused_at"] <= snapshot["sequence"]
                wrong = await page.post("/api/press", {"self": 1})
                assert wrong.status == 400
                assert wrong.json["error"].startswith("unknown member 'self': ")

    asyncio.run(scenario())
