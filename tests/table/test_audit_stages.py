"""The audit compares the recorded position with the cardboard and corrects it."""

from __future__ import annotations

from random import Random

import pytest
from helpers.table.table_driver import TableDriver, game_at, started_game

from companion.games.marrakech import Colour, Facing, Phase, parse_square
from companion.games.marrakech.setup import DIRHAMS_IN_BOX
from companion.table.conversation import Auditing, Stage
from companion.table.entries import CorrectAssam, CorrectDirhams, CorrectSquare, Face

THREE_RED = "......./......./......./...R1.../...R2R2../......./......."
TO_LAY = f"{THREE_RED} e5e lay Y R:33:10,Y:27:11,B:30:12,N:30:12 -"
TO_PAY = f"{THREE_RED} e5e pay Y R:30:10,Y:30:11,B:30:12,N:30:12 -"
ONE_OUT = f"{THREE_RED} a1n orient B R:60:13,Y:out,B:30:15 -"
OVER = f"{THREE_RED} a1n over N R:30:0,Y:30:0,B:20:0,N:30:0 -"


def audit_steps(driver: TableDriver) -> list[str]:
    """Press OK to the end of the audit; return its steps."""
    seen = []
    while isinstance(activity := driver.conversation.activity, Auditing):
        seen.append(f"{activity.stage.name[6:].lower()} {activity.player}")
        driver.press("ok")
    return seen


# --- Steps --------------------------------------------------------------------------------


def test_the_audit_checks_assam_his_facing_then_each_players_rugs_and_dirhams() -> None:
    driver = game_at(TO_LAY, "audit")
    assert audit_steps(driver) == [
        "assam 0", "facing 0", "rugs 0", "dirhams 0", "rugs 1", "dirhams 1",
        "rugs 2", "dirhams 2", "rugs 3", "dirhams 3",
    ]  # fmt: skip
    assert (driver.stage, driver.commands) == (Stage.LAY, [])
    assert driver.news() == ["Everything was compared."]


def test_the_audit_skips_the_purse_of_a_player_who_is_out() -> None:
    assert audit_steps(game_at(ONE_OUT, "audit"))[2:] == [
        "rugs 0",
        "dirhams 0",
        "rugs 1",
        "rugs 2",
        "dirhams 2",
    ]


def test_back_goes_one_step_back_and_leaves_from_the_first() -> None:
    driver = game_at(TO_LAY, "audit ok ok ok ok back back back")
    assert driver.stage is Stage.AUDIT_FACING
    assert driver.press("back").stage is Stage.AUDIT_ASSAM
    assert driver.press("back").stage is Stage.LAY
    assert driver.news() == ["Comparing was stopped; what was corrected stays."]


@pytest.mark.parametrize(
    "inputs",
    ["", "ok", "ok ok", "ok ok ok", "ok ok east", "ok ok east ok", "ok ok east ok north ok"],
)
def test_ok_held_leaves_from_any_step_without_changes(inputs: str) -> None:
    driver = game_at(TO_LAY)
    before = driver.game
    driver.press(f"audit {inputs} audit")
    assert (driver.stage, driver.commands) == (Stage.LAY, [])
    assert driver.game is before


def test_the_audit_reports_purses_that_do_not_add_up() -> None:
    driver = game_at(OVER, "audit")
    audit_steps(driver)
    assert driver.news() == [
        "Everything was compared. All purses together have 110 dirhams; the game began with 120."
    ]


def test_an_audit_started_in_a_pause_leads_into_the_game() -> None:
    driver = started_game("3 pause audit")
    assert driver.stage is Stage.AUDIT_ASSAM
    assert driver.press("audit").stage is Stage.LAY


def test_an_audit_started_while_restoring_leads_back_and_repeats_the_steps() -> None:
    driver = started_game("3 ok back")
    steps = driver.news()
    driver.press("audit")
    audit_steps(driver)
    assert (driver.stage, driver.news()) == (Stage.PUT_BACK, ["Everything was compared.", *steps])
    driver.press("audit audit")
    assert driver.news() == ["Comparing was stopped; what was corrected stays.", *steps]


def test_a_correction_while_restoring_ends_the_restoring() -> None:
    """The cardboard was compared, so nothing is left to put back."""
    driver = started_game("3 ok back audit ok east ok audit")
    assert driver.stage is Stage.LAY
    assert (driver.game.undone, driver.game.to_restore) == (None, ())


# --- Assam --------------------------------------------------------------------------------


def test_directions_move_assam_and_ok_records_the_correction() -> None:
    driver = game_at(TO_LAY, "audit north west ok")
    assert driver.entries == [CorrectAssam(parse_square("d4"), Facing.EAST)]
    assert driver.state.assam == parse_square("d4")
    assert driver.stage is Stage.AUDIT_FACING
    assert driver.news() == ["Corrected: Assam stands on d4 and faces east."]


