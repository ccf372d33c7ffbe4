"""What is told goes to the disk once and in order, and the game comes back from it."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from helpers.storage.faulty_filesystem import FaultyDisk
from helpers.storage.stored_games import (
    ABOUT,
    FOUR,
    SET_UP,
    batches_of,
    keeper_of,
    loaded,
    quick_disk,
    told_in,
    tree,
    write,
)
from helpers.table.table_driver import TableDriver

from companion.games.marrakech import Facing
from companion.storage.game_store import StampedEntry, fingerprint
from companion.storage.journal_reader import read_journal
from companion.storage.journal_writer import (
    JournalInUseError,
    JournalUnsavedError,
)
from companion.table.conversation import ArchiveGame, BeginGame
from companion.table.entries import Face


@pytest.fixture(scope="module", autouse=True)
def at_once() -> Iterator[None]:
    with quick_disk():
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


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
    keeper.save([BeginGame(FOUR)])
    assert read_journal(keeper.path).header == {**FOUR.plain(), **ABOUT}
    keeper.close()


def test_entries_are_kept_with_the_fingerprint_of_the_game_they_led_to(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([BeginGame(FOUR), StampedEntry(Face(Facing.EAST), "0123abcd")])
    assert read_journal(keeper.path).entries == [
        {"told": "face", "facing": "e", "hash": "0123abcd"}
    ]
    keeper.close()


def test_a_game_comes_back_as_it_was(folder: Path) -> None:
    talk, keeper = TableDriver(), keeper_of(folder)
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
    batches = batches_of(TableDriver(), SET_UP + TURN + "south back ok 2 ok")
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
    batches = batches_of(TableDriver(), SET_UP + TURN)
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
    keeper.save([BeginGame(FOUR), StampedEntry(Face(Facing.EAST), "1")])
    keeper.save([ArchiveGame()])
    assert list(tree(folder)) == ["archive/0001.jsonl"]
    keeper.save(
        [BeginGame(FOUR), StampedEntry(Face(Facing.WEST), "2"), ArchiveGame(), BeginGame(FOUR)]
    )
    assert list(tree(folder)) == ["archive/0001.jsonl", "archive/0002.jsonl", "game.jsonl"]
    assert [read_journal(keeper.archive.path_of(n)).entries[0]["hash"] for n in (1, 2)] == [
        "1",
        "2",
    ]
    keeper.close()


def test_a_game_that_was_only_loaded_can_be_put_away(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([BeginGame(FOUR)])
    keeper.close()
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([ArchiveGame()])
    assert list(tree(folder)) == ["archive/0001.jsonl"]
    assert keeper.load() == (None, 0)


def test_putting_away_where_nothing_is_does_nothing(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([ArchiveGame()])
    assert tree(folder) == {}


# --- A folder that somebody meddles with --------------------------------------------------


def test_a_game_whose_file_is_gone_is_put_away_all_the_same(folder: Path) -> None:
    write(folder, [Face(Facing.EAST)])
    whole = tree(folder)["game.jsonl"]
    keeper = keeper_of(folder)
    keeper.load()
    keeper.path.unlink()
    keeper.save([ArchiveGame()])
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
        keeper.save([ArchiveGame()])
    keeper.path.unlink()
    keeper.save()
    assert tree(folder) == {"archive/0001.jsonl": whole}


def test_a_game_that_was_moved_but_not_synced_is_synced_and_not_moved_again(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    keeper.save([BeginGame(FOUR)])
    before = len(disk.calls)
    disk.faults = {before + 4: errno.EIO}
    with pytest.raises(OSError, match="is game 1 of the archive now, but may not stay so"):
        keeper.save([ArchiveGame()])
    disk.calls.clear()
    keeper.save()
    assert disk.calls == ["fsync archive", "fsync state"]
    assert list(tree(folder)) == ["archive/0001.jsonl"]


def test_a_folder_that_vanished_is_made_again(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    shutil.rmtree(folder)
    keeper.save([BeginGame(FOUR)])
    shutil.rmtree(folder)
    keeper.save([StampedEntry(Face(Facing.EAST), "1")])
    assert told_in(keeper.path) == ["face"]
    shutil.rmtree(folder)
    keeper.save([ArchiveGame(), BeginGame(FOUR)])
    assert list(tree(folder)) == ["archive/0001.jsonl", "game.jsonl"]
    assert told_in(keeper.archive.path_of(1)) == ["face"]
    keeper.close()


def test_a_folder_that_cannot_be_made_says_what_to_do_and_the_game_waits(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    folder.rmdir()
    folder.touch()
    with pytest.raises(JournalUnsavedError) as caught:
        keeper.save([BeginGame(FOUR)])
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
    keeper.save([BeginGame(FOUR)])
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refuse)
        for note in (ArchiveGame(), BeginGame(FOUR)):
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
    keeper.save([BeginGame(FOUR)])
    keeper.close()
    assert tree(folder)["game.jsonl.strange"] == content
    assert loaded(folder) is not None


def test_closing_twice_is_no_trouble_and_lets_go_of_the_game(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([BeginGame(FOUR)])
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
    keeper.save([BeginGame(FOUR)])
    assert path.read_bytes() == whole
    keeper.close()
