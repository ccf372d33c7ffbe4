"""The history view during a game: it updates, and keeps the user's place."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.page.page_reach import IN_ALL_FONTS
from helpers.page.phone import Phone
from helpers.storage.game_folder import damage, play
from helpers.storage.stored_games import SET_UP
from helpers.table.table_driver import started_game
from playwright.sync_api import Route

NAMES = ("Amina", "<b>Bruno</b>", "Chloé", "Dan")
ROLLED = "Amina rolled 3: Assam walks to g4 and faces east."
LAID = "Amina laid a red rug on g2 and g3."
LONG = " ".join(["north back ok"] * 12)
"""Assam turned and undone, often enough for a list that scrolls."""


@pytest.fixture
def live(phone: Phone, tmp_path: Path) -> Phone:
    """The open history view with four moments; the last is a rug laid by Amina."""
    play(tmp_path, f"{SET_UP} east 3 ok", names=NAMES)
    phone.open(started_game(), "history")
    phone.page.wait_for_selector(".moments li:nth-child(4)")
    return phone


def play_on(phone: Phone, folder: Path, words: str) -> None:
    """Press more keys. The first OK resumes the game, as after a restart."""
    play(folder, f"ok {words}", names=NAMES)
    phone.show(started_game())


def wait_for_moments(phone: Phone, count: int) -> None:
    phone.page.wait_for_function(
        "n => document.querySelectorAll('.moments li').length === n", arg=count
    )


def wait_for_caption(phone: Phone, text: str) -> None:
    phone.page.wait_for_function(
        "text => document.querySelector('.replay .moment').textContent === text", arg=text
    )


def position(phone: Phone) -> tuple[str, str]:
    """The slider's value and the caption."""
    slider = phone.page.get_by_role("slider", name="Moment of the game")
    return slider.input_value(), phone.text(".replay .moment")


def scrolled_px(phone: Phone) -> int:
    return int(phone.find(".moments").evaluate("list => list.scrollTop"))


def choose(phone: Phone, index: int) -> None:
    with phone.page.expect_response(f"**/api/history/{index}"):
        phone.find(".moments button").nth(index).click()


# --- Following the game -------------------------------------------------------------------


def test_the_view_follows_the_end(live: Phone, tmp_path: Path) -> None:
    assert position(live) == ("3", LAID)
    with live.page.expect_response("**/api/history/4"):
        play_on(live, tmp_path, "2")
    wait_for_moments(live, 5)
    caption = "<b>Bruno</b> rolled 2: Assam walks to f5 and faces west."
    assert position(live) == ("4", caption)
    assert live.texts(".moments .current") == [f"Turn 2 {caption}"]
    assert not live.find(".step-key.has-news").count()


@IN_ALL_FONTS
def test_the_end_of_the_list_stays_visible(live: Phone, tmp_path: Path) -> None:
    play_on(live, tmp_path, LONG)
    wait_for_moments(live, 16)
    assert scrolled_px(live) == 0, "all of that was undone, so the current moment is the same"
    play_on(live, tmp_path, "2")
    wait_for_moments(live, 17)
    assert live.find(".moments li").last.evaluate(
        "item => item.getBoundingClientRect().bottom"
        " <= item.parentNode.getBoundingClientRect().bottom"
    )


def test_undone_moments_are_marked_and_the_end_is_before_them(live: Phone, tmp_path: Path) -> None:
    play_on(live, tmp_path, "back ok")
    wait_for_caption(live, ROLLED)
    assert position(live)[0] == "2"
    assert live.texts(".moments li")[2:] == [f"Turn 1 {ROLLED}", f"Turn 1 {LAID} taken back"]


def test_redone_moments_are_not_marked(live: Phone, tmp_path: Path) -> None:
    journal, later = tmp_path / "game.jsonl", tmp_path / "later"
    later.mkdir()
    (later / journal.name).write_bytes(journal.read_bytes())
    play(later, "ok back east", names=NAMES)
    play_on(live, tmp_path, "back")
    wait_for_caption(live, ROLLED)
    journal.write_bytes((later / journal.name).read_bytes())
    live.show(started_game())
    wait_for_caption(live, LAID)
    assert live.find(".moments .taken-back").count() == 0


# --- At another moment --------------------------------------------------------------------


def test_the_view_stays_at_a_chosen_moment(live: Phone, tmp_path: Path) -> None:
    choose(live, 1)
    play_on(live, tmp_path, "2 ok")
    wait_for_moments(live, 6)
    assert position(live) == ("1", "Assam faces east.")
    assert live.find(".replay .market .rug").count() == 0
    assert live.page.get_by_role("slider").get_attribute("max") == "5"


