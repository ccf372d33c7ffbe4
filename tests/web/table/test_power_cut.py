"""A power cut in the middle of a game: pages show it, reconnect, and go on."""

from __future__ import annotations

from helpers.page.page_watchers import PageWatchers
from playwright.sync_api import Page

from companion.games.marrakech import parse_position

LOST = "Connection lost. Looking for the companion again: this may be out of date."
GAME = ("market", "players", "assam", "position", "turn", "told")
"""The members that are the same before and after."""


def wait_until_lost(page: Page) -> None:
    page.wait_for_selector("#link:not([hidden])")
    assert page.inner_text("#link") == LOST
    assert page.locator("body.stale").count() == 1


def wait_until_found(page: Page) -> None:
    page.wait_for_selector("#link", state="hidden")
    assert page.locator("body.stale").count() == 0


def test_pages_show_the_same_game_after_a_power_cut(watchers: PageWatchers) -> None:
    table = watchers.table
    table.request("setup", players=3, names=["Amina", "Bruno", "Chloé"])
    table.press("ok ok ok ok east 3 ok 2 ok 4")
    before = watchers.compare()
    assert before["stage"] in ("pay", "lay"), "in the middle of a turn"
    table.kill()
    for page in watchers.pages.values():
        wait_until_lost(page)
        title = page.inner_text("#title")
        assert title == before["title"], "the last state stays"
        page.evaluate("delete document.body.dataset.sequence")  # a new process counts from 0
    table.start()
    for page in watchers.pages.values():
        wait_until_found(page)
    after = watchers.compare()
    assert after["stage"] == "resume"
    assert {key: after["game"][key] for key in GAME} == {key: before["game"][key] for key in GAME}
    table.press("ok")
    again = watchers.compare()
    assert (again["stage"], again["title"]) == (before["stage"], before["title"])
    assert parse_position(again["game"]["position"]).dirhams == (30, 30, 30)


def test_an_open_page_waits_for_the_table(
    watchers: PageWatchers,
) -> None:
    """Also after changing the view while the table is off."""
    table, page = watchers.table, watchers.pages["phone"]
    table.kill()
    for each in watchers.pages.values():
        wait_until_lost(each)
        each.evaluate("delete document.body.dataset.sequence")
    page.evaluate("location.hash = 'history'")
    page.evaluate("location.hash = 'table'")
    table.start()
    for each in watchers.pages.values():
        wait_until_found(each)
    watchers.compare()
