"""Whatever the disk refuses, and whenever it dies, what is told is there in the end, once."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from helpers.profiles import examples
from helpers.rules.strategies import seeds
from helpers.storage.faulty_filesystem import FaultyDisk
from helpers.storage.stored_games import (
    ABOUT,
    FOUR,
    SET_UP,
    batches_of,
    keeper_of,
    kept,
    loaded,
    quick_disk,
    told_in,
    tree,
    write,
)
from helpers.table.table_driver import INPUTS, Dice, TableDriver, random_customs, random_word
from hypothesis import given, settings

from companion.games.marrakech import Facing
from companion.storage.game_store import GameStore, StampedCommand, StampedEntry, fingerprint
from companion.storage.journal_reader import read_journal
from companion.storage.journal_writer import (
    JournalExistsError,
    JournalUnsavedError,
)
from companion.table.conversation import ArchiveGame, BeginGame, fresh
from companion.table.entries import Face, entry_to_json


@pytest.fixture(scope="module", autouse=True)
def at_once() -> Iterator[None]:
    with quick_disk():
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


EVENING = (
    SET_UP + "east 3 ok back ok pause pause "  # put away
    "ok ok ok 2 "  # the die begins a game by itself
    "ok pause pause " + SET_UP + "west"
)
Batches = list[tuple[StampedCommand, ...]]


def evening() -> Batches:
    """Two games and the beginning of a third, in batches as presses come."""
    return batches_of(TableDriver(), EVENING)


def in_one_go() -> Batches:
    """The same, as it comes to a disk that was away all the time."""
    return [tuple(note for batch in evening() for note in batch)]


def save_all(folder: Path, disk: FaultyDisk, batches: Batches) -> None:
    """Tell it all, whatever the disk says, and go on trying until it takes it."""
    keeper = keeper_of(folder, disk)
    keeper.load()
    for batch in batches:
        with suppress(OSError):
            keeper.save(batch)
    for _ in range(3):
        with suppress(OSError):
            keeper.save()
    keeper.save()
    keeper.close()


@pytest.fixture(scope="module", params=[evening, in_one_go])
def batches(request: pytest.FixtureRequest) -> Batches:
    told: Batches = request.param()
    return told


@pytest.fixture(scope="module")
def flawless(
    batches: Batches, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, bytes], int]:
    """What must be on the disk in the end, and how many calls lead there."""
    folder, disk = tmp_path_factory.mktemp("flawless") / "state", FaultyDisk()
    save_all(folder, disk, batches)
    return tree(folder), len(disk.calls)


def test_an_evening_is_as_it_should_be(folder: Path) -> None:
    save_all(folder, FaultyDisk(), evening())
    assert {name: told_in(folder / name) for name in tree(folder)} == {
        "archive/0001.jsonl": ["face", "roll", "lay", "back", "ready"],
        "archive/0002.jsonl": ["roll", "lay"],
        "game.jsonl": ["face"],
    }


def test_whichever_call_fails_all_is_there_in_the_end(
    folder: Path, batches: Batches, flawless: tuple[dict[str, bytes], int]
) -> None:
    """To the byte: nothing is lost, doubled or out of order."""
    expected, calls = flawless
    for call in range(calls):
        disk = FaultyDisk({call: errno.EIO})
        save_all(folder / str(call), disk, batches)
        assert disk.faults == {}
        assert tree(folder / str(call)) == expected, f"call {call}: {disk.calls[call]}"


class CachingDisk(FaultyDisk):
    """After a sync that failed, what was written can still be read: the kernel has it."""

    def fdatasync(self, file: int) -> None:
        self._call("fdatasync")
        os.fdatasync(file)


@pytest.mark.parametrize("make_disk", [FaultyDisk, CachingDisk])
def test_whichever_two_calls_fail_all_is_there_in_the_end(
    make_disk: type[FaultyDisk],
    folder: Path,
    batches: Batches,
    flawless: tuple[dict[str, bytes], int],
) -> None:
    """The second one while the first is being mended, or soon after."""
    expected, calls = flawless
    for call in range(calls):
        for after in range(1, 8):
            place = folder / f"{call}-{after}"
            faults = dict.fromkeys((call, call + after), errno.ENOSPC)
            save_all(place, make_disk(faults), batches)
            assert tree(place) == expected, (call, after)


def test_a_game_was_begun_when_it_was_and_not_when_the_disk_took_it(folder: Path) -> None:
    times = iter(["20:14", "20:15", "20:16"])
    disk = FaultyDisk()
    keeper = GameStore(folder, about=lambda: {"begun": next(times)}, disk=disk)
    keeper.load()
    disk.fail(errno.EIO)
    with pytest.raises(JournalUnsavedError):
        keeper.save([BeginGame(FOUR)])
    keeper.save([ArchiveGame(), BeginGame(FOUR)])
    begun = [read_journal(folder / name).header or {} for name in tree(folder)]
    assert [header["begun"] for header in begun] == ["20:14", "20:15"]
    keeper.close()


def test_a_game_that_somebody_else_began_stays(folder: Path) -> None:
    """However much it looks like ours, it has been played."""
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    disk.fail(errno.EIO)
    with pytest.raises(JournalUnsavedError):
        keeper.save([BeginGame(FOUR)])
    write(folder, [Face(Facing.EAST)])
    before = tree(folder)
    with pytest.raises(JournalExistsError):
        keeper.save()
    assert tree(folder) == before


def test_wherever_the_disk_dies_what_was_confirmed_comes_back(
    folder: Path, batches: Batches, flawless: tuple[dict[str, bytes], int]
) -> None:
    """The power goes: what is found is a beginning of what was told, and all that was shown."""
    _, calls = flawless
    notes = [note for batch in batches for note in batch]
    for call in range(calls + 1):
        place = folder / str(call)
        disk = FaultyDisk(dict.fromkeys(range(call, call + 1000), errno.EIO))
        keeper = keeper_of(place, disk)
        keeper.load()
        confirmed, is_alive = 0, True
        for batch in batches:
            try:
                keeper.save(batch)
            except OSError:
                is_alive = False
            confirmed += len(batch) if is_alive else 0
        keeper.close()
        found = found_in(place)
        assert found == [_name(note) for note in notes[: len(found)]], call
        assert len(found) >= confirmed, call
        loaded(place)


def _name(note: StampedCommand) -> object:
    match note:
        case BeginGame(beginning):
            return {**beginning.plain(), **ABOUT}
        case StampedEntry(told, mark):
            return entry_to_json(told) | {"hash": mark}
    return "put away"


def found_in(folder: Path) -> list[object]:
    """What the files of a folder say was told, in order."""
    found: list[object] = []
    for name in tree(folder):  # the archive by its numbers, then the game in progress
        reading = read_journal(folder / name)
        if reading.header is not None:
            found += [reading.header, *reading.entries]
            found += ["put away"] if name.startswith("archive") else []
    return found


def test_what_waits_is_counted_and_the_disk_is_named(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    told = evening()
    keeper.save(told[0])
    disk.fail(errno.ENOSPC)
    with pytest.raises(JournalUnsavedError, match=r"^1 entry is not saved in .* free some space"):
        keeper.save(told[1])
    disk.fail(errno.ENOSPC)
    with pytest.raises(JournalUnsavedError, match=r"^2 entries are not saved"):
        keeper.save(told[2])
    keeper.save(told[3])
    assert told_in(keeper.path) == ["face", "roll", "lay"]
    keeper.close()


def test_a_game_is_not_begun_before_the_last_one_is_put_away(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    keeper.save([BeginGame(FOUR)])
    before = tree(folder)
    disk.fail(errno.EROFS)
    with pytest.raises(OSError, match="was not put into the archive"):
        keeper.save([ArchiveGame(), BeginGame(FOUR), StampedEntry(Face(Facing.EAST), "1")])
    assert tree(folder) == before
    keeper.save()
    assert told_in(keeper.path) == ["face"]
    assert list(tree(folder)) == ["archive/0001.jsonl", "game.jsonl"]
    keeper.close()


@settings(max_examples=examples(40))
@given(seeds)
def test_any_talk_on_any_disk_comes_back(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Presses by chance, batches by chance, a disk that fails by chance."""
    chance = Random(seed)
    talk = TableDriver(fresh(random_customs(chance)))
    talk.chance = Dice(chance)
    faults = {call: errno.EIO for call in range(2000) if chance.random() < 0.1}
    disk = FaultyDisk(faults, most=chance.choice((7, None)))
    keeper = keeper_of(tmp_path_factory.mktemp("any"), disk)
    folder = keeper.path.parent
    keeper.load()
    notes: list[StampedCommand] = []
    waiting: list[StampedCommand] = []
    for _ in range(150):
        batch = kept(talk.hear(INPUTS[random_word(chance, talk.stage)]))
        notes += batch
        waiting += batch
        if chance.random() < 0.7:
            with suppress(OSError):
                keeper.save(waiting)
            waiting = []
    disk.faults.clear()
    keeper.save(waiting)
    keeper.close()
    assert found_in(folder) == [_name(note) for note in notes]
    game = loaded(folder)
    if game is None:
        assert talk.conversation.game is None
    else:
        assert fingerprint(game) == fingerprint(talk.game)
