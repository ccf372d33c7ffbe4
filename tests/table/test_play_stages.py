"""A turn at the table: what each input comes to, from turning Assam to the next player."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import CORNERED, TableDriver, at, begun

from companion.games.marrakech import Colour, Drew, Facing, Lay, Pay, Pivot, ReturnRug, Rolled
from companion.table.conversation import Stage
from companion.table.entries import Act, Aim, Face, Ready, TakeBack, TellAgain

EMPTY = "/".join(["." * 7] * 7)
THREE_RED = "......./......./......./...R1.../...R2R2../......./......."


# --- Orient and roll ----------------------------------------------------------------------


def test_a_direction_turns_assam_and_any_change_is_free_until_the_die() -> None:
    talk = begun("east south west")
    assert talk.told == [Face(Facing.EAST), Face(Facing.SOUTH), Face(Facing.WEST)]
    assert talk.news() == ["Assam faces west."]
    assert talk.say("3").state.assam == 24 - 3


def test_behind_is_behind_where_he_stood_and_not_where_he_was_turned() -> None:
    """Turned east, he may still be turned west: only north is behind one who faced south."""
    talk = begun("east west")
    assert talk.game.now.facing is Facing.WEST
    assert talk.say("north").why_said() == "Assam never turns round: north is behind him."


def test_a_die_key_is_the_wooden_die_and_roll_is_the_companions() -> None:
    assert begun("3").told == [Act(Rolled(3))]
    talk = begun("roll", rolls=[2])
    assert talk.told == [Act(Rolled(2), is_electronic=True)]
    assert talk.news() == ["An electronic roll of 2 for Red: Assam walks to d6 and faces south."]


def test_ok_rolls_only_where_the_table_wants_that() -> None:
    assert begun("ok").why_said() == "Roll the die and press its number."
    assert begun("ok", ok_rolls=True, rolls=[4]).told == [Act(Rolled(4), is_electronic=True)]
    pivots_last = {"turn_order": "pivot-last"}
    assert begun("ok", options=pivots_last).why == "no.roll_first"
    assert begun("ok", options=pivots_last, ok_rolls=True, rolls=[4]).stage is Stage.LAY


def test_in_the_order_that_pivots_last_assam_goes_the_way_he_faces() -> None:
    talk = begun("east", options={"turn_order": "pivot-last"})
    assert talk.why_said() == "Assam goes the way he faces: roll."


# --- Pay ----------------------------------------------------------------------------------

OWES_THREE = f"{THREE_RED} e5e pay Y R:30:10,Y:{{}}:11,B:30:12,N:30:12 {{}}"


def test_ok_says_that_the_tribute_is_paid() -> None:
    talk = at(OWES_THREE.format(30, "-"), "ok")
    assert talk.told == [Act(Pay())]
    assert (talk.stage, talk.state.dirhams) == (Stage.LAY, (33, 27, 30, 30))
    assert talk.news() == ["Yellow paid 3 dirhams to Red."]


def test_nothing_else_comes_before_the_tribute() -> None:
    assert at(OWES_THREE.format(30, "-"), "east").why == "no.pay_first"
    assert at(OWES_THREE.format(30, "-"), "3").why == "no.rolled_already"


def test_who_cannot_pay_all_of_it_is_told_so_and_is_out() -> None:
    talk = at(OWES_THREE.format(2, "-"))
    assert talk.todo() == [
        "Yellow owes Red 3 dirhams and has 2: all of it goes over. OK when it is paid.",
        "Yellow is out after that: no more turns, no rugs, no score.",
    ]
    talk.say("ok")
    assert (talk.stage, talk.state.mover, talk.state.dirhams) == (Stage.ORIENT, 2, (32, 0, 30, 30))
    assert talk.news() == [
        "Yellow paid 2 dirhams of 3 to Red.",
        "Yellow is out. The rugs left go into the box; those that lie stay, "
        "and nobody pays on them.",
    ]


def test_by_a_booklet_that_spares_he_plays_on_with_nothing() -> None:
    talk = at(OWES_THREE.format(2, "bankruptcy=spare"))
    assert talk.todo()[1] == "Yellow plays on with nothing."
    assert talk.say("ok").stage is Stage.LAY


# --- Draw and lay -------------------------------------------------------------------------


def test_west_and_east_say_which_rug_was_drawn() -> None:
    talk = begun("3 west", players=2)
    assert (talk.told[-1], talk.state.hand) == (Act(Drew(Colour.RED)), Colour.RED)
    assert begun("3 east", players=2).state.hand is Colour.YELLOW


@pytest.mark.parametrize("word", ["north", "south", "ok"])
def test_anything_else_before_the_draw_says_what_to_press(word: str) -> None:
    talk = begun(f"3 {word}", players=2)
    assert talk.why_said() == "Say which rug is next: west is red, east is yellow."


def test_directions_aim_and_ok_lays_where_it_is_aimed() -> None:
    talk = begun("3 east ok")
    _, aim, lay = talk.told
    assert isinstance(aim, Aim)
    assert lay == Act(Lay(aim.placement.first, aim.placement.second))
    assert talk.news() == ["Red laid a red rug on c6 and c7."]
    assert (talk.stage, talk.state.mover) == (Stage.ORIENT, 1)


def test_ok_lays_what_is_offered_first() -> None:
    assert begun("3 ok").news() == ["Red laid a red rug on b7 and c7."]


def test_where_no_placement_lies_that_way_it_says_so() -> None:
    assert begun("3 south").why_said() == "No rug can be laid further south."


def test_a_rug_that_can_lie_nowhere_goes_back_into_the_box() -> None:
    talk = at(CORNERED)
    assert talk.stage is Stage.RETURN
    assert talk.todo() == [
        "The yellow rug can lie nowhere: put it back into the box. OK when it is done."
    ]
    assert at(CORNERED, "east").why == "no.nowhere_to_lay"
    talk.say("ok")
    assert (talk.told, talk.state.left[Colour.YELLOW]) == ([Act(ReturnRug())], 11)
    assert talk.news() == ["Yellow put a yellow rug back into the box."]


# --- Pivot --------------------------------------------------------------------------------


def pivoting(words: str, pivot: str = "must") -> TableDriver:
    return begun(f"3 ok {words}", options={"turn_order": "pivot-last", "pivot": pivot})


def test_assam_is_turned_for_the_next_player_and_ok_commits_it() -> None:
    talk = pivoting("east ok")
    assert talk.told[-2:] == [Face(Facing.EAST), Act(Pivot(Facing.EAST))]
    assert (talk.stage, talk.state.mover, talk.state.facing) == (Stage.ROLL, 1, Facing.EAST)
    assert talk.news() == ["Red turned Assam to face east."]


def test_he_must_be_turned_by_most_booklets_and_may_be_left_by_some() -> None:
    assert pivoting("ok").why_said() == "Assam must be turned left or right first."
    assert pivoting("east south ok").why == "no.must_pivot"
    assert pivoting("ok", "may").told[-1] == Act(Pivot(Facing.SOUTH))


def test_the_die_waits_for_the_pivot() -> None:
    assert pivoting("2").why == "no.pivot_first"


def test_back_at_the_pivot_takes_the_turning_back_and_then_the_rug() -> None:
    talk = pivoting("east back")
    assert talk.news() == ["Turn Assam to face south again."]
    assert (talk.say("ok").stage, talk.game.now.facing) == (Stage.PIVOT, Facing.SOUTH)
    assert talk.say("back").news()[0] == "Lift the red rug from b7 and c7: Red takes it back."


def test_a_pivot_that_is_taken_back_can_be_chosen_otherwise() -> None:
    talk = pivoting("east ok back")
    assert talk.news() == ["Assam stays as he stands."]
    talk.say("ok west ok")
    assert (talk.stage, talk.state.facing) == (Stage.ROLL, Facing.WEST)


# --- BACK ---------------------------------------------------------------------------------


def test_back_and_west_go_back_east_goes_forward_and_ok_goes_on() -> None:
    talk = begun("3 ok back west east east")
    assert talk.told[2:] == [TakeBack(), TakeBack(), TellAgain(), TellAgain()]
    assert talk.stage is Stage.ORIENT
    talk = begun("3 ok back ok")
    assert (talk.told[-1], talk.stage) == (Ready(), Stage.LAY)


def test_back_goes_to_the_start_of_the_game_and_no_further() -> None:
    talk = begun("3 ok 2 ok back back back back")
    assert (talk.stage, talk.state.mover, talk.game.now.told) == (Stage.PUT_BACK, 0, None)
    assert talk.say("back").why_said() == (
        "This is the start of the game: there is nothing to take back."
    )
    talk.refused = None
    assert talk.say("west").why == "no.nothing_told"


def test_a_wrong_number_is_mended_by_back_and_the_right_one() -> None:
    talk = begun("3 back 2")
    assert (talk.stage, talk.state.assam) == (Stage.LAY, 24 + 2 * 7)
    assert begun("3 back roll", rolls=[1]).state.assam == 24 + 7
    talk = begun("3 ok back 2")
    assert talk.why_said() == (
        "Put the cardboard back first: OK when it is done, "
        "west for further back, east to tell it again."
    )


def test_telling_again_says_what_it_was_and_what_is_still_to_be_put_back() -> None:
    talk = begun("3 ok back back east")
    assert talk.stage is Stage.PUT_BACK
    assert talk.news() == [
        "Red rolled 3: Assam walks to d7 and faces south.",
        "Lift the red rug from b7 and c7: Red takes it back.",
        "Nothing was under it on b7.",
        "Nothing was under it on c7.",
    ]
    assert talk.say("east").news() == ["Red laid a red rug on b7 and c7."]


def test_a_pause_while_putting_back_goes_on_with_it_and_says_it_again() -> None:
    talk = begun("3 ok back")
    steps = talk.news()
    assert talk.say("pause").title() == "A game is waiting"
    assert (talk.say("ok").stage, talk.news()) == (Stage.PUT_BACK, steps)


# --- Coming and going ---------------------------------------------------------------------


def test_a_pause_says_who_is_to_play_and_ok_goes_on() -> None:
    talk = begun("3 ok pause")
    assert talk.todo() == [
        "Yellow is to play. OK goes on.",
        "BACK held down puts the game away.",
    ]
    assert (talk.say("ok").stage, talk.news()) == (Stage.ORIENT, [])
    assert len(talk.notes) == 2


def test_after_a_pause_the_walk_is_shown_once_more() -> None:
    talk = begun("3 east")
    aimed = talk.frames(0)
    assert talk.say("pause ok").frames(0) == begun("3").frames(0) != aimed


def test_what_was_taken_back_of_a_game_that_is_over_leaves_it_over() -> None:
    """A correction was told after the count, and is taken back."""
    position = f"{EMPTY} d4s over R R:30:0,Y:31:0,B:30:0,N:29:0 -"
    talk = at(position, "audit ok ok ok south ok audit back pause")
    assert talk.todo()[0] == "The game is over. OK goes on from there."
    assert talk.say("ok ok").title() == "Yellow wins with 31 points"