def test_newest_is_marked_and_leads_to_the_end(live: Phone, tmp_path: Path) -> None:
    choose(live, 1)
    newest = live.page.get_by_role("button", name="Newest")
    assert "has-news" not in (newest.get_attribute("class") or "")
    play_on(live, tmp_path, "2")
    wait_for_moments(live, 5)
    assert "has-news" in (newest.get_attribute("class") or "")
    newest.click()
    wait_for_caption(live, "<b>Bruno</b> rolled 2: Assam walks to f5 and faces west.")
    assert "has-news" not in (newest.get_attribute("class") or "")


def test_the_list_keeps_its_scroll_position(live: Phone, tmp_path: Path) -> None:
    """Also if the user has only scrolled and chosen no moment."""
    play_on(live, tmp_path, f"{LONG} 2")
    wait_for_moments(live, 17)
    live.page.wait_for_function("() => document.querySelector('.moments').scrollTop > 0")
    live.find(".moments").evaluate("list => { list.scrollTop = 40; }")
    play_on(live, tmp_path, "ok")
    wait_for_moments(live, 18)
    assert scrolled_px(live) == 40
    choose(live, 2)
    live.find(".moments").evaluate("list => { list.scrollTop = 55; }")
    play_on(live, tmp_path, "2")
    wait_for_moments(live, 19)
    assert scrolled_px(live) == 55


def test_a_focused_moment_keeps_the_focus(live: Phone, tmp_path: Path) -> None:
    """Also if it is marked as taken back meanwhile."""
    choose(live, 3)
    play_on(live, tmp_path, "back ok")
    live.page.wait_for_selector(".moments .taken-back")
    assert live.find(".moments button:focus").inner_text().split()[-2:] == ["taken", "back"]


# --- Other games, no game, damage ---------------------------------------------------------


def test_a_new_game_replaces_the_history(live: Phone, tmp_path: Path) -> None:
    choose(live, 1)
    play(tmp_path, f"ok pause pause {SET_UP} west 2 ok 1 ok", names=NAMES)
    live.show(started_game())
    wait_for_moments(live, 6)
    assert position(live)[0] == "5"
    assert live.texts(".moments li")[1] == "Turn 1 Assam faces west."


def test_the_end_and_the_start_of_a_game_are_noticed(live: Phone, tmp_path: Path) -> None:
    play(tmp_path, "ok pause pause", names=NAMES)
    live.show(started_game())
    live.page.wait_for_selector("#view-history .replay", state="detached")
    assert live.text("#view-history p") == "No game is being played."
    play(tmp_path, SET_UP, names=NAMES)
    live.show(started_game())
    wait_for_moments(live, 1)


def test_damage_is_shown_with_the_intact_part(live: Phone, tmp_path: Path) -> None:
    assert not live.is_visible("#view-history .refused")
    damage(tmp_path / "game.jsonl", 3)
    live.show(started_game())
    live.page.wait_for_selector("#view-history .refused:not(:empty)")
    assert live.text("#view-history .refused").startswith("This game is damaged: ")
    assert live.find(".moments li").count() == 2


def test_an_unreadable_game_is_shown_as_damaged(live: Phone, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_bytes(b"nothing of a game\n" * 3)
    live.show(started_game())
    live.page.wait_for_selector("#view-history .replay", state="detached")
    assert live.text("#view-history p").startswith("This game is damaged: ")


# --- Requests -----------------------------------------------------------------------------


def test_the_history_stays_while_the_server_does_not_answer(live: Phone, tmp_path: Path) -> None:
    live.page.route("**/api/history", lambda route: route.abort())
    with live.page.expect_event("requestfailed"):
        play_on(live, tmp_path, "2")
    assert position(live) == ("3", LAID)
    live.page.unroute("**/api/history")
    live.show(started_game())
    wait_for_moments(live, 5)


def test_only_one_history_request_is_sent_at_a_time(live: Phone, tmp_path: Path) -> None:
    held: list[Route] = []
    live.page.route("**/api/history", lambda route: held.append(route))
    with live.page.expect_request("**/api/history"):
        live.show(started_game())
    for _ in range(5):
        live.show(started_game())
    assert len(held) == 1
    play(tmp_path, "ok 2", names=NAMES)
    with live.page.expect_request("**/api/history"):
        held[0].continue_()
    live.page.evaluate("new Promise((done) => setTimeout(done, 0))")
    assert len(held) == 2
    held[1].continue_()
    wait_for_moments(live, 5)


def test_the_table_view_requests_no_history(live: Phone, tmp_path: Path) -> None:
    live.page.wait_for_function(  # until the shown moment is loaded
        "() => performance.getEntriesByType('resource')"
        ".some((one) => /history\\/\\d+$/.test(one.name))"
    )
    urls: list[str] = []
    live.page.on("request", lambda request: urls.append(request.url))
    live.go("table")
    play_on(live, tmp_path, "2")
    assert [url for url in urls if "history" in url] == []