def test_moving_assam_there_and_back_is_not_a_correction() -> None:
    assert game_at(TO_LAY, "audit north south ok").entries == []


@pytest.mark.parametrize(
    ("position", "direction"),
    [("a1n", "north"), ("a1n", "west"), ("g7n", "south"), ("g7n", "east")],
)
def test_assam_cannot_leave_the_market(position: str, direction: str) -> None:
    driver = game_at(TO_LAY.replace("e5e", position), f"audit {direction}")
    assert driver.refusal_text() == "The market ends here."


def test_directions_turn_assam_to_any_facing() -> None:
    driver = game_at(TO_LAY, "audit ok west ok")
    assert driver.entries == [CorrectAssam(parse_square("e5"), Facing.WEST)]
    assert driver.state.facing is Facing.WEST
    assert game_at(TO_LAY, "audit ok east").refusal_text() == "Assam faces east already."


def test_the_audit_shows_the_facing_turned_to_before_the_roll() -> None:
    driver = started_game("east audit ok")
    assert driver.todo() == ["Assam faces east. OK if he does; directions turn him."]
    assert driver.press("ok").entries == [Face(Facing.EAST)]


def test_turning_assam_back_is_recorded_as_a_correction() -> None:
    driver = started_game("east audit ok south ok")
    assert driver.entries[1:] == [CorrectAssam(24, Facing.SOUTH)]
    assert driver.news() == ["Corrected: Assam stands on d4 and faces south."]
    assert driver.press("audit 2").state.assam == 24 + 2 * 7


def test_correcting_the_square_of_a_turned_assam_keeps_his_facing() -> None:
    driver = started_game("east audit north ok")
    assert driver.news() == ["Corrected: Assam stands on d3 and faces east."]
    assert driver.press("ok audit 2").state.assam == parse_square("f3")


def test_no_tribute_is_due_after_assam_is_corrected_to_an_empty_square() -> None:
    driver = game_at(TO_PAY, "audit east ok audit")
    assert (driver.stage, driver.state.dirhams) == (Stage.LAY, (30, 30, 30, 30))


# --- Dirhams ------------------------------------------------------------------------------


def purse(inputs: str, position: str = TO_LAY) -> TableDriver:
    """A table at the first player's purse."""
    return game_at(position, f"audit ok ok ok {inputs}")


def test_north_and_south_change_dirhams_by_one_east_and_west_by_five() -> None:
    driver = purse("west west south east north south south ok")
    assert driver.entries == [CorrectDirhams(0, 33 - 5 - 1 - 1)]
    assert driver.state.dirhams == (26, 27, 30, 30)
    assert driver.news() == ["Corrected: Red has 26 dirhams."]


def test_a_purse_cannot_be_negative_nor_all_purses_exceed_the_box() -> None:
    assert purse("west " * 6 + "south " * 3 + "south").refusal_key == "no.dirhams_below"
    assert purse("west " * 7).refusal_key == "no.dirhams_below"
    driver = purse("north")
    assert driver.refusal_text() == (
        f"The box has {DIRHAMS_IN_BOX} dirhams, and the others have 87 of them: "
        "make another purse smaller first."
    )


def test_two_purses_can_be_corrected_in_the_order_the_box_allows() -> None:
    driver = purse("ok ok south south ok back back back north north ok")
    assert driver.state.dirhams == (35, 25, 30, 30)


def test_a_purse_corrected_while_paying_decides_who_is_short_of_money() -> None:
    driver = game_at(TO_PAY, "audit ok ok ok ok ok" + " west" * 5 + " south south south ok audit")
    assert (driver.stage, driver.state.dirhams[1]) == (Stage.PAY, 2)
    assert driver.todo()[0].startswith("Yellow owes Red 3 dirhams and has 2: ")
    assert driver.press("ok").state.out == {1}


def test_a_purse_corrected_after_the_end_decides_who_won() -> None:
    driver = game_at(OVER, "")
    assert driver.title() == "Red wins with 33 points"
    driver.press("audit ok ok ok west ok audit")
    assert (driver.stage, driver.title()) == (Stage.OVER, "2 players share the win")


# --- Square by square ---------------------------------------------------------------------


def market(inputs: str, position: str = TO_LAY) -> TableDriver:
    """A table with the cursor on Assam's square."""
    return game_at(position, f"audit ok ok east {inputs}")


def test_a_square_can_be_emptied() -> None:
    """e5 is half of R2. The other half stays."""
    driver = market("ok west ok")
    assert driver.entries == [CorrectSquare(parse_square("e5"), None)]
    assert driver.state.rug_on(parse_square("e5")) is None
    assert str(driver.state.rug_on(parse_square("d5"))) == "R2"
    assert (driver.stage, driver.news()) == (Stage.SQUARE, ["Corrected: no rug on e5."])


