"""Whole games in text: written, read back by replaying them, refused where they are wrong."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import IllegalActionError, NotationError, SettingError
from companion.games.marrakech import (
    BOOKLETS,
    Action,
    Colour,
    Facing,
    Lay,
    Options,
    Orient,
    Paid,
    Pay,
    Phase,
    Record,
    Rolled,
    Setup,
    State,
    apply,
    booklet_named,
    legal_actions,
    new_game,
    parse_record,
    parse_square,
    position_text,
    record,
    record_text,
    usual_players,
)
from companion.games.marrakech.notation import options_text
from companion.playouts import choose

DOCUMENT = Path(__file__).parents[3] / "docs" / "notation.md"

EMPTY = "/".join(["." * 7] * 7)
# Seven red halves in one region, on a3 b3 c3 a4 b4 c4 a5.
SEVEN = "......./......./R1R1R2..../R3R3R2..../R4....../......./......."
# No two squares beside a1 but red ones: with two colours to be covered, nothing can be laid.
RED_CORNER = ".R1R1..../R2R2...../R3R3...../......./......./......./......."

# Worked out by hand on a board; `test_the_handwritten_game_...` says why each line is as it is.
FOUR = """\
marrakech record 1
booklet: en
player: R Amina
player: Y Bruno
player: B Chloé
player: N Driss
facing: s

1. R S3 d7s lays d6-e6
2. Y W2 b7w lays b6-c6
3. B N1 b6n pays Y 2 lays b5-c5
4. N E3 e6e pays R 2 lays e4-e5
5. R E4 f7w lays e6-f6
6. Y N1 f6n pays R 3 lays f5-g5
7. B W2 d6w pays R 3 lays c5-c6
8. N S1 d7s lays d6-e6
9. R S1 e7n lays e6-f6
10. Y N2 e5n pays N 2 lays d5-d6
"""
TWO = """\
marrakech record 1
booklet: en
player: RY
player: BN
facing: s

1. RY S1 d5s lays R d6-d7
2. BN S2 d7s pays RY 2 lays N b7-c7
3. RY W1 c7w pays BN 2 lays Y c6-d6
"""
DEALT = """\
marrakech record 1
booklet: en
player: RY
player: BN
facing: s
pile: RY RRRRRRYYYYYYRYRYRYRYRYRY
pile: BN NNBNBNBNBNBNBNBNBNBNBNBB

1. RY S1 d5s lays R d6-d7
2. BN S2 d7s pays RY 2 lays N b7-c7
"""
PIVOT_LAST = """\
marrakech record 1
booklet: en
options: turn_order=pivot-last
player: R
player: Y
player: B
player: N
facing: s

1. R S3 d7s lays d6-e6 turns w
2. Y W2 b7w lays b6-c6 turns n
3. B N1 b6n pays Y 2 lays b5-c5 turns e
"""
LAST_RUGS = f"""\
marrakech record 1
booklet: fr
player: R
player: Y
player: B
position: {EMPTY} d4s orient R R:30:1,Y:30:1,B:30:1 -

1. R S1 d5s lays d6-d7
2. Y S1 d6s pays R 2 lays c6-c7
3. B W1 c6w pays Y 2 lays b6-b7

count: 1 R 32+2=34
count: 2 Y 30+2=32
count: 3 B 28+2=30
"""
OUT_AT_THE_END = f"""\
marrakech record 1
booklet: en
options: two_player=one-colour
player: R
player: Y
position: {SEVEN} d3n orient Y R:57:11,Y:3:15 two_player=one-colour

1. Y W2 b3w pays R 3 of 7 is out

count: 1 R 60+7=67
count: 2 Y out
"""

RECORDS = {
    "four players": FOUR,
    "three players, a booklet, another facing": """\
marrakech record 1
booklet: sl
player: R
player: Y
player: B
facing: e

1. R N4 c1s lays c2-d2
2. Y W1 b1w lays b2-c2
3. B S1 b2s pays Y 2 lays b3-c3
""",
    "two players, told": TWO,
    "two players, dealt": DEALT,
    "two players, alternating": """\
marrakech record 1
booklet: cs
player: YR
player: BN
facing: s

1. YR S1 d5s lays Y d6-d7
2. BN S2 d7s pays YR 2 lays B b7-c7
3. YR W1 c7w pays BN 2 lays R c6-d6
""",
    "two players, one colour": """\
marrakech record 1
booklet: en
options: two_player=one-colour
player: Y
player: N
facing: w

