"""Pairing, and the buttons of a paired phone."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.page.page_stub import CODE
from helpers.page.phone import Phone
from helpers.table.table_driver import TableDriver, started_game
from playwright.sync_api import Route

LOST = "The companion did not answer: look at the table before you try again."


def press(phone: Phone, name: str) -> dict[str, Any]:
    """Press a button; returns the request it sends."""
    before = len(phone.stub.presses)
    with phone.page.expect_response("**/api/press"):
        phone.find("#pad").get_by_role("button", name=name, exact=True).click()
    (request,) = phone.stub.presses[before:]
    return request


def test_an_unpaired_phone_has_no_buttons(phone: Phone) -> None:
    phone.open(started_game())
    assert not phone.is_visible("#pad")
    assert phone.is_visible("#pair")


def test_a_wrong_code_is_refused_and_can_be_tried_again(phone: Phone) -> None:
    phone.open(started_game())
    phone.find("#pair").click()
    phone.find("#pairing-code").fill("1111")
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pairing-error:not(:empty)")
    assert phone.text("#pairing-error") == "That is not the code."
    phone.find("#pairing-code").fill(CODE)
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pad:not([hidden])")
    assert not phone.is_visible("#pairing")
    assert not phone.is_visible("#pair")
    assert phone.text("#paired") == "Paired"


@pytest.mark.parametrize("code", ["٠٤١٧", "۰۴۱۷", "0٤1۷"])
def test_the_code_can_be_typed_in_arabic_and_persian_digits(phone: Phone, code: str) -> None:
    phone.open(started_game())
    phone.find("#pair").click()
    phone.find("#pairing-code").fill(code)
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pad:not([hidden])")


@pytest.mark.parametrize(("view", "focused"), [("table", "pad"), ("games", "paired")])
def test_focus_moves_to_the_pad_after_pairing(phone: Phone, view: str, focused: str) -> None:
    """To the pad in the table view, else to the paired mark."""
    phone.open(started_game(), view)
    phone.find("#pair").click()
    phone.find("#pairing-code").fill(CODE)
    with phone.page.expect_request("**/api/events"):
        phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#paired:not([hidden])")
    assert phone.page.evaluate("document.activeElement.id") == focused


def test_the_dialog_can_be_cancelled(phone: Phone) -> None:
    phone.open(started_game())
    phone.find("#pair").click()
    phone.page.keyboard.press("Escape")
    assert not phone.is_visible("#pairing")
    phone.find("#pair").click()
    phone.find("#pairing-cancel").click()
    assert not phone.is_visible("#pairing")


def test_every_button_sends_its_request(phone: Phone) -> None:
    phone.open(started_game())
    phone.pair()
    for direction in ("north", "east", "south", "west"):
        assert press(phone, direction) == {"button": direction}
    assert press(phone, "OK") == {"button": "ok"}
    assert press(phone, "BACK") == {"button": "back"}
    assert press(phone, "Hold OK: compare") == {"button": "ok", "hold": True}
    assert press(phone, "Hold BACK: put away") == {"button": "back", "hold": True}
    assert press(phone, "The die shows 3") == {"die": 3}
    assert press(phone, "Roll") == {"roll": True}


def test_the_reason_for_a_refused_press_is_shown(phone: Phone) -> None:
    phone.open(started_game())
    phone.pair()
    phone.stub.answer = {"ok": False, "error": "Assam faces south already."}
    press(phone, "south")
    phone.page.wait_for_selector("#refused:not([hidden])")
    assert phone.text("#refused") == "Refused: Assam faces south already."


def test_presses_are_sent_in_order(phone: Phone) -> None:
    phone.open(started_game())
    phone.pair()
    phone.page.evaluate(
        """() => {
            for (const name of ["east", "ok", "west", "back"]) {
                document.querySelector(`#pad .key.${name}`).click();
            }
        }"""
    )
    with phone.page.expect_response(lambda _: len(phone.stub.presses) >= 5):
        phone.find("#pad .key.roll").click()
    pressed = [one.get("button", "roll") for one in phone.stub.presses]
    assert pressed == ["east", "ok", "west", "back", "roll"]


# --- Unanswered presses -------------------------------------------------------------------


def hold_next_press(phone: Phone) -> list[Route]:
    """Hold back the answer to the next press until the test continues it."""
    held: list[Route] = []
    phone.page.route("**/api/press", lambda route: held.append(route), times=1)
    return held


def click(phone: Phone, *names: str) -> None:
    for name in names:
        phone.find(f"#pad .key.{name}").click()


def test_presses_after_an_unanswered_press_are_dropped(phone: Phone) -> None:
    phone.open(started_game())
    phone.pair()
    held = hold_next_press(phone)
    with phone.page.expect_request("**/api/press"):
        click(phone, "east", "ok", "ok")
    held[0].abort()
    phone.page.wait_for_selector("#refused:not([hidden])")
    assert phone.text("#refused") == LOST, "it was not refused"
    assert press(phone, "Roll") == {"roll": True}
    assert phone.stub.presses == [{"roll": True}]


@pytest.mark.parametrize(("waited_ms", "is_lost"), [(2500, False), (3500, True)])
def test_a_press_waits_for_the_hold_before_it(phone: Phone, waited_ms: int, is_lost: bool) -> None:
    phone.page.clock.install()
    phone.open(started_game())
    phone.pair()
    phone.page.clock.pause_at(phone.page.evaluate("Date.now()") + 1000)
    held = hold_next_press(phone)
    with phone.page.expect_request("**/api/press"):
        click(phone, "hold:first-child", "ok")
    phone.page.clock.run_for(waited_ms)
    click(phone, "back")  # recent, but the one before it may be lost
    held[0].continue_()
    if is_lost:
        phone.page.wait_for_selector("#refused:not([hidden])")
        assert phone.text("#refused") == LOST
    with phone.page.expect_response(lambda _: {"roll": True} in phone.stub.presses):
        click(phone, "roll")
    pressed = [one.get("button", "roll") for one in phone.stub.presses]
    assert pressed == (["ok", "roll"] if is_lost else ["ok", "ok", "back", "roll"])


def test_a_lost_pairing_is_noticed_with_the_next_press(phone: Phone) -> None:
    phone.open(TableDriver())
    phone.pair()
    phone.page.wait_for_selector("#setup form")
    phone.page.context.clear_cookies()
    held = hold_next_press(phone)
    with phone.page.expect_request("**/api/press"):
        click(phone, "east", "ok")
    with phone.page.expect_request("**/api/events"):
        held[0].fulfill(status=403, json={"error": "This phone only watches."})
    phone.page.wait_for_selector("#setup", state="hidden")
    assert not phone.is_visible("#pad")
    assert not phone.is_visible("#paired")
    assert phone.is_visible("#pair")
    assert phone.page.evaluate("document.activeElement.id") == "pair"
    assert phone.text("#refused") == "Refused: This phone only watches."
    assert phone.stub.presses == [], "later presses are dropped"
    phone.show(TableDriver().press("south"))
    assert not phone.is_visible("#refused")
    phone.pair()
    phone.page.wait_for_selector("#setup form")
