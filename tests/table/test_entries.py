"""What is told comes back from plain values as it was; what cannot be read is refused by name."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from helpers.table.table_driver import written
from hypothesis import example, given
from hypothesis import strategies as st

from companion.games.marrakech import (
    BOOKLETS,
    COLOURS,
    Colour,
    Drew,
    Facing,
    Lay,
    Orient,
    Pay,
    Pivot,
    ReturnRug,
    Rolled,
    Setup,
    booklet_named,
    usual_players,
)
from companion.games.marrakech.market import PLACEMENTS
from companion.table.entries import (
    Act,
    Aim,
    Beginning,
    CorrectAssam,
    CorrectDirhams,
    CorrectSquare,
    Entry,
    EntryError,
    Face,
    Ready,
    TakeBack,
    TellAgain,
    beginning_from_json,
    entry_from_json,
    entry_to_json,
)

PLAIN: dict[str, tuple[Entry, dict[str, Any]]] = {
    "the die": (Act(Rolled(3)), {"told": "roll", "pips": 3, "by": "die"}),
    "a roll": (Act(Rolled(1), True), {"told": "roll", "pips": 1, "by": "companion"}),
    "pay": (Act(Pay()), {"told": "pay"}),
    "draw": (Act(Drew(Colour.BROWN)), {"told": "draw", "colour": "N"}),
    "lay": (Act(Lay(24, 25)), {"told": "lay", "on": "d4-e4"}),
    "return": (Act(ReturnRug()), {"told": "return"}),
    "pivot": (Act(Pivot(Facing.WEST)), {"told": "pivot", "facing": "w"}),
    "face": (Face(Facing.EAST), {"told": "face", "facing": "e"}),
    "aim": (Aim(PLACEMENTS[0]), {"told": "aim", "on": "a1-b1"}),
    "back": (TakeBack(), {"told": "back"}),
    "again": (TellAgain(), {"told": "again"}),
    "ready": (Ready(), {"told": "ready"}),
    "Assam": (
        CorrectAssam(48, Facing.NORTH),
        {"told": "correct-assam", "on": "g7", "facing": "n"},
    ),
    "dirhams": (CorrectDirhams(2, 17), {"told": "correct-dirhams", "player": 2, "dirhams": 17}),
    "an empty square": (
        CorrectSquare(0, None),
        {"told": "correct-square", "on": "a1", "colour": None, "other": None},
    ),
    "half a rug": (
        CorrectSquare(0, Colour.BLUE),
        {"told": "correct-square", "on": "a1", "colour": "B", "other": None},
    ),
    "a rug": (
        CorrectSquare(0, Colour.RED, 7),
        {"told": "correct-square", "on": "a1", "colour": "R", "other": "a2"},
    ),
}


@pytest.mark.parametrize("name", PLAIN)
def test_every_entry_has_a_plain_form_and_comes_back_from_it(name: str) -> None:
    told, plain = PLAIN[name]
    assert entry_to_json(told) == plain
    assert written(told) == told


def test_every_kind_of_entry_is_among_them() -> None:
    assert {type(told) for told, _ in PLAIN.values()} == set(Entry.__args__)


def test_every_value_of_every_entry_comes_back() -> None:
    everything: list[Entry] = [Face(facing) for facing in Facing]
    everything += [Act(Pivot(facing)) for facing in Facing]
    everything += [Act(Lay(place.first, place.second)) for place in PLACEMENTS]
    everything += [Aim(place) for place in PLACEMENTS]
    everything += [CorrectAssam(square, Facing.EAST) for square in range(49)]
    everything += [Act(Drew(colour)) for colour in COLOURS]
    everything += [Act(Rolled(pips)) for pips in (1, 2, 3, 4)]
    assert [written(told) for told in everything] == everything


def test_turning_assam_is_told_by_facing_him_and_never_as_an_action() -> None:
    with pytest.raises(AssertionError, match="never told by itself"):
        entry_to_json(Act(Orient(Facing.EAST)))


@pytest.mark.parametrize(
    ("plain", "why"),
    [
        ({}, "an entry tells None, which this companion does not know"),
        ({"told": "dance"}, "an entry tells 'dance', which this companion does not know"),
        ({"told": ["roll"]}, r"an entry tells \['roll'\], which this companion does not know"),
        ({"told": "roll"}, "an entry that tells 'roll' cannot be read: 'pips' is missing"),
        ({"told": "roll", "pips": 5}, "an entry that tells 'roll' cannot be read: the die cannot"),
        ({"told": "roll", "pips": True}, "cannot be read: True is no whole number"),
        ({"told": "roll", "pips": 3.0}, r"cannot be read: 3\.0 is no whole number"),
        ({"told": "draw", "colour": "G"}, "tells 'draw' cannot be read: 'G' is no colour"),
        ({"told": "draw", "colour": ""}, "'' is no colour: use R, Y, B or N"),
        ({"told": "draw", "colour": "RY"}, "'RY' is no colour"),
        ({"told": "draw", "colour": 7}, "7 is no colour"),
        ({"told": "lay", "on": "a1-a3"}, "no rug lies on a1 and a3"),
        ({"told": "face", "facing": "up"}, "'up' is no direction"),
        ({"told": "aim", "on": 7}, "tells 'aim' cannot be read"),
        ({"told": "correct-assam", "on": ["a", "1"], "facing": "n"}, "is no square"),
        ({"told": "correct-square", "on": "a1", "colour": None}, "'other' is missing"),
        ({"told": "correct-dirhams", "player": "0", "dirhams": 3}, "'0' is no whole number"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(plain: dict[str, Any], why: str) -> None:
    with pytest.raises(EntryError, match=why):
        entry_from_json(plain)


# --- Anything at all ----------------------------------------------------------------------

scraps = st.sampled_from(
    ["a1", "a1-b1", "n", "R", "RY", "en", "die", "g8", "", "loops", "nw-se", "½", 0, 1, 3, -1, 1e9]
)
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | scraps,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(scraps.map(str), inner, max_size=3),
    max_leaves=6,
)
members = ["pips", "by", "colour", "on", "facing", "player", "dirhams", "other"]
kinds = sorted({plain["told"] for _, plain in PLAIN.values()})
entries = st.dictionaries(st.sampled_from(members), plain_values).flatmap(
    lambda entry: (st.sampled_from(kinds) | plain_values).map(lambda kind: {**entry, "told": kind})
)


@given(entries)
@example({"told": "correct-square", "on": ["", ""], "colour": None, "other": None})
def test_an_entry_is_read_or_refused_and_nothing_else(entry: dict[str, Any]) -> None:
    try:
        told = entry_from_json(entry)
    except EntryError:
        return
    assert written(told) == told


header_members = ["booklet", "options", "players", "names", "facing", "piles"]


@given(st.dictionaries(st.sampled_from(header_members), plain_values))
def test_a_header_is_read_or_refused_and_nothing_else(changed: dict[str, Any]) -> None:
    usual = Beginning(Setup(usual_players(3)), names=("Ana", "Bo", "Cleo")).plain()
    try:
        beginning = beginning_from_json(usual | changed)
    except EntryError:
        return
    assert beginning_from_json(json.loads(json.dumps(beginning.plain()))) == beginning
    assert len(beginning.names) in (0, len(beginning.setup.players))


@given(st.dictionaries(st.sampled_from(header_members), plain_values))
def test_a_header_of_scraps_is_read_or_refused(header: dict[str, Any]) -> None:
    with suppress(EntryError):
        beginning_from_json(header)


# --- The beginning ------------------------------------------------------------------------


@pytest.mark.parametrize("booklet", BOOKLETS)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_beginning_comes_back_from_its_header(booklet: str, count: int) -> None:
    options = booklet_named(booklet).options.but({"loops": "nw-se", "turn_order": "pivot-last"})
    setup = Setup(usual_players(count, options), options)
    piles = None
    if setup.has_two_colours and options.two_player == "shuffled":
        piles = tuple(colours[::-1] * 12 for colours in setup.players)
    names = ("Ana", "Bo", "Cleo", "Dan")[:count]
    beginning = Beginning(setup, booklet, names, Facing.WEST, piles)
    assert beginning_from_json(json.loads(json.dumps(beginning.plain()))) == beginning


def test_a_game_of_two_players_with_one_name_is_still_read() -> None:
    """Set-up refuses that now, and did not always."""
    beginning = Beginning(Setup(usual_players(3)), names=("Ana", "Ana", "Cleo"))
    assert beginning_from_json(beginning.plain()) == beginning


def test_a_header_tells_only_what_differs_from_its_booklet() -> None:
    options = booklet_named("fi").options.but({"loops": "nw-se"})
    setup = Setup(usual_players(2, options), options)
    piles = tuple(colours * 12 for colours in setup.players)
    assert Beginning(setup, "fi", ("Ana", "Bo"), Facing.WEST, piles).plain() == {
        "booklet": "fi",
        "options": {"loops": "nw-se"},
        "players": ["RY", "BN"],
        "names": ["Ana", "Bo"],
        "facing": "w",
        "piles": ["RY" * 12, "BN" * 12],
    }


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"booklet": "xx"}, "unknown booklet 'xx'"),
        ({"booklet": None}, "how the game begins: None is no text$"),
        ({"facing": 7}, "how the game begins: 7 is no text$"),
        ({"options": []}, r"\[\] are no options by name"),
        ({"options": {"loops": 1}}, "{'loops': 1} are no options by name"),
        ({"players": ["R"]}, "Marrakech is for 2, 3 or 4"),
        ({"players": ["R", "R"]}, "everyone has 2"),
        ({"players": "RYB"}, "'RYB' is no list of texts"),
        ({"names": ["Ana"]}, "1 name for 3 players"),
        ({"names": [1, 2, 3]}, r"\[1, 2, 3\] is no list of texts"),
        ({"options": {"loops": "round"}}, "unknown value of loops 'round'"),
        ({"options": ["loops"]}, "the header does not tell how the game begins"),
        ({"piles": ["RRR"]}, "piles are dealt for two players"),
    ],
)
def test_a_header_that_no_game_begins_with_is_refused(changed: dict[str, Any], why: str) -> None:
    usual = Beginning(Setup(usual_players(3))).plain()
    with pytest.raises(EntryError, match=why):
        beginning_from_json(usual | changed)


def test_a_header_that_lacks_something_says_what() -> None:
    plain = Beginning(Setup(usual_players(3))).plain()
    del plain["facing"]
    with pytest.raises(EntryError, match=r"how the game begins: 'facing' is missing$"):
        beginning_from_json(plain)


def test_members_that_are_not_ours_are_left_alone() -> None:
    beginning = Beginning(Setup(usual_players(4)))
    assert beginning_from_json(beginning.plain() | {"begun": "today"}) == beginning
    assert entry_from_json({"told": "pay", "hash": "00"}) == Act(Pay())