1. Y W3 a4w lays a3-b3
2. N N1 a3n pays Y 2 lays a2-b2
""",
    "pivot last": PIVOT_LAST,
    "pivot last, left as he faces": """\
marrakech record 1
booklet: es
options: turn_order=pivot-last
player: R
player: Y
player: B
player: N
facing: s

1. R S3 d7s lays d6-e6 turns s
2. Y S1 e7n lays f7-g7
""",
    "pivot last, no turn after the last rug": f"""\
marrakech record 1
booklet: en
options: two_player=one-colour,turn_order=pivot-last
player: R
player: Y
position: {EMPTY} d4s roll R R:30:1,Y:30:1 two_player=one-colour,turn_order=pivot-last

1. R S1 d5s lays d6-d7 turns w
2. Y W1 c5w lays b5-b6

count: 1 R 30+2=32
count: 1 Y 30+2=32
""",
    "going out": f"""\
marrakech record 1
booklet: en
player: R
player: Y
player: B
position: {SEVEN} d3n orient Y R:57:11,Y:3:15,B:30:15 -

1. Y W2 b3w pays R 3 of 7 is out
2. B W2 a4e pays R 7 lays a5-a6
3. R S1 a5s pays B 2 lays b5-b6
4. B E1 b5e pays R 8 lays c5-d5
""",
    "going out with an empty purse": f"""\
marrakech record 1
booklet: en
player: R
player: Y
player: B
position: {SEVEN} d3n orient Y R:57:11,Y:0:15,B:30:15 -

1. Y W2 b3w pays R 0 of 7 is out
""",
    "going out ends the game": OUT_AT_THE_END,
    "spared": f"""\
marrakech record 1
booklet: hu-notes
player: R
player: Y
player: B
position: {SEVEN} d3n orient Y R:57:11,Y:3:15,B:30:15 bankruptcy=spare

1. Y W2 b3w pays R 3 of 7 lays a2-b2
2. B N1 b2n pays Y 2 lays b1-c1
""",
    "a rug returned": f"""\
marrakech record 1
booklet: fi
player: R
player: Y
player: B
position: {RED_CORNER} b1w orient Y R:30:12,Y:30:15,B:30:15 covering=two-colours

1. Y W1 a1w returns
2. B W1 a2e pays R 6 lays a1-b1
""",
    "a drawn rug returned": f"""\
marrakech record 1
booklet: fi
player: RY
player: BN
position: {RED_CORNER} b1w orient BN RY:30:9+12,BN:30:12+12 covering=two-colours

1. BN W1 a1w returns N
""",
    "the last rugs": LAST_RUGS,
    "from a turn already oriented": f"""\
marrakech record 1
booklet: en
player: R
player: Y
player: B
position: {EMPTY} d4w roll Y R:30:15,Y:30:15,B:30:15 -

1. Y W1 c4w lays b4-b5
""",
    "from a debt": f"""\
marrakech record 1
booklet: en
player: R
player: Y
player: B
position: {SEVEN} b3w pay Y R:57:11,Y:30:15,B:30:15 -

1. Y pays R 7 lays a2-b2
""",
    "from a draw": f"""\
marrakech record 1
booklet: en
player: RY
player: BN
position: {EMPTY} d6s draw BN RY:30:12+12,BN:30:12+12 -

1. BN draws N
""",
    "from a rug in hand": f"""\
marrakech record 1
booklet: en
player: RY
player: BN
position: {EMPTY} d6s lay:N BN RY:30:12+12,BN:30:12+12 -

1. BN lays N c6-c7
""",
    "from a pile already begun": f"""\
marrakech record 1
booklet: en
player: RY
player: BN
position: {EMPTY} d6s orient BN RY:30:=RYRR,BN:30:=NNBB -

1. BN S1 d7s lays N c6-c7
""",
    "from a turn of Assam": f"""\
marrakech record 1
booklet: en
options: turn_order=pivot-last
player: R
player: Y
player: B
position: {EMPTY} d6s pivot Y R:30:15,Y:30:15,B:30:15 turn_order=pivot-last

1. Y turns e
2. B E1 e6e lays e5-f5
""",
    "nothing played": """\
marrakech record 1
date: 2024-05-01
place: Fès
note: the cat walked over the market
note: twice # this is no comment
booklet: zh-TW
player: B
player: R Amina Idrissi
player: N
facing: n

