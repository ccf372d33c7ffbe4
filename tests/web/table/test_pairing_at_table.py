"""Pairing with a real table: its code, its buttons on the page, and the game that they move."""

from __future__ import annotations

import pytest
from helpers.page.page_watchers import Onlookers
from helpers.page.served_table import ServedTable
from playwright.sync_api import Page

from companion.cli.main import main
from companion.control.unix_socket import NAME
from companion.daemon.pairing import TRIES

NO_CODE = "No code is valid now: hold OK and BACK together, and read it on the matrix."
FETCH = """
async ([path, plain]) => {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(plain) });
  return [answer.status, answer.status === 204 ? {} : await answer.json()];
}
"""


def shown_code(table: ServedTable, capsys: pytest.CaptureFixture[str]) -> str:
    """As `marrakech pair` says it to whoever looks after the table."""
    assert main(["pair", "--socket", str(table.folder / NAME)]) == 0
    return capsys.readouterr().out.split("\n")[0]


def wrong_for(code: str) -> str:
    return f"{(int(code) + 1) % 10_000:04}"


def open_dialog(page: Page) -> None:
    page.click("#pair")
    page.wait_for_selector("#pairing[open]")


def type_code(page: Page, code: str) -> None:
    with page.expect_response("**/api/pair"):
        page.fill("#pairing-code", code)
        page.keyboard.press("Enter")


def wait_until_told(page: Page, text: str) -> None:
    page.wait_for_function(
        "text => document.getElementById('pairing-told').textContent === text", arg=text
    )


def press(page: Page, key: str) -> None:
    """A button of the table on the page, by its class."""
    with page.expect_response("**/api/press"):
        page.click(f"#pad .key.{key}")


def test_a_phone_that_was_shown_the_code_plays(
    onlookers: Onlookers, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the others see it, and have no buttons all the same."""
    table, page = onlookers.table, onlookers.pages["phone"]
    table.press("ok ok ok ok")
    code = shown_code(table, capsys)
    account = onlookers.compare()
    assert account["pairing"] is not None
    assert code not in str({**account, "page": None}), "whoever only watches is not told it"
    open_dialog(page)
    type_code(page, code)
    page.wait_for_selector("#pad:not([hidden])")
    assert not page.is_visible("#pairing")
    assert onlookers.compare()["pairing"] is None, "it has done its work"
    for key in ("east", "pips:nth-child(3)", "ok"):
        press(page, key)
        account = onlookers.compare()
    assert (account["stage"], account["game"]["turn"]) == ("orient", 2)
    assert account["game"]["assam"] == {"square": "g4", "facing": "east"}
    press(page, "west")
    assert onlookers.compare()["refused"] == "Assam never turns round: west is behind him."
    press(page, "back")
    assert onlookers.compare()["stage"] == "put_back"
    press(page, "hold:last-child")
    assert onlookers.compare()["stage"] == "resume"
    for name in ("small phone", "desktop"):
        assert not onlookers.pages[name].is_visible("#pad")


def test_a_game_is_set_up_with_names_from_a_phone(
    onlookers: Onlookers, capsys: pytest.CaptureFixture[str]
) -> None:
    table, page = onlookers.table, onlookers.pages["phone"]
    code = shown_code(table, capsys)
    open_dialog(page)
    type_code(page, code)
    page.wait_for_selector("#setup form")
    page.select_option("#setup [name=players]", "2")
    names = page.locator("#setup fieldset input")
    names.nth(0).fill("Amina")
    names.nth(1).fill("Bruno")
    with page.expect_response("**/api/setup"):
        page.click("#setup [type=submit]")
    account = onlookers.compare()
    assert account["setup"]["players"] == 2
    assert account["setup"]["names"] == ["Amina", "Bruno"]
    while account["stage"] != "orient":
        press(page, "ok")
        account = onlookers.compare()
    assert [player["called"] for player in account["game"]["players"]] == ["Amina", "Bruno"]


def test_who_is_not_paired_moves_nothing_whatever_he_sends(onlookers: Onlookers) -> None:
    table, page = onlookers.table, onlookers.pages["phone"]
    table.press("ok ok ok ok")
    before, kept = onlookers.compare(), table.kept()
    assert not page.is_visible("#pad")
    assert not page.is_visible("#setup")
    said = (
        "This phone only watches: hold OK and BACK at the table, and type the code that the "
        "matrix shows."
    )
    for path, plain in (
        ("/api/press", {"die": 3}),
        ("/api/press", {"do": "show_code"}),
        ("/api/setup", {"players": 2}),
    ):
        assert page.evaluate(FETCH, [path, plain]) == [403, {"error": said}]
    after = onlookers.compare()
    assert after["sequence"] == before["sequence"], "the table has not heard of it"
    assert table.kept() == kept


def test_a_code_that_was_guessed_at_too_often_is_void(
    onlookers: Onlookers, capsys: pytest.CaptureFixture[str]
) -> None:
    table, page = onlookers.table, onlookers.pages["small phone"]
    open_dialog(page)
    type_code(page, "0000")
    wait_until_told(page, NO_CODE)
    code = shown_code(table, capsys)
    for left in range(TRIES - 1, 0, -1):
        type_code(page, wrong_for(code))
        tries = "1 try is left" if left == 1 else f"{left} tries are left"
        wait_until_told(page, f"That is not the code on the matrix: {tries}.")
    type_code(page, wrong_for(code))
    wait_until_told(
        page,
        "That was not the code, and one time too often: hold OK and BACK together for a new one.",
    )
    type_code(page, code)  # the right one, and too late
    wait_until_told(page, NO_CODE)
    assert not page.is_visible("#pad")
    type_code(page, shown_code(table, capsys))
    page.wait_for_selector("#pad:not([hidden])")
