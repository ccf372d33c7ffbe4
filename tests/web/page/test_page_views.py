"""What stands beside the table: asked for when it is opened, and again when it may have changed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from helpers.page.page_reach import IN_ALL_FONTS
from helpers.page.page_stub import play_on
from helpers.page.phone import Phone
from helpers.storage.game_folder import play
from helpers.storage.stored_games import SET_UP
from helpers.table.table_driver import TableDriver, begun
from playwright.sync_api import Route

from companion.table.conversation import Stage

NAMES = ("Amina", "Bruno", "Chloé", "Dan")
LOST = "The companion does not answer."


def play_whole_game(folder: Path, names: tuple[str, ...] = NAMES) -> None:
    words = play_on(begun(), Random(21), Stage.OVER)
    play(folder, f"{SET_UP} {' '.join(words)} ok", names=names)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    play_whole_game(tmp_path)
    return tmp_path


# --- Late answers -------------------------------------------------------------------------


def test_a_game_that_comes_late_does_not_cover_the_list(phone: Phone, played: Path) -> None:
    phone.open(begun()).go("games")
    held: list[Route] = []
    with phone.page.expect_request("**/api/games/1"):
        phone.page.route("**/api/games/1", lambda route: held.append(route))
        phone.find(".games a").click()
    with phone.page.expect_response("**/api/games"):
        phone.find('nav a[href="#games"]').click()
    with phone.page.expect_response("**/api/games/1"):
        held[0].continue_()
    phone.show(begun("east"))  # by then it would have been drawn
    assert phone.find(".games li").count() == 1
    assert phone.find("#view-games .replay").count() == 0


def test_whoever_asks_for_the_open_view_asks_anew(phone: Phone, played: Path) -> None:
    phone.open(begun()).go("games")
    with phone.page.expect_response("**/api/games"):
        phone.find('nav a[href="#games"]').click()


def test_however_far_the_slider_is_pulled_one_moment_is_asked_at_a_time(
    phone: Phone, played: Path
) -> None:
    """And the last one is that at which it was let go."""
    phone.open(begun())
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
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
    assert [url.rsplit("/", 1)[1] for url in asked if "/moments/" in url][1:] == ["4"]


# --- News ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "shown"), [("games", ".games li"), ("games/1", ".replay"), ("standings", "tbody tr")]
)
def test_what_was_not_answered_comes_with_the_link(
    phone: Phone, played: Path, view: str, shown: str
) -> None:
    phone.page.clock.install()
    phone.open(begun())
    phone.stub.hang_up()
    phone.page.wait_for_selector("#link:not([hidden])")
    name = view.partition("/")[0]
    phone.page.evaluate("view => { location.hash = view; }", view)
    phone.page.get_by_text(LOST).wait_for()
    phone.stub.come_back()
    phone.page.clock.run_for(1000)
    phone.page.wait_for_selector(f"#view-{name} {shown}")
    assert not phone.page.get_by_text(LOST).is_visible()


def test_the_list_takes_up_a_game_when_it_is_put_away(phone: Phone, played: Path) -> None:
    phone.open(begun()).go("games")
    play_whole_game(played)
    phone.show(TableDriver())
    phone.page.wait_for_selector(".games li:nth-child(2)")


def test_the_rules_go_with_the_booklet(phone: Phone) -> None:
    phone.open(TableDriver(booklet="en")).go("rules")
    with phone.page.expect_response("**/api/rules"):
        phone.show(TableDriver(booklet="en", options={"bankruptcy": "spare"}))


def test_a_booklet_that_decides_nothing_otherwise_is_named(phone: Phone) -> None:
    phone.stub.rules_by = "en"
    phone.open(begun()).go("rules")
    assert phone.text("#view-rules > :last-child") == "Booklet: English"


def test_a_game_that_is_looked_at_stays_as_it_is(phone: Phone, played: Path) -> None:
    phone.open(begun()).go("games/1")
    phone.page.wait_for_selector(".replay .market .rug")
    phone.page.get_by_role("button", name="Earlier").click()
    at = phone.find(".replay input").input_value()
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.show(TableDriver()).show(begun())
    assert phone.find(".replay input").input_value() == at
    assert [url for url in asked if url.endswith("/api/games/1")] == []


def test_a_page_of_another_version_is_loaded_anew(phone: Phone) -> None:
    phone.open(begun())
    phone.page.evaluate("window.isOld = true")
    phone.stub.companion = "99.0"
    with phone.page.expect_navigation():
        phone.stub.show(begun())
    phone.wait()
    assert phone.page.evaluate("window.isOld") is None
    phone.page.evaluate("window.isOld = true")
    phone.show(begun("east"))
    assert phone.page.evaluate("window.isOld") is True


def test_the_plot_comes_later_if_it_could_not_be_had_at_once(phone: Phone, tmp_path: Path) -> None:
    over = begun(names=NAMES)
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
def test_an_address_that_nobody_gave_leads_somewhere(phone: Phone, name: str) -> None:
    phone.open(begun(), name)
    assert phone.sees("#view-games" if name.startswith("games") else "#view-table")


def test_of_a_game_without_a_beginning_there_is_nothing_to_replay(
    phone: Phone, played: Path
) -> None:
    (played / "archive" / "0001.jsonl").write_bytes(b"nothing of a game\n" * 3)
    phone.open(begun()).go("games/1")
    assert phone.text("#view-games .refused").startswith("This game is damaged: ")
    assert phone.find("#view-games :is(.replay, .chart, .count)").count() == 0


def test_nobody_has_won_a_game_that_was_not_finished(phone: Phone, tmp_path: Path) -> None:
    play(tmp_path, f"{SET_UP} east 3 ok pause pause", names=NAMES)
    phone.open(begun()).go("games/1")
    assert phone.text("#view-games h2") == "Not finished"
    assert phone.find("#view-games tbody tr").count() == 4
    assert phone.find("#view-games .winner").count() == 0


def test_names_and_scores_keep_their_sides(phone: Phone, tmp_path: Path) -> None:
    """Names that are written from the right, beside others: each score stands after its name."""
    play_whole_game(tmp_path, ("אבג", "דהו", "Chloé", "Dan"))
    phone.open(begun()).go("games")
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
def test_names_and_their_scores_stay_in_the_plot(phone: Phone, width: int) -> None:
    """Of three who are out, the lowest would else stand below it; and of a long name, the score."""
    phone.resize(width, 800).open(begun())
    inside = phone.page.evaluate(
        """async () => {
            const { drawChart } = await import("/static/chart.js");
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
