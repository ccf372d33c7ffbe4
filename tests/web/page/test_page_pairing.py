"""A phone that is paired has the table's buttons, and the form of a new game."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.page.page_stub import CODE
from helpers.page.phone import Phone
from helpers.table.table_driver import TableDriver, begun
from playwright.sync_api import Route

LOST = "The companion did not answer: look at the table before you try again."


def press(phone: Phone, name: str) -> dict[str, Any]:
    """What the table is asked for by a button."""
    before = len(phone.stub.pressed)
    with phone.page.expect_response("**/api/press"):
        phone.find("#pad").get_by_role("button", name=name, exact=True).click()
    (asked,) = phone.stub.pressed[before:]
    return asked


def test_whoever_only_watches_has_no_buttons(phone: Phone) -> None:
    phone.open(begun())
    assert not phone.sees("#pad")
    assert phone.sees("#pair")


def test_a_wrong_code_is_said_and_can_be_tried_again(phone: Phone) -> None:
    phone.open(begun())
    phone.find("#pair").click()
    phone.find("#pairing-code").fill("1111")
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pairing-told:not(:empty)")
    assert phone.text("#pairing-told") == "That is not the code."
    phone.find("#pairing-code").fill(CODE)
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pad:not([hidden])")
    assert not phone.sees("#pairing")
    assert not phone.sees("#pair")
    assert phone.text("#paired") == "Paired"


@pytest.mark.parametrize("code", ["٠٤١٧", "۰۴۱۷", "0٤1۷"])
def test_the_code_can_be_typed_in_arabic_and_persian_digits(phone: Phone, code: str) -> None:
    phone.open(begun())
    phone.find("#pair").click()
    phone.find("#pairing-code").fill(code)
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pad:not([hidden])")


@pytest.mark.parametrize(("view", "there"), [("table", "pad"), ("games", "paired")])
def test_whoever_was_just_paired_goes_on_at_the_buttons(
    phone: Phone, view: str, there: str
) -> None:
    """Where they can be seen, and else not at the beginning of the page."""
    phone.open(begun(), view)
    phone.find("#pair").click()
    phone.find("#pairing-code").fill(CODE)
    with phone.page.expect_request("**/api/events"):
        phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#paired:not([hidden])")
    assert phone.page.evaluate("document.activeElement.id") == there


def test_the_dialog_can_be_left(phone: Phone) -> None:
    phone.open(begun())
    phone.find("#pair").click()
    phone.page.keyboard.press("Escape")
    assert not phone.sees("#pairing")
    phone.find("#pair").click()
    phone.find("#pairing-cancel").click()
    assert not phone.sees("#pairing")


def test_every_button_asks_for_what_it_says(phone: Phone) -> None:
    phone.open(begun())
    phone.pair()
    for way in ("north", "east", "south", "west"):
        assert press(phone, way) == {"button": way}
    assert press(phone, "OK") == {"button": "ok"}
    assert press(phone, "BACK") == {"button": "back"}
    assert press(phone, "Hold OK: compare") == {"button": "ok", "hold": True}
    assert press(phone, "Hold BACK: put away") == {"button": "back", "hold": True}
    assert press(phone, "The die shows 3") == {"die": 3}
    assert press(phone, "Roll") == {"roll": True}


def test_why_a_press_was_refused_is_said(phone: Phone) -> None:
    phone.open(begun())
    phone.pair()
    phone.stub.answer = {"ok": False, "error": "Assam faces south already."}
    press(phone, "south")
    phone.page.wait_for_selector("#refused:not([hidden])")
    assert phone.text("#refused") == "Refused: Assam faces south already."


def test_presses_go_out_in_the_order_of_the_fingers(phone: Phone) -> None:
    phone.open(begun())
    phone.pair()
    phone.page.evaluate(
        """() => {
            for (const name of ["east", "ok", "west", "back"]) {
                document.querySelector(`#pad .key.${name}`).click();
            }
        }"""
    )
    with phone.page.expect_response(lambda _: len(phone.stub.pressed) >= 5):
        phone.find("#pad .key.roll").click()
    asked = [one.get("button", "roll") for one in phone.stub.pressed]
    assert asked == ["east", "ok", "west", "back", "roll"]


# --- Presses that get no answer -----------------------------------------------------------


def hold_up(phone: Phone) -> list[Route]:
    """The next press goes out, and nobody answers it until the test does."""
    held: list[Route] = []
    phone.page.route("**/api/press", lambda route: held.append(route), times=1)
    return held


def click(phone: Phone, *names: str) -> None:
    for name in names:
        phone.find(f"#pad .key.{name}").click()


def test_what_was_pressed_behind_a_press_without_an_answer_is_forgotten(phone: Phone) -> None:
    phone.open(begun())
    phone.pair()
    held = hold_up(phone)
    with phone.page.expect_request("**/api/press"):
        click(phone, "east", "ok", "ok")
    held[0].abort()
    phone.page.wait_for_selector("#refused:not([hidden])")
    assert phone.text("#refused") == LOST, "nobody has refused it"
    assert press(phone, "Roll") == {"roll": True}
    assert phone.stub.pressed == [{"roll": True}]


@pytest.mark.parametrize(("waited_ms", "is_lost"), [(2500, False), (3500, True)])
def test_a_press_waits_for_a_hold_before_it_and_no_longer(
    phone: Phone, waited_ms: int, is_lost: bool
) -> None:
    phone.page.clock.install()
    phone.open(begun())
    phone.pair()
    phone.page.clock.pause_at(phone.page.evaluate("Date.now()") + 1000)
    held = hold_up(phone)
    with phone.page.expect_request("**/api/press"):
        click(phone, "hold:first-child", "ok")
    phone.page.clock.run_for(waited_ms)
    click(phone, "back")  # that one is young, but what was before it may be lost
    held[0].continue_()
    if is_lost:
        phone.page.wait_for_selector("#refused:not([hidden])")
        assert phone.text("#refused") == LOST
    with phone.page.expect_response(lambda _: {"roll": True} in phone.stub.pressed):
        click(phone, "roll")
    asked = [one.get("button", "roll") for one in phone.stub.pressed]
    assert asked == (["ok", "roll"] if is_lost else ["ok", "ok", "back", "roll"])


def test_a_phone_that_is_paired_no_longer_notices_with_its_next_press(phone: Phone) -> None:
    phone.open(TableDriver())
    phone.pair()
    phone.page.wait_for_selector("#setup form")
    phone.page.context.clear_cookies()
    held = hold_up(phone)
    with phone.page.expect_request("**/api/press"):
        click(phone, "east", "ok")
    with phone.page.expect_request("**/api/events"):
        held[0].fulfill(status=403, json={"error": "This phone only watches."})
    phone.page.wait_for_selector("#setup", state="hidden")
    assert not phone.sees("#pad")
    assert not phone.sees("#paired")
    assert phone.sees("#pair")
    assert phone.page.evaluate("document.activeElement.id") == "pair"
    assert phone.text("#refused") == "Refused: This phone only watches."
    assert phone.stub.pressed == [], "what was pressed after it is forgotten"
    phone.show(TableDriver().say("south"))
    assert not phone.sees("#refused")
    phone.pair()
    phone.page.wait_for_selector("#setup form")
