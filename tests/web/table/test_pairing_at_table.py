"""Pairing with a real table, and playing from the page."""

from __future__ import annotations

import pytest
from helpers.page.page_watchers import PageWatchers
from helpers.page.table_process import TableProcess
from playwright.sync_api import Page

from companion.cli.main import main
from companion.control.pairing import MAX_WRONG_ATTEMPTS
from companion.control.unix_socket import NAME

NO_CODE = "No code is valid now: hold OK and BACK together, and read it on the matrix."
FETCH = """
async ([path, body]) => {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return [answer.status, answer.status === 204 ? {} : await answer.json()];
}
"""


def show_code(table: TableProcess, capsys: pytest.CaptureFixture[str]) -> str:
    """The code that `marrakech pair` prints."""
    assert main(["pair", "--socket", str(table.folder / NAME)]) == 0
    return capsys.readouterr().out.split("\n")[0]


def wrong_code(code: str) -> str:
    return f"{(int(code) + 1) % 10_000:04}"


def open_dialog(page: Page) -> None:
    page.click("#pair")
    page.wait_for_selector("#pairing[open]")


def type_code(page: Page, code: str) -> None:
    with page.expect_response("**/api/pair"):
        page.fill("#pairing-code", code)
        page.keyboard.press("Enter")


def wait_for_error(page: Page, text: str) -> None:
    page.wait_for_function(
        "text => document.getElementById('pairing-error').textContent === text", arg=text
    )


def press(page: Page, key: str) -> None:
    """Click a button of the pad, by its class."""
    with page.expect_response("**/api/press"):
        page.click(f"#pad .key.{key}")


def test_a_paired_phone_can_play(
    watchers: PageWatchers, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other phones see it, but have no buttons."""
    table, page = watchers.table, watchers.pages["phone"]
    table.press("ok ok ok ok")
    code = show_code(table, capsys)
    snapshot = watchers.compare()
    assert snapshot["pairing"] is not None
    assert code not in str({**snapshot, "page": None}), "unpaired phones must not get it"
    open_dialog(page)
    type_code(page, code)
    page.wait_for_selector("#pad:not([hidden])")
    assert not page.is_visible("#pairing")
    assert watchers.compare()["pairing"] is None, "the code was used"
    for key in ("east", "pips:nth-child(3)", "ok"):
        press(page, key)
        snapshot = watchers.compare()
    assert (snapshot["stage"], snapshot["game"]["turn"]) == ("orient", 2)
    assert snapshot["game"]["assam"] == {"square": "g4", "facing": "east"}
    press(page, "west")
    assert watchers.compare()["refused"] == "Assam never turns round: west is behind him."
    press(page, "back")
    assert watchers.compare()["stage"] == "put_back"
    press(page, "hold:last-child")
    assert watchers.compare()["stage"] == "resume"
    for name in ("small phone", "desktop"):
        assert not watchers.pages[name].is_visible("#pad")


def test_a_game_is_set_up_with_names_from_a_phone(
    watchers: PageWatchers, capsys: pytest.CaptureFixture[str]
) -> None:
    table, page = watchers.table, watchers.pages["phone"]
    code = show_code(table, capsys)
    open_dialog(page)
    type_code(page, code)
    page.wait_for_selector("#setup form")
    page.select_option("#setup [name=players]", "2")
    names = page.locator("#setup fieldset input")
    names.nth(0).fill("Amina")
    names.nth(1).fill("Bruno")
    with page.expect_response("**/api/setup"):
        page.click("#setup [type=submit]")
    snapshot = watchers.compare()
    assert snapshot["setup"]["players"] == 2
    assert snapshot["setup"]["names"] == ["Amina", "Bruno"]
    while snapshot["stage"] != "orient":
        press(page, "ok")
        snapshot = watchers.compare()
    assert [player["called"] for player in snapshot["game"]["players"]] == ["Amina", "Bruno"]


def test_an_unpaired_phone_cannot_change_the_table(watchers: PageWatchers) -> None:
    table, page = watchers.table, watchers.pages["phone"]
    table.press("ok ok ok ok")
    before, journal = watchers.compare(), table.journal()
    assert not page.is_visible("#pad")
    assert not page.is_visible("#setup")
    error = (
        "This phone only watches: hold OK and BACK at the table, and type the code that the "
        "matrix shows."
    )
    for path, body in (
        ("/api/press", {"die": 3}),
        ("/api/press", {"do": "show_code"}),
        ("/api/setup", {"players": 2}),
    ):
        assert page.evaluate(FETCH, [path, body]) == [403, {"error": error}]
    after = watchers.compare()
    assert after["sequence"] == before["sequence"], "the table got no request"
    assert table.journal() == journal


def test_a_code_is_void_after_too_many_wrong_tries(
    watchers: PageWatchers, capsys: pytest.CaptureFixture[str]
) -> None:
    table, page = watchers.table, watchers.pages["small phone"]
    open_dialog(page)
    type_code(page, "0000")
    wait_for_error(page, NO_CODE)
    code = show_code(table, capsys)
    for left in range(MAX_WRONG_ATTEMPTS - 1, 0, -1):
        type_code(page, wrong_code(code))
        tries = "1 try is left" if left == 1 else f"{left} tries are left"
        wait_for_error(page, f"That is not the code on the matrix: {tries}.")
    type_code(page, wrong_code(code))
    wait_for_error(
        page,
        "That was not the code, and one time too often: hold OK and BACK together for a new one.",
    )
    type_code(page, code)  # right, but too late
    wait_for_error(page, NO_CODE)
    assert not page.is_visible("#pad")
    type_code(page, show_code(table, capsys))
    page.wait_for_selector("#pad:not([hidden])")
