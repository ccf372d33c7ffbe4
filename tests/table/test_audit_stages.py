"""The audit: the table is walked beside the cardboard, and what differs is corrected."""

from __future__ import annotations

from random import Random

import pytest
from helpers.table.table_driver import TableDriver, at, begun

from companion.games.marrakech import Colour, Facing, Phase, parse_square
from companion.games.marrakech.setup import DIRHAMS_IN_BOX
from companion.table.conversation import Auditing, Stage
from companion.table.entries import CorrectAssam, CorrectDirhams, CorrectSquare, Face

THREE_RED = "......./......./......./...R1.../...R2R2../......./......."
TO_LAY = f"{THREE_RED} e5e lay Y R:33:10,Y:27:11,B:30:12,N:30:12 -"
TO_PAY = f"{THREE_RED} e5e pay Y R:30:10,Y:30:11,B:30:12,N:30:12 -"
ONE_OUT = f"{THREE_RED} a1n orient B R:60:13,Y:out,B:30:15 -"
OVER = f"{THREE_RED} a1n over N R:30:0,Y:30:0,B:20:0,N:30:0 -"


def walk(talk: TableDriver) -> list[str]:
    """What OK after OK comes by."""
    seen = []
    while isinstance(page := talk.conversation.page, Auditing):
        seen.append(f"{page.stage.name[6:].lower()} {page.player}")
        talk.say("ok")
    return seen


# --- The walk -----------------------------------------------------------------------------


def test_assam_his_facing_then_each_players_rugs_and_dirhams() -> None:
    talk = at(TO_LAY, "audit")
    assert walk(talk) == [
        "assam 0", "facing 0", "rugs 0", "dirhams 0", "rugs 1", "dirhams 1",
        "rugs 2", "dirhams 2", "rugs 3", "dirhams 3",
    ]  # fmt: skip
    assert (talk.stage, talk.notes) == (Stage.LAY, [])
    assert talk.news() == ["Everything was compared."]


def test_who_is_out_has_rugs_to_be_seen_and_no_purse() -> None:
    assert walk(at(ONE_OUT, "audit"))[2:] == [
        "rugs 0",
        "dirhams 0",
        "rugs 1",
        "rugs 2",
        "dirhams 2",
    ]


def test_back_goes_one_step_back_and_from_the_first_out_of_the_audit() -> None:
    talk = at(TO_LAY, "audit ok ok ok ok back back back")
    assert talk.stage is Stage.AUDIT_FACING
    assert talk.say("back").stage is Stage.AUDIT_ASSAM
    assert talk.say("back").stage is Stage.LAY
    assert talk.news() == ["Comparing was stopped; what was corrected stays."]


@pytest.mark.parametrize(
    "words",
    ["", "ok", "ok ok", "ok ok ok", "ok ok east", "ok ok east ok", "ok ok east ok north ok"],
)
def test_ok_held_leaves_from_anywhere_and_keeps_the_game_as_it_was(words: str) -> None:
    talk = at(TO_LAY)
    before = talk.game
    talk.say(f"audit {words} audit")
    assert (talk.stage, talk.notes) == (Stage.LAY, [])
    assert talk.game is before


def test_it_says_when_the_purses_do_not_add_up() -> None:
    talk = at(OVER, "audit")
    walk(talk)
    assert talk.news() == [
        "Everything was compared. All purses together have 110 dirhams; the game began with 120."
    ]


def test_from_a_pause_the_audit_leads_into_the_game() -> None:
    talk = begun("3 pause audit")
    assert talk.stage is Stage.AUDIT_ASSAM
    assert talk.say("audit").stage is Stage.LAY


def test_while_putting_back_the_audit_leads_back_to_that_and_says_it_again() -> None:
    talk = begun("3 ok back")
    steps = talk.news()
    talk.say("audit")
    walk(talk)
    assert (talk.stage, talk.news()) == (Stage.PUT_BACK, ["Everything was compared.", *steps])
    talk.say("audit audit")
    assert talk.news() == ["Comparing was stopped; what was corrected stays.", *steps]


def test_a_correction_while_putting_back_is_how_the_cardboard_lies_now() -> None:
    """Nothing more is to be put back: the table was compared, and agreed on."""
    talk = begun("3 ok back audit ok east ok audit")
    assert talk.stage is Stage.LAY
    assert (talk.game.undone, talk.game.put_back) == (None, ())


# --- Assam --------------------------------------------------------------------------------


def test_directions_move_assam_and_ok_corrects_where_he_stands() -> None:
    talk = at(TO_LAY, "audit north west ok")
    assert talk.told == [CorrectAssam(parse_square("d4"), Facing.EAST)]
    assert talk.state.assam == parse_square("d4")
    assert talk.stage is Stage.AUDIT_FACING
    assert talk.news() == ["Corrected: Assam stands on d4 and faces east."]


