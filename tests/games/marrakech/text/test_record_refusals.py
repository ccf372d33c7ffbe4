"""Wrong records are refused with the line, the column and the position."""

from __future__ import annotations

import pytest
from helpers.rules.sample_positions import EMPTY
from helpers.rules.sample_records import (
    DEALT,
    FOUR,
    LAST_RUGS,
    OUT_AT_THE_END,
    PIVOT_LAST,
    SEVEN,
    TWO,
)

from companion.errors import NotationError
from companion.games.marrakech import parse_record

FOUR_START = f"{EMPTY} d4s orient R R:30:12,Y:30:12,B:30:12,N:30:12 -"


def refusal(text: str) -> NotationError:
    with pytest.raises(NotationError) as refused:
        parse_record(text)
    return refused.value


# --- Refusals of lines and headers --------------------------------------------------------

HEADERS_LISTED = "booklet, options, facing, position, player, pile, date, place, note or count"
ONE_PILE = DEALT.partition("pile: BN")[0]

# name: (text, line, column, message)
WRONG_LINES: dict[str, tuple[str, int | None, int | None, str]] = {
    "nothing": ("", 1, 1, "a record begins with the line 'marrakech record 1'"),
    "no first line": (
        FOUR.removeprefix("marrakech record 1\n"), 1, 1,
        "a record begins with the line 'marrakech record 1'"),
    "another version": (
        FOUR.replace("record 1", "record 2"), 1, 1,
        "'marrakech record 2' is another version: only 'marrakech record 1' can be read"),
    "a sentence": (
        FOUR.replace("facing: s", "facing s"), 7, 1,
        "neither a header (name: value) nor a turn (1. R S3 d7s lays d6-e6)"),
    "an unknown header": (
        FOUR.replace("facing: s", "  faces: s"), 7, 3,
        f"unknown header 'faces': use {HEADERS_LISTED}; did you mean 'place'?"),
    "a header in capitals": (
        FOUR.replace("facing: s", "Facing: s"), 7, 1,
        f"unknown header 'Facing': use {HEADERS_LISTED}; did you mean 'facing'?"),
    "a header without a value": (
        FOUR.replace("facing: s", "facing:  "), 7, 8,
        "header 'facing' has no value"),
    "a header among the turns": (
        FOUR.replace("2. Y", "note: late\n2. Y"), 10, 1,
        "header 'note' must come before the turns"),
    "a header after the count": (
        LAST_RUGS.partition("1. R")[0] + "count: 1 R 30+0=30\nnote: late", 9, 1,
        "header 'note' must come before the turns"),
    "a turn after the count": (
        f"{LAST_RUGS}4. R S1 d7s", 15, 1,
        "a turn after the count"),
    "two booklets": (
        FOUR.replace("booklet: en", "booklet: en\nbooklet: en"), 3, 1,
        "header 'booklet' is written twice"),
    "two lines of options": (
        PIVOT_LAST.replace("player: R", "options: pivot=may\nplayer: R"), 4, 1,
        "header 'options' is written twice"),
    "two facings": (
        FOUR.replace("facing: s", "facing: s\nfacing: s"), 8, 1,
        "header 'facing' is written twice"),
    "two positions": (
        LAST_RUGS.replace("\n\n1.", "\nposition: x\n\n1."), 7, 1,
        "header 'position' is written twice"),
    "an unknown booklet": (
        "marrakech record 1\nbooklet: xx\nplayer: R", 2, 10,
        "unknown booklet 'xx': use en, fr, nl, es, it, fi, sv, cs, el, pt, pl, is, ar, et, lv, lt, "
        "ru, zh-TW, ja, zh-CN, hu, sl, ro, nb, sr, hr, de, ko, th, fa, ru-2012, fa-sheet or "
        "hu-notes"),
    "no option": (
        PIVOT_LAST.replace("turn_order=pivot-last", "pivot-last"), 3, 10,
        "'pivot-last' is not an option: write name=value, like loops=nw-se"),
    "an unknown value": (
        PIVOT_LAST.replace("turn_order=pivot-last", "turn_order=pivot_last"), 3, 10,
        "unknown value of turn_order 'pivot_last': use classic or pivot-last; "
        "did you mean 'pivot-last'?"),
    "no player": (
        "marrakech record 1\nbooklet: en\nfacing: s\n", 3, 1,
        "no header 'player': write one for each, like 'player: R Amina'"),
    "a player without a colour": (
        FOUR.replace("player: Y Bruno", "player: Bruno"), 4, 10,
        "unknown colour 'r': use R, Y, B or N; did you mean 'R'?"),
    "a name that is not text": (
        FOUR.replace("Amina", "\ud800"), 3, 9,
        "'R \\ud800' is not a plain line of text"),
    "a note that is not text": (
        FOUR.replace("player: R", "note: \udfff\nplayer: R"), 3, 7,
        "'\\udfff' is not a plain line of text"),
    "one player": (
        "marrakech record 1\nplayer: R Amina", 2, 9,
        "1 player: Marrakech is for 2, 3 or 4; the nearest is 2"),
    "five players": (
        FOUR.replace("facing: s", "player: R\nfacing: s"), 7, 9,
        "5 players: Marrakech is for 2, 3 or 4; the nearest is 4"),
    "no direction": (
        FOUR.replace("facing: s", "facing: south"), 7, 9,
        "'south' is not a direction: use n, e, s or w"),
    "a facing beside a position": (
        LAST_RUGS.replace("player: R", "facing: s\nplayer: R"), 3, 9,
        "header 'facing' cannot be used together with 'position'"),
    "a pile beside a position": (
        LAST_RUGS.replace("player: R", "pile: R R\nplayer: R"), 3, 7,
        "header 'pile' cannot be used together with 'position'"),
    "a wrong position": (
        LAST_RUGS.replace("d4s", "d4x"), 6, 67,
        "Assam is a square and a direction, like d4s: 'x' is not a direction: use n, e, s or w"),
    "a position of other players": (
        LAST_RUGS.replace("player: B", "player: N"), 6, 11,
        "the players of the position are not those of the headers"),
    "a position under other options": (
        LAST_RUGS.replace("booklet: fr", "booklet: es\noptions: purse=share-120"), 7, 11,
        "the options of the position differ from those of the headers: pivot=must,purse=thirty"),
    "a first pile that is wrong": (
        DEALT.replace("pile: RY R", "pile: RY Y", 1), 6, 7,
        "a pile must be 12 red and 12 yellow rugs, in any order"),
    "a second player who takes a colour that is taken": (
        "marrakech record 1\nplayer: R\nplayer: R\nplayer: Y\nplayer: B\n", 3, 9,
        "red is taken twice, by players 1 and 2: every colour has one owner; still free: brown"),
    "an option after a good one": (
        "marrakech record 1\noptions: box=57,pivot=x\nplayer: R\n", 2, 17,
        "unknown value of pivot 'x': use must or may"),
    "a name that would move the cursor": (
        "marrakech record 1\nplayer: R \x1b[31mEvil\nplayer: Y\nplayer: B\n", 2, 9,
        "'R \\x1b[31mEvil' is not a plain line of text"),
    "more players than seats, from the fifth on": (
        "marrakech record 1\n" + "player: R\n" * 7, 6, 9,
        "7 players: Marrakech is for 2, 3 or 4; the nearest is 4"),
    "a pile of nobody": (
        DEALT.replace("pile: BN", "pile: NB"), 7, 7,
        "a pile is a player and the colours in order, like 'RY RYYRY...'"),
    "a pile without rugs": (
        ONE_PILE + "pile: BN\n", 7, 7,
        "a pile is a player and the colours in order, like 'RY RYYRY...'"),
    "a pile in two pieces": (
        ONE_PILE + "pile: BN BNBN BNBN\n", 7, 7,
        "a pile is a player and the colours in order, like 'RY RYYRY...'"),
    "no colour in a pile": (
        ONE_PILE + "pile: BN BNX\n", 7, 12,
        "unknown colour 'X': use R, Y, B or N"),
    "one pile for two players": (ONE_PILE, 6, 7, "there must be one pile for each player"),
    "two piles for one player": (
        DEALT.replace("pile: BN", "pile: RY RY\npile: BN"), 8, 7,
        "there must be one pile for each player"),
    "a pile of the wrong rugs": (
        ONE_PILE + f"pile: BN {'BN' * 11}NN\n", 7, 7,
        "a pile must be 12 blue and 12 brown rugs, in any order"),
    "piles where the colours alternate": (
        DEALT.replace("booklet: en", "booklet: cs"), 7, 7,
        "the colours alternate: piles cannot be dealt"),
    "piles for four players": (
        FOUR.replace("\n\n", "\npile: R R\npile: Y Y\npile: B B\npile: N N\n\n"), 11, 7,
        "only two players with two colours each have piles to deal"),
    "a count before the end": (
        FOUR + "\ncount: 1 R 38+2=40", 20, 8,
        "there is a count, but the game is not over"),
    "a wrong count": (
        LAST_RUGS.replace("30+2=32", "30+2=33"), 13, 8,
        "the count is '2 Y 30+2=32', not '2 Y 30+2=33'"),
    "a wrong rank": (
        LAST_RUGS.replace("3 B", "2 B"), 14, 8,
        "the count is '3 B 28+2=30', not '2 B 28+2=30'"),
    "a count of a player who is out": (
        OUT_AT_THE_END.replace("2 Y out", "2 Y 0+0=0"), 11, 8,
        "the count is '2 Y out', not '2 Y 0+0=0'"),
    "a count of too few": (
        LAST_RUGS.partition("count: 3")[0], 13, 8,
        "the count has 2 players, but 3 play"),
    "a count of too many": (
        LAST_RUGS + "count: 4 N out", 15, 8,
        "the count has 4 players, but 3 play"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "column", "message"), WRONG_LINES.values(), ids=WRONG_LINES
)
def test_a_wrong_line_is_refused_with_line_and_column(
    text: str, line: int | None, column: int | None, message: str
) -> None:
    error = refusal(text)
    assert (error.line, error.column, error.message) == (line, column, message)
    assert error.position == ""