def test_a_square_can_get_half_a_rug() -> None:
    driver = market("ok east ok ok")
    assert driver.entries == [CorrectSquare(parse_square("e5"), Colour.YELLOW)]
    assert driver.news() == ["Corrected: half a rug on e5, yellow."]


def test_a_square_can_get_a_rug_with_its_other_half_beside_it() -> None:
    driver = market("ok north ok south")
    assert driver.entries == [CorrectSquare(parse_square("e5"), Colour.YELLOW, parse_square("e6"))]
    assert driver.news() == ["Corrected: a rug on e5 and e6, yellow."]
    assert str(driver.state.rug_on(parse_square("e6"))) == "Y1"


def test_directions_cycle_through_empty_and_the_colours_in_play() -> None:
    driver = market("ok")
    tops = []
    for _ in range(5):
        assert isinstance(driver.conversation.activity, Auditing)
        tops.append(driver.conversation.activity.top)
        driver.press("north")
    assert tops == [Colour.RED, Colour.YELLOW, Colour.BLUE, Colour.BROWN, None]
    assert isinstance(driver.conversation.activity, Auditing)
    assert driver.conversation.activity.top is Colour.RED


@pytest.mark.parametrize("inputs", ["ok ok west", "north west ok ok ok", "east ok ok"])
def test_confirming_what_is_recorded_is_not_a_correction(inputs: str) -> None:
    """A rug on d5 and e5, half a rug on d4, nothing on f5."""
    driver = market(inputs)
    assert (driver.stage, driver.entries) == (Stage.SQUARE, [])


def test_more_visible_rugs_than_were_laid_are_refused() -> None:
    driver = market("north ok north north ok ok", TO_LAY.replace("Y:27:11", "Y:27:12"))
    assert driver.entries == []
    assert driver.refusal_text() == (
        "More yellow rugs would be seen than were laid: "
        "clear the square where one is too many first."
    )
    assert driver.stage is Stage.JOIN


def test_the_other_half_cannot_be_outside_the_market() -> None:
    driver = market("ok north ok west", TO_LAY.replace("e5e", "a1e"))
    assert (driver.refusal_key, driver.stage, driver.entries) == ("no.edge", Stage.JOIN, [])


def test_back_leaves_a_square_step_by_step() -> None:
    driver = market("west ok north ok")
    stages = [driver.stage]
    stages += [driver.press("back").stage for _ in range(3)]
    assert stages == [Stage.JOIN, Stage.TOP, Stage.SQUARE, Stage.AUDIT_RUGS]
    assert driver.entries == []


def test_back_from_the_other_half_keeps_the_chosen_colour() -> None:
    assert market("ok north ok back").todo() == [
        "e5: yellow on top. Directions change it, OK if so."
    ]


def test_after_the_squares_the_audit_continues_with_the_same_player() -> None:
    driver = market("north ok back back")
    assert isinstance(driver.conversation.activity, Auditing)
    assert (driver.stage, driver.conversation.activity.player) == (Stage.AUDIT_RUGS, 0)
    assert driver.press("ok").stage is Stage.AUDIT_DIRHAMS


# --- After a correction -------------------------------------------------------------------


def test_back_undoes_corrections() -> None:
    driver = started_game("3 ok audit ok ok ok south ok audit back")
    assert (driver.stage, driver.state.dirhams) == (Stage.PUT_BACK, (30, 30, 30, 30))
    assert driver.news() == [
        "A correction is taken back. Leave the cardboard as it is, or hold OK to compare."
    ]
    assert driver.press("east").state.dirhams == (29, 30, 30, 30)
    assert driver.news() == ["Corrected: Red has 29 dirhams."]
    assert driver.press("back back").state.phase is Phase.LAY


@pytest.mark.parametrize("seed", range(8))
def test_a_corrected_game_can_be_played_to_the_end(seed: int) -> None:
    random, driver = Random(seed), started_game("3 ok 2")
    for _ in range(6):
        if driver.stage is Stage.PAY:
            driver.press("ok")
        directions = [random.choice(("north", "east", "south", "west")) for _ in range(4)]
        driver.press("audit ok ok east")
        for direction in directions:
            driver.press(direction)
            driver.refusal = None
        driver.press(random.choice(("ok west ok", "ok north north", "")))
        driver.press("audit")
    for _ in range(500):
        if driver.stage is Stage.OVER:
            break
        driver.press(
            str(random.choice((1, 2, 2, 3, 3, 4))) if driver.stage is Stage.ORIENT else "ok"
        )
    assert driver.stage is Stage.OVER
