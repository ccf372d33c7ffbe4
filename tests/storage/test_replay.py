"""A journal comes back as the game that was played, or says where it does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.storage.stored_games import (
    FOUR,
    SET_UP,
    batches_of,
    keeper_of,
    loaded,
    quick_disk,
    tree,
)
from helpers.table.table_driver import TableDriver

from companion.games.marrakech import Facing
from companion.storage.game_store import StampedEntry, fingerprint, replay
from companion.storage.journal_reader import JournalContent, JournalDamagedError
from companion.storage.journal_writer import Journal
from companion.storage.line_codec import Members
from companion.table.entries import Face, beginning_from_json, entry_from_json, entry_to_json
from companion.table.game import begin, tell


@pytest.fixture(scope="module", autouse=True)
def at_once() -> Iterator[None]:
    with quick_disk():
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


def rewrite(folder: Path, entries: list[Members], header: Members | None = None) -> Path:
    """A journal that is whole, whatever it says."""
    folder.mkdir(exist_ok=True)
    path = folder / "game.jsonl"
    path.unlink(missing_ok=True)
    journal = Journal.create(path, FOUR.plain() if header is None else header)
    journal.append(entries)
    journal.close()
    return path


def refused(folder: Path) -> JournalDamagedError:
    """Why a game does not come back; and nothing was changed by finding out."""
    before = tree(folder)
    with pytest.raises(JournalDamagedError) as caught:
        keeper_of(folder).load()
    assert tree(folder) == before
    return caught.value


def entries_of(words: str = "east 3 ok west 2 ok") -> list[Members]:
    talk = TableDriver().say(SET_UP)
    notes = [note for batch in batches_of(talk, words) for note in batch]
    return [
        entry_to_json(one.told) | {"hash": one.fingerprint}
        for one in notes
        if type(one) is StampedEntry
    ]


def test_a_replay_that_differs_is_found_where_it_first_does(folder: Path) -> None:
    """Another roll would have led elsewhere: what was played is not what the file says."""
    entries = entries_of("east 3 ok north 2 ok")
    entries[4]["pips"] = 1
    path = rewrite(folder, entries)
    error = refused(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    assert error.line == 6
    assert "the game comes out otherwise than it was played" in str(error)
    assert error.intact == JournalContent(FOUR.plain(), entries[:4], sum(map(len, lines[:5])))
    assert replay(error.intact, path).now.facing is Facing.NORTH


def test_the_difference_is_found_before_what_it_makes_illegal(folder: Path) -> None:
    """After another roll the rug cannot lie there; but it was the roll that went astray."""
    entries = entries_of("east 3 ok")
    entries[1]["pips"] = 1
    path = rewrite(folder, entries)
    error = refused(folder)
    assert error.line == 3
    assert error.intact.entries == entries[:1]
    assert replay(error.intact, path).now.facing is Facing.EAST


def test_an_entry_without_a_fingerprint_is_not_trusted(folder: Path) -> None:
    entries = entries_of()
    del entries[-1]["hash"]
    rewrite(folder, entries)
    assert refused(folder).line == len(entries) + 1


def test_an_entry_that_is_not_legal_is_found(folder: Path) -> None:
    entries = entries_of()
    entries[2] = {"told": "lay", "on": "a1-a2", "hash": "00000000"}
    rewrite(folder, entries)
    error = refused(folder)
    assert error.line == 4
    assert error.intact.entries == entries[:2]
    assert "\n" not in str(error)
    assert str(error).endswith(f"to go on from there: marrakech games rescue {error.path}")


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
def test_an_entry_that_says_nothing_known_is_found(folder: Path, entry: Members) -> None:
    rewrite(folder, [entry])
    error = refused(folder)
    assert error.line == 2
    assert error.intact.entries == []
    assert error.intact.header == FOUR.plain()


@pytest.mark.parametrize(
    "header",
    [
        {},
        {**FOUR.plain(), "players": ["R", "R"]},
        {**FOUR.plain(), "players": "RYBN"},
        {**FOUR.plain(), "booklet": "xx"},
        {**FOUR.plain(), "booklet": []},
        {**FOUR.plain(), "booklet": None},
        {**FOUR.plain(), "options": 5},
        {**FOUR.plain(), "options": []},
        {**FOUR.plain(), "options": {"loops": 1}},
        {**FOUR.plain(), "facing": None},
        {**FOUR.plain(), "names": ["Ana"]},
        {**FOUR.plain(), "piles": ["RYRY"]},
    ],
    ids=str,
)
def test_a_header_that_tells_no_beginning_leaves_nothing(folder: Path, header: Members) -> None:
    rewrite(folder, entries_of(), header)
    error = refused(folder)
    assert error.line == 1
    assert error.intact == JournalContent(None, [], 0)
    assert "the header does not tell how the game begins" in str(error)
    assert str(error).endswith(f"to set the file aside: marrakech games rescue {error.path}")
    assert "object" not in str(error)


def test_members_of_a_header_that_are_not_ours_are_left_alone(folder: Path) -> None:
    rewrite(folder, [], {**FOUR.plain(), "mood": "good"})
    assert loaded(folder) is not None


# --- Fingerprints -------------------------------------------------------------------------


def marks(words: str) -> Iterator[str]:
    talk = TableDriver(options={"turn_order": "pivot-last"}).say(SET_UP)
    for word in words.split():
        talk.say(word)
        yield fingerprint(talk.game)


def test_whatever_is_told_changes_the_fingerprint() -> None:
    """Also what the position does not know: an aim, a turn not committed, putting back."""
    *seen, ready = marks("3 north south ok east ok back ok")
    assert len(set(seen)) == len(seen)
    assert ready == seen[4]  # what was put back is as it was


def test_where_assam_is_turned_is_in_the_fingerprint_before_the_die_commits_it() -> None:
    """Else a journal could not tell a turn to the east from one to the west."""
    turned = [fingerprint(tell(begin(FOUR), Face(way))) for way in (Facing.EAST, Facing.WEST)]
    assert len(set(turned)) == 2


def roll(pips: int) -> Members:
    return {"told": "roll", "pips": pips}


def lay(on: str) -> Members:
    return {"told": "lay", "on": on}


def face(facing: str) -> Members:
    return {"told": "face", "facing": facing}


FOUR_PLAY: Members = {
    "booklet": "en",
    "options": {},
    "players": ["R", "Y", "B", "N"],
    "names": [],
    "facing": "s",
    "piles": None,
}
DEALT: Members = {"players": ["RY", "BN"], "piles": ["RRYY" * 6, "NNBB" * 6]}


@pytest.mark.parametrize(
    ("header", "entries", "marks"),
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
def test_a_fingerprint_never_changes(header: Members, entries: list[Members], marks: str) -> None:
    """Journals keep it: if this fails, games that were played would be called damaged."""
    game = begin(beginning_from_json(FOUR_PLAY | header))
    came = [fingerprint(game)]
    for entry in entries:
        game = tell(game, entry_from_json(entry))
        came.append(fingerprint(game))
    assert " ".join(came) == marks