def test_a_refusal_says_where_before_it_says_what() -> None:
    assert str(refusal(FOUR.replace("facing: s", "facing: x"))) == (
        "line 7, column 9: 'x' is not a direction: use n, e, s or w"
    )
    assert str(refusal(FOUR.replace("S3 d7s", "S3 d6s"))) == (
        "line 9, column 9: Assam's arrival is 'd7s', not 'd6s'\n"
        f"position: {EMPTY} d7s lay R R:30:12,Y:30:12,B:30:12,N:30:12 -"
    )


# --- Refusals of turns --------------------------------------------------------------------

TO_RY = f"{EMPTY} d4s orient RY RY:30:12+12,BN:30:12+12 -"
RY_DRAWS = f"{EMPTY} d5s draw RY RY:30:12+12,BN:30:12+12 -"
RY_LAYS = f"{EMPTY} d5s lay:R RY RY:30:12+12,BN:30:12+12 -"
DEALT_LAYS = (
    f"{EMPTY} d5s lay:R RY RY:30:=RRRRRRYYYYYYRYRYRYRYRYRY,BN:30:=NNBNBNBNBNBNBNBNBNBNBNBB -"
)
ONE_RUG = "......./......./......./......./......./...R1R1../....... d7s"
R_PIVOTS = f"{ONE_RUG} pivot R R:30:11,Y:30:12,B:30:12,N:30:12 turn_order=pivot-last"
Y_BEGINS = f"{ONE_RUG} orient Y R:30:11,Y:30:12,B:30:12,N:30:12 -"
R_LAYS = f"{EMPTY} d7s lay R R:30:12,Y:30:12,B:30:12,N:30:12 -"
R_ROLLS = f"{EMPTY} d4s roll R R:30:12,Y:30:12,B:30:12,N:30:12 -"
R_ROLLS_FIRST = f"{R_ROLLS[:-1]}turn_order=pivot-last"
B_PAYS = (
    "......./......./......./......./......./.Y1Y1R1R1../....... "
    "b6n pay B R:30:11,Y:30:11,B:30:12,N:30:12 -"
)
B_PAID = B_PAYS.replace("pay", "lay").replace("Y:30", "Y:32").replace("B:30", "B:28")
ALL_OVER = f"{SEVEN} b3w over Y R:60:11,Y:out two_player=one-colour"
BESIDE_D7 = "lay d5-d6, lay c6-d6, lay c6-c7, lay d6-e6, lay e6-e7, lay b7-c7, lay e7-f7"

