"""A new game, agreed on from a paired phone."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.page.phone import Phone
from helpers.table.table_driver import TableDriver, begun

from companion.games.marrakech import Options, booklet_named


def propose(phone: Phone) -> dict[str, Any]:
    with phone.page.expect_response("**/api/setup"):
        phone.find("#setup [type=submit]").click()
    return phone.stub.set_up[-1]


@pytest.fixture
def setting_up(phone: Phone) -> Phone:
    phone.open(TableDriver())
    assert not phone.sees("#setup")
    phone.pair()
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
        "options": dict(booklet_named("fr").options.items()),
    }
    setting_up.page.wait_for_selector("#setup-told:not(:empty)")
    assert setting_up.text("#setup-told") == "The table has it: go on with OK."


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
    assert asked["options"] == dict(Options(two_player="one-colour").items())
    assert "colours" not in asked


def test_what_was_agreed_otherwise_can_be_as_in_the_booklet_again(setting_up: Phone) -> None:
    setting_up.show(TableDriver(options={"bankruptcy": "spare"}))
    setting_up.find("#setup summary").click()
    choice = setting_up.find("#setup [name=option-bankruptcy]")
    assert choice.input_value() == "spare"
    choice.select_option("")
    assert propose(setting_up)["options"]["bankruptcy"] == "out"


def test_colours_and_names_stay_whatever_else_is_chosen(setting_up: Phone) -> None:
    """Colours, as long as there are as many; names, also of those who come back."""
    setting_up.find("#setup fieldset input").nth(3).fill("Dan")
    setting_up.find("#setup fieldset select").nth(0).select_option("blue")
    setting_up.find("#setup [name=booklet]").select_option("fr")
    assert propose(setting_up)["colours"] == [["blue"], ["yellow"], ["red"], ["brown"]]
    setting_up.find("#setup [name=players]").select_option("3")
    setting_up.find("#setup [name=players]").select_option("4")
    assert propose(setting_up)["names"] == ["", "", "", "Dan"]


def test_the_form_comes_later_if_the_choices_could_not_be_had_at_once(phone: Phone) -> None:
    phone.page.clock.install()
    phone.page.route("**/api/setup", lambda route: route.fulfill(status=503, body="{}"))
    phone.open(TableDriver())
    with phone.page.expect_response("**/api/setup"):
        phone.pair()
    phone.page.unroute("**/api/setup")
    phone.page.clock.run_for(2000)
    phone.page.wait_for_selector("#setup form")


def test_what_somebody_is_typing_stays_while_the_table_changes(setting_up: Phone) -> None:
    name = setting_up.find("#setup fieldset input").first
    name.fill("Ami")
    setting_up.show(TableDriver().say("south"))
    assert name.input_value() == "Ami"


def test_the_form_follows_what_is_agreed_elsewhere(setting_up: Phone) -> None:
    setting_up.find("#setup summary").click()
    setting_up.find("#setup [type=submit]").focus()
    setting_up.show(TableDriver(players=2, names=("Amina", "Bo")))
    names = setting_up.find("#setup fieldset input")
    assert [one.input_value() for one in names.all()] == ["Amina", "Bo"]
    assert setting_up.sees("#setup [name=option-two_player]")
    assert setting_up.find("#setup [type=submit]:focus").count() == 1


def test_the_form_follows_again_once_the_table_has_what_was_typed(setting_up: Phone) -> None:
    setting_up.find("#setup fieldset input").first.fill("Ami")
    propose(setting_up)
    setting_up.page.wait_for_selector("#setup-told:not(:empty)")
    setting_up.show(TableDriver(names=("Amina", "Bo")))
    assert setting_up.find("#setup fieldset input").first.input_value() == "Amina"
    assert setting_up.text("#setup-told") == "The table has it: go on with OK."


def test_why_a_proposal_was_refused_is_said(setting_up: Phone) -> None:
    setting_up.stub.answer = {"ok": False, "error": "names: too long"}
    propose(setting_up)
    setting_up.page.wait_for_selector("#setup-told:not(:empty)")
    assert setting_up.text("#setup-told") == "names: too long"