def test_assam_moved_and_moved_back_is_no_correction() -> None:
    assert at(TO_LAY, "audit north south ok").told == []


@pytest.mark.parametrize(
    ("position", "way"), [("a1n", "north"), ("a1n", "west"), ("g7n", "south"), ("g7n", "east")]
)
def test_the_market_ends(position: str, way: str) -> None:
    talk = at(TO_LAY.replace("e5e", position), f"audit {way}")
    assert talk.why_said() == "The market ends here."


def test_directions_turn_assam_even_round() -> None:
    talk = at(TO_LAY, "audit ok west ok")
    assert talk.told == [CorrectAssam(parse_square("e5"), Facing.WEST)]
    assert talk.state.facing is Facing.WEST
    assert at(TO_LAY, "audit ok east").why_said() == "Assam faces east already."


def test_assam_turned_before_the_roll_is_shown_as_he_was_turned() -> None:
    talk = begun("east audit ok")
    assert talk.todo() == ["Assam faces east. OK if he does; directions turn him."]
    assert talk.say("ok").told == [Face(Facing.EAST)]


def test_assam_turned_back_on_the_cardboard_is_corrected_to_where_he_was() -> None:
    talk = begun("east audit ok south ok")
    assert talk.told[1:] == [CorrectAssam(24, Facing.SOUTH)]
    assert talk.news() == ["Corrected: Assam stands on d4 and faces south."]
    assert talk.say("audit 2").state.assam == 24 + 2 * 7


def test_assam_moved_when_he_was_turned_already_keeps_his_turning() -> None:
    talk = begun("east audit north ok")
    assert talk.news() == ["Corrected: Assam stands on d3 and faces east."]
    assert talk.say("ok audit 2").state.assam == parse_square("f3")


def test_when_assam_stands_on_no_ones_rug_the_tribute_is_not_asked_for() -> None:
    talk = at(TO_PAY, "audit east ok audit")
    assert (talk.stage, talk.state.dirhams) == (Stage.LAY, (30, 30, 30, 30))


# --- Dirhams ------------------------------------------------------------------------------


def purse(words: str, position: str = TO_LAY) -> TableDriver:
    """At the first player's purse."""
    return at(position, f"audit ok ok ok {words}")


def test_north_and_south_are_coins_of_one_east_and_west_of_five() -> None:
    talk = purse("west west south east north south south ok")
    assert talk.told == [CorrectDirhams(0, 33 - 5 - 1 - 1)]
    assert talk.state.dirhams == (26, 27, 30, 30)
    assert talk.news() == ["Corrected: Red has 26 dirhams."]


def test_no_purse_holds_less_than_nothing_and_all_no_more_than_the_box() -> None:
    assert purse("west " * 6 + "south " * 3 + "south").why == "no.dirhams_below"
    assert purse("west " * 7).why == "no.dirhams_below"
    talk = purse("north")
    assert talk.why_said() == (
        f"The box has {DIRHAMS_IN_BOX} dirhams, and the others have 87 of them: "
        "make another purse smaller first."
    )


def test_two_purses_are_corrected_in_the_order_the_box_allows() -> None:
    talk = purse("ok ok south south ok back back back north north ok")
    assert talk.state.dirhams == (35, 25, 30, 30)


def test_a_purse_corrected_while_paying_decides_who_is_short() -> None:
    talk = at(TO_PAY, "audit ok ok ok ok ok" + " west" * 5 + " south south south ok audit")
    assert (talk.stage, talk.state.dirhams[1]) == (Stage.PAY, 2)
    assert talk.todo()[0].startswith("Yellow owes Red 3 dirhams and has 2: ")
    assert talk.say("ok").state.out == {1}


def test_a_purse_corrected_after_the_end_decides_who_won() -> None:
    talk = at(OVER, "")
    assert talk.title() == "Red wins with 33 points"
    talk.say("audit ok ok ok west ok audit")
    assert (talk.stage, talk.title()) == (Stage.OVER, "2 players share the win")


# --- Square by square ---------------------------------------------------------------------


def market(words: str, position: str = TO_LAY) -> TableDriver:
    """With the cursor on Assam's square."""
    return at(position, f"audit ok ok east {words}")


def test_a_square_is_emptied() -> None:
    """e5 is half of R2; the other half stays, alone."""
    talk = market("ok west ok")
    assert talk.told == [CorrectSquare(parse_square("e5"), None)]
    assert talk.state.rug_on(parse_square("e5")) is None
    assert str(talk.state.rug_on(parse_square("d5"))) == "R2"
    assert (talk.stage, talk.news()) == (Stage.SQUARE, ["Corrected: no rug on e5."])


