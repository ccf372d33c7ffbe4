"""The plug is pulled in the middle of a game: pages say so, find the table again, and go on."""

from __future__ import annotations

from helpers.page.page_watchers import Onlookers
from playwright.sync_api import Page

from companion.games.marrakech import parse_position

LOST = "Connection lost. Looking for the companion again: this may be out of date."
GAME = ("market", "players", "assam", "position", "turn", "told")
"""What of a game is the same before and after."""


def wait_until_lost(page: Page) -> None:
    page.wait_for_selector("#link:not([hidden])")
    assert page.inner_text("#link") == LOST
    assert page.locator("body.stale").count() == 1


def wait_until_found(page: Page) -> None:
    page.wait_for_selector("#link", state="hidden")
    assert page.locator("body.stale").count() == 0


def test_pages_find_the_very_same_game_again(onlookers: Onlookers) -> None:
    table = onlookers.table
    table.ask("setup", players=3, names=["Amina", "Bruno", "Chloé"])
    table.press("ok ok ok ok east 3 ok 2 ok 4")
    before = onlookers.compare()
    assert before["stage"] in ("pay", "lay"), "in the middle of a turn"
    table.kill()
    for page in onlookers.pages.values():
        wait_until_lost(page)
        title = page.inner_text("#title")
        assert title == before["title"], "what was known stays"
        page.evaluate("delete document.body.dataset.sequence")  # it is counted anew
    table.start()
    for page in onlookers.pages.values():
        wait_until_found(page)
    after = onlookers.compare()
    assert after["stage"] == "resume"
    assert {key: after["game"][key] for key in GAME} == {key: before["game"][key] for key in GAME}
    table.press("ok")
    again = onlookers.compare()
    assert (again["stage"], again["title"]) == (before["stage"], before["title"])
    assert parse_position(again["game"]["position"]).dirhams == (30, 30, 30)


def test_a_phone_that_comes_while_nobody_is_there_waits_for_the_table(
    onlookers: Onlookers,
) -> None:
    """Its page is still open from yesterday, and somebody leaves it and looks again."""
    table, page = onlookers.table, onlookers.pages["phone"]
    table.kill()
    for each in onlookers.pages.values():
        wait_until_lost(each)
        each.evaluate("delete document.body.dataset.sequence")
    page.evaluate("location.hash = 'history'")
    page.evaluate("location.hash = 'table'")
    table.start()
    for each in onlookers.pages.values():
        wait_until_found(each)
    onlookers.compare()