# name: (record, what it says, what it says instead, line, column, message, position)
WRONG_TURNS: dict[str, tuple[str, str, str, int, int, str, str]] = {
    "a turn left out": (
        FOUR, "2. Y W2", "3. Y W2", 10, 1, "'3.': this is turn 2.", Y_BEGINS),
    "a number without a dot": (
        FOUR, "1. R S3", "1 R S3", 9, 1, "'1': this is turn 1.", FOUR_START),
    "a number alone": (
        FOUR, "1. R S3 d7s lays d6-e6", "1.", 9, 3, "the mover is missing", FOUR_START),
    "another mover": (
        FOUR, "2. Y W2", "2. B W2", 10, 4, "'B' is not the mover: it is the turn of Y", Y_BEGINS),
    "a turn after the end": (
        OUT_AT_THE_END, "is out\n\ncount: 1 R 60+7=67\ncount: 2 Y out", "is out\n2. R S1", 9, 4,
        "the game is over: no turn can follow", ALL_OVER),
    "words after the turn": (
        FOUR, "lays d6-e6\n2", "lays d6-e6 turns w\n2", 9, 24,
        "'turns': the turn is already over", Y_BEGINS),
    "words after the end": (
        OUT_AT_THE_END, "is out\n", "is out lays a2-b2\n", 8, 34,
        "'lays': the turn is already over", ALL_OVER),
    "a turn without a word": (
        FOUR, "1. R S3 d7s lays d6-e6", "1. R\n2. R S3 d7s lays d6-e6", 9, 5,
        "the turn is not finished: orient is missing", FOUR_START),
    "a turn without a roll": (
        FOUR, "1. R S3 d7s lays d6-e6", "1. R S", 9, 7,
        "the turn is not finished: roll is missing", R_ROLLS),
    "a turn without a payment": (
        FOUR, "b6n pays Y 2 lays b5-c5", "b6n", 11, 12,
        "the turn is not finished: pay is missing", B_PAYS),
    "a turn without a rug": (
        FOUR, "d7s lays d6-e6\n2", "d7s\n2", 9, 12,
        "the turn is not finished: lay is missing", R_LAYS),
    "a rug drawn and not laid": (
        TWO, "lays R d6-d7", "draws R", 7, 21,
        "the turn is not finished: lay is missing", RY_LAYS),
    "a turn that does not turn Assam": (
        PIVOT_LAST, " turns w", "", 10, 23,
        "the turn is not finished: pivot is missing", R_PIVOTS),
    "no facing": (
        FOUR, "S3 d7s", "3 d7s", 9, 6, "'3' is not a facing and a roll: write them like S3",
        FOUR_START),
    "a facing and a roll of two digits": (
        FOUR, "S3 d7s", "S12 d7s", 9, 6, "'S12' is not a facing and a roll: write them like S3",
        FOUR_START),
    "a roll in other digits": (
        FOUR, "S3 d7s", "S٣ d7s", 9, 6, "'S٣' is not a facing and a roll: write them like S3",
        FOUR_START),
    "a facing apart from its roll": (
        FOUR, "S3 d7s", "S S3 d7s", 9, 6, "'S': the roll is missing: write it like S3", R_ROLLS),
    "a facing apart from its roll, pivot last": (
        PIVOT_LAST, "1. R S3", "1. R S S3", 10, 6, "'S': the roll is missing: write it like S3",
        R_ROLLS_FIRST),
    "a half turn": (
        FOUR, "S3 d7s", "N3 d7s", 9, 6,
        "not allowed: face north. R may face south, face east, face west", FOUR_START),
    "a face the die does not have": (
        FOUR, "S3 d7s", "S5 d7s", 9, 7,
        "the die cannot show 5: it has 1, 2, 3 or 4 slippers", R_ROLLS),
    "another way than Assam was turned": (
        PIVOT_LAST, "1. R S3", "1. R E3", 10, 6, "Assam faces south and goes that way",
        R_ROLLS_FIRST),
    "another arrival": (
        FOUR, "S3 d7s", "S3 d7n", 9, 9, "Assam's arrival is 'd7s', not 'd7n'", R_LAYS),
    "no arrival": (
        FOUR, "S3 d7s lays", "S3 lays", 9, 9, "Assam's arrival is 'd7s', not 'lays'", R_LAYS),
    "nothing after the roll": (
        FOUR, "S3 d7s lays d6-e6", "S3", 9, 8, "'d7s' is missing", R_LAYS),
    "a debt not paid": (
        FOUR, "pays Y 2 lays b5-c5", "lays b5-c5", 11, 13,
        "'lays': tribute is due, write the payment", B_PAYS),
    "a debt that is none": (
        FOUR, "d7s lays d6-e6\n2", "d7s pays Y 2 lays d6-e6\n2", 9, 13,
        "'pays': expected 'lays' and two squares, like lays d6-e6", R_LAYS),
    "too much paid": (
        FOUR, "pays Y 2 lays b5", "pays Y 3 lays b5", 11, 20,
        "the payment is 'pays Y 2', not '3'", B_PAID),
    "a payee in small letters": (
        FOUR, "pays Y 2 lays b5", "pays y 2 lays b5", 11, 18,
        "the payment is 'pays Y 2', not 'y'", B_PAID),
    "somebody else paid": (
        FOUR, "pays Y 2 lays b5", "pays R 2 lays b5", 11, 18,
        "the payment is 'pays Y 2', not 'R'", B_PAID),
    "an amount left out": (
        FOUR, "pays Y 2 lays b5-c5", "pays Y", 11, 19, "'pays Y 2' is missing", B_PAID),
    "all paid, and less than was due": (
        OUT_AT_THE_END, "3 of 7 is out", "3 is out", 8, 22,
        "the payment is 'pays R 3 of 7', not 'is'", ALL_OVER),
    "out, but not written": (
        OUT_AT_THE_END, "7 is out", "7 lays a2-b2", 8, 27,
        "what follows is 'is out', not 'lays'", ALL_OVER),
    "no place": (
        FOUR, "lays d6-e6\n2", "lays\n2", 9, 17, "where the rug lies is missing", R_LAYS),
    "one square": (
        FOUR, "lays d6-e6\n2", "lays d6\n2", 9, 18,
        "'d6' is not a place for a rug: name its two squares, like d3-d4", R_LAYS),
    "a square off the market": (
        FOUR, "lays d6-e6\n2", "lays d6-d8\n2", 9, 18,
        "'d8' is not a square: use a letter a-g and a number 1-7, like d4", R_LAYS),
    "two squares apart": (
        FOUR, "lays d6-e6\n2", "lays d6-e5\n2", 9, 18,
        "a rug cannot lie on d6 and e5: they do not share a side", R_LAYS),
    "under Assam": (
        FOUR, "lays d6-e6\n2", "lays d6-d7\n2", 9, 18,
        f"not allowed: lay d6-d7. R may {BESIDE_D7}", R_LAYS),
    "a rug returned that could be laid": (
        FOUR, "lays d6-e6\n2", "returns\n2", 9, 13,
        "not allowed now: return the rug to the box. R is to lay a rug", R_LAYS),
    "drawn with one colour": (
        FOUR, "lays d6-e6\n2", "draws R\n2", 9, 13,
        "'draws': the next rug is known and cannot be drawn", R_LAYS),
    "drawn twice": (
        TWO, "lays R d6-d7", "draws R draws R", 7, 22,
        "'draws': the next rug is known and cannot be drawn", RY_LAYS),
    "drawn from a known pile": (
        DEALT, "lays R d6-d7", "draws R", 9, 14,
        "'draws': the next rug is known and cannot be drawn", DEALT_LAYS),
    "a colour left out": (
        TWO, "lays R d6-d7", "lays d6-d7", 7, 19,
        "unknown colour 'd': use R, Y, B or N", RY_DRAWS),
    "nothing after lays": (
        TWO, "lays R d6-d7", "lays", 7, 18, "the colour of the rug is missing", RY_DRAWS),
    "two colours": (
        TWO, "lays R d6-d7", "lays RY d6-d7", 7, 19,
        "'RY' is not one colour: write one letter", RY_DRAWS),
    "a colour of the other player": (
        TWO, "lays R d6-d7", "lays B d6-d7", 7, 19,
        "not allowed: draw blue. RY may draw red, draw yellow", RY_DRAWS),
    "another rug than the next of the pile": (
        DEALT, "lays R d6-d7", "lays Y d6-d7", 9, 19, "the next rug of the pile is R", DEALT_LAYS),
    "no turn of Assam": (
        PIVOT_LAST, "turns w", "W2", 10, 24, "'W2': Assam must be turned, like turns w", R_PIVOTS),
    "a turn to nowhere": (
        PIVOT_LAST, "turns w", "turns", 10, 29, "a direction is missing", R_PIVOTS),
    "a turn to no direction": (
        PIVOT_LAST, "turns w", "turns x", 10, 30,
        "'x' is not a direction: use n, e, s or w", R_PIVOTS),
    "Assam not turned": (
        PIVOT_LAST, "turns w", "turns s", 10, 30,
        "not allowed: turn south. R may turn east, turn west", R_PIVOTS),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "column", "message", "position"),
    WRONG_TURNS.values(),
    ids=WRONG_TURNS,
)
def test_a_wrong_turn_is_refused_with_its_position(
    text: str, old: str, new: str, line: int, column: int, message: str, position: str
) -> None:
    assert text.count(old) == 1
    error = refusal(text.replace(old, new))
    assert (error.line, error.column, error.message) == (line, column, message)
    assert error.position == position
