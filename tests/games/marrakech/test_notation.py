"""A position in one line: written, read, and refused with the column of what is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError, NotationError
from companion.games.marrakech import (
    OPTIONS,
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
    State,
    apply,
    legal_actions,
    new_game,
    notation,
    parse_position,
    parse_square,
    position_text,
    square_at,
    usual_players,
)
from companion.playouts import choose

DOCUMENT = Path(__file__).parents[3] / "docs" / "notation.md"

EMPTY = "/".join(["." * 7] * 7)
FOUR = "R:30:12,Y:30:12,B:30:12,N:30:12"
START = f"{EMPTY} d4s orient R {FOUR} -"

# Red has laid two rugs, the second over a half of the first; yellow stands on a region of three.
THREE_RED = "......./......./......./...R1.../...R2R2../......./......."
TEN_TURNS = (
    "......./......./......./....N1../.B1B2Y3N1Y2Y2/.Y1B2Y3R3R3./....... "
    "e5n orient B R:38:9,Y:27:9,B:25:10,N:30:10 -"
)

POSITIONS = {
    "four players, start": START,
    "four players, ten turns": TEN_TURNS,
    "to roll": f"{EMPTY} d4w roll R {FOUR} -",
    "to pay": f"{THREE_RED} e5e pay Y R:30:10,Y:30:11,B:30:12,N:30:12 -",
    "to lay": f"{THREE_RED} e5e lay Y R:33:10,Y:27:11,B:30:12,N:30:12 -",
    "three players": f"{EMPTY} d4n orient Y R:30:15,Y:30:15,B:30:15 -",
    "three players, one out": f"{THREE_RED} a1n orient B R:60:13,Y:out,B:30:15 -",
    "two players, told": f"{EMPTY} d4s orient RY RY:30:12+12,BN:30:12+12 -",
    "two players, to draw": f"{EMPTY} d6s draw BN RY:30:12+12,BN:30:12+12 -",
    "two players, drawn": f"{EMPTY} d6s lay:N BN RY:30:12+12,BN:30:12+12 -",
    "two players, one colour left": f"{EMPTY} d6s lay:R RY RY:30:3+0,BN:30:0+3 -",
    "two players, dealt": f"{EMPTY} d6s lay:R RY RY:30:=RRYR,BN:30:=BNN -",
    "two players, dealt, one out": f"{EMPTY} d6s over RY RY:out,BN:60:=BNN -",
    "two players, dealt, the last rug": f"{EMPTY} d6s lay:B BN RY:30:=,BN:30:=B -",
    "two players, alternating": (
        f"{EMPTY} d4s orient BN RY:30:=YRY,BN:30:=BNBN two_player=alternating"
    ),
    "an option for two among three": (
        f"{EMPTY} d4s orient B R:30:15,Y:30:15,B:30:15 two_player=alternating"
    ),
    "two players, one colour": f"{EMPTY} d4s orient Y R:30:15,Y:30:15 two_player=one-colour",
    "to pivot": f"{THREE_RED} c4w pivot R R:30:10,Y:30:12,B:30:12,N:30:12 turn_order=pivot-last",
    "to roll, pivot last": f"{EMPTY} d4s roll N {FOUR} turn_order=pivot-last,pivot=may",
    "over, no rug left": f"{THREE_RED} a1n over N R:30:0,Y:30:0,B:0:0,N:60:0 -",
    "over, one player in": f"{THREE_RED} a1n over Y R:90:4,Y:out,B:out -",
    "every option": (
        f"{EMPTY} g7e orient R R:30:12,Y:30:12,B:30:12,N:30:12 bankruptcy=spare,"
        "covering=two-colours,two_player=one-colour,pivot=may,purse=share-120,"
        "tie_break=shared,box=57,short_colour=red,loops=nw-se"
    ),
}


def written(
    market: str = EMPTY,
    assam: str = "d4s",
    phase: str = "orient",
    mover: str = "R",
    players: str = FOUR,
    options: str = "-",
) -> str:
    return f"{market} {assam} {phase} {mover} {players} {options}"


def refusal(text: str) -> NotationError:
    with pytest.raises(NotationError) as refused:
        parse_position(text)
    return refused.value


# --- Writing and reading ------------------------------------------------------------------


def test_a_new_game_is_written_in_six_fields() -> None:
    assert position_text(new_game(Setup(usual_players(4)))) == START


def test_every_field_of_a_position_is_read() -> None:
    """Yellow's fifth rug lies whole, brown's third shows one half; red is out, blue pays yellow."""
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
def test_a_position_reads_back_as_it_was_written(text: str) -> None:
    assert position_text(parse_position(text)) == text


def test_a_rug_in_hand_is_named_only_by_a_player_with_two_colours() -> None:
    assert parse_position(POSITIONS["to lay"]).hand is Colour.YELLOW
    assert parse_position(POSITIONS["two players, drawn"]).hand is Colour.BROWN
    assert parse_position(POSITIONS["two players, to draw"]).hand is None


def test_a_pile_in_order_is_read_next_rug_first() -> None:
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
def test_every_position_of_a_game_reads_back_equal(setup: Setup) -> None:
    chance, state, seen = Random(7), new_game(setup), 0
    while legal := legal_actions(state):
        assert parse_position(position_text(state)) == state
        state, _ = apply(state, choose(state, legal, chance))
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
def test_a_reader_forgives_what_a_writer_never_writes(loose: str, strict: str) -> None:
    assert position_text(parse_position(loose)) == strict


# --- Refusals -----------------------------------------------------------------------------

RY_BN = "RY:30:12+12,BN:30:12+12"
ROW = ": a row has 7, each '.' or a rug like R7"
OPTIONS_LISTED = (
    "bankruptcy, covering, two_player, turn_order, pivot, purse, tie_break, box, short_colour"
    " or loops"
)

# name: (text, column, message)
REFUSALS: dict[str, tuple[str, int, str]] = {
    "nothing": (
        "", 1,
        "a position has 6 fields (market assam phase mover players options), here are 0"),
    "a field is missing": (
        START.removesuffix(" -"), 70,
        "a position has 6 fields (market assam phase mover players options), here are 5"),
    "a field too many": (
        f"{START} -", 104,
        "a position has 6 fields (market assam phase mover players options), here are 7"),
    "six rows": (
        written(market="/".join(["." * 7] * 6)), 1,
        "the market has 7 rows, here are 6"),
    "a short row": (
        written(market="......./....../......./......./......./......./......."), 15,
        f"the row ends after 6 squares{ROW}"),
    "a long row": (
        written(market="......./......../......./......./......./......./......."), 16,
        "the row goes on after 7 squares"),
    "no square": (
        written(market="......./..x..../......./......./......./......./......."), 11,
        f"'x..' is no square{ROW}"),
    "a colour without a number": (
        written(market="......./......R/......./......./......./......./......."), 15,
        f"'R' is no square{ROW}"),
    "a rug in small letters": (
        written(market="r1....../......./......./......./......./......./......."), 1,
        f"'r1.' is no square{ROW}"),
    "rug 0": (
        written(market="R0....../......./......./......./......./......./......."), 1,
        "no rug is R0: they are numbered 1 to 15"),
    "rug 16": (
        written(market="....R16../......./......./......./......./......./......."), 5,
        "no rug is R16: they are numbered 1 to 15"),
    "a rug number of four digits": (
        written(market="R0001....../......./......./......./......./......./......."), 2,
        "'0001' is no number of a rug"),
    "a rug number in other digits": (
        written(market="R٣....../......./......./......./......./......./......."), 2,
        "'٣' is no number of a rug"),
    "three halves": (
        written(market="R1R1R1..../......./......./......./......./......./......."), 5,
        "rug R1 has more than two halves"),
    "halves apart": (
        written(market="R1.R1..../......./......./......./......./......./......."), 4,
        "a1 and c1 cannot be halves of one rug R1: they do not share a side"),
    "halves at a corner": (
        written(market="R1....../.R1...../......./......./......./......./......."), 11,
        "a1 and b2 cannot be halves of one rug R1: they do not share a side"),
    "halves across the edge": (
        written(market="......R1/R1....../......./......./......./......./......."), 10,
        "g1 and a2 cannot be halves of one rug R1: they do not share a side"),
    "a rug that has not left the pile": (
        written(market="R1R1...../......./......./......./......./......./......."), 1,
        "rug R1 lies on the market, but only 0 red rugs have left the pile"),
    "a rug number beyond those that have left the pile": (
        written(
            market="R1R3...../......./......./......./......./......./.......",
            players=FOUR.replace("R:30:12", "R:30:10"),
        ), 1,
        "rug R3 lies on the market, but only 2 red rugs have left the pile"),
    "a rug of nobody": (
        written(
            market="N1N1...../......./......./......./......./......./.......",
            players="R:30:15,Y:30:15,B:30:15",
        ), 1,
        "rug N1 lies on the market, but nobody plays brown"),
    "Assam off the market": (
        written(assam="h4s"), 57,
        "Assam is a square and a direction, like d4s: "
        "'h4' is no square: use a letter a-g and a number 1-7, like d4"),
    "Assam without a direction": (
        written(assam="d4"), 57,
        "Assam is a square and a direction, like d4s: '' is no direction: use n, e, s or w"),
    "Assam in two directions": (
        written(assam="d4ne"), 57,
        "Assam is a square and a direction, like d4s: 'ne' is no direction: use n, e, s or w"),
    "an unknown phase": (
        written(phase="rol"), 61,
        "unknown phase 'rol': use orient, roll, pay, draw, lay, pivot or over; "
        "did you mean 'roll'?"),
    "an unknown mover": (
        written(mover="X"), 68,
        "unknown mover 'X': use R, Y, B or N"),
    "half a mover": (
        written(mover="R", players=RY_BN), 68,
        "unknown mover 'R': use RY or BN; did you mean 'RY'?"),
    "a player without a pile": (
        written(players="R:30:12,Y:30,B:30:12,N:30:12"), 78,
        "'Y:30' is no player: write colours:dirhams:rugs, like R:30:12, or R:out"),
    "a player with too much": (
        written(players="R:30:12,Y:out:1:2,B:30:12,N:30:12"), 78,
        "'Y:out:1:2' is no player: write colours:dirhams:rugs, like R:30:12, or R:out"),
    "an empty player": (
        written(players=f"{FOUR},"), 102,
        "'' is no player: write colours:dirhams:rugs, like R:30:12, or R:out"),
    "an unknown colour": (
        written(players="R:30:12,Y:30:12,B:30:12,G:30:12"), 94,
        "unknown colour 'G': use R, Y, B or N"),
    "a colour in small letters": (
        written(players="Ry:30:12+12,BN:30:12+12"), 71,
        "unknown colour 'y': use R, Y, B or N; did you mean 'Y'?"),
    "no dirhams": (
        written(players="R::12,Y:30:12,B:30:12,N:30:12"), 72,
        "'' is no number of dirhams"),
    "a debt": (
        written(players="R:-3:12,Y:30:12,B:30:12,N:30:12"), 72,
        "'-3' is no number of dirhams"),
    "one player": (
        written(players="R:30:12"), 70,
        "1 players: Marrakech is for 2, 3 or 4; the nearest is 2"),
    "one colour for two players": (
        written(players="R:30:12,Y:30:12"), 70,
        "player 1 has 1 colours: with 2 players and two_player=shuffled everyone has 2"),
    "a player without colours": (
        written(players=":30:12,Y:30:12,B:30:12,N:30:12"), 70,
        "player 1 has 0 colours: with 4 players everyone has 1"),
    "a colour taken twice": (
        written(players="R:30:12,Y:30:12,R:30:12,N:30:12"), 70,
        "red is taken twice, by players 1 and 3: every colour has one owner; still free: blue"),
    "more dirhams than the box has": (
        written(players="R:31:12,Y:30:12,B:30:12,N:30:12"), 70,
        "121 dirhams are out, and the box has only 120"),
    "no option": (
        written(options="spare"), 102,
        "'spare' is no option: write name=value, like loops=nw-se"),
    "an unknown option": (
        written(options="loop=nw-se"), 102,
        f"unknown option 'loop': use {OPTIONS_LISTED}; did you mean 'loops'?"),
    "an unknown value": (
        written(options="box=58"), 102,
        "unknown value of box '58': use 60 or 57; did you mean '57'?"),
    "an option twice": (
        written(options="box=57,box=60"), 102,
        "option box is set twice"),
    "rugs that are no number": (
        written(players="R:30:x,Y:30:12,B:30:12,N:30:12"), 75,
        "'x' is no number of rugs"),
    "rugs of two colours for one": (
        written(players="R:30:6+6,Y:30:12,B:30:12,N:30:12"), 75,
        "'6+6' does not fit the player's colours"),
    "rugs of one colour for two": (
        written(mover="RY", players="RY:30:12+12,BN:30:24"), 89,
        "'24' does not fit the player's colours"),
    "the second number of rugs is none": (
        written(mover="RY", players="RY:30:12+,BN:30:12+12"), 80,
        "'' is no number of rugs"),
    "more rugs than a player starts with": (
        written(players="R:30:13,Y:30:12,B:30:12,N:30:12"), 75,
        "13 red rugs are left, but a player starts with 12"),
    "more rugs of the second colour": (
        written(mover="RY", players="RY:30:12+13,BN:30:12+12"), 77,
        "13 yellow rugs are left, but a player starts with 12"),
    "a pile in order for one player only": (
        written(mover="RY", players="RY:30:=RY,BN:30:12+12"), 71,
        "piles in order (=RYY...) are for two players with two colours, and both"),
    "piles in order for four": (
        written(players="R:30:=R,Y:30:=Y,B:30:=B,N:30:=N"), 70,
        "piles in order (=RYY...) are for two players with two colours, and both"),
    "numbers where the colours alternate": (
        written(mover="RY", players=RY_BN, options="two_player=alternating"), 71,
        "the colours alternate: write the piles in order, like =RYRY"),
    "a pile that does not alternate": (
        written(mover="RY", players="RY:30:=RYY,BN:30:=BN", options="two_player=alternating"), 77,
        "'=RYY': the colours must alternate"),
    "another player's rug in the pile": (
        written(mover="RY", players="RY:30:=RB,BN:30:=BN"), 77,
        "'=RB' does not fit the player's colours"),
    "no colour in the pile": (
        written(mover="RY", players="RY:30:=RG,BN:30:=BN"), 79,
        "unknown colour 'G': use R, Y, B or N"),
    "a pile that is too high": (
        written(mover="RY", players=f"RY:30:={'R' * 13},BN:30:=BN"), 77,
        "13 red rugs are left, but a player starts with 12"),
    "a rug named by a player with one colour": (
        written(phase="lay:R"), 61,
        "'lay:R': only a player with two colours names one, and to lay"),
    "a rug named before it is laid": (
        written(phase="roll:R", mover="RY", players=RY_BN), 61,
        "'roll:R': only a player with two colours names one, and to lay"),
    "a rug not named": (
        written(phase="lay", mover="RY", players=RY_BN), 61,
        "'lay': the rug to be laid must be lay:R or lay:Y"),
    "both rugs named": (
        written(phase="lay:RY", mover="RY", players=RY_BN), 61,
        "'lay:RY': the rug to be laid must be lay:R or lay:Y"),
    "a rug of which none is left": (
        written(phase="lay:R", mover="RY", players="RY:30:0+3,BN:30:3+3"), 61,
        "'lay:R': the rug to be laid must be lay:Y"),
    "a rug that is not next in the pile": (
        written(phase="lay:Y", mover="RY", players="RY:30:=RYY,BN:30:=BN"), 61,
        "'lay:Y': the rug to be laid must be lay:R"),
    "a rug from an empty pile": (
        written(phase="lay:R", mover="RY", players="RY:30:=,BN:30:=BN"), 61,
        "'lay:R': the rug to be laid must be no rug: the pile is empty"),
    "the mover is out": (
        written(players="R:out,Y:30:12,B:30:12,N:30:12"), 68,
        "R is out and cannot be the mover"),
    "only one player is in": (
        written(mover="B", players="R:out,Y:out,B:30:12,N:out"), 61,
        "only one player is left in: the phase must be over"),
    "the mover has no rug": (
        written(players="R:30:0,Y:30:1,B:30:1,N:30:1"), 68,
        "R has no rug left and cannot be the mover"),
    "nobody has a rug, to pivot": (
        written(
            phase="pivot",
            players="R:30:0,Y:30:0,B:30:0,N:30:0",
            options="turn_order=pivot-last",
        ), 61,
        "no rug is left: the phase must be over"),
    "pivot in the classic order": (
        written(phase="pivot"), 61,
        "phase pivot does not occur with turn_order=classic"),
    "orient in the other order": (
        written(options="turn_order=pivot-last"), 61,
        "phase orient does not occur with turn_order=pivot-last"),
    "to pay on an empty square": (
        written(phase="pay"), 61,
        "nothing is due from R on d4"),
    "to pay on one's own rug": (
        written(
            market=THREE_RED, assam="d4s", phase="pay", players=FOUR.replace("R:30:12", "R:30:10")
        ), 64,
        "nothing is due from R on d4"),
    "to pay a player who is out": (
        written(
            market=THREE_RED, assam="d4s", phase="pay", mover="Y", players="R:out,Y:30:15,B:30:15"
        ), 64,
        "nothing is due from Y on d4"),
    "to draw with one colour": (
        written(phase="draw"), 61,
        "R has nothing to draw: the next rug is known"),
    "to draw the only colour left": (
        written(phase="draw", mover="RY", players="RY:30:0+3,BN:30:3+3"), 61,
        "RY has nothing to draw: the next rug is known"),
    "to draw from a pile in order": (
        written(phase="draw", mover="RY", players="RY:30:=RYY,BN:30:=BN"), 61,
        "RY has nothing to draw: the next rug is known"),
    "over while rugs are left": (
        written(phase="over"), 61,
        "4 players are in and have rugs left: the game is not over"),
    "over while two are in and one has a rug left": (
        written(phase="over", players="R:out,Y:30:0,B:out,N:30:1"), 61,
        "2 players are in and have rugs left: the game is not over"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "column", "message"), REFUSALS.values(), ids=REFUSALS)
def test_a_wrong_position_is_refused_where_it_is_wrong(
    text: str, column: int, message: str
) -> None:
    error = refusal(text)
    assert (error.column, error.message) == (column, message)
    assert (error.line, error.position) == (None, "")
    assert str(error) == f"column {column}: {message}"


def test_a_refusal_is_a_value_error_and_one_of_the_companions() -> None:
    error = refusal("")
    assert isinstance(error, ValueError)
    assert isinstance(error, CompanionError)


# --- Garbage ------------------------------------------------------------------------------


def parsed_or_refused(text: str) -> State | None:
    """None if the text is refused, and properly; any other exception fails the test."""
    try:
        return parse_position(text)
    except NotationError as error:
        refused = error
    assert refused.column is not None
    assert 1 <= refused.column <= len(text) + 1
    return None


ANY_CHARACTER = st.characters(exclude_categories=())  # lone surrogates too


@st.composite
def one_character_off(draw: st.DrawFn, texts: list[str], letters: str) -> str:
    """One of the texts with a character deleted, replaced or inserted."""
    text = draw(st.sampled_from(texts))
    at = draw(st.integers(0, len(text) - 1))
    put = draw(st.just("") | st.sampled_from(letters) | ANY_CHARACTER)
    return text[:at] + put + text[at + draw(st.integers(0, 1)) :]


@given(st.text(ANY_CHARACTER) | st.lists(st.text(), min_size=6, max_size=6).map(" ".join))
@settings(deadline=None, max_examples=200)
def test_garbage_is_refused_and_nothing_else_happens(text: str) -> None:
    assert parsed_or_refused(text) is None


@given(one_character_off(list(POSITIONS.values()), "./RYBNrybn0123456789nesw:,+=-_ outlay"))
@settings(deadline=None, max_examples=500)
def test_a_position_with_one_character_off_is_read_or_refused(text: str) -> None:
    """What is read is a position like any other: it is written and read back equal."""
    state = parsed_or_refused(text)
    if state is not None:
        assert parse_position(position_text(state)) == state


# --- The documents ------------------------------------------------------------------------


def fenced(language: str) -> list[str]:
    """The examples of docs/notation.md that are marked so."""
    document = DOCUMENT.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", document, re.DOTALL | re.MULTILINE)


EXAMPLES = [line for block in fenced("position") for line in block.splitlines()]


def test_the_document_has_examples_of_positions() -> None:
    assert START in EXAMPLES
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_position_of_the_document_is_written_as_the_code_writes_it(text: str) -> None:
    assert position_text(parse_position(text)) == text


def test_the_document_lists_every_option_and_its_values() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ((?:`[\w-]+` )+)\|$", document, re.MULTILINE)
    told = {name: re.findall(r"`(.*?)`", values) for name, values in rows}
    assert told == {name: list(values) for name, values in OPTIONS.items()}
    assert list(told) == list(OPTIONS)


def test_the_position_that_the_module_shows_can_be_read() -> None:
    shown = re.findall(r"^    (\S.*)$", notation.__doc__ or "", re.MULTILINE)
    assert [position_text(parse_position(text)) for text in shown] == shown
    assert len(shown) == 1