def test_a_square_gets_half_a_rug() -> None:
    talk = market("ok east ok ok")
    assert talk.told == [CorrectSquare(parse_square("e5"), Colour.YELLOW)]
    assert talk.news() == ["Corrected: half a rug on e5, yellow."]


def test_a_square_gets_a_rug_whose_other_half_lies_beside_it() -> None:
    talk = market("ok north ok south")
    assert talk.told == [CorrectSquare(parse_square("e5"), Colour.YELLOW, parse_square("e6"))]
    assert talk.news() == ["Corrected: a rug on e5 and e6, yellow."]
    assert str(talk.state.rug_on(parse_square("e6"))) == "Y1"


def test_the_tops_go_round_nothing_and_the_colours_in_play() -> None:
    talk = market("ok")
    tops = []
    for _ in range(5):
        assert isinstance(talk.conversation.page, Auditing)
        tops.append(talk.conversation.page.top)
        talk.say("north")
    assert tops == [Colour.RED, Colour.YELLOW, Colour.BLUE, Colour.BROWN, None]
    assert isinstance(talk.conversation.page, Auditing)
    assert talk.conversation.page.top is Colour.RED


@pytest.mark.parametrize("words", ["ok ok west", "north west ok ok ok", "east ok ok"])
def test_what_lies_there_as_it_was_known_is_no_correction(words: str) -> None:
    """A rug on d5 and e5, half a rug on d4, nothing on f5: said again, nothing changes."""
    talk = market(words)
    assert (talk.stage, talk.told) == (Stage.SQUARE, [])


def test_more_rugs_than_were_laid_are_refused() -> None:
    talk = market("north ok north north ok ok", TO_LAY.replace("Y:27:11", "Y:27:12"))
    assert talk.told == []
    assert talk.why_said() == (
        "More yellow rugs would be seen than were laid: "
        "clear the square where one is too many first."
    )
    assert talk.stage is Stage.JOIN


def test_the_other_half_cannot_lie_outside_the_market() -> None:
    talk = market("ok north ok west", TO_LAY.replace("e5e", "a1e"))
    assert (talk.why, talk.stage, talk.told) == ("no.edge", Stage.JOIN, [])


def test_back_leads_out_of_a_square_as_it_was_entered() -> None:
    talk = market("west ok north ok")
    stages = [talk.stage]
    stages += [talk.say("back").stage for _ in range(3)]
    assert stages == [Stage.JOIN, Stage.TOP, Stage.SQUARE, Stage.AUDIT_RUGS]
    assert talk.told == []


def test_back_from_the_other_half_keeps_the_colour_that_was_chosen() -> None:
    assert market("ok north ok back").todo() == [
        "e5: yellow on top. Directions change it, OK if so."
    ]


def test_after_the_market_the_walk_goes_on_with_the_same_player() -> None:
    talk = market("north ok back back")
    assert isinstance(talk.conversation.page, Auditing)
    assert (talk.stage, talk.conversation.page.player) == (Stage.AUDIT_RUGS, 0)
    assert talk.say("ok").stage is Stage.AUDIT_DIRHAMS


# --- After a correction -------------------------------------------------------------------


def test_back_takes_corrections_back_like_everything_else() -> None:
    talk = begun("3 ok audit ok ok ok south ok audit back")
    assert (talk.stage, talk.state.dirhams) == (Stage.PUT_BACK, (30, 30, 30, 30))
    assert talk.news() == [
        "A correction is taken back. Leave the cardboard as it is, or hold OK to compare."
    ]
    assert talk.say("east").state.dirhams == (29, 30, 30, 30)
    assert talk.news() == ["Corrected: Red has 29 dirhams."]
    assert talk.say("back back").state.phase is Phase.LAY


@pytest.mark.parametrize("seed", range(8))
def test_a_corrected_game_goes_on_and_ends(seed: int) -> None:
    chance, talk = Random(seed), begun("3 ok 2")
    for _ in range(6):
        if talk.stage is Stage.PAY:
            talk.say("ok")
        ways = [chance.choice(("north", "east", "south", "west")) for _ in range(4)]
        talk.say("audit ok ok east")
        for way in ways:
            talk.say(way)
            talk.refused = None
        talk.say(chance.choice(("ok west ok", "ok north north", "")))
        talk.say("audit")
    for _ in range(500):
        if talk.stage is Stage.OVER:
            break
        talk.say(str(chance.choice((1, 2, 2, 3, 3, 4))) if talk.stage is Stage.ORIENT else "ok")
    assert talk.stage is Stage.OVER
