"""The page's server: its routes, and refusals as one line of JSON."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers.page.page_server import CODE, SNAPSHOT, serve_test_page
from helpers.rules.sample_positions import START

from companion.games.marrakech import booklet_named
from companion.i18n import catalogue_loader
from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.message import message
from companion.i18n.rules_summary import summarize_rules
from companion.i18n.wire_form import WireRenderer
from companion.web import history_routes, server
from companion.web.http.request_guard import SECURITY_HEADERS
from companion.web.page_text import page_text

# --- The table ----------------------------------------------------------------------------


def test_the_snapshot_is_sent_with_the_pages_members(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            answer = await page.get("/api/table")
            assert (answer.status, answer.headers["Content-Type"]) == (
                200,
                "application/json; charset=utf-8",
            )
            assert answer.json == {
                "language": "en",
                "table": {**SNAPSHOT, "refused_at": None},
                "paired": False,
                "odds": None,
                "payment": None,
            }

    asyncio.run(scenario())


@pytest.mark.parametrize("has_odds", [True, False])
def test_odds_are_sent_before_a_roll_unless_turned_off(tmp_path: Path, has_odds: bool) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path, has_odds=has_odds) as page:
            async with page.open_stream() as events:
                page.table.change(game={"position": START, "tribute": None})
                while b"orient" not in await events.readuntil(b"\n\n"):
                    pass
            plain = (await page.get("/api/table")).json
            if has_odds:
                assert sorted(plain["odds"]) == ["east", "south", "west"]
                assert plain["odds"]["south"]["expected"] == "0"
            else:
                assert plain["odds"] is None

    asyncio.run(scenario())


def test_an_error_in_the_odds_leaves_them_out_and_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_odds(position: str) -> None:
        raise ZeroDivisionError(position)

    monkeypatch.setattr(server, "odds_of", broken_odds)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            async with page.open_stream() as events:
                page.table.change(game={"position": "x", "tribute": None})
                while b'"position":"x"' not in await events.readuntil(b"\n\n"):
                    pass
            plain = (await page.get("/api/table")).json
            assert plain["odds"] is None
            assert plain["table"]["game"]["position"] == "x"
            assert page.log == ["broken_odds failed: ZeroDivisionError: x"]

    asyncio.run(scenario())


def test_a_missing_table_is_reported_and_found_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            await page.table.close()
            await page.wait_for_table(is_there=False)
            answer = await page.get("/api/table")
            assert answer.status == 503
            assert answer.error == (
                "The table cannot be reached: it is starting, or it was stopped."
            )
            assert (await page.post("/api/pair", {"code": CODE})).status == 503
            await page.table.open()
            await page.wait_for_table()

    asyncio.run(scenario())


# --- Files and texts ----------------------------------------------------------------------


def test_static_files_are_cached_until_they_change(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            answer = await page.get("/static/js/words.js")
            assert answer.status == 200
            assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
            again = await page.get(
                "/static/js/words.js", headers={"If-None-Match": answer.headers["ETag"]}
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
def test_unknown_paths_are_not_found(tmp_path: Path, path: str) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page, page.connect() as (reader, writer):
            writer.write(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            answer = await reader.read()
            assert answer.startswith(b"HTTP/1.0 404 "), answer[:40]
            assert answer.endswith(b'{"error":"There is nothing here."}')

    asyncio.run(scenario())


def test_the_pages_text_comes_from_the_catalogue(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            text = (await page.get("/api/words")).json
            assert text == page_text(renderer_for("en").catalogue)

    asyncio.run(scenario())


# --- Languages ----------------------------------------------------------------------------

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


def test_each_phone_gets_its_own_language(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            title = WireRenderer().render(message("title.setup"))
            page.table.change(title=title, language="fi")
            await page.wait_until(lambda table: table.get("language") == "fi")
            answers = [
                (await page.get("/api/table", headers=headers)).json
                for headers in ({}, GERMAN, {"Cookie": "marrakech-language=ja", **GERMAN})
            ]
            assert [one["language"] for one in answers] == ["fi", "de", "ja"]
            assert [one["table"]["title"] for one in answers] == [
                renderer_for(code).render(message("title.setup")) for code in ("fi", "de", "ja")
            ]
            words = (await page.get("/api/words", headers=GERMAN)).json
            assert words == page_text(renderer_for("de").catalogue)

    asyncio.run(scenario())


def test_an_unreadable_catalogue_falls_back_to_english_and_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            monkeypatch.setattr(catalogue_loader, "LOCALE", tmp_path)
            renderer_for.cache_clear()
            for _ in range(2):
                answer = await page.get("/nowhere", headers=GERMAN)
                assert answer.error == "There is nothing here."
            (line,) = page.log
            assert line.startswith("the catalogue of de cannot be read")

    try:
        asyncio.run(scenario())
    finally:
        renderer_for.cache_clear()


def test_a_refusal_is_in_the_phones_language(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            answer = await page.get("/nowhere", headers=GERMAN)
            assert answer.error == renderer_for("de").render(message("page.not_found"))
            await page.pair()
            refused = WireRenderer().render(message("no.edge"))
            page.table.answers["press"] = {"ok": False, "refused": True, "error": refused}
            answer = await page.post("/api/press", {"button": "north"}, headers=GERMAN)
            assert answer.json["error"] == renderer_for("de").render(message("no.edge"))

    asyncio.run(scenario())


def test_the_rules_are_in_the_phones_language(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            czech = booklet_named("cs")
            game = {"booklet": "cs", "options": dict(czech.options.items())}
            page.table.change(setup=game)
            await page.wait_until(lambda table: "setup" in table)
            rules_json = (await page.get("/api/rules", headers=GERMAN)).json
            german, rules = renderer_for("de"), summarize_rules(czech, czech.options)
            assert rules_json == {
                "title": german.render(rules.title),
                "booklet": german.render(rules.booklet),
                "paragraphs": [german.render_all(one) for one in rules.paragraphs],
                "differs": [german.render(one) for one in rules.differs],
                "agreed": [],
            }

    asyncio.run(scenario())


def test_every_response_has_the_security_headers(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            answers = [
                await page.get("/"),
                await page.get("/api/table"),
                await page.get("/nowhere"),
                await page.get("/", headers={"Host": "evil.example"}),
                await page.post("/api/table", {}),
                await page.post("/api/pair", {"code": CODE}),
            ]
            async with page.phone.get(f"{page.url}/api/events") as stream:
                for headers in (*(answer.headers for answer in answers), stream.headers):
                    assert {
                        name: headers.get(name) for name in SECURITY_HEADERS
                    } == SECURITY_HEADERS
            assert answers[4].status == 405
            assert answers[4].headers["Allow"] == "GET,HEAD"

    asyncio.run(scenario())


# --- Games --------------------------------------------------------------------------------


def test_a_folder_without_games_has_an_empty_history(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            assert (await page.get("/api/history")).json["moments"] == []
            assert (await page.get("/api/games")).json == {"games": []}
            assert (await page.get("/api/standings")).json == {"standings": []}
            for path in ("", "/moments/1", "/record.txt", "/table.svg", "/table.png"):
                answer = await page.get(f"/api/games/1{path}")
                assert answer.status == 404, path
                assert answer.error == (
                    "This cannot be read: no game 1 in the archive: it is empty"
                )

    asyncio.run(scenario())


def test_an_error_in_a_handler_is_answered_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(views: history_routes.GameViews) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(history_routes.GameViews, "standings", fail)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            answer = await page.get("/api/standings")
            assert answer.status == 500
            assert answer.error == "A fault in the page's server: ZeroDivisionError."
            assert page.log == ["/api/standings failed: ZeroDivisionError: secret"]
            assert not page.server.failure.done()

    asyncio.run(scenario())


def test_the_server_fails_without_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of it might be broken: the parent process restarts it."""

    def fail(views: history_routes.GameViews) -> None:
        raise MemoryError

    monkeypatch.setattr(history_routes.GameViews, "standings", fail)

    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            assert (await page.get("/api/standings")).status == 500
            with pytest.raises(MemoryError):
                await page.server.failure

    asyncio.run(scenario())
