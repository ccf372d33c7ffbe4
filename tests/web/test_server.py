"""The page's server: what each address answers, and what it refuses in one line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers.page.page_server import ACCOUNT, CODE, page_of
from helpers.rules.sample_positions import START

from companion.games.marrakech import booklet_named
from companion.i18n import catalogue_loader
from companion.i18n.catalogue_loader import speech_in
from companion.i18n.message import message
from companion.i18n.rules_summary import rules_of
from companion.i18n.wire_form import WireRenderer
from companion.web import history_routes, server
from companion.web.http.request_guard import HEADERS
from companion.web.page_text import page_words

# --- The table ----------------------------------------------------------------------------


def test_the_table_is_told_as_it_is(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            answer = await desk.get("/api/table")
            assert (answer.status, answer.headers["Content-Type"]) == (
                200,
                "application/json; charset=utf-8",
            )
            assert answer.plain == {
                "language": "en",
                "table": {**ACCOUNT, "refused_at": None},
                "paired": False,
                "odds": None,
                "payment": None,
            }

    asyncio.run(scenario())


@pytest.mark.parametrize("has_odds", [True, False])
def test_odds_are_told_before_a_roll_unless_they_are_not_wanted(
    tmp_path: Path, has_odds: bool
) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path, has_odds=has_odds) as desk:
            async with desk.listening() as events:
                desk.table.change(game={"position": START, "tribute": None})
                while b"orient" not in await events.readuntil(b"\n\n"):
                    pass
            plain = (await desk.get("/api/table")).plain
            if has_odds:
                assert sorted(plain["odds"]) == ["east", "south", "west"]
                assert plain["odds"]["south"]["expected"] == "0"
            else:
                assert plain["odds"] is None

    asyncio.run(scenario())


def test_a_fault_in_the_odds_leaves_them_out_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_odds(position: str) -> None:
        raise ZeroDivisionError(position)

    monkeypatch.setattr(server, "odds_of", broken_odds)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            async with desk.listening() as events:
                desk.table.change(game={"position": "x", "tribute": None})
                while b'"position":"x"' not in await events.readuntil(b"\n\n"):
                    pass
            plain = (await desk.get("/api/table")).plain
            assert plain["odds"] is None
            assert plain["table"]["game"]["position"] == "x"
            assert desk.told == ["a fault in broken_odds: ZeroDivisionError: x"]

    asyncio.run(scenario())


def test_without_a_table_that_is_said_and_it_is_found_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            await desk.table.close()
            await desk.is_met(is_there=False)
            answer = await desk.get("/api/table")
            assert answer.status == 503
            assert answer.error == (
                "The table cannot be reached: it is starting, or it was stopped."
            )
            assert (await desk.post("/api/pair", {"code": CODE})).status == 503
            await desk.table.open()
            await desk.is_met()

    asyncio.run(scenario())


# --- Files and words ----------------------------------------------------------------------


def test_the_page_and_its_files_are_kept_by_browsers_until_they_change(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            answer = await desk.get("/static/words.js")
            assert answer.status == 200
            assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
            again = await desk.get(
                "/static/words.js", headers={"If-None-Match": answer.headers["ETag"]}
            )
            assert (again.status, again.body) == (304, b"")

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/static//etc/passwd",
        "/static/",
        "/static/.",
        "/static/%00",
        "/server.py",
        "/api",
        "/api/nothing",
        "/api/games/../../etc",
        "/api/history/-1",
        "/api/history/x",
        "/api/history/99999999",
        "/api/games/%2e%2e%2f0001/record.txt",
    ],
)
def test_what_is_not_there_is_not_found(tmp_path: Path, path: str) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk, desk.wire() as (reader, writer):
            writer.write(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            answer = await reader.read()
            assert answer.startswith(b"HTTP/1.0 404 "), answer[:40]
            assert answer.endswith(b'{"error":"There is nothing here."}')

    asyncio.run(scenario())


def test_the_pages_words_come_from_the_catalogue(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            told = (await desk.get("/api/words")).plain
            assert told == page_words(speech_in("en").catalogue)

    asyncio.run(scenario())


# --- Languages ----------------------------------------------------------------------------

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


def test_each_phone_is_told_in_its_own_language(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            title = WireRenderer().say(message("title.setup"))
            desk.table.change(title=title, language="fi")
            await desk.until_told(lambda table: table.get("language") == "fi")
            said = [
                (await desk.get("/api/table", headers=headers)).plain
                for headers in ({}, GERMAN, {"Cookie": "marrakech-language=ja", **GERMAN})
            ]
            assert [one["language"] for one in said] == ["fi", "de", "ja"]
            assert [one["table"]["title"] for one in said] == [
                speech_in(code).say(message("title.setup")) for code in ("fi", "de", "ja")
            ]
            words = (await desk.get("/api/words", headers=GERMAN)).plain
            assert words == page_words(speech_in("de").catalogue)

    asyncio.run(scenario())


def test_a_phone_whose_language_is_lost_is_told_in_english_and_the_table_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            monkeypatch.setattr(catalogue_loader, "LOCALE", tmp_path)
            speech_in.cache_clear()
            for _ in range(2):
                answer = await desk.get("/nowhere", headers=GERMAN)
                assert answer.error == "There is nothing here."
            (told,) = desk.told
            assert told.startswith("the words of de cannot be read")

    try:
        asyncio.run(scenario())
    finally:
        speech_in.cache_clear()


def test_a_refusal_is_said_in_the_language_of_the_phone(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            answer = await desk.get("/nowhere", headers=GERMAN)
            assert answer.error == speech_in("de").say(message("page.not_found"))
            await desk.pair()
            refused = WireRenderer().say(message("no.edge"))
            desk.table.answers["press"] = {"ok": False, "refused": True, "error": refused}
            answer = await desk.post("/api/press", {"button": "north"}, headers=GERMAN)
            assert answer.plain["error"] == speech_in("de").say(message("no.edge"))

    asyncio.run(scenario())


def test_the_rules_of_the_table_are_told_in_the_language_of_the_phone(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            czech = booklet_named("cs")
            game = {"booklet": "cs", "options": dict(czech.options.items())}
            desk.table.change(setup=game)
            await desk.until_told(lambda table: "setup" in table)
            told = (await desk.get("/api/rules", headers=GERMAN)).plain
            german, rules = speech_in("de"), rules_of(czech, czech.options)
            assert told == {
                "title": german.say(rules.title),
                "booklet": german.say(rules.booklet),
                "paragraphs": [german.say_all(one) for one in rules.paragraphs],
                "differs": [german.say(one) for one in rules.differs],
                "agreed": [],
            }

    asyncio.run(scenario())


def test_every_answer_has_the_headers_that_keep_the_page_to_itself(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            answers = [
                await desk.get("/"),
                await desk.get("/api/table"),
                await desk.get("/nowhere"),
                await desk.get("/", headers={"Host": "evil.example"}),
                await desk.post("/api/table", {}),
                await desk.post("/api/pair", {"code": CODE}),
            ]
            async with desk.phone.get(f"{desk.url}/api/events") as stream:
                for headers in (*(answer.headers for answer in answers), stream.headers):
                    assert {name: headers.get(name) for name in HEADERS} == HEADERS
            assert answers[4].status == 405
            assert answers[4].headers["Allow"] == "GET,HEAD"

    asyncio.run(scenario())


# --- Games --------------------------------------------------------------------------------


def test_a_folder_without_games_has_no_past(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            assert (await desk.get("/api/history")).plain["moments"] == []
            assert (await desk.get("/api/games")).plain == {"games": []}
            assert (await desk.get("/api/standings")).plain == {"standings": []}
            for path in ("", "/moments/1", "/record.txt", "/table.svg", "/table.png"):
                answer = await desk.get(f"/api/games/1{path}")
                assert answer.status == 404, path
                assert answer.error == (
                    "This cannot be read: no game 1 in the archive: it is empty"
                )

    asyncio.run(scenario())


def test_a_fault_in_reading_is_answered_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(past: history_routes.Past) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(history_routes.Past, "standings", fail)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            answer = await desk.get("/api/standings")
            assert answer.status == 500
            assert answer.error == "A fault in the page's server: ZeroDivisionError."
            assert desk.told == ["a fault at /api/standings: ZeroDivisionError: secret"]
            assert not desk.page.fault.done()

    asyncio.run(scenario())


def test_a_page_without_memory_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of it might go on without the other: whoever has started it starts it again."""

    def fail(past: history_routes.Past) -> None:
        raise MemoryError

    monkeypatch.setattr(history_routes.Past, "standings", fail)

    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            assert (await desk.get("/api/standings")).status == 500
            with pytest.raises(MemoryError):
                await desk.page.fault

    asyncio.run(scenario())
