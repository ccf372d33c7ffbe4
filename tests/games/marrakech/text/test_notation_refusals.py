"""Wrong positions are refused with the column of the mistake."""

from __future__ import annotations

import pytest
from helpers.rules.sample_positions import FOUR, START, THREE_RED, written

from companion.errors import CompanionError, NotationError
from companion.games.marrakech import parse_position

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
        "a position has 6 fields (market assam phase mover players options), not 0"),
    "a field is missing": (
        START.removesuffix(" -"), 70,
        "a position has 6 fields (market assam phase mover players options), not 5"),
    "a field too many": (
        f"{START} -", 104,
        "a position has 6 fields (market assam phase mover players options), not 7"),
    "six rows": (
        written(market="/".join(["." * 7] * 6)), 1,
        "the market has 7 rows, not 6"),
    "a short row": (
        written(market="......./....../......./......./......./......./......."), 15,
        f"the row ends after 6 squares{ROW}"),
    "a long row": (
        written(market="......./......../......./......./......./......./......."), 16,
        "the row is longer than 7 squares"),
    "no square": (
        written(market="......./..x..../......./......./......./......./......."), 11,
        f"'x..' is not a square{ROW}"),
    "a colour without a number": (
        written(market="......./......R/......./......./......./......./......."), 15,
        f"'R' is not a square{ROW}"),
    "a rug in small letters": (
        written(market="r1....../......./......./......./......./......./......."), 1,
        f"'r1.' is not a square{ROW}"),
    "rug 0": (
        written(market="R0....../......./......./......./......./......./......."), 1,
        "there is no rug R0: rugs are numbered 1 to 15"),
    "rug 16": (
        written(market="....R16../......./......./......./......./......./......."), 5,
        "there is no rug R16: rugs are numbered 1 to 15"),
    "a rug number of four digits": (
        written(market="R0001....../......./......./......./......./......./......."), 2,
        "'0001' is not a rug number"),
    "a rug number in other digits": (
        written(market="R٣....../......./......./......./......./......./......."), 2,
        "'٣' is not a rug number"),
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
        "rug R1 lies on the market, but only 0 red rugs left the pile"),
    "a rug number beyond those that have left the pile": (
        written(
            market="R1R3...../......./......./......./......./......./.......",
            players=FOUR.replace("R:30:12", "R:30:10"),
        ), 1,
        "rug R3 lies on the market, but only 2 red rugs left the pile"),
    "a rug of nobody": (
        written(
            market="N1N1...../......./......./......./......./......./.......",
            players="R:30:15,Y:30:15,B:30:15",
        ), 1,
        "rug N1 lies on the market, but nobody plays brown"),
    "Assam off the market": (
        written(assam="h4s"), 57,
        "Assam is a square and a direction, like d4s: "
        "'h4' is not a square: use a letter a-g and a number 1-7, like d4"),
    "Assam without a direction": (
        written(assam="d4"), 57,
        "Assam is a square and a direction, like d4s: '' is not a direction: use n, e, s or w"),
    "Assam in two directions": (
        written(assam="d4ne"), 57,
        "Assam is a square and a direction, like d4s: 'ne' is not a direction: use n, e, s or w"),
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
        "'Y:30' is not a player: write colours:dirhams:rugs, like R:30:12, or R:out"),
    "a player with too much": (
        written(players="R:30:12,Y:out:1:2,B:30:12,N:30:12"), 78,
        "'Y:out:1:2' is not a player: write colours:dirhams:rugs, like R:30:12, or R:out"),
    "an empty player": (
        written(players=f"{FOUR},"), 102,
        "'' is not a player: write colours:dirhams:rugs, like R:30:12, or R:out"),
    "an unknown colour": (
        written(players="R:30:12,Y:30:12,B:30:12,G:30:12"), 94,
        "unknown colour 'G': use R, Y, B or N"),
    "a colour in small letters": (
        written(players="Ry:30:12+12,BN:30:12+12"), 71,
        "unknown colour 'y': use R, Y, B or N; did you mean 'Y'?"),
    "no dirhams": (
        written(players="R::12,Y:30:12,B:30:12,N:30:12"), 72,
        "'' is not a number of dirhams"),
    "a debt": (
        written(players="R:-3:12,Y:30:12,B:30:12,N:30:12"), 72,
        "'-3' is not a number of dirhams"),
    "one player": (
        written(players="R:30:12"), 70,
        "1 player: Marrakech is for 2, 3 or 4; the nearest is 2"),
    "one colour for two players": (
        written(players="R:30:12,Y:30:12"), 70,
        "player 1 has 1 colour: with 2 players and two_player=shuffled everyone has 2"),
    "a player without colours": (
        written(players=":30:12,Y:30:12,B:30:12,N:30:12"), 70,
        "player 1 has 0 colours: with 4 players everyone has 1"),
    "a colour taken twice": (
        written(players="R:30:12,Y:30:12,R:30:12,N:30:12"), 86,
        "red is taken twice, by players 1 and 3: every colour has one owner; still free: blue"),
    "more dirhams than the box has": (
        written(players="R:31:12,Y:30:12,B:30:12,N:30:12"), 70,
        "the players have 121 dirhams, and the box has only 120"),
    "no option": (
        written(options="spare"), 102,
        "'spare' is not an option: write name=value, like loops=nw-se"),
    "an unknown option": (
        written(options="loop=nw-se"), 102,
        f"unknown option 'loop': use {OPTIONS_LISTED}; did you mean 'loops'?"),
    "an unknown value": (
        written(options="box=58"), 102,
        "unknown value of box '58': use 60 or 57; did you mean '57'?"),
    "a colour of which the box has too few": (
        written(players="R:30:15,N:30:15,Y:30:15", options="box=57"), 78,
        "brown has only 12 rugs in a box of 57, and 3 players need 15 each: take red, yellow, "
        "blue, or set short_colour to the colour that has fewer rugs in your box"),
    "everybody out": (
        written(phase="over", mover="R", players="R:out,Y:out,B:out,N:out"), 66,
        "all players are out: at least one must be in"),
    "a player with two colours among four": (
        written(players="R:30:12,Y:30:12,BN:30:12+12"), 86,
        "player 3 has 2 colours: with 3 players everyone has 1"),
    "one colour twice": (
        written(players="RR:30:12+12,BN:30:12+12", mover="RR"), 71,
        "red is taken twice, by player 1: every colour has one owner; still free: yellow"),
    "an unknown option after a good one": (
        written(options="box=57,lops=nw-se"), 109,
        "unknown option 'lops': use bankruptcy, covering, two_player, turn_order, pivot, purse, "
        "tie_break, box, short_colour or loops; did you mean 'loops'?"),
    "an option twice": (
        written(options="box=57,box=60"), 109,
        "option box is set twice"),
    "rugs that are not a number": (
        written(players="R:30:x,Y:30:12,B:30:12,N:30:12"), 75,
        "'x' is not a number of rugs"),
    "rugs of two colours for one": (
        written(players="R:30:6+6,Y:30:12,B:30:12,N:30:12"), 75,
        "'6+6' does not fit the player's colours"),
    "rugs of one colour for two": (
        written(mover="RY", players="RY:30:12+12,BN:30:24"), 89,
        "'24' does not fit the player's colours"),
    "the second number of rugs is none": (
        written(mover="RY", players="RY:30:12+,BN:30:12+12"), 80,
        "'' is not a number of rugs"),
    "more rugs than a player starts with": (
        written(players="R:30:13,Y:30:12,B:30:12,N:30:12"), 75,
        "13 red rugs left, but a player starts with 12"),
    "more rugs of the second colour": (
        written(mover="RY", players="RY:30:12+13,BN:30:12+12"), 77,
        "13 yellow rugs left, but a player starts with 12"),
    "a pile in order for one player only": (
        written(mover="RY", players="RY:30:=RY,BN:30:12+12"), 71,
        "piles in order (=RYY...): write both, and only for two players with two colours"),
    "piles in order for four": (
        written(players="R:30:=R,Y:30:=Y,B:30:=B,N:30:=N"), 70,
        "piles in order (=RYY...): write both, and only for two players with two colours"),
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
        "13 red rugs left, but a player starts with 12"),
    "a rug named by a player with one colour": (
        written(phase="lay:R"), 61,
        "'lay:R': only lay has a colour, and only for players with two colours"),
    "a rug named before it is laid": (
        written(phase="roll:R", mover="RY", players=RY_BN), 61,
        "'roll:R': only lay has a colour, and only for players with two colours"),
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
        "only one player is in: the phase must be over"),
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


def refusal(text: str) -> NotationError:
    with pytest.raises(NotationError) as refused:
        parse_position(text)
    return refused.value


@pytest.mark.parametrize(("text", "column", "message"), REFUSALS.values(), ids=REFUSALS)
def test_a_wrong_position_is_refused_with_the_column(text: str, column: int, message: str) -> None:
    error = refusal(text)
    assert (error.column, error.message) == (column, message)
    assert (error.line, error.position) == (None, "")
    assert str(error) == f"column {column}: {message}"


def test_a_refusal_is_a_value_error_and_a_companion_error() -> None:
    error = refusal("")
    assert isinstance(error, ValueError)
    assert isinstance(error, CompanionError)
