"""A replay gives the game that was played, or reports where it differs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.storage.stored_games import (
    FOUR,
    SET_UP,
    command_batches,
    load_game,
    make_store,
    tree,
)
from helpers.table.table_driver import TableDriver

from companion.games.marrakech import Facing
from companion.json_types import JsonObject
from companion.storage.game_store import StampedEntry, fingerprint, replay
from companion.storage.journal_reader import JournalContent, JournalDamagedError
from companion.storage.journal_writer import JournalWriter
from companion.table.entries import Face, beginning_from_json, entry_from_json, entry_to_json
from companion.table.game import apply_entry, start_game

pytestmark = pytest.mark.usefixtures("no_fsync")


def write_journal(
    folder: Path, entries: list[JsonObject], header: JsonObject | None = None
) -> Path:
    """Write a journal with valid checksums, whatever its entries are."""
    folder.mkdir(exist_ok=True)
    path = folder / "game.jsonl"
    path.unlink(missing_ok=True)
    journal = JournalWriter.create(path, FOUR.to_json() if header is None else header)
    journal.append(entries)
    journal.close()
    return path


def load_error(folder: Path) -> JournalDamagedError:
    """The error of loading a game. Also checks that loading changed nothing."""
    before = tree(folder)
    with pytest.raises(JournalDamagedError) as caught:
        make_store(folder).load()
    assert tree(folder) == before
    return caught.value


def entries_of(words: str = "east 3 ok west 2 ok") -> list[JsonObject]:
    driver = TableDriver().press(SET_UP)
    return [
        entry_to_json(command.entry) | {"hash": command.fingerprint}
        for batch in command_batches(driver, words)
        for command in batch
        if isinstance(command, StampedEntry)
    ]


def test_changed_entry_is_found_at_the_first_difference(folder: Path) -> None:
    """The entry was changed, with a valid checksum, to another legal roll."""
    entries = entries_of("east 3 ok north 2 ok")
    entries[4]["pips"] = 1
    path = write_journal(folder, entries)
    error = load_error(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    assert error.line == 6
    assert "the replay differs from the game that was played" in str(error)
    assert error.intact == JournalContent(FOUR.to_json(), entries[:4], sum(map(len, lines[:5])))
    assert replay(error.intact, path).now.facing is Facing.NORTH


def test_difference_is_reported_before_the_entry_it_makes_illegal(folder: Path) -> None:
    """After another roll the rug would be illegal, but the roll is what differs."""
    entries = entries_of("east 3 ok")
    entries[1]["pips"] = 1
    path = write_journal(folder, entries)
    error = load_error(folder)
    assert error.line == 3
    assert error.intact.entries == entries[:1]
    assert replay(error.intact, path).now.facing is Facing.EAST


def test_entry_without_a_fingerprint_is_damage(folder: Path) -> None:
    entries = entries_of()
    del entries[-1]["hash"]
    write_journal(folder, entries)
    assert load_error(folder).line == len(entries) + 1


def test_illegal_entry_is_damage(folder: Path) -> None:
    entries = entries_of()
    entries[2] = {"told": "lay", "on": "a1-a2", "hash": "00000000"}
    write_journal(folder, entries)
    error = load_error(folder)
    assert error.line == 4
    assert error.intact.entries == entries[:2]
    assert "\n" not in str(error)
    assert str(error).endswith(
        f"to go on from there: marrakech games rescue --folder {error.path.parent} now"
    )


@pytest.mark.parametrize(
    "entry",
    [
        {"told": "sing"},
        {"told": ["roll"]},
        {},
        {"told": "roll"},
        {"told": "roll", "pips": 5},
        {"told": "roll", "pips": True},
        {"told": "roll", "pips": "3"},
        {"told": "lay", "on": 7},
        {"told": "correct-dirhams", "player": 9, "dirhams": 1},
        {"told": "correct-dirhams", "player": 0, "dirhams": 10**30},
        {"told": "again"},
        {"told": "back"},
    ],
    ids=str,
)
def test_invalid_entry_is_damage(folder: Path, entry: JsonObject) -> None:
    write_journal(folder, [entry])
    error = load_error(folder)
    assert error.line == 2
    assert error.intact.entries == []
    assert error.intact.header == FOUR.to_json()


@pytest.mark.parametrize(
    "header",
    [
        {},
        {**FOUR.to_json(), "players": ["R", "R"]},
        {**FOUR.to_json(), "players": "RYBN"},
        {**FOUR.to_json(), "booklet": "xx"},
        {**FOUR.to_json(), "booklet": []},
        {**FOUR.to_json(), "booklet": None},
        {**FOUR.to_json(), "options": 5},
        {**FOUR.to_json(), "options": []},
        {**FOUR.to_json(), "options": {"loops": 1}},
        {**FOUR.to_json(), "facing": None},
        {**FOUR.to_json(), "names": ["Ana"]},
        {**FOUR.to_json(), "piles": ["RYRY"]},
    ],
    ids=str,
)
def test_invalid_header_leaves_nothing_to_rescue(folder: Path, header: JsonObject) -> None:
    write_journal(folder, entries_of(), header)
    error = load_error(folder)
    assert error.line == 1
    assert error.intact == JournalContent(None, [], 0)
    assert "the header cannot be read" in str(error)
    assert str(error).endswith(
        f"to set the file aside: marrakech games rescue --folder {error.path.parent} now"
    )
    assert "' object" not in str(error), "no message of Python's own"


def test_unknown_header_members_are_ignored(folder: Path) -> None:
    write_journal(folder, [], {**FOUR.to_json(), "mood": "good"})
    assert load_game(folder) is not None


# --- Fingerprints -------------------------------------------------------------------------


def fingerprints(words: str) -> Iterator[str]:
    driver = TableDriver(options={"turn_order": "pivot-last"}).press(SET_UP)
    for word in words.split():
        driver.press(word)
        yield fingerprint(driver.game)


def test_every_entry_changes_the_fingerprint() -> None:
    """Including what is not in the position: an aim, a turn that is not committed, restoring."""
    *seen, ready = fingerprints("3 north south ok east ok back ok")
    assert len(set(seen)) == len(seen)
    assert ready == seen[4]  # after restoring, the position is as before


def test_fingerprint_includes_a_facing_that_is_not_committed() -> None:
    """Otherwise a replay could not distinguish a turn to the east from one to the west."""
    turned = [
        fingerprint(apply_entry(start_game(FOUR), Face(way))) for way in (Facing.EAST, Facing.WEST)
    ]
    assert len(set(turned)) == 2


def roll(pips: int) -> JsonObject:
    return {"told": "roll", "pips": pips}


def lay(on: str) -> JsonObject:
    return {"told": "lay", "on": on}


def face(facing: str) -> JsonObject:
    return {"told": "face", "facing": facing}


FOUR_PLAY: JsonObject = {
    "booklet": "en",
    "options": {},
    "players": ["R", "Y", "B", "N"],
    "names": [],
    "facing": "s",
    "piles": None,
}
DEALT: JsonObject = {"players": ["RY", "BN"], "piles": ["RRYY" * 6, "NNBB" * 6]}


@pytest.mark.parametrize(
    ("header", "entries", "expected"),
    [
        (
            {},
            [face("e"), roll(3), {"told": "aim", "on": "f4-f5"}, lay("f4-f5"), {"told": "back"}],
            "08a8ac22 0b6f71c3 87461817 0fbc2d59 9ce596be 0e1984ef",
        ),
        (
            {
                "players": ["R", "Y", "B"],
                "options": {"turn_order": "pivot-last"},
                "facing": "n",
            },
            [
                *(roll(2), lay("d1-e1"), face("e"), {"told": "pivot", "facing": "e"}),
                {"told": "correct-dirhams", "player": 1, "dirhams": 0},
            ],
            "53132cfb 5cf359f3 8be75c07 9f6614c9 32808615 b4481306",
        ),
        (
            {"players": ["RY", "BN"]},
            [roll(1), {"told": "draw", "colour": "Y"}, lay("e5-e6")],
            "6ee1c893 90f2b1c1 93f90232 faf989b9",
        ),
        (DEALT, [roll(1), lay("e5-e6"), roll(2)], "3cc9b862 694fbb04 29dc478f f9514877"),
        (
            {"players": ["RY", "BN"], "booklet": "cs"},
            [roll(1), lay("e5-e6"), roll(2)],
            "58a1d1f3 0d27d295 4db42e1e 19083817",
        ),
    ],
    ids=["four", "pivot last", "drawn", "dealt", "alternating"],
)
def test_fingerprints_never_change(
    header: JsonObject, entries: list[JsonObject], expected: str
) -> None:
    """If this fails, existing journals would be reported as damaged."""
    game = start_game(beginning_from_json(FOUR_PLAY | header))
    found = [fingerprint(game)]
    for entry in entries:
        game = apply_entry(game, entry_from_json(entry))
        found.append(fingerprint(game))
    assert " ".join(found) == expected
