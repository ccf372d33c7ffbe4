"""Journal entries and headers survive a JSON round trip; invalid ones raise `EntryError`."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from helpers.table.table_driver import round_trip
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
    Redo,
    Restored,
    Undo,
    beginning_from_json,
    entry_from_json,
    entry_to_json,
)

JSON_FORMS: dict[str, tuple[Entry, dict[str, Any]]] = {
    "the die": (Act(Rolled(3)), {"told": "roll", "pips": 3, "by": "die"}),
    "a roll": (Act(Rolled(1), True), {"told": "roll", "pips": 1, "by": "companion"}),
    "pay": (Act(Pay()), {"told": "pay"}),
    "draw": (Act(Drew(Colour.BROWN)), {"told": "draw", "colour": "N"}),
    "lay": (Act(Lay(24, 25)), {"told": "lay", "on": "d4-e4"}),
    "return": (Act(ReturnRug()), {"told": "return"}),
    "pivot": (Act(Pivot(Facing.WEST)), {"told": "pivot", "facing": "w"}),
    "face": (Face(Facing.EAST), {"told": "face", "facing": "e"}),
    "aim": (Aim(PLACEMENTS[0]), {"told": "aim", "on": "a1-b1"}),
    "back": (Undo(), {"told": "back"}),
    "again": (Redo(), {"told": "again"}),
    "ready": (Restored(), {"told": "ready"}),
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


@pytest.mark.parametrize("name", JSON_FORMS)
def test_every_entry_survives_a_json_round_trip(name: str) -> None:
    entry, members = JSON_FORMS[name]
    assert entry_to_json(entry) == members
    assert round_trip(entry) == entry


def test_every_kind_of_entry_is_covered() -> None:
    assert {type(entry) for entry, _ in JSON_FORMS.values()} == set(Entry.__args__)


def test_every_value_of_every_entry_survives_a_round_trip() -> None:
    all_entries: list[Entry] = [Face(facing) for facing in Facing]
    all_entries += [Act(Pivot(facing)) for facing in Facing]
    all_entries += [Act(Lay(place.first, place.second)) for place in PLACEMENTS]
    all_entries += [Aim(place) for place in PLACEMENTS]
    all_entries += [CorrectAssam(square, Facing.EAST) for square in range(49)]
    all_entries += [Act(Drew(colour)) for colour in COLOURS]
    all_entries += [Act(Rolled(pips)) for pips in (1, 2, 3, 4)]
    assert [round_trip(entry) for entry in all_entries] == all_entries


def test_orient_has_no_entry_of_its_own() -> None:
    with pytest.raises(AssertionError, match="has no entry of its own"):
        entry_to_json(Act(Orient(Facing.EAST)))


@pytest.mark.parametrize(
    ("members", "error"),
    [
        ({}, "unknown entry None"),
        ({"told": "dance"}, "unknown entry 'dance'"),
        ({"told": ["roll"]}, r"unknown entry \['roll'\]"),
        ({"told": "roll"}, "an entry 'roll' cannot be read: 'pips' is missing"),
        ({"told": "roll", "pips": 5}, "an entry 'roll' cannot be read: the die cannot"),
        ({"told": "roll", "pips": True}, "cannot be read: True is not a whole number"),
        ({"told": "roll", "pips": 3.0}, r"cannot be read: 3\.0 is not a whole number"),
        ({"told": "draw", "colour": "G"}, "an entry 'draw' cannot be read: 'G' is not a colour"),
        ({"told": "draw", "colour": ""}, "'' is not a colour: use R, Y, B or N"),
        ({"told": "draw", "colour": "RY"}, "'RY' is not a colour"),
        ({"told": "draw", "colour": 7}, "7 is not a colour"),
        ({"told": "lay", "on": "a1-a3"}, "a rug cannot lie on a1 and a3"),
        ({"told": "face", "facing": "up"}, "'up' is not a direction"),
        ({"told": "aim", "on": 7}, "an entry 'aim' cannot be read"),
        ({"told": "correct-assam", "on": ["a", "1"], "facing": "n"}, "is not a square"),
        ({"told": "correct-square", "on": "a1", "colour": None}, "'other' is missing"),
        ({"told": "correct-dirhams", "player": "0", "dirhams": 3}, "'0' is not a whole number"),
    ],
)
def test_an_invalid_entry_is_refused_with_its_name(members: dict[str, Any], error: str) -> None:
    with pytest.raises(EntryError, match=error):
        entry_from_json(members)


# --- Random JSON --------------------------------------------------------------------------

scraps = st.sampled_from(
    ["a1", "a1-b1", "n", "R", "RY", "en", "die", "g8", "", "loops", "nw-se", "½", 0, 1, 3, -1, 1e9]
)
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | scraps,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(scraps.map(str), inner, max_size=3),
    max_leaves=6,
)
entry_members = ["pips", "by", "colour", "on", "facing", "player", "dirhams", "other"]
kinds = sorted({members["told"] for _, members in JSON_FORMS.values()})
entries = st.dictionaries(st.sampled_from(entry_members), plain_values).flatmap(
    lambda entry: (st.sampled_from(kinds) | plain_values).map(lambda kind: {**entry, "told": kind})
)


@given(entries)
@example({"told": "correct-square", "on": ["", ""], "colour": None, "other": None})
def test_any_json_is_a_valid_entry_or_an_entry_error(entry: dict[str, Any]) -> None:
    try:
        parsed = entry_from_json(entry)
    except EntryError:
        return
    assert round_trip(parsed) == parsed


header_members = ["booklet", "options", "players", "names", "facing", "piles"]


@given(st.dictionaries(st.sampled_from(header_members), plain_values))
def test_any_json_is_a_valid_header_or_an_entry_error(changed: dict[str, Any]) -> None:
    usual = Beginning(Setup(usual_players(3)), names=("Ana", "Bo", "Cleo")).to_json()
    try:
        beginning = beginning_from_json(usual | changed)
    except EntryError:
        return
    assert beginning_from_json(json.loads(json.dumps(beginning.to_json()))) == beginning
    assert len(beginning.names) in (0, len(beginning.setup.players))


@given(st.dictionaries(st.sampled_from(header_members), plain_values))
def test_an_incomplete_header_raises_nothing_but_an_entry_error(header: dict[str, Any]) -> None:
    with suppress(EntryError):
        beginning_from_json(header)


# --- Headers ------------------------------------------------------------------------------


@pytest.mark.parametrize("booklet", BOOKLETS)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_beginning_survives_a_json_round_trip(booklet: str, count: int) -> None:
    options = booklet_named(booklet).options.with_changes(
        {"loops": "nw-se", "turn_order": "pivot-last"}
    )
    setup = Setup(usual_players(count, options), options)
    piles = None
    if setup.has_shuffled_piles:
        piles = tuple(colours[::-1] * 12 for colours in setup.players)
    names = ("Ana", "Bo", "Cleo", "Dan")[:count]
    beginning = Beginning(setup, booklet, names, Facing.WEST, piles)
    assert beginning_from_json(json.loads(json.dumps(beginning.to_json()))) == beginning


def test_a_header_with_a_duplicate_name_is_still_accepted() -> None:
    """Earlier versions allowed duplicate names in the set-up."""
    beginning = Beginning(Setup(usual_players(3)), names=("Ana", "Ana", "Cleo"))
    assert beginning_from_json(beginning.to_json()) == beginning


def test_a_header_contains_only_options_that_differ_from_the_booklet() -> None:
    options = booklet_named("fi").options.with_changes({"loops": "nw-se"})
    setup = Setup(usual_players(2, options), options)
    piles = tuple(colours * 12 for colours in setup.players)
    assert Beginning(setup, "fi", ("Ana", "Bo"), Facing.WEST, piles).to_json() == {
        "booklet": "fi",
        "options": {"loops": "nw-se"},
        "players": ["RY", "BN"],
        "names": ["Ana", "Bo"],
        "facing": "w",
        "piles": ["RY" * 12, "BN" * 12],
    }


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"booklet": "xx"}, "unknown booklet 'xx'"),
        ({"booklet": None}, "the header cannot be read: None is not a string$"),
        ({"facing": 7}, "the header cannot be read: 7 is not a string$"),
        ({"options": []}, r"\[\] is not an object of options"),
        ({"options": {"loops": 1}}, "{'loops': 1} is not an object of options"),
        ({"players": ["R"]}, "Marrakech is for 2, 3 or 4"),
        ({"players": ["R", "R"]}, "everyone has 2"),
        ({"players": "RYB"}, "'RYB' is not a list of strings"),
        ({"names": ["Ana"]}, "1 name for 3 players"),
        ({"names": [1, 2, 3]}, r"\[1, 2, 3\] is not a list of strings"),
        ({"options": {"loops": "round"}}, "unknown value of loops 'round'"),
        ({"options": ["loops"]}, "the header cannot be read"),
        ({"piles": ["RRR"]}, "only two players with two colours each"),
    ],
)
def test_an_invalid_header_is_refused(changed: dict[str, Any], error: str) -> None:
    usual = Beginning(Setup(usual_players(3))).to_json()
    with pytest.raises(EntryError, match=error):
        beginning_from_json(usual | changed)


def test_a_header_error_names_the_missing_member() -> None:
    members = Beginning(Setup(usual_players(3))).to_json()
    del members["facing"]
    with pytest.raises(EntryError, match=r"the header cannot be read: 'facing' is missing$"):
        beginning_from_json(members)


def test_unknown_members_are_ignored() -> None:
    beginning = Beginning(Setup(usual_players(4)))
    assert beginning_from_json(beginning.to_json() | {"begun": "today"}) == beginning
    assert entry_from_json({"told": "pay", "hash": "00"}) == Act(Pay())