""",
}


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS)
def test_a_record_is_written_as_it_was_read(text: str) -> None:
    assert record_text(parse_record(text)) == text


# --- What is in a record ------------------------------------------------------------------


def test_the_handwritten_game_has_the_positions_and_payments_of_the_rules() -> None:
    """Each position was found on a board before the code was asked.

    4: red's d6 and e6. 5: g6 leads east to g7, two steps, then west to f7. 6: d6 e6 f6 are red,
    of two rugs. 8: a half of R1 and a half of R2 are covered in one go. 9: d7 leads south to e7.
    10: e4 and e5 are brown, and d6 touches them at a corner only.
    """
    game = parse_record(FOUR)
    whole_turns = [position_text(after) for _, after, _ in game.replay() if after.begins_turn]
    d6_e6 = "......./......./......./......./......./...R1R1../......."
    assert whole_turns == [
        f"{d6_e6} d7s orient Y R:30:11,Y:30:12,B:30:12,N:30:12 -",
        "......./......./......./......./......./.Y1Y1R1R1../....... "
        "b7w orient B R:30:11,Y:30:11,B:30:12,N:30:12 -",
        "......./......./......./......./.B1B1..../.Y1Y1R1R1../....... "
        "b6n orient N R:30:11,Y:32:11,B:28:11,N:30:12 -",
        "......./......./......./....N1../.B1B1.N1../.Y1Y1R1R1../....... "
        "e6e orient R R:32:11,Y:32:11,B:28:11,N:28:11 -",
        "......./......./......./....N1../.B1B1.N1../.Y1Y1R1R2R2./....... "
        "f7w orient Y R:32:10,Y:32:11,B:28:11,N:28:11 -",
        "......./......./......./....N1../.B1B1.N1Y2Y2/.Y1Y1R1R2R2./....... "
        "f6n orient B R:35:10,Y:29:10,B:28:11,N:28:11 -",
        "......./......./......./....N1../.B1B2.N1Y2Y2/.Y1B2R1R2R2./....... "
        "d6w orient N R:38:10,Y:29:10,B:25:10,N:28:11 -",
        "......./......./......./....N1../.B1B2.N1Y2Y2/.Y1B2N2N2R2./....... "
        "d7s orient R R:38:10,Y:29:10,B:25:10,N:28:10 -",
        "......./......./......./....N1../.B1B2.N1Y2Y2/.Y1B2N2R3R3./....... "
        "e7n orient Y R:38:9,Y:29:10,B:25:10,N:28:10 -",
        "......./......./......./....N1../.B1B2Y3N1Y2Y2/.Y1B2Y3R3R3./....... "
        "e5n orient B R:38:9,Y:27:9,B:25:10,N:30:10 -",
    ]
    paid = [event for *_, events in game.replay() for event in events if isinstance(event, Paid)]
    assert paid == [
        Paid(payer=2, owner=1, due=2, paid=2),
        Paid(payer=3, owner=0, due=2, paid=2),
        Paid(payer=1, owner=0, due=3, paid=3),
        Paid(payer=2, owner=0, due=3, paid=3),
        Paid(payer=1, owner=3, due=2, paid=2),
    ]
    assert position_text(game.final()) == whole_turns[-1]


def test_every_part_of_a_record_is_read() -> None:
    text = """\
marrakech record 1
place: Fès
date: 2024-05-01
booklet: es
options: box=57,loops=nw-se
player: Y Amina Idrissi
player: R
player: B Bruno
facing: w

1. Y N1 d3n lays c3-c2
2. R W1 c3w pays Y 2
"""
    game = parse_record(text)
    options = Options(pivot="may", box="57", loops="nw-se")
    c2, c3 = map(parse_square, ("c2", "c3"))
    expected = Record(
        start=new_game(
            Setup(((Colour.YELLOW,), (Colour.RED,), (Colour.BLUE,)), options), facing=Facing.WEST
        ),
        actions=(
            Orient(Facing.NORTH), Rolled(1), Lay(c2, c3), Orient(Facing.WEST), Rolled(1), Pay(),
        ),
        booklet="es",
        names=("Amina Idrissi", "", "Bruno"),
        notes=(("place", "Fès"), ("date", "2024-05-01")),
    )  # fmt: skip
    assert game == expected
    assert record_text(expected) == text.replace("c3-c2", "c2-c3")


def test_headers_have_defaults() -> None:
    game = parse_record("marrakech record 1\nplayer: R\nplayer: Y\nplayer: B")
    assert game == Record(new_game(Setup(usual_players(3)), facing=Facing.SOUTH))
    assert (game.booklet, game.names, game.notes, game.actions) == ("en", (), (), ())


def test_dealt_piles_are_read_in_order_of_the_players() -> None:
    """The piles may stand in any order; the players' order is that of the headers 'player'."""
    piles = [line for line in DEALT.splitlines() if line.startswith("pile")]
    swapped = DEALT.replace("\n".join(piles), "\n".join(reversed(piles)))
    assert swapped != DEALT
    game = parse_record(swapped)
    assert game == parse_record(DEALT)
    red, yellow, blue, brown = Colour
    assert game.start.piles is not None
    assert game.start.piles[0] == (red,) * 6 + (yellow,) * 6 + (red, yellow) * 6
    assert game.start.piles[1] == (brown, brown, *(blue, brown) * 10, blue, blue)


