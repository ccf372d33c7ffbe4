"""The set-up form of a paired phone."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.page.phone import Phone
from helpers.table.table_driver import TableDriver, started_game

from companion.games.marrakech import Options, booklet_named


def submit(phone: Phone) -> dict[str, Any]:
    with phone.page.expect_response("**/api/setup"):
        phone.find("#setup [type=submit]").click()
    return phone.stub.setups[-1]


@pytest.fixture
def setting_up(phone: Phone) -> Phone:
    phone.open(TableDriver())
    assert not phone.is_visible("#setup")
    phone.pair()
    phone.page.wait_for_selector("#setup form")
    return phone


def test_the_form_is_shown_only_during_set_up(setting_up: Phone) -> None:
    setting_up.show(started_game())
    assert not setting_up.is_visible("#setup")


def test_a_set_up_with_names_is_sent(setting_up: Phone) -> None:
    setting_up.find("#setup [name=players]").select_option("3")
    names = setting_up.find("#setup fieldset input")
    assert names.count() == 3
    names.nth(0).fill(" Amina ")
    names.nth(2).fill("Chloé")
    setting_up.find("#setup [name=booklet]").select_option("fr")
    assert submit(setting_up) == {
        "players": 3,
        "names": ["Amina", "", "Chloé"],
        "booklet": "fr",
        "options": dict(booklet_named("fr").options.items()),
    }
    setting_up.page.wait_for_selector("#setup-status:not(:empty)")
    assert setting_up.text("#setup-status") == "The table has it: go on with OK."


def test_choosing_a_taken_colour_swaps_colours(setting_up: Phone) -> None:
    colours = setting_up.find("#setup fieldset select")
    colours.nth(0).select_option("blue")
    colours.nth(1).select_option("blue")
    assert submit(setting_up)["colours"] == [["yellow"], ["blue"], ["red"], ["brown"]]


def test_two_players_have_two_colours_each_unless_the_rules_differ(setting_up: Phone) -> None:
    setting_up.find("#setup [name=players]").select_option("2")
    assert setting_up.find("#setup fieldset select").count() == 4
    setting_up.find("#setup summary").click()
    setting_up.find("#setup [name=option-two_player]").select_option("one-colour")
    assert setting_up.find("#setup fieldset select").count() == 2
    request = submit(setting_up)
    assert request["options"] == dict(Options(two_player="one-colour").items())
    assert "colours" not in request


def test_a_changed_option_can_be_reset_to_the_booklet(setting_up: Phone) -> None:
    setting_up.show(TableDriver(options={"bankruptcy": "spare"}))
    setting_up.find("#setup summary").click()
    choice = setting_up.find("#setup [name=option-bankruptcy]")
    assert choice.input_value() == "spare"
    choice.select_option("")
    assert submit(setting_up)["options"]["bankruptcy"] == "out"


def test_colours_and_names_stay_when_other_fields_change(setting_up: Phone) -> None:
    """Colours, as long as their number is the same; names, also of removed seats."""
    setting_up.find("#setup fieldset input").nth(3).fill("Dan")
    setting_up.find("#setup fieldset select").nth(0).select_option("blue")
    setting_up.find("#setup [name=booklet]").select_option("fr")
    assert submit(setting_up)["colours"] == [["blue"], ["yellow"], ["red"], ["brown"]]
    setting_up.find("#setup [name=players]").select_option("3")
    setting_up.find("#setup [name=players]").select_option("4")
    assert submit(setting_up)["names"] == ["", "", "", "Dan"]


def test_the_form_appears_once_the_choices_are_loaded(phone: Phone) -> None:
    phone.page.clock.install()
    phone.page.route("**/api/setup", lambda route: route.fulfill(status=503, body="{}"))
    phone.open(TableDriver())
    with phone.page.expect_response("**/api/setup"):
        phone.pair()
    phone.page.unroute("**/api/setup")
    phone.page.clock.run_for(2000)
    phone.page.wait_for_selector("#setup form")


def test_unsent_input_stays_while_the_table_changes(setting_up: Phone) -> None:
    name = setting_up.find("#setup fieldset input").first
    name.fill("Ami")
    setting_up.show(TableDriver().press("south"))
    assert name.input_value() == "Ami"


def test_the_form_follows_the_table(setting_up: Phone) -> None:
    setting_up.find("#setup summary").click()
    setting_up.find("#setup [type=submit]").focus()
    setting_up.show(TableDriver(players=2, names=("Amina", "Bo")))
    names = setting_up.find("#setup fieldset input")
    assert [one.input_value() for one in names.all()] == ["Amina", "Bo"]
    assert setting_up.is_visible("#setup [name=option-two_player]")
    assert setting_up.find("#setup [type=submit]:focus").count() == 1


def test_the_form_follows_the_table_again_after_submitting(setting_up: Phone) -> None:
    setting_up.find("#setup fieldset input").first.fill("Ami")
    submit(setting_up)
    setting_up.page.wait_for_selector("#setup-status:not(:empty)")
    setting_up.show(TableDriver(names=("Amina", "Bo")))
    assert setting_up.find("#setup fieldset input").first.input_value() == "Amina"
    assert setting_up.text("#setup-status") == "The table has it: go on with OK."


def test_the_reason_for_a_refused_set_up_is_shown(setting_up: Phone) -> None:
    setting_up.stub.answer = {"ok": False, "error": "names: too long"}
    submit(setting_up)
    setting_up.page.wait_for_selector("#setup-status:not(:empty)")
    assert setting_up.text("#setup-status") == "names: too long"
