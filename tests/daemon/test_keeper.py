"""What is told goes to the disk once and in order, and the game comes back from it."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest
from faulty_disk import FaultyDisk
from hypothesis import given, settings
from kept_games import (
    ABOUT,
    FOUR,
    SET_UP,
    batches_of,
    keeper_of,
    kept,
    loaded,
    quick_disk,
    tree,
    write,
)
from strategies import seeds
from talk import INPUTS, Dice, Talk, random_customs, random_word

from companion.daemon.journal import (
    JournalExistsError,
    JournalInUseError,
    JournalUnsavedError,
)
from companion.daemon.keeper import Entry, Keeper, KeptNote, fingerprint
from companion.daemon.reading import read_journal
from companion.games.marrakech import Facing
from companion.table.pages import Begin, PutAway, fresh
from companion.table.told import Face, plain_of


@pytest.fixture(scope="module", autouse=True)
def at_once() -> Iterator[None]:
    with quick_disk():
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


def told_in(path: Path) -> list[str]:
    return [entry["told"] for entry in read_journal(path).entries]


# --- One game after the other -------------------------------------------------------------

TURN = "east 3 ok "


def test_without_a_folder_there_is_no_game_and_the_folder_is_made(folder: Path) -> None:
    keeper = keeper_of(folder / "deep")
    assert keeper.load() == (None, 0)
    assert (folder / "deep").is_dir()
    assert tree(folder) == {}


def test_a_game_begins_with_what_the_set_up_decided_and_what_is_said_about_it(
    folder: Path,
) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR)])
    assert read_journal(keeper.path).header == {**FOUR.plain(), **ABOUT}
    keeper.close()


def test_entries_are_kept_with_the_fingerprint_of_the_game_they_led_to(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR), Entry(Face(Facing.EAST), "0123abcd")])
    assert read_journal(keeper.path).entries == [
        {"told": "face", "facing": "e", "hash": "0123abcd"}
    ]
    keeper.close()


def test_a_game_comes_back_as_it_was(folder: Path) -> None:
    talk, keeper = Talk(), keeper_of(folder)
    keeper.load()
    for batch in batches_of(talk, SET_UP + TURN + "west back back"):
        keeper.save(batch)
    keeper.close()
    game = loaded(folder)
    assert game is not None
    assert game.beginning == talk.game.beginning
    assert game.state == talk.state
    assert game.is_putting_back
    assert fingerprint(game) == fingerprint(talk.game)


def test_a_game_goes_on_after_every_single_word(folder: Path) -> None:
    """Switched off and on all the time, the journal is what it is in one go."""
    batches = batches_of(Talk(), SET_UP + TURN + "south back ok 2 ok")
    for batch in batches:
        keeper = keeper_of(folder)
        keeper.load()
        keeper.save(batch)
        keeper.close()
    other = keeper_of(folder / "other")
    other.load()
    other.save([note for batch in batches for note in batch])
    other.close()
    assert tree(folder)["game.jsonl"] == tree(folder / "other")["game.jsonl"]


def test_several_entries_are_one_write(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    batches = batches_of(Talk(), SET_UP + TURN)
    keeper.save(batches[0])
    disk.calls.clear()
    keeper.save([note for batch in batches[1:] for note in batch])
    assert disk.calls == ["write", "fdatasync"]
    assert told_in(keeper.path) == ["face", "roll", "lay"]
    keeper.close()


def test_nothing_to_save_touches_nothing(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    keeper.save()
    keeper.save([])
    assert disk.calls == []
    assert tree(folder) == {}


def test_a_game_that_is_put_away_is_in_the_archive_and_the_next_one_may_begin(
    folder: Path,
) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR), Entry(Face(Facing.EAST), "1")])
    keeper.save([PutAway()])
    assert list(tree(folder)) == ["archive/0001.jsonl"]
    keeper.save([Begin(FOUR), Entry(Face(Facing.WEST), "2"), PutAway(), Begin(FOUR)])
    assert list(tree(folder)) == ["archive/0001.jsonl", "archive/0002.jsonl", "game.jsonl"]
    assert [read_journal(keeper.archive.path_of(n)).entries[0]["hash"] for n in (1, 2)] == [
        "1",
        "2",
    ]
    keeper.close()


def test_a_game_that_was_only_loaded_can_be_put_away(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR)])
    keeper.close()
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([PutAway()])
    assert list(tree(folder)) == ["archive/0001.jsonl"]
    assert keeper.load() == (None, 0)


def test_putting_away_where_nothing_is_does_nothing(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([PutAway()])
    assert tree(folder) == {}


# --- A folder that somebody meddles with --------------------------------------------------


def test_a_game_whose_file_is_gone_is_put_away_all_the_same(folder: Path) -> None:
    write(folder, [Face(Facing.EAST)])
    whole = tree(folder)["game.jsonl"]
    keeper = keeper_of(folder)
    keeper.load()
    keeper.path.unlink()
    keeper.save([PutAway()])
    assert tree(folder) == {"archive/0001.jsonl": whole}


def test_a_game_whose_file_is_gone_between_two_tries_is_put_away_all_the_same(
    folder: Path,
) -> None:
    write(folder, [Face(Facing.EAST)])
    whole = tree(folder)["game.jsonl"]
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    disk.fail(errno.EROFS)
    with pytest.raises(OSError, match="was not put into the archive"):
        keeper.save([PutAway()])
    keeper.path.unlink()
    keeper.save()
    assert tree(folder) == {"archive/0001.jsonl": whole}


def test_a_game_that_was_moved_but_not_synced_is_synced_and_not_moved_again(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    keeper.save([Begin(FOUR)])
    before = len(disk.calls)
    disk.faults = {before + 4: errno.EIO}
    with pytest.raises(OSError, match="is game 1 of the archive now, but may not stay so"):
        keeper.save([PutAway()])
    disk.calls.clear()
    keeper.save()
    assert disk.calls == ["fsync archive", "fsync state"]
    assert list(tree(folder)) == ["archive/0001.jsonl"]


def test_a_folder_that_vanished_is_made_again(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    shutil.rmtree(folder)
    keeper.save([Begin(FOUR)])
    shutil.rmtree(folder)
    keeper.save([Entry(Face(Facing.EAST), "1")])
    assert told_in(keeper.path) == ["face"]
    shutil.rmtree(folder)
    keeper.save([PutAway(), Begin(FOUR)])
    assert list(tree(folder)) == ["archive/0001.jsonl", "game.jsonl"]
    assert told_in(keeper.archive.path_of(1)) == ["face"]
    keeper.close()


def test_a_folder_that_cannot_be_made_says_what_to_do_and_the_game_waits(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    folder.rmdir()
    folder.touch()
    with pytest.raises(JournalUnsavedError) as caught:
        keeper.save([Begin(FOUR)])
    assert str(caught.value) == f"{keeper.path} cannot be written (File exists: move it away)"
    with pytest.raises(JournalUnsavedError, match="move it away"):
        keeper_of(folder).load()
    folder.unlink()
    keeper.save()
    assert list(tree(folder)) == ["game.jsonl"]
    keeper.close()


def test_a_folder_that_nobody_may_enter_says_whom_to_let(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied")

    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR)])
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refuse)
        for note in (PutAway(), Begin(FOUR)):
            with pytest.raises(JournalUnsavedError) as caught:
                keeper.save([note])
            assert str(caught.value) == (
                f"{keeper.path} cannot be written "
                "(Permission denied: let the companion's user read and write there)"
            )
            assert caught.value.errno == errno.EACCES
    keeper.save()
    assert list(tree(folder)) == ["archive/0001.jsonl", "game.jsonl"]
    keeper.close()


@pytest.mark.parametrize("content", [b"dear diary\n", b'{"journal":2}\n'])
def test_what_was_put_where_a_game_begins_is_kept_beside_it(folder: Path, content: bytes) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.path.write_bytes(content)
    keeper.save([Begin(FOUR)])
    keeper.close()
    assert tree(folder)["game.jsonl.strange"] == content
    assert loaded(folder) is not None


def test_closing_twice_is_no_trouble_and_lets_go_of_the_game(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR)])
    with pytest.raises(JournalInUseError):
        keeper_of(folder).load()
    keeper.close()
    keeper.close()
    assert loaded(folder) is not None


# --- A torn tail --------------------------------------------------------------------------


def test_a_torn_tail_is_cut_off_and_said(folder: Path) -> None:
    write(folder, [Face(Facing.EAST)])
    path = folder / "game.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"crc":"0')
    keeper = keeper_of(folder)
    game, torn = keeper.load()
    assert game is not None
    assert game.now.facing is Facing.EAST
    assert torn == 9
    assert tree(folder) == {"game.jsonl": whole, "game.jsonl.torn": b'{"crc":"0\n'}
    keeper.close()


def test_half_a_header_is_no_game_and_the_next_one_takes_its_place(folder: Path) -> None:
    write(folder, [])
    path = folder / "game.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:40])
    keeper = keeper_of(folder)
    assert keeper.load() == (None, 40)
    assert path.read_bytes() == whole[:40]
    keeper.save([Begin(FOUR)])
    assert path.read_bytes() == whole
    keeper.close()


# --- A disk that refuses ------------------------------------------------------------------


EVENING = (
    SET_UP + "east 3 ok back ok pause pause "  # put away
    "ok ok ok 2 "  # the die begins a game by itself
    "ok pause pause " + SET_UP + "west"
)
Batches = list[tuple[KeptNote, ...]]


def evening() -> Batches:
    """Two games and the beginning of a third, in batches as presses come."""
    return batches_of(Talk(), EVENING)


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
    keeper = Keeper(folder, about=lambda: {"begun": next(times)}, disk=disk)
    keeper.load()
    disk.fail(errno.EIO)
    with pytest.raises(JournalUnsavedError):
        keeper.save([Begin(FOUR)])
    keeper.save([PutAway(), Begin(FOUR)])
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
        keeper.save([Begin(FOUR)])
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


def _name(note: KeptNote) -> object:
    match note:
        case Begin(beginning):
            return {**beginning.plain(), **ABOUT}
        case Entry(told, mark):
            return plain_of(told) | {"hash": mark}
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
    keeper.save([Begin(FOUR)])
    before = tree(folder)
    disk.fail(errno.EROFS)
    with pytest.raises(OSError, match="was not put into the archive"):
        keeper.save([PutAway(), Begin(FOUR), Entry(Face(Facing.EAST), "1")])
    assert tree(folder) == before
    keeper.save()
    assert told_in(keeper.path) == ["face"]
    assert list(tree(folder)) == ["archive/0001.jsonl", "game.jsonl"]
    keeper.close()


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_any_talk_on_any_disk_comes_back(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Presses by chance, batches by chance, a disk that fails by chance."""
    chance = Random(seed)
    talk = Talk(fresh(random_customs(chance)))
    talk.chance = Dice(chance)
    faults = {call: errno.EIO for call in range(2000) if chance.random() < 0.1}
    disk = FaultyDisk(faults, most=chance.choice((7, None)))
    keeper = keeper_of(tmp_path_factory.mktemp("any"), disk)
    folder = keeper.path.parent
    keeper.load()
    notes: list[KeptNote] = []
    waiting: list[KeptNote] = []
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