def test_an_illegal_action_cannot_be_written() -> None:
    with pytest.raises(IllegalActionError) as refused:
        record_text(Record(new_game(Setup(usual_players(4))), (Rolled(3),)))
    assert refused.value.message == (
        "not allowed now: a roll of 3. R is to turn Assam or leave him as he faces"
    )


UNFINISHED = {
    "announced": ("4. BN", "c7w orient BN"),
    "oriented": ("4. BN N", "c7n roll BN"),
    "rolled": ("4. BN N1 c6n", "c6n pay BN"),
    "paid": ("4. BN N1 c6n pays RY 2", "c6n draw BN"),
    "drawn": ("4. BN N1 c6n pays RY 2 draws B", "c6n lay:B BN"),
    "laid": ("4. BN N1 c6n pays RY 2 lays B b6-b7", "c6n orient RY"),
}


@pytest.mark.parametrize(("line", "where"), UNFINISHED.values(), ids=UNFINISHED)
def test_the_last_turn_may_stop_anywhere(line: str, where: str) -> None:
    game = parse_record(TWO + line)
    assert where in position_text(game.final())
    rewritten = TWO if line == "4. BN" else f"{TWO}{line}\n"
    assert record_text(game) == rewritten
    assert parse_record(rewritten) == game


@pytest.mark.parametrize(
    ("line", "phase"),
    [("4. N E1 c6e", Phase.PAY), ("4. N E1 c6e pays Y 2 lays c7-d7", Phase.PIVOT)],
)
def test_the_last_turn_may_stop_before_assam_is_turned(line: str, phase: Phase) -> None:
    """Without orientation a turn begins with the roll."""
    game = parse_record(f"{PIVOT_LAST}{line}\n")
    assert game.final().phase is phase
    assert record_text(game) == f"{PIVOT_LAST}{line}\n"


WHOLE_GAMES: dict[str, tuple[int, str, dict[str, str]]] = {
    "four players": (4, "en", {}),
    "three players": (3, "fa", {}),
    "two players, told": (2, "fr", {}),
    "two players, alternating": (2, "th", {}),
    "two players, one colour": (2, "pt", {"two_player": "one-colour"}),
    "pivot last": (4, "ko", {"turn_order": "pivot-last", "loops": "nw-se"}),
    "spare": (3, "hu-notes", {"purse": "share-120"}),
    "two colours to cover": (2, "ar", {"tie_break": "shared"}),
}


def played(start: State, seed: int) -> tuple[Action, ...]:
    chance, state, actions = Random(seed), start, list[Action]()
    while legal := legal_actions(state):
        actions.append(choose(state, legal, chance))
        state, _ = apply(state, actions[-1])
    return tuple(actions)


@pytest.mark.parametrize(("count", "booklet", "changes"), WHOLE_GAMES.values(), ids=WHOLE_GAMES)
def test_a_whole_game_reads_back_equal(count: int, booklet: str, changes: dict[str, str]) -> None:
    options = booklet_named(booklet).options.but(changes)
    start = new_game(Setup(usual_players(count, options), options), facing=Facing.EAST)
    names = ("Amina", "Bruno", "Chloé", "Driss")[:count]
    game = Record(start, played(start, seed=count), booklet, names, (("note", "by chance"),))
    assert parse_record(record_text(game)) == game
    assert game.final().is_over


def test_a_whole_dealt_game_reads_back_equal() -> None:
    setup = Setup(usual_players(2))
    chance = Random(5)
    piles = [chance.sample(colours * 12, 24) for colours in setup.players]
    start = new_game(setup, piles=piles)
    game = Record(start, played(start, seed=5))
    assert parse_record(record_text(game)) == game
    assert game.final().is_over


# --- What a reader forgives ---------------------------------------------------------------

COMMENTED = FOUR.replace("5. R", "  # a walk around the corner\n#\n\n5. R") + "\n\n# the end\n"

