"""The other views: loaded when opened, and again when they may have changed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from helpers.page.page_reach import IN_ALL_FONTS
from helpers.page.page_stub import play_on
from helpers.page.phone import Phone
from helpers.storage.game_folder import play
from helpers.storage.stored_games import SET_UP
from helpers.table.table_driver import TableDriver, started_game
from playwright.sync_api import Route

from companion.table.conversation import Stage

NAMES = ("Amina", "Bruno", "Chloé", "Dan")
LOST = "The companion does not answer."


def play_whole_game(folder: Path, names: tuple[str, ...] = NAMES) -> None:
    words = play_on(started_game(), Random(21), Stage.OVER)
    play(folder, f"{SET_UP} {' '.join(words)} ok", names=names)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    play_whole_game(tmp_path)
    return tmp_path


# --- Late answers -------------------------------------------------------------------------


def test_a_late_game_does_not_replace_the_list(phone: Phone, played: Path) -> None:
    phone.open(started_game()).go("games")
    held: list[Route] = []
    with phone.page.expect_request("**/api/games/1"):
        phone.page.route("**/api/games/1", lambda route: held.append(route))
        phone.find(".games a").click()
    with phone.page.expect_response("**/api/games"):
        phone.find('nav a[href="#games"]').click()
    with phone.page.expect_response("**/api/games/1"):
        held[0].continue_()
    phone.show(started_game("east"))  # the late game would be drawn by now
    assert phone.find(".games li").count() == 1
    assert phone.find("#view-games .replay").count() == 0


def test_choosing_the_open_view_reloads_it(phone: Phone, played: Path) -> None:
    phone.open(started_game()).go("games")
    with phone.page.expect_response("**/api/games"):
        phone.find('nav a[href="#games"]').click()


def test_the_slider_requests_one_moment_at_a_time(phone: Phone, played: Path) -> None:
    """And the last one is where it was released."""
    phone.open(started_game())
    urls: list[str] = []
    phone.page.on("request", lambda request: urls.append(request.url))
    held: list[Route] = []
    phone.page.route(
        "**/moments/*", lambda route: route.continue_() if held else held.append(route)
    )
    with phone.page.expect_request("**/moments/*"):
        phone.page.evaluate("location.hash = 'games/1'")
    phone.page.evaluate(
        """() => {
            const slider = document.querySelector(".replay input");
            for (let at = 60; at >= 4; at -= 1) {
                slider.value = at;
                slider.dispatchEvent(new Event("input"));
            }
        }"""
    )
    with phone.page.expect_response("**/moments/4"):
        held[0].continue_()
    assert [url.rsplit("/", 1)[1] for url in urls if "/moments/" in url][1:] == ["4"]


# --- Updates ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "shown"), [("games", ".games li"), ("games/1", ".replay"), ("standings", "tbody tr")]
)
def test_failed_requests_are_repeated_after_reconnecting(
    phone: Phone, played: Path, view: str, shown: str
) -> None:
    phone.page.clock.install()
    phone.open(started_game())
    phone.stub.stop_server()
    phone.page.wait_for_selector("#link:not([hidden])")
    name = view.partition("/")[0]
    phone.page.evaluate("view => { location.hash = view; }", view)
    phone.page.get_by_text(LOST).wait_for()
    phone.stub.start_server()
    phone.page.clock.run_for(1000)
    phone.page.wait_for_selector(f"#view-{name} {shown}")
    assert not phone.page.get_by_text(LOST).is_visible()


def test_the_list_updates_when_a_game_is_archived(phone: Phone, played: Path) -> None:
    phone.open(started_game()).go("games")
    play_whole_game(played)
    phone.show(TableDriver())
    phone.page.wait_for_selector(".games li:nth-child(2)")


def test_the_rules_follow_the_booklet(phone: Phone) -> None:
    phone.open(TableDriver(booklet="en")).go("rules")
    with phone.page.expect_response("**/api/rules"):
        phone.show(TableDriver(booklet="en", options={"bankruptcy": "spare"}))


def test_a_booklet_without_differences_is_named(phone: Phone) -> None:
    phone.stub.rules_booklet = "en"
    phone.open(started_game()).go("rules")
    assert phone.text("#view-rules > :last-child") == "Booklet: English"


def test_an_open_archived_game_does_not_change(phone: Phone, played: Path) -> None:
    phone.open(started_game()).go("games/1")
    phone.page.wait_for_selector(".replay .market .rug")
    phone.page.get_by_role("button", name="Earlier").click()
    moment = phone.find(".replay input").input_value()
    urls: list[str] = []
    phone.page.on("request", lambda request: urls.append(request.url))
    phone.show(TableDriver()).show(started_game())
    assert phone.find(".replay input").input_value() == moment
    assert [url for url in urls if url.endswith("/api/games/1")] == []


def test_the_page_reloads_after_an_update(phone: Phone) -> None:
    phone.open(started_game())
    phone.page.evaluate("window.isOld = true")
    phone.stub.companion = "99.0"
    with phone.page.expect_navigation():
        phone.stub.show(started_game())
    phone.wait()
    assert phone.page.evaluate("window.isOld") is None
    phone.page.evaluate("window.isOld = true")
    phone.show(started_game("east"))
    assert phone.page.evaluate("window.isOld") is True


def test_the_chart_appears_once_it_is_loaded(phone: Phone, tmp_path: Path) -> None:
    over = started_game(names=NAMES)
    words = play_on(over, Random(21), Stage.OVER)
    play(tmp_path, f"{SET_UP} {' '.join(words)}", names=NAMES)
    phone.page.route("**/api/history", lambda route: route.fulfill(status=503, body="{}"))
    with phone.page.expect_response("**/api/history"):
        phone.open(over)
    phone.page.unroute("**/api/history")
    phone.show(over)
    phone.page.wait_for_selector("#final .chart")
    phone.show(over)
    assert phone.find("#final .chart").count() == 1


# --- Edges --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["games/%", "games/99", "nowhere", "table/1"])
def test_an_unknown_hash_shows_a_view(phone: Phone, name: str) -> None:
    phone.open(started_game(), name)
    assert phone.is_visible("#view-games" if name.startswith("games") else "#view-table")


def test_a_game_without_its_header_has_no_replay(phone: Phone, played: Path) -> None:
    (played / "archive" / "0001.jsonl").write_bytes(b"nothing of a game\n" * 3)
    phone.open(started_game()).go("games/1")
    assert phone.text("#view-games .refused").startswith("This game is damaged: ")
    assert phone.find("#view-games :is(.replay, .chart, .count)").count() == 0


def test_an_unfinished_game_has_no_winner(phone: Phone, tmp_path: Path) -> None:
    play(tmp_path, f"{SET_UP} east 3 ok pause pause", names=NAMES)
    phone.open(started_game()).go("games/1")
    assert phone.text("#view-games h2") == "Not finished"
    assert phone.find("#view-games tbody tr").count() == 4
    assert phone.find("#view-games .winner").count() == 0


def test_names_and_scores_keep_their_sides(phone: Phone, tmp_path: Path) -> None:
    """Beside right-to-left names, each score stands after its name."""
    play_whole_game(tmp_path, ("אבג", "דהו", "Chloé", "Dan"))
    phone.open(started_game()).go("games")
    edges = phone.page.evaluate(
        """() => Array.from(document.querySelectorAll(".scores .score"), (node) => {
            const name = node.querySelector("bdi").getBoundingClientRect();
            const score = document.createRange();
            score.selectNodeContents(node.lastChild);
            return [name.left, score.getBoundingClientRect().right];
        }).flat()"""
    )
    assert len(edges) == 8
    assert edges == sorted(edges)


@IN_ALL_FONTS
@pytest.mark.parametrize("width", [360, 390, 1280])
def test_labels_stay_inside_the_chart(phone: Phone, width: int) -> None:
    """Also with three labels at the bottom, and with long names."""
    phone.resize(width, 800).open(started_game())
    inside = phone.page.evaluate(
        """async () => {
            const { drawChart } = await import("/static/js/chart.js");
            const players = ["red", "yellow", "blue", "brown"].map(
                (one, seat) => ({ called: one + "Wm".repeat(4 * seat), colours: [one] }));
            const chart = drawChart(players, [[30, 30, 30, 30], [0, 100, null, null]]);
            document.body.append(chart);
            const frame = chart.getBoundingClientRect();
            return Array.from(chart.querySelectorAll(".end"), (end) => {
                const box = end.getBoundingClientRect();
                return box.top >= frame.top && box.bottom <= frame.bottom
                    && box.right <= frame.right;
            });
        }"""
    )
    assert inside == [True] * 4
