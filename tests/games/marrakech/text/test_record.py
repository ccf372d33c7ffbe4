"""Game records: writing and parsing."""

from __future__ import annotations

from random import Random

import pytest
from helpers.rules.sample_records import DEALT, FOUR, LAST_RUGS, PIVOT_LAST, RECORDS, TWO

from companion.errors import IllegalActionError, SettingError
from companion.games.marrakech import (
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
    record_text,
    usual_players,
)
from companion.games.marrakech.playouts import choose_action
from companion.games.marrakech.text.record import is_single_line, is_valid_name


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS)
def test_a_record_round_trips(text: str) -> None:
    assert record_text(parse_record(text)) == text


# --- What is in a record ------------------------------------------------------------------


def test_the_handwritten_game_has_these_positions_and_payments() -> None:
    """The positions were found by hand on a board.

    4: red's d6 and e6. 5: g6 leads east to g7, two steps, then west to f7. 6: d6 e6 f6 are red,
    of two rugs. 8: halves of R1 and R2 are covered together. 9: d7 leads south to e7.
    10: e4 and e5 are brown, and d6 touches them only at a corner.
    """
    game = parse_record(FOUR)
    whole_turns = [position_text(after) for _, after, _ in game.replay() if after.is_turn_start]
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


def test_every_part_of_a_record_is_parsed() -> None:
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
    """The piles may be written in any order; the order of the players is that of their headers."""
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
    """With pivot-last a turn starts with the roll."""
    game = parse_record(f"{PIVOT_LAST}{line}\n")
    assert game.final().phase is phase
    assert record_text(game) == f"{PIVOT_LAST}{line}\n"


WHOLE_GAMES: dict[str, tuple[int, str, dict[str, str]]] = {
    "four players": (4, "en", {}),
    "three players": (3, "fa", {}),
    "two players, drawn by hand": (2, "fr", {}),
    "two players, alternating": (2, "th", {}),
    "two players, one colour": (2, "pt", {"two_player": "one-colour"}),
    "pivot last": (4, "ko", {"turn_order": "pivot-last", "loops": "nw-se"}),
    "spare": (3, "hu-notes", {"purse": "share-120"}),
    "two colours to cover": (2, "ar", {"tie_break": "shared"}),
}


def played(start: State, seed: int) -> tuple[Action, ...]:
    rng, state, actions = Random(seed), start, list[Action]()
    while legal := legal_actions(state):
        actions.append(choose_action(state, legal, rng))
        state, _ = apply(state, actions[-1])
    return tuple(actions)


@pytest.mark.parametrize(("count", "booklet", "changes"), WHOLE_GAMES.values(), ids=WHOLE_GAMES)
def test_a_whole_game_round_trips(count: int, booklet: str, changes: dict[str, str]) -> None:
    options = booklet_named(booklet).options.with_changes(changes)
    start = new_game(Setup(usual_players(count, options), options), facing=Facing.EAST)
    names = ("Amina", "Bruno", "Chloé", "Driss")[:count]
    game = Record(start, played(start, seed=count), booklet, names, (("note", "by chance"),))
    assert parse_record(record_text(game)) == game
    assert game.final().is_over


def test_a_whole_dealt_game_round_trips() -> None:
    setup = Setup(usual_players(2))
    rng = Random(5)
    piles = [rng.sample(colours * 12, 24) for colours in setup.players]
    start = new_game(setup, piles=piles)
    game = Record(start, played(start, seed=5))
    assert parse_record(record_text(game)) == game
    assert game.final().is_over


# --- Variants -----------------------------------------------------------------------------

COMMENTED = FOUR.replace("5. R", "  # a walk around the corner\n#\n\n5. R") + "\n\n# the end\n"

VARIANTS = {
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


@pytest.mark.parametrize(("loose", "strict"), VARIANTS.values(), ids=VARIANTS)
def test_the_parser_accepts_variants_that_are_never_written(loose: str, strict: str) -> None:
    assert loose != strict
    assert parse_record(loose) == parse_record(strict)


# --- What cannot be written ---------------------------------------------------------------

UNWRITABLE: dict[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...], str]] = {
    "a name of two lines": (
        ("Amina\n1. R S3 d7s", "", "", ""),
        (),
        "'Amina\\n1. R S3 d7s' must be one line of text, without spaces around it",
    ),
    "a name with blanks around": (
        ("", " Bruno", "", ""),
        (),
        "' Bruno' must be one line of text, without spaces around it",
    ),
    "a note of two lines": (
        (),
        (("note", "first\u2028second"),),
        "'first\\u2028second' must be one line of text, without spaces around it",
    ),
    "a name that is not text": (
        ("", "", "", "\ud800"),
        (),
        "'\\ud800' must be one line of text, without spaces around it",
    ),
    "an empty note": ((), (("note", ""),), "the note 'note' is empty"),
    "an unknown note": (
        (),
        (("player", "R"),),
        "unknown note 'player': use date, place or note; did you mean 'place'?",
    ),
    "three names for four": (("Amina", "Bruno", "Chloé"), (), "3 names for 4 players"),
}


@pytest.mark.parametrize(("names", "notes", "message"), UNWRITABLE.values(), ids=UNWRITABLE)
def test_names_and_notes_that_would_not_round_trip_are_refused(
    names: tuple[str, ...], notes: tuple[tuple[str, str], ...], message: str
) -> None:
    with pytest.raises(SettingError) as refused:
        record_text(Record(new_game(Setup(usual_players(4))), names=names, notes=notes))
    assert str(refused.value) == message


BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("char", BIDI)
def test_names_with_bidirectional_controls_are_not_valid(char: str) -> None:
    """But records with such names are still written and parsed."""
    name = f"Ami{char}na"
    assert not is_valid_name(name)
    assert is_single_line(name)
    record = Record(new_game(Setup(usual_players(4))), names=(name, "", "", ""))
    assert parse_record(record_text(record)).names[0] == name


@pytest.mark.parametrize(
    "name",
    ["", "Amina", "علی\u200cرضا", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "שרה", "花子"],
)
def test_names_of_all_scripts_are_valid(name: str) -> None:
    assert is_valid_name(name)


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", "\u2028", "\ud800"])
def test_names_with_control_characters_are_not_valid(name: str) -> None:
    assert not is_valid_name(name)


def test_names_and_booklets_are_normalised() -> None:
    start = new_game(Setup(usual_players(4)))
    assert Record(start, names=("", "", "", "")) == Record(start)
    assert Record(start, booklet="ZH-tw").booklet == "zh-TW"