FORGIVEN = {
    "a byte order mark": ("\ufeff" + FOUR, FOUR),
    "line ends of Windows": (FOUR.replace("\n", "\r\n"), FOUR),
    "comments and blank lines": (COMMENTED, FOUR),
    "no blank line": (FOUR.replace("\n\n", "\n"), FOUR),
    "no line end at the end": (FOUR.rstrip(), FOUR),
    "blanks": (
        "  " + FOUR.replace(" S", "   S").replace("\n", " \t\n  "),
        FOUR,
    ),
    "blanks around the colon": (FOUR.replace("facing: s", "facing :s"), FOUR),
    "capitals": (
        FOUR.replace("marrakech record", "Marrakech Record")
        .replace("booklet: en", "booklet: EN")
        .replace("facing: s", "facing: S")
        .replace("S3 d7s", "s3 D7S"),
        FOUR,
    ),
    "squares in any order": (FOUR.replace("d6-e6", "e6-d6"), FOUR),
    "headers in any order": (
        LAST_RUGS.replace("booklet: fr\n", "").replace("\n\n1.", "\nbooklet: fr\n\n1."),
        LAST_RUGS,
    ),
    "no count": (LAST_RUGS.partition("count")[0], LAST_RUGS),
    "a count with blanks": (LAST_RUGS.replace("1 R 32", "1   R  32"), LAST_RUGS),
    "drawn, and laid": (TWO.replace("lays N", "draws N lays N"), TWO),
}


@pytest.mark.parametrize(("loose", "strict"), FORGIVEN.values(), ids=FORGIVEN)
def test_a_reader_forgives_what_a_writer_never_writes(loose: str, strict: str) -> None:
    assert loose != strict
    assert parse_record(loose) == parse_record(strict)


# --- Refusals of lines and headers --------------------------------------------------------

HEADERS_LISTED = "booklet, options, facing, position, player, pile, date, place, note or count"
FOUR_START = f"{EMPTY} d4s orient R R:30:12,Y:30:12,B:30:12,N:30:12 -"
ONE_PILE = DEALT.partition("pile: BN")[0]

