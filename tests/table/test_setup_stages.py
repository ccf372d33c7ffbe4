"""Set-up on the buttons alone: each page, its ends, and a table that can always be played."""

from __future__ import annotations

from random import Random

import pytest
from helpers.table.table_driver import INPUTS, TableDriver, begun

from companion.games.marrakech import (
    BOOKLETS,
    Colour,
    Facing,
    Setup,
    booklet_named,
    usual_players,
)
from companion.table.conversation import BeginGame, SettingUp, Stage
from companion.table.entries import Act, Beginning
from companion.table.setup_stages import BOOKLET_CODES, PAGES

DIRECTIONS = ("north", "east", "south", "west")
RED, YELLOW, BLUE, BROWN = Colour


def page(talk: TableDriver) -> SettingUp:
    assert isinstance(talk.conversation.page, SettingUp)
    return talk.conversation.page


def test_ok_ok_ok_and_the_die_play() -> None:
    """The defaults: four players by the English booklet, Assam facing south."""
    talk = TableDriver().say("ok ok ok 3")
    begin, rolled = talk.notes
    assert begin == BeginGame(Beginning(Setup(usual_players(4))))
    assert isinstance(rolled, Act)
    assert (talk.stage, talk.state.assam, talk.state.mover) == (Stage.LAY, 24 + 3 * 7, 0)
    assert talk.news() == ["Red rolled 3: Assam walks to d7 and faces south."]


def test_the_electronic_roll_begins_as_well() -> None:
    talk = TableDriver(rolls=[2]).say("ok ok ok roll")
    assert (talk.stage, talk.state.assam) == (Stage.LAY, 24 + 2 * 7)


def test_the_last_ok_begins_and_says_by_which_booklet() -> None:
    talk = TableDriver(booklet="fi").say("ok ok ok ok")
    assert (talk.stage, len(talk.notes)) == (Stage.ORIENT, 1)
    assert talk.news() == ["The game begins, by the booklet: Suomi."]


def test_the_pages_come_in_order_and_back_turns_them_back() -> None:
    talk = TableDriver()
    seen = [talk.stage]
    seen += [talk.say(word).stage for word in ("ok", "ok", "ok", "back", "back", "back")]
    assert seen == [*PAGES, *reversed(PAGES[:-1])]
    assert talk.say("back").why == "no.first_page"
    assert not talk.notes


@pytest.mark.parametrize("pages", range(4))
def test_what_needs_a_game_is_refused_on_every_page(pages: int) -> None:
    for word, why in (
        ("audit", "no.audit_without_game"),
        ("pause", "no.nothing_to_put_away"),
        *(() if pages == 3 else (("3", "no.not_begun"), ("roll", "no.not_begun"))),
    ):
        talk = TableDriver().say("ok " * pages + word)
        assert (talk.stage, talk.why) == (PAGES[pages], why)


# --- Players ------------------------------------------------------------------------------


def test_north_and_east_are_more_players_south_and_west_fewer() -> None:
    talk = TableDriver(players=3)
    assert [page(talk.say(way)).players for way in ("north", "south", "east", "west")] == [
        4,
        3,
        4,
        3,
    ]


@pytest.mark.parametrize(("players", "way"), [(4, "north"), (4, "east"), (2, "south"), (2, "west")])
def test_fewer_than_two_and_more_than_four_are_refused(players: int, way: str) -> None:
    talk = TableDriver(players=players).say(way)
    assert page(talk).players == players
    assert talk.why_said() == "Marrakech is for 2, 3 or 4 players."


# --- Booklets -----------------------------------------------------------------------------


def test_east_and_west_leaf_through_all_booklets_and_round() -> None:
    talk = TableDriver().say("ok")
    codes = []
    for _ in BOOKLET_CODES:
        codes.append(page(talk).booklet)
        talk.say("east")
    assert codes == list(BOOKLETS)
    assert page(talk).booklet == "en"
    assert page(talk.say("west")).booklet == BOOKLET_CODES[-1]


def test_a_booklet_brings_its_options_and_the_tables_own_stay_over_them() -> None:
    talk = TableDriver(options={"loops": "nw-se"}).say("ok")
    while page(talk).booklet != "fi":
        talk.say("east")
    assert page(talk).options == booklet_named("fi").options.but({"loops": "nw-se"})


def test_north_and_south_change_the_order_of_a_turn_and_leafing_on_keeps_it() -> None:
    talk = TableDriver().say("ok south")
    assert page(talk).options.turn_order == "pivot-last"
    assert page(talk.say("east")).options.turn_order == "pivot-last"
    assert page(talk.say("north")).options.turn_order == "classic"
    talk.say("south ok ok ok")
    assert talk.stage is Stage.ROLL


def test_a_table_that_always_pivots_last_begins_with_that() -> None:
    assert begun(options={"turn_order": "pivot-last"}).stage is Stage.ROLL


