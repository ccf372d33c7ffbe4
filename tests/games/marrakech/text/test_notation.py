"""Positions as one line of text: writing and parsing."""

from __future__ import annotations

from random import Random

import pytest
from helpers.rules.sample_positions import EMPTY, FOUR, POSITIONS, START, written

from companion.games.marrakech import (
    Colour,
    Drew,
    Facing,
    Lay,
    Options,
    Orient,
    Pay,
    Phase,
    Rolled,
    Rug,
    Setup,
    apply,
    legal_actions,
    new_game,
    parse_position,
    parse_square,
    position_text,
    square_at,
    usual_players,
)
from companion.games.marrakech.playouts import choose_action


def test_a_new_game_is_written_in_six_fields() -> None:
    assert position_text(new_game(Setup(usual_players(4)))) == START


def test_every_field_of_a_position_is_parsed() -> None:
    """Yellow's fifth rug is whole, brown's third shows one half; red is out, blue pays yellow."""
    state = parse_position(
        "..Y5..../..Y5..../......./......./......./......./......N3 c2w pay B "
        "R:out,Y:41:7,B:3:9,N:30:8 bankruptcy=spare,loops=nw-se"
    )
    empty = {square_at(x, y) for y in range(7) for x in range(7)} - {2, 9, 48}
    assert state.setup == Setup(
        ((Colour.RED,), (Colour.YELLOW,), (Colour.BLUE,), (Colour.BROWN,)),
        Options(bankruptcy="spare", loops="nw-se"),
    )
    assert state.phase is Phase.PAY
    assert state.mover == 2
    assert state.assam == parse_square("c2")
    assert state.facing is Facing.WEST
    assert state.dirhams == (0, 41, 3, 30)
    assert state.left == (0, 7, 9, 8)
    assert state.out == {0}
    assert state.rug_on(2) == state.rug_on(9) == Rug(Colour.YELLOW, 5)
    assert state.rug_on(48) == Rug(Colour.BROWN, 3)
    assert [state.rug_on(square) for square in empty] == [None] * 46
    assert state.colours == (0, 1 << 2 | 1 << 9, 0, 1 << 48)
    assert state.whole == 1 << 2 + 49
    assert state.hand is None
    assert state.piles is None


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS)
def test_a_position_round_trips(text: str) -> None:
    assert position_text(parse_position(text)) == text


def test_the_colour_in_hand_is_written_only_for_two_colours() -> None:
    assert parse_position(POSITIONS["to lay"]).hand is Colour.YELLOW
    assert parse_position(POSITIONS["two players, drawn"]).hand is Colour.BROWN
    assert parse_position(POSITIONS["two players, to draw"]).hand is None


def test_a_pile_in_order_has_the_next_rug_first() -> None:
    state = parse_position(POSITIONS["two players, dealt"])
    assert state.piles == (
        (Colour.RED, Colour.RED, Colour.YELLOW, Colour.RED),
        (Colour.BLUE, Colour.BROWN, Colour.BROWN),
    )
    assert state.left == (3, 1, 1, 2)


def test_a_player_who_is_out_has_an_empty_pile() -> None:
    state = parse_position(POSITIONS["two players, dealt, one out"])
    assert state.piles == ((), (Colour.BLUE, Colour.BROWN, Colour.BROWN))
    assert state.out == {0}
    assert state.dirhams == (0, 60)


def test_a_turn_of_two_players_is_written_phase_by_phase() -> None:
    """Blue-brown walks onto the red rug of two halves; the brown rug is drawn and laid."""
    state = new_game(Setup(usual_players(2)))
    texts = [position_text(state)]
    for action in (
        Orient(Facing.SOUTH),
        Rolled(1),
        Drew(Colour.RED),
        Lay(parse_square("d6"), parse_square("d7")),
        Orient(Facing.SOUTH),
        Rolled(2),
        Pay(),
        Drew(Colour.BROWN),
        Lay(parse_square("c7"), parse_square("b7")),
    ):
        state, _ = apply(state, action)
        texts.append(position_text(state))
    one = "......./......./......./......./......./...R1.../...R1..."
    two = "......./......./......./......./......./...R1.../.N1N1R1..."
    assert texts == [
        f"{EMPTY} d4s orient RY RY:30:12+12,BN:30:12+12 -",
        f"{EMPTY} d4s roll RY RY:30:12+12,BN:30:12+12 -",
        f"{EMPTY} d5s draw RY RY:30:12+12,BN:30:12+12 -",
        f"{EMPTY} d5s lay:R RY RY:30:12+12,BN:30:12+12 -",
        f"{one} d5s orient BN RY:30:11+12,BN:30:12+12 -",
        f"{one} d5s roll BN RY:30:11+12,BN:30:12+12 -",
        f"{one} d7s pay BN RY:30:11+12,BN:30:12+12 -",
        f"{one} d7s draw BN RY:32:11+12,BN:28:12+12 -",
        f"{one} d7s lay:N BN RY:32:11+12,BN:28:12+12 -",
        f"{two} d7s orient RY RY:32:11+12,BN:28:12+11 -",
    ]
    assert [position_text(parse_position(text)) for text in texts] == texts


PLAYED = {
    "four": Setup(usual_players(4)),
    "three": Setup(usual_players(3)),
    "two": Setup(usual_players(2)),
    "pivot last": Setup(usual_players(4), Options(turn_order="pivot-last")),
    "alternating": Setup(usual_players(2), Options(two_player="alternating")),
}


@pytest.mark.parametrize("setup", PLAYED.values(), ids=PLAYED)
def test_every_position_of_a_game_round_trips(setup: Setup) -> None:
    rng, state, seen = Random(7), new_game(setup), 0
    while legal := legal_actions(state):
        assert parse_position(position_text(state)) == state
        state, _ = apply(state, choose_action(state, legal, rng))
        seen += 1
    assert parse_position(position_text(state)) == state
    assert seen > 100


@pytest.mark.parametrize(
    ("loose", "strict"),
    [
        (f"  {START.replace(' ', '  ')}\n", START),
        (written(assam="d4S"), START),
        (written(options="bankruptcy=out,loops=ne-sw"), START),
        (written(players=FOUR.replace(":30", ":030")), START),
        (POSITIONS["to pay"].replace("R1", "R01"), POSITIONS["to pay"]),
        (
            written(options="loops=nw-se,bankruptcy=spare"),
            written(options="bankruptcy=spare,loops=nw-se"),
        ),
    ],
    ids=["blanks", "capital direction", "options of the booklet", "zeros", "rug zeros", "order"],
)
def test_the_parser_accepts_variants_that_are_never_written(loose: str, strict: str) -> None:
    assert position_text(parse_position(loose)) == strict