# name: (text, line, column, message)
WRONG_LINES: dict[str, tuple[str, int | None, int | None, str]] = {
    "nothing": ("", 1, 1, "a record begins with the line 'marrakech record 1'"),
    "no first line": (
        FOUR.removeprefix("marrakech record 1\n"), 1, 1,
        "a record begins with the line 'marrakech record 1'"),
    "another version": (
        FOUR.replace("record 1", "record 2"), 1, 1,
        "'marrakech record 2' is another version: this reads 'marrakech record 1'"),
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
        "header 'note' comes too late: the turns have begun"),
    "a header after the count": (
        LAST_RUGS.partition("1. R")[0] + "count: 1 R 30+0=30\nnote: late", 9, 1,
        "header 'note' comes too late: the turns have begun"),
    "a turn after the count": (
        f"{LAST_RUGS}4. R S1 d7s", 15, 1,
        "a turn stands after the count"),
    "two booklets": (
        FOUR.replace("booklet: en", "booklet: en\nbooklet: en"), 3, 1,
        "header 'booklet' stands twice"),
    "two lines of options": (
        PIVOT_LAST.replace("player: R", "options: pivot=may\nplayer: R"), 4, 1,
        "header 'options' stands twice"),
    "two facings": (
        FOUR.replace("facing: s", "facing: s\nfacing: s"), 8, 1,
        "header 'facing' stands twice"),
    "two positions": (
        LAST_RUGS.replace("\n\n1.", "\nposition: x\n\n1."), 7, 1,
        "header 'position' stands twice"),
    "an unknown booklet": (
        "marrakech record 1\nbooklet: xx\nplayer: R", 2, 10,
        "unknown booklet 'xx': use en, fr, nl, es, it, fi, sv, cs, el, pt, pl, is, ar, et, lv, lt, "
        "ru, zh-TW, ja, zh-CN, hu, sl, ro, nb, sr, hr, de, ko, th, fa, ru-2012, fa-sheet or "
        "hu-notes"),
    "no option": (
        PIVOT_LAST.replace("turn_order=pivot-last", "pivot-last"), 3, 10,
        "'pivot-last' is no option: write name=value, like loops=nw-se"),
    "an unknown value": (
        PIVOT_LAST.replace("turn_order=pivot-last", "turn_order=pivot_last"), 3, 10,
        "unknown value of turn_order 'pivot_last': use classic or pivot-last; "
        "did you mean 'pivot-last'?"),
    "no player": (
        "marrakech record 1\nbooklet: en\nfacing: s\n", None, None,
        "no header 'player': write one for each, like 'player: R Amina'"),
    "a player without a colour": (
        FOUR.replace("player: Y Bruno", "player: Bruno"), 4, 10,
        "unknown colour 'r': use R, Y, B or N; did you mean 'R'?"),
    "a name that is no text": (
        FOUR.replace("Amina", "\ud800"), 3, 9,
        "'R \\ud800' is no text: it cannot be written as UTF-8"),
    "a note that is no text": (
        FOUR.replace("player: R", "note: \udfff\nplayer: R"), 3, 7,
        "'\\udfff' is no text: it cannot be written as UTF-8"),
    "one player": (
        "marrakech record 1\nplayer: R Amina", 2, 9,
        "1 players: Marrakech is for 2, 3 or 4; the nearest is 2"),
    "five players": (
        FOUR.replace("facing: s", "player: R\nfacing: s"), 7, 9,
        "5 players: Marrakech is for 2, 3 or 4; the nearest is 4"),
    "no direction": (
        FOUR.replace("facing: s", "facing: south"), 7, 9,
        "'south' is no direction: use n, e, s or w"),
    "a facing beside a position": (
        LAST_RUGS.replace("player: R", "facing: s\nplayer: R"), 3, 9,
        "header 'facing' has no place beside 'position'"),
    "a pile beside a position": (
        LAST_RUGS.replace("player: R", "pile: R R\nplayer: R"), 3, 7,
        "header 'pile' has no place beside 'position'"),
    "a wrong position": (
        LAST_RUGS.replace("d4s", "d4x"), 6, 67,
        "Assam is a square and a direction, like d4s: 'x' is no direction: use n, e, s or w"),
    "a position of other players": (
        LAST_RUGS.replace("player: B", "player: N"), 6, 11,
        "the players of the position are not those of the headers"),
    "a position under other options": (
        LAST_RUGS.replace("booklet: fr", "booklet: es\noptions: purse=share-120"), 7, 11,
        "the options of the position differ from the headers': pivot=must,purse=thirty"),
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
        "the colours alternate: no pile is dealt"),
    "piles for four players": (
        FOUR.replace("\n\n", "\npile: R R\npile: Y Y\npile: B B\npile: N N\n\n"), 11, 7,
        "piles are dealt for two players with two colours each only"),
    "a count before the end": (
        FOUR + "\ncount: 1 R 38+2=40", 20, 8,
        "a count, but the game is not over"),
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
        "2 players are counted, but 3 play"),
    "a count of too many": (
        LAST_RUGS + "count: 4 N out", 15, 8,
        "4 players are counted, but 3 play"),
}  # fmt: skip


def refusal(text: str) -> NotationError:
    with pytest.raises(NotationError) as refused:
        parse_record(text)
    return refused.value


@pytest.mark.parametrize(
    ("text", "line", "column", "message"), WRONG_LINES.values(), ids=WRONG_LINES
)
def test_a_wrong_line_is_refused_where_it_is_wrong(
    text: str, line: int | None, column: int | None, message: str
) -> None:
    error = refusal(text)
    assert (error.line, error.column, error.message) == (line, column, message)
    assert error.position == ""


