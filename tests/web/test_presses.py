"""Phones that ask for something: the code first, then presses and a new game."""

from __future__ import annotations

import asyncio
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from aiohttp import ClientSession, DummyCookieJar
from helpers.page.page_server import CODE, page_of
from helpers.patience import PATIENCE_S
from helpers.table.control_caller import control_of

from companion.web.http.sessions import COOKIE, TRIES
from companion.web.server import PageSettings, serving


def test_a_phone_that_is_not_paired_only_watches(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            for path in ("/api/press", "/api/setup"):
                answer = await desk.post(path, {"button": "ok"})
                assert answer.status == 403
                assert answer.error.startswith("This phone only watches: ")
            assert desk.table.asked == []

    asyncio.run(scenario())


def test_who_has_the_code_gets_a_cookie_that_no_script_can_read(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            wrong = await desk.post("/api/pair", {"code": "9999"})
            assert (wrong.status, wrong.error) == (403, "That is not the code.")
            assert "Set-Cookie" not in wrong.headers
            right = await desk.post("/api/pair", {"code": CODE})
            assert (right.status, right.body) == (204, b"")
            (cookie,) = SimpleCookie(right.headers["Set-Cookie"]).values()
            assert cookie.key == COOKIE
            assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")
            assert cookie["max-age"] == str(12 * 3600)
            assert (await desk.get("/api/table")).plain["paired"] is True
            async with ClientSession(cookie_jar=DummyCookieJar()) as stranger:
                desk.phone, phone = stranger, desk.phone
                assert (await desk.get("/api/table")).plain["paired"] is False
                desk.phone = phone

    asyncio.run(scenario())


def test_codes_cannot_be_tried_one_after_the_other(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            tried = [
                (await desk.post("/api/pair", {"code": f"{n:04}"})).status for n in range(TRIES + 2)
            ]
            assert tried == [403] * TRIES + [429] * 2
            assert len(desk.table.asked) == TRIES, "the table is not bothered by the rest"

    asyncio.run(scenario())


def test_a_stranger_locks_nobody_out(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            for n in range(TRIES + 1):
                answer = await desk.post("/api/pair", {"code": f"{n:04}"})
            assert answer.status == 429
            body = b'{"code": "%b"}' % CODE.encode()
            async with desk.wire("127.0.0.2") as (reader, writer):
                writer.write(
                    b"POST /api/pair HTTP/1.0\r\nHost: localhost\r\n"
                    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                    % len(body)
                    + body
                )
                assert (await reader.readline()).startswith(b"HTTP/1.0 204 ")

    asyncio.run(scenario())


def test_what_is_no_code_is_no_try(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            for _ in range(TRIES + 1):
                assert (await desk.post("/api/pair", {"code": "041"})).status == 400
            await desk.pair()

    asyncio.run(scenario())


def test_the_table_may_have_had_enough_before(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            refusal = {"ok": False, "reason": "too_many", "error": "Wait a minute."}
            desk.table.answers["pair"] = refusal
            answer = await desk.post("/api/pair", {"code": CODE})
            assert (answer.status, answer.error) == (429, "Wait a minute.")

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "code", [1234, None, "", "041", "04170", "04 7", "abcd", "٠٤١٧", "0417\n", ["0417"]]
)
def test_what_is_no_code_is_not_asked(tmp_path: Path, code: object) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            answer = await desk.post("/api/pair", {"code": code})
            assert (answer.status, answer.error) == (400, "The code has four digits.")
            assert desk.table.asked == []

    asyncio.run(scenario())


def test_presses_and_set_ups_are_passed_on_and_answered_in_the_tables_words(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            await desk.pair()
            done = await desk.post("/api/press", {"button": "ok", "hold": True})
            assert (done.status, done.plain) == (200, {"ok": True, "error": None})
            refusal = {"ok": False, "refused": True, "error": "Roll first."}
            desk.table.answers["press"] = refusal
            no = await desk.post("/api/press", {"die": 3})
            assert (no.status, no.plain) == (
                200,
                {"ok": False, "error": "Roll first.", "refused_at": None},
            )
            desk.table.answers["press"] = {"ok": False, "error": "unknown button 'up'"}
            wrong = await desk.post("/api/press", {"button": "up"})
            assert (wrong.status, wrong.plain["error"]) == (400, "unknown button 'up'")
            await desk.post("/api/setup", {"players": 3, "do": "show_code", "words": "fr"})
            await desk.post("/api/press", {"self": 1, "request": 2})
            assert desk.table.asked[1:] == [
                {"do": "press", "words": "plain", "button": "ok", "hold": True},
                {"do": "press", "words": "plain", "die": 3},
                {"do": "press", "words": "plain", "button": "up"},
                {"do": "setup", "words": "plain", "players": 3},
                {"do": "press", "words": "plain", "self": 1, "request": 2},
            ], "what is done is said by the address alone"

    asyncio.run(scenario())


def test_what_can_be_chosen_is_asked_once_of_each_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            for _ in range(3):
                assert (await desk.get("/api/setup")).plain == {"booklets": ["en"]}
            assert desk.table.asked == [{"do": "choices", "words": "plain"}]
            await desk.table.close()
            await desk.is_met(is_there=False)
            await desk.table.open()
            await desk.is_met()
            await desk.get("/api/setup")
            assert desk.table.asked == [{"do": "choices", "words": "plain"}] * 2

    asyncio.run(scenario())


def test_a_table_that_hangs_holds_up_a_few_and_no_more(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            await desk.pair()
            desk.table.is_silent = True
            asking = [
                asyncio.ensure_future(desk.post("/api/press", {"button": "ok"})) for _ in range(12)
            ]
            async with asyncio.timeout(PATIENCE_S):
                while sum(one.done() for one in asking) < 4 or len(desk.table.asked) < 1 + 3:
                    await asyncio.sleep(0.01)
            for one in asking:
                if one.done():
                    assert one.result().status == 503
                    assert one.result().error.startswith("Too much is asked at once")
            assert len(desk.table.asked) == 1 + 3, "the others wait here, not at the table"
            assert (await desk.get("/api/table")).status == 200
            for one in asking:
                one.cancel()
            await asyncio.gather(*asking, return_exceptions=True)

    asyncio.run(scenario())


def test_a_whole_press_from_a_phone_to_the_real_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path / "games") as at:
            settings = PageSettings(at.path, tmp_path / "games", port=0)
            async with page_of(tmp_path) as desk, serving(settings) as page:
                desk.page = page
                await desk.is_met()
                code = at.sitting.table.daemon.show_code()
                assert code not in (await desk.get("/api/table")).body.decode()
                assert (await desk.post("/api/pair", {"code": code})).status == 204
                assert (await desk.post("/api/press", {"button": "south"})).plain["ok"]
                assert (await desk.get("/api/table")).plain["table"]["setup"]["players"] == 3
                no = (await desk.post("/api/press", {"die": 3})).plain
                told = (await desk.get("/api/table")).plain["table"]
                assert no == {
                    "ok": False,
                    "error": "The game has not begun: agree on the set-up first.",
                    "refused_at": told["refused_at"],
                }
                assert 0 < told["refused_at"] <= told["sequence"]
                wrong = await desk.post("/api/press", {"self": 1})
                assert wrong.status == 400
                assert wrong.plain["error"].startswith("unknown member 'self': ")

    asyncio.run(scenario())
