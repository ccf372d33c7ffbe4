"""A turn at the table: what each input does."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import CORNERED, TableDriver, game_at, started_game

from companion.games.marrakech import Colour, Drew, Facing, Lay, Pay, Pivot, ReturnRug, Rolled
from companion.table.conversation import Stage
from companion.table.entries import Act, Aim, Face, Redo, Restored, Undo

EMPTY = "/".join(["." * 7] * 7)
THREE_RED = "......./......./......./...R1.../...R2R2../......./......."


# --- Orient and roll ----------------------------------------------------------------------


def test_a_direction_turns_assam_any_number_of_times_before_the_roll() -> None:
    driver = started_game("east south west")
    assert driver.entries == [Face(Facing.EAST), Face(Facing.SOUTH), Face(Facing.WEST)]
    assert driver.news() == ["Assam faces west."]
    assert driver.press("3").state.assam == 24 - 3


def test_behind_assam_is_relative_to_his_facing_at_the_start_of_the_turn() -> None:
    """Turned east, he may still turn west: he faced south, so only north is behind him."""
    driver = started_game("east west")
    assert driver.game.now.facing is Facing.WEST
    assert driver.press("north").refusal_text() == "Assam never turns round: north is behind him."


def test_a_die_key_enters_the_wooden_die_and_roll_is_electronic() -> None:
    assert started_game("3").entries == [Act(Rolled(3))]
    driver = started_game("roll", rolls=[2])
    assert driver.entries == [Act(Rolled(2), is_electronic=True)]
    assert driver.news() == ["An electronic roll of 2 for Red: Assam walks to d6 and faces south."]


def test_ok_rolls_only_if_that_is_configured() -> None:
    assert started_game("ok").refusal_text() == "Roll the die and press its number."
    assert started_game("ok", ok_rolls=True, rolls=[4]).entries == [
        Act(Rolled(4), is_electronic=True)
    ]
    pivots_last = {"turn_order": "pivot-last"}
    assert started_game("ok", options=pivots_last).refusal_key == "no.roll_first"
    assert started_game("ok", options=pivots_last, ok_rolls=True, rolls=[4]).stage is Stage.LAY


def test_assam_cannot_turn_before_the_roll_if_a_turn_ends_with_the_pivot() -> None:
    driver = started_game("east", options={"turn_order": "pivot-last"})
    assert driver.refusal_text() == "Assam goes the way he faces: roll."


# --- Pay ----------------------------------------------------------------------------------

OWES_THREE = f"{THREE_RED} e5e pay Y R:30:10,Y:{{}}:11,B:30:12,N:30:12 {{}}"


def test_ok_confirms_that_the_tribute_is_paid() -> None:
    driver = game_at(OWES_THREE.format(30, "-"), "ok")
    assert driver.entries == [Act(Pay())]
    assert (driver.stage, driver.state.dirhams) == (Stage.LAY, (33, 27, 30, 30))
    assert driver.news() == ["Yellow paid 3 dirhams to Red."]


def test_other_inputs_are_refused_until_the_tribute_is_paid() -> None:
    assert game_at(OWES_THREE.format(30, "-"), "east").refusal_key == "no.pay_first"
    assert game_at(OWES_THREE.format(30, "-"), "3").refusal_key == "no.rolled_already"


def test_a_player_who_cannot_pay_in_full_is_out() -> None:
    driver = game_at(OWES_THREE.format(2, "-"))
    assert driver.todo() == [
        "Yellow owes Red 3 dirhams and has 2: all of it goes over. OK when it is paid.",
        "Yellow is out after that: no more turns, no rugs, no score.",
    ]
    driver.press("ok")
    assert (driver.stage, driver.state.mover, driver.state.dirhams) == (
        Stage.ORIENT,
        2,
        (32, 0, 30, 30),
    )
    assert driver.news() == [
        "Yellow paid 2 dirhams of 3 to Red.",
        "Yellow is out. The rugs left go into the box; those that lie stay, "
        "and nobody pays on them.",
    ]


def test_a_player_without_money_plays_on_if_the_booklet_spares_them() -> None:
    driver = game_at(OWES_THREE.format(2, "bankruptcy=spare"))
    assert driver.todo()[1] == "Yellow plays on with nothing."
    assert driver.press("ok").stage is Stage.LAY


# --- Draw and lay -------------------------------------------------------------------------


def test_west_and_east_enter_the_colour_that_was_drawn() -> None:
    driver = started_game("3 west", players=2)
    assert (driver.entries[-1], driver.state.hand) == (Act(Drew(Colour.RED)), Colour.RED)
    assert started_game("3 east", players=2).state.hand is Colour.YELLOW


@pytest.mark.parametrize("word", ["north", "south", "ok"])
def test_other_inputs_before_the_draw_are_refused_with_what_to_press(word: str) -> None:
    driver = started_game(f"3 {word}", players=2)
    assert driver.refusal_text() == "Say which rug is next: west is red, east is yellow."


def test_directions_move_the_rug_and_ok_lays_it() -> None:
    driver = started_game("3 east ok")
    _, aim, lay = driver.entries
    assert isinstance(aim, Aim)
    assert lay == Act(Lay(aim.placement.first, aim.placement.second))
    assert driver.news() == ["Red laid a red rug on c6 and c7."]
    assert (driver.stage, driver.state.mover) == (Stage.ORIENT, 1)


def test_ok_lays_the_rug_where_it_is_offered_first() -> None:
    assert started_game("3 ok").news() == ["Red laid a red rug on b7 and c7."]


def test_a_direction_without_a_placement_is_refused() -> None:
    assert started_game("3 south").refusal_text() == "No rug can be laid further south."


def test_a_rug_that_fits_nowhere_is_returned_to_the_box() -> None:
    driver = game_at(CORNERED)
    assert driver.stage is Stage.RETURN
    assert driver.todo() == [
        "The yellow rug can lie nowhere: put it back into the box. OK when it is done."
    ]
    assert game_at(CORNERED, "east").refusal_key == "no.nowhere_to_lay"
    driver.press("ok")
    assert (driver.entries, driver.state.left[Colour.YELLOW]) == ([Act(ReturnRug())], 11)
    assert driver.news() == ["Yellow put a yellow rug back into the box."]


# --- Pivot --------------------------------------------------------------------------------


def pivoting(inputs: str, pivot: str = "must") -> TableDriver:
    return started_game(f"3 ok {inputs}", options={"turn_order": "pivot-last", "pivot": pivot})


def test_assam_is_turned_for_the_next_player_and_ok_commits_it() -> None:
    driver = pivoting("east ok")
    assert driver.entries[-2:] == [Face(Facing.EAST), Act(Pivot(Facing.EAST))]
    assert (driver.stage, driver.state.mover, driver.state.facing) == (Stage.ROLL, 1, Facing.EAST)
    assert driver.news() == ["Red turned Assam to face east."]


def test_assam_must_turn_at_the_pivot_unless_the_booklet_says_may() -> None:
    assert pivoting("ok").refusal_text() == "Assam must be turned left or right first."
    assert pivoting("east south ok").refusal_key == "no.must_pivot"
    assert pivoting("ok", "may").entries[-1] == Act(Pivot(Facing.SOUTH))


def test_the_die_is_refused_before_the_pivot() -> None:
    assert pivoting("2").refusal_key == "no.pivot_first"


def test_back_at_the_pivot_undoes_the_turn_and_then_the_rug() -> None:
    driver = pivoting("east back")
    assert driver.news() == ["Turn Assam to face south again."]
    assert (driver.press("ok").stage, driver.game.now.facing) == (Stage.PIVOT, Facing.SOUTH)
    assert driver.press("back").news()[0] == "Lift the red rug from b7 and c7: Red takes it back."


def test_a_pivot_that_is_undone_can_be_changed() -> None:
    driver = pivoting("east ok back")
    assert driver.news() == ["Assam stays as he stands."]
    driver.press("ok west ok")
    assert (driver.stage, driver.state.facing) == (Stage.ROLL, Facing.WEST)


# --- Undo ---------------------------------------------------------------------------------


def test_back_and_west_undo_east_redoes_and_ok_continues() -> None:
    driver = started_game("3 ok back west east east")
    assert driver.entries[2:] == [Undo(), Undo(), Redo(), Redo()]
    assert driver.stage is Stage.ORIENT
    driver = started_game("3 ok back ok")
    assert (driver.entries[-1], driver.stage) == (Restored(), Stage.LAY)


def test_back_stops_at_the_start_of_the_game() -> None:
    driver = started_game("3 ok 2 ok back back back back")
    assert (driver.stage, driver.state.mover, driver.game.now.entry) == (Stage.PUT_BACK, 0, None)
    assert driver.press("back").refusal_text() == (
        "This is the start of the game: there is nothing to take back."
    )
    driver.refusal = None
    assert driver.press("west").refusal_key == "no.nothing_told"


def test_a_wrong_roll_is_corrected_by_back_and_another_roll() -> None:
    driver = started_game("3 back 2")
    assert (driver.stage, driver.state.assam) == (Stage.LAY, 24 + 2 * 7)
    assert started_game("3 back roll", rolls=[1]).state.assam == 24 + 7
    driver = started_game("3 ok back 2")
    assert driver.refusal_text() == (
        "Put the cardboard back first: OK when it is done, "
        "west for further back, east to tell it again."
    )


def test_a_redo_reports_the_entry_and_what_is_left_to_restore() -> None:
    driver = started_game("3 ok back back east")
    assert driver.stage is Stage.PUT_BACK
    assert driver.news() == [
        "Red rolled 3: Assam walks to d7 and faces south.",
        "Lift the red rug from b7 and c7: Red takes it back.",
        "Nothing was under it on b7.",
        "Nothing was under it on c7.",
    ]
    assert driver.press("east").news() == ["Red laid a red rug on b7 and c7."]


def test_after_a_pause_while_restoring_the_steps_are_shown_again() -> None:
    driver = started_game("3 ok back")
    steps = driver.news()
    assert driver.press("pause").title() == "A game is waiting"
    assert (driver.press("ok").stage, driver.news()) == (Stage.PUT_BACK, steps)


# --- Pause and resume ---------------------------------------------------------------------


def test_a_pause_shows_whose_turn_it_is_and_ok_continues() -> None:
    driver = started_game("3 ok pause")
    assert driver.todo() == [
        "Yellow is to play. OK goes on.",
        "BACK held down puts the game away.",
    ]
    assert (driver.press("ok").stage, driver.news()) == (Stage.ORIENT, [])
    assert len(driver.commands) == 2


def test_after_a_pause_the_walk_is_shown_again() -> None:
    driver = started_game("3 east")
    aimed = driver.frames(0)
    assert driver.press("pause ok").frames(0) == started_game("3").frames(0) != aimed


def test_undoing_a_correction_after_the_end_leaves_the_game_over() -> None:
    position = f"{EMPTY} d4s over R R:30:0,Y:31:0,B:30:0,N:29:0 -"
    driver = game_at(position, "audit ok ok ok south ok audit back pause")
    assert driver.todo()[0] == "The game is over. OK goes on from there."
    assert driver.press("ok ok").title() == "Yellow wins with 31 points"