def test_a_refusal_says_where_before_it_says_what() -> None:
    assert str(refusal(FOUR.replace("facing: s", "facing: x"))) == (
        "line 7, column 9: 'x' is no direction: use n, e, s or w"
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
        "'turns': the turn is over already", Y_BEGINS),
    "words after the end": (
        OUT_AT_THE_END, "is out\n", "is out lays a2-b2\n", 8, 34,
        "'lays': the turn is over already", ALL_OVER),
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
        FOUR, "S3 d7s", "3 d7s", 9, 6, "'3' is no facing and roll: write them like S3", FOUR_START),
    "a facing and a roll of two digits": (
        FOUR, "S3 d7s", "S12 d7s", 9, 6, "'S12' is no facing and roll: write them like S3",
        FOUR_START),
    "a roll in other digits": (
        FOUR, "S3 d7s", "S٣ d7s", 9, 6, "'S٣' is no facing and roll: write them like S3",
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
        FOUR, "S3 d7s", "S5 d7s", 9, 6,
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
        "'lays': tribute is due, and nothing is paid", B_PAYS),
    "a debt that is none": (
        FOUR, "d7s lays d6-e6\n2", "d7s pays Y 2 lays d6-e6\n2", 9, 13,
        "'pays': expected 'lays' and two squares, like lays d6-e6", R_LAYS),
    "too much paid": (
        FOUR, "pays Y 2 lays b5", "pays Y 3 lays b5", 11, 20,
        "the payment is 'pays Y 2', not '3'", B_PAID),
    "somebody else paid": (
        FOUR, "pays Y 2 lays b5", "pays R 2 lays b5", 11, 18,
        "the payment is 'pays Y 2', not 'R'", B_PAID),
    "an amount left out": (
        FOUR, "pays Y 2 lays b5-c5", "pays Y", 11, 19, "'pays Y 2' is missing", B_PAID),
    "all paid, and less than was due": (
        OUT_AT_THE_END, "3 of 7 is out", "3 is out", 8, 22,
        "the payment is 'pays R 3 of 7', not 'is'", ALL_OVER),
    "out, and not said": (
        OUT_AT_THE_END, "7 is out", "7 lays a2-b2", 8, 27,
        "what follows is 'is out', not 'lays'", ALL_OVER),
    "no place": (
        FOUR, "lays d6-e6\n2", "lays\n2", 9, 17, "where the rug lies is missing", R_LAYS),
    "one square": (
        FOUR, "lays d6-e6\n2", "lays d6\n2", 9, 18,
        "'d6' is no place for a rug: name its two squares, like d3-d4", R_LAYS),
    "a square off the market": (
        FOUR, "lays d6-e6\n2", "lays d6-d8\n2", 9, 18,
        "'d8' is no square: use a letter a-g and a number 1-7, like d4", R_LAYS),
    "two squares apart": (
        FOUR, "lays d6-e6\n2", "lays d6-e5\n2", 9, 18,
        "no rug lies on d6 and e5: they do not share a side", R_LAYS),
    "under Assam": (
        FOUR, "lays d6-e6\n2", "lays d6-d7\n2", 9, 18,
        f"not allowed: lay d6-d7. R may {BESIDE_D7}", R_LAYS),
    "a rug returned that could be laid": (
        FOUR, "lays d6-e6\n2", "returns\n2", 9, 13,
        "not allowed now: return the rug to the box. R is to lay a rug", R_LAYS),
    "drawn with one colour": (
        FOUR, "lays d6-e6\n2", "draws R\n2", 9, 13,
        "'draws': the next rug is known, nothing is drawn", R_LAYS),
    "drawn twice": (
        TWO, "lays R d6-d7", "draws R draws R", 7, 22,
        "'draws': the next rug is known, nothing is drawn", RY_LAYS),
    "drawn from a known pile": (
        DEALT, "lays R d6-d7", "draws R", 9, 14,
        "'draws': the next rug is known, nothing is drawn", DEALT_LAYS),
    "a colour left out": (
        TWO, "lays R d6-d7", "lays d6-d7", 7, 19,
        "unknown colour 'd': use R, Y, B or N", RY_DRAWS),
    "nothing after lays": (
        TWO, "lays R d6-d7", "lays", 7, 18, "the colour of the rug is missing", RY_DRAWS),
    "two colours": (
        TWO, "lays R d6-d7", "lays RY d6-d7", 7, 19,
        "'RY' is no colour: write one letter", RY_DRAWS),
    "a colour of the other player": (
        TWO, "lays R d6-d7", "lays B d6-d7", 7, 19,
        "not allowed: draw blue. RY may draw red, draw yellow", RY_DRAWS),
    "another rug than the next of the pile": (
        DEALT, "lays R d6-d7", "lays Y d6-d7", 9, 19, "the next rug of the pile is R", DEALT_LAYS),
    "no turn of Assam": (
        PIVOT_LAST, "turns w", "W2", 10, 24, "'W2': Assam is to be turned, like turns w", R_PIVOTS),
    "a turn to nowhere": (
        PIVOT_LAST, "turns w", "turns", 10, 29, "a direction is missing", R_PIVOTS),
    "a turn to no direction": (
        PIVOT_LAST, "turns w", "turns x", 10, 30,
        "'x' is no direction: use n, e, s or w", R_PIVOTS),
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


# --- What cannot be written ---------------------------------------------------------------