# --- Colours ------------------------------------------------------------------------------


def test_whoever_had_the_colour_gets_the_one_that_is_given_up() -> None:
    talk = TableDriver().say("ok ok north")
    assert page(talk).seats == ((YELLOW,), (RED,), (BLUE,), (BROWN,))
    assert page(talk.say("south south")).seats == ((BROWN,), (YELLOW,), (BLUE,), (RED,))


def test_a_colour_that_nobody_has_is_taken_from_the_box() -> None:
    talk = TableDriver(players=3).say("ok ok east east north")
    assert page(talk).seats == ((RED,), (YELLOW,), (BROWN,))


def test_two_players_take_pairs_of_colours() -> None:
    talk = TableDriver(players=2).say("ok ok")
    seats = [page(talk).seats]
    seats += [page(talk.say("north")).seats for _ in range(6)]
    assert [one for one, _ in seats] == [
        (RED, YELLOW), (RED, BLUE), (RED, BROWN), (YELLOW, BLUE), (YELLOW, BROWN), (BLUE, BROWN),
        (RED, YELLOW),
    ]  # fmt: skip
    assert all(sorted(one + other) == list(Colour) for one, other in seats)


def test_there_is_no_seat_beyond_the_last() -> None:
    talk = TableDriver(players=2).say("ok ok east east")
    assert (page(talk).seat, talk.why) == (1, "no.seat")
    talk = TableDriver().say("ok ok west")
    assert (page(talk).seat, talk.why) == (0, "no.seat")


def test_a_colour_of_which_the_box_has_too_few_is_not_offered() -> None:
    """A box of 57 has 12 brown rugs, and three players need 15 of each."""
    talk = TableDriver(players=3, booklet="sr").say("ok ok")
    seen = {page(talk.say("north")).seats[0] for _ in range(4)}
    assert seen == {(RED,), (YELLOW,), (BLUE,)}


def test_going_back_from_the_colours_forgets_them() -> None:
    """How many they are, or the box they come from, may be changed there."""
    talk = TableDriver().say("ok ok north east back")
    assert page(talk).seats == ()
    assert page(talk.say("back west ok ok")).seats == usual_players(3)
    assert page(talk).seat == 0


def test_going_back_to_the_colours_keeps_them() -> None:
    talk = TableDriver().say("ok ok north ok back")
    assert page(talk).seats == ((YELLOW,), (RED,), (BLUE,), (BROWN,))


@pytest.mark.parametrize("booklet", BOOKLETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whatever_is_pressed_the_colours_can_be_played(booklet: str, players: int) -> None:
    """Every press on the page of colours leaves seats that make a `Setup`, as many as players."""
    chance = Random(f"{booklet} {players}")
    two_player = chance.choice(("shuffled", "alternating", "one-colour"))
    talk = TableDriver(players=players, booklet=booklet, options={"two_player": two_player}).say(
        "ok ok"
    )
    for _ in range(25):
        talk.hear(INPUTS[chance.choice(DIRECTIONS)])
        seats = page(talk).seats
        setup = Setup(seats, page(talk).options)
        assert len(setup.players) == players
        assert all(list(colours) == sorted(colours) for colours in seats)
    talk.refused = None
    talk.say("ok ok")
    assert talk.state.setup.players == seats


# --- The setting --------------------------------------------------------------------------


def test_assam_is_turned_any_way_before_the_first_turn() -> None:
    talk = TableDriver().say("ok ok ok")
    assert [page(talk.say(way)).facing for way in ("north", "west", "south", "east")] == [
        Facing.NORTH,
        Facing.WEST,
        Facing.SOUTH,
        Facing.EAST,
    ]
    assert talk.say("ok").state.facing is Facing.EAST


def test_where_he_faces_already_is_refused_rather_than_passed_over() -> None:
    talk = TableDriver().say("ok ok ok south")
    assert talk.why_said() == "Assam faces south already."


def test_names_go_round_the_table_as_far_as_they_reach() -> None:
    names = ("Ana", "Bo", "Cleo")
    assert begun(players=3, names=names).game.beginning.names == names
    assert begun(players=2, names=names).game.beginning.names == names[:2]
    assert begun(players=4, names=names).game.beginning.names == (*names, "")
    assert begun(players=4, names=names).title() == "Ana: your turn"
    assert begun(players=4).game.beginning.names == ()


def test_the_companion_deals_the_piles_where_the_table_wants_that() -> None:
    talk = begun("3", players=2, deals_piles=True)
    assert (talk.stage, talk.state.hand) == (Stage.LAY, RED)
    assert talk.game.beginning.piles == ((RED, YELLOW) * 12, (BLUE, BROWN) * 12)
    assert begun("3", players=2).stage is Stage.DRAW
    assert begun(players=3, deals_piles=True).game.beginning.piles is None
