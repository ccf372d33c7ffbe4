"""A phone that is paired has the table's buttons, and the form of a new game."""

from __future__ import annotations

from typing import Any

import pytest
from talk import Talk, begun
from web_phone import Phone
from web_stub import CODE


def pair(phone: Phone) -> None:
    phone.find("#pair").click()
    phone.find("#pairing-code").fill(CODE)
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pad:not([hidden])")


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
    pair(phone)
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
    pair(phone)
    phone.stub.answer = {"ok": False, "error": "Assam faces south already."}
    press(phone, "south")
    phone.page.wait_for_selector("#refused:not([hidden])")
    assert phone.text("#refused") == "Refused: Assam faces south already."


def test_presses_go_out_in_the_order_of_the_fingers(phone: Phone) -> None:
    phone.open(begun())
    pair(phone)
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


# --- A new game ---------------------------------------------------------------------------


def propose(phone: Phone) -> dict[str, Any]:
    with phone.page.expect_response("**/api/setup"):
        phone.find("#setup [type=submit]").click()
    return phone.stub.set_up[-1]


@pytest.fixture
def setting_up(phone: Phone) -> Phone:
    phone.open(Talk())
    assert not phone.sees("#setup")
    pair(phone)
    phone.page.wait_for_selector("#setup form")
    return phone


def test_the_form_is_there_only_while_a_game_is_set_up(setting_up: Phone) -> None:
    setting_up.show(begun())
    assert not setting_up.sees("#setup")


def test_a_game_is_proposed_with_names(setting_up: Phone) -> None:
    setting_up.find("#setup [name=players]").select_option("3")
    names = setting_up.find("#setup fieldset input")
    assert names.count() == 3
    names.nth(0).fill(" Amina ")
    names.nth(2).fill("Chloé")
    setting_up.find("#setup [name=booklet]").select_option("fr")
    assert propose(setting_up) == {
        "players": 3,
        "names": ["Amina", "", "Chloé"],
        "booklet": "fr",
        "options": {},
    }
    setting_up.page.wait_for_selector("#setup-told:not(:empty)")
    assert setting_up.text("#setup-told") == "The table has it: go on there with OK."


def test_whoever_had_a_colour_gets_the_other_one(setting_up: Phone) -> None:
    colours = setting_up.find("#setup fieldset select")
    colours.nth(0).select_option("blue")
    colours.nth(1).select_option("blue")
    assert propose(setting_up)["colours"] == [["yellow"], ["blue"], ["red"], ["brown"]]


def test_two_players_have_two_colours_each_unless_the_rules_say_one(setting_up: Phone) -> None:
    setting_up.find("#setup [name=players]").select_option("2")
    assert setting_up.find("#setup fieldset select").count() == 4
    setting_up.find("#setup summary").click()
    setting_up.find("#setup [name=option-two_player]").select_option("one-colour")
    assert setting_up.find("#setup fieldset select").count() == 2
    asked = propose(setting_up)
    assert asked["options"] == {"two_player": "one-colour"}
    assert "colours" not in asked


def test_what_somebody_is_typing_stays_while_the_table_changes(setting_up: Phone) -> None:
    name = setting_up.find("#setup fieldset input").first
    name.fill("Ami")
    setting_up.show(Talk().say("south"))
    assert name.input_value() == "Ami"


def test_the_form_follows_what_is_agreed_elsewhere(setting_up: Phone) -> None:
    setting_up.find("#setup summary").click()
    setting_up.find("#setup [type=submit]").focus()
    setting_up.show(Talk(players=2, names=("Amina", "Bo")))
    names = setting_up.find("#setup fieldset input")
    assert [one.input_value() for one in names.all()] == ["Amina", "Bo"]
    assert setting_up.sees("#setup [name=option-two_player]")
    assert setting_up.find("#setup [type=submit]:focus").count() == 1


def test_the_form_follows_again_once_the_table_has_what_was_typed(setting_up: Phone) -> None:
    setting_up.find("#setup fieldset input").first.fill("Ami")
    propose(setting_up)
    setting_up.page.wait_for_selector("#setup-told:not(:empty)")
    setting_up.show(Talk(names=("Amina", "Bo")))
    assert setting_up.find("#setup fieldset input").first.input_value() == "Amina"
    assert setting_up.text("#setup-told") == "The table has it: go on there with OK."


def test_why_a_proposal_was_refused_is_said(setting_up: Phone) -> None:
    setting_up.stub.answer = {"ok": False, "error": "names: too long"}
    propose(setting_up)
    setting_up.page.wait_for_selector("#setup-told:not(:empty)")
    assert setting_up.text("#setup-told") == "names: too long"