UNWRITABLE: dict[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...], str]] = {
    "a name of two lines": (
        ("Amina\n1. R S3 d7s", "", "", ""),
        (),
        "'Amina\\n1. R S3 d7s' must be one line of text, with no blanks around it",
    ),
    "a name with blanks around": (
        ("", " Bruno", "", ""),
        (),
        "' Bruno' must be one line of text, with no blanks around it",
    ),
    "a note of two lines": (
        (),
        (("note", "first\u2028second"),),
        "'first\\u2028second' must be one line of text, with no blanks around it",
    ),
    "a name that is no text": (
        ("", "", "", "\ud800"),
        (),
        "'\\ud800' must be one line of text, with no blanks around it",
    ),
    "an empty note": ((), (("note", ""),), "the note 'note' is empty"),
    "a note that is none": (
        (),
        (("player", "R"),),
        "unknown note 'player': use date, place or note; did you mean 'place'?",
    ),
    "three names for four": (("Amina", "Bruno", "Chloé"), (), "3 names for 4 players"),
}


@pytest.mark.parametrize(("names", "notes", "message"), UNWRITABLE.values(), ids=UNWRITABLE)
def test_names_and_notes_that_would_not_read_back_are_refused(
    names: tuple[str, ...], notes: tuple[tuple[str, str], ...], message: str
) -> None:
    with pytest.raises(SettingError) as refused:
        record_text(Record(new_game(Setup(usual_players(4))), names=names, notes=notes))
    assert str(refused.value) == message


def test_what_can_be_said_in_two_ways_is_kept_in_one() -> None:
    start = new_game(Setup(usual_players(4)))
    assert Record(start, names=("", "", "", "")) == Record(start)
    assert Record(start, booklet="ZH-tw").booklet == "zh-TW"


# --- Garbage ------------------------------------------------------------------------------


def parsed_or_refused(text: str) -> Record | None:
    """None if the text is refused, and properly; any other exception fails the test."""
    try:
        return parse_record(text)
    except NotationError as error:
        refused = error
    if refused.line is None:
        assert refused.message.startswith("no header 'player'")
    else:
        lines = text.splitlines() or [""]
        assert refused.column is not None
        assert 1 <= refused.column <= len(lines[refused.line - 1]) + 1
    return None


ANY_CHARACTER = st.characters(exclude_categories=())  # lone surrogates too


@st.composite
def one_character_off(draw: st.DrawFn, texts: list[str], letters: str) -> str:
    """One of the texts with a character deleted, replaced or inserted."""
    text = draw(st.sampled_from(texts))
    at = draw(st.integers(0, len(text) - 1))
    put = draw(st.just("") | st.sampled_from(letters) | ANY_CHARACTER)
    return text[:at] + put + text[at + draw(st.integers(0, 1)) :]


@given(
    st.text(ANY_CHARACTER)
    | st.text().map("marrakech record 1\nplayer: R\nplayer: Y\nplayer: B\n".__add__)
)
@settings(deadline=None, max_examples=200)
def test_garbage_is_read_or_refused_and_nothing_else_happens(text: str) -> None:
    """A record of headers alone may come of it: `note:` takes any text."""
    game = parsed_or_refused(text)
    assert game is None or game.actions == ()


@given(one_character_off(list(RECORDS.values()), " \n#:.-+=0123456789abcdefgnswRYBN"))
@settings(deadline=None, max_examples=400)
def test_a_record_with_one_character_off_is_read_or_refused(text: str) -> None:
    """What is read is a record like any other: it is written and read back equal."""
    game = parsed_or_refused(text)
    if game is not None:
        assert parse_record(record_text(game)) == game


# --- The documents ------------------------------------------------------------------------


def fenced(language: str) -> list[str]:
    """The examples of docs/notation.md that are marked so."""
    document = DOCUMENT.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", document, re.DOTALL | re.MULTILINE)


def test_the_document_has_examples_of_records() -> None:
    assert len(fenced("record")) >= 3


@pytest.mark.parametrize("text", fenced("record"))
def test_a_record_of_the_document_is_written_as_the_code_writes_it(text: str) -> None:
    assert record_text(parse_record(text)) == text


def test_the_document_says_what_each_booklet_stands_for() -> None:
    rows = re.findall(
        r"^\| ([\w -]+) \| `(\S+)` \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    )
    told = {code: options for codes, options in rows for code in codes.split()}
    assert told == {
        code: options_text(booklet.options, Options()) for code, booklet in BOOKLETS.items()
    }


def test_the_record_that_the_module_shows_can_be_read() -> None:
    indented = r"^(    marrakech record 1\n(?:    .*\n|\n(?=    ))*)"
    shown = re.findall(indented, record.__doc__ or "", re.MULTILINE)
    assert len(shown) == 1
    text = textwrap.dedent(shown[0])
    assert record_text(parse_record(text)) == text
