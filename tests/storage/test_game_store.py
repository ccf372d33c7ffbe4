"""The game store saves commands once and in order, and loads the game again."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import NoReturn

import pytest
from helpers.storage.stored_games import (
    FOUR,
    HEADER_EXTRAS,
    SET_UP,
    command_batches,
    entry_kinds,
    load_game,
    make_store,
    tree,
    write_game,
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
from companion.testing.faulty_filesystem import FaultyFilesystem

pytestmark = pytest.mark.usefixtures("no_fsync")


# --- One game after the other -------------------------------------------------------------

TURN = "east 3 ok "


def test_load_creates_a_missing_folder(folder: Path) -> None:
    store = make_store(folder / "deep")
    assert store.load() == (None, 0)
    assert (folder / "deep").is_dir()
    assert tree(folder) == {}


def test_header_has_the_set_up_and_the_extra_members(
    folder: Path,
) -> None:
    store = make_store(folder)
    store.load()
    store.save([BeginGame(FOUR)])
    assert read_journal(store.path).header == {**FOUR.to_json(), **HEADER_EXTRAS}
    store.close()


def test_entries_are_stored_with_their_fingerprints(folder: Path) -> None:
    store = make_store(folder)
    store.load()
    store.save([BeginGame(FOUR), StampedEntry(Face(Facing.EAST), "0123abcd")])
    assert read_journal(store.path).entries == [{"told": "face", "facing": "e", "hash": "0123abcd"}]
    store.close()


def test_loaded_game_is_the_saved_game(folder: Path) -> None:
    driver, store = TableDriver(), make_store(folder)
    store.load()
    for batch in command_batches(driver, SET_UP + TURN + "west back back"):
        store.save(batch)
    store.close()
    game = load_game(folder)
    assert game is not None
    assert game.beginning == driver.game.beginning
    assert game.state == driver.state
    assert game.is_restoring
    assert fingerprint(game) == fingerprint(driver.game)


def test_game_goes_on_after_a_restart_at_every_press(folder: Path) -> None:
    """The journal is the same as without restarts."""
    batches = command_batches(TableDriver(), SET_UP + TURN + "south back ok 2 ok")
    for batch in batches:
        store = make_store(folder)
        store.load()
        store.save(batch)
        store.close()
    other = make_store(folder / "other")
    other.load()
    other.save([command for batch in batches for command in batch])
    other.close()
    assert tree(folder)["game.jsonl"] == tree(folder / "other")["game.jsonl"]


def test_several_entries_take_one_write(folder: Path) -> None:
    filesystem = FaultyFilesystem()
    store = make_store(folder, filesystem)
    store.load()
    batches = command_batches(TableDriver(), SET_UP + TURN)
    store.save(batches[0])
    filesystem.calls.clear()
    store.save([command for batch in batches[1:] for command in batch])
    assert filesystem.calls == ["write", "fdatasync"]
    assert entry_kinds(store.path) == ["face", "roll", "lay"]
    store.close()


def test_saving_nothing_makes_no_filesystem_call(folder: Path) -> None:
    filesystem = FaultyFilesystem()
    store = make_store(folder, filesystem)
    store.load()
    store.save()
    store.save([])
    assert filesystem.calls == []
    assert tree(folder) == {}


def test_archived_game_makes_room_for_the_next_one(
    folder: Path,
) -> None:
    store = make_store(folder)
    store.load()
    store.save([BeginGame(FOUR), StampedEntry(Face(Facing.EAST), "1")])
    store.save([ArchiveGame()])
    assert list(tree(folder)) == ["archive/0001.jsonl"]
    store.save(
        [BeginGame(FOUR), StampedEntry(Face(Facing.WEST), "2"), ArchiveGame(), BeginGame(FOUR)]
    )
    assert list(tree(folder)) == ["archive/0001.jsonl", "archive/0002.jsonl", "game.jsonl"]
    assert [read_journal(store.archive.path_of(n)).entries[0]["hash"] for n in (1, 2)] == [
        "1",
        "2",
    ]
    store.close()


def test_loaded_game_can_be_archived(folder: Path) -> None:
    store = make_store(folder)
    store.load()
    store.save([BeginGame(FOUR)])
    store.close()
    store = make_store(folder)
    store.load()
    store.save([ArchiveGame()])
    assert list(tree(folder)) == ["archive/0001.jsonl"]
    assert store.load() == (None, 0)


def test_archiving_without_a_game_does_nothing(folder: Path) -> None:
    store = make_store(folder)
    store.load()
    store.save([ArchiveGame()])
    assert tree(folder) == {}


# --- Foreign changes of the folder --------------------------------------------------------


def test_game_whose_file_was_deleted_is_archived(folder: Path) -> None:
    write_game(folder, [Face(Facing.EAST)])
    whole = tree(folder)["game.jsonl"]
    store = make_store(folder)
    store.load()
    store.path.unlink()
    store.save([ArchiveGame()])
    assert tree(folder) == {"archive/0001.jsonl": whole}


def test_game_whose_file_was_deleted_between_two_tries_is_archived(
    folder: Path,
) -> None:
    write_game(folder, [Face(Facing.EAST)])
    whole = tree(folder)["game.jsonl"]
    filesystem = FaultyFilesystem()
    store = make_store(folder, filesystem)
    store.load()
    filesystem.fail_next(errno.EROFS)
    with pytest.raises(OSError, match="was not moved to the archive"):
        store.save([ArchiveGame()])
    store.path.unlink()
    store.save()
    assert tree(folder) == {"archive/0001.jsonl": whole}


def test_game_that_was_moved_but_not_synced_is_only_synced_again(folder: Path) -> None:
    filesystem = FaultyFilesystem()
    store = make_store(folder, filesystem)
    store.load()
    store.save([BeginGame(FOUR)])
    before = len(filesystem.calls)
    filesystem.errors_at = {before + 4: errno.EIO}
    with pytest.raises(
        OSError, match="is now game 1 of the archive, but a power cut may undo that"
    ):
        store.save([ArchiveGame()])
    filesystem.calls.clear()
    store.save()
    assert filesystem.calls == ["fsync archive", "fsync state"]
    assert list(tree(folder)) == ["archive/0001.jsonl"]


def test_deleted_folder_is_created_again(folder: Path) -> None:
    store = make_store(folder)
    store.load()
    shutil.rmtree(folder)
    store.save([BeginGame(FOUR)])
    shutil.rmtree(folder)
    store.save([StampedEntry(Face(Facing.EAST), "1")])
    assert entry_kinds(store.path) == ["face"]
    shutil.rmtree(folder)
    store.save([ArchiveGame(), BeginGame(FOUR)])
    assert list(tree(folder)) == ["archive/0001.jsonl", "game.jsonl"]
    assert entry_kinds(store.archive.path_of(1)) == ["face"]
    store.close()


def test_game_waits_while_the_folder_cannot_be_created(folder: Path) -> None:
    store = make_store(folder)
    store.load()
    folder.rmdir()
    folder.touch()
    with pytest.raises(JournalUnsavedError) as caught:
        store.save([BeginGame(FOUR)])
    assert str(caught.value) == f"{store.path} cannot be written (File exists: move it away)"
    with pytest.raises(JournalUnsavedError, match="move it away"):
        make_store(folder).load()
    folder.unlink()
    store.save()
    assert list(tree(folder)) == ["game.jsonl"]
    store.close()


def test_folder_without_permission_raises_an_error_with_a_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied")

    store = make_store(folder)
    store.load()
    store.save([BeginGame(FOUR)])
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refuse)
        for command in (ArchiveGame(), BeginGame(FOUR)):
            with pytest.raises(JournalUnsavedError) as caught:
                store.save([command])
            assert str(caught.value) == (
                f"{store.path} cannot be written "
                "(Permission denied: let the companion's user read and write there)"
            )
            assert caught.value.errno == errno.EACCES
    store.save()
    assert list(tree(folder)) == ["archive/0001.jsonl", "game.jsonl"]
    store.close()


@pytest.mark.parametrize("content", [b"dear diary\n", b'{"journal":2}\n'])
def test_foreign_file_in_the_place_of_a_new_game_is_kept_beside_it(
    folder: Path, content: bytes
) -> None:
    store = make_store(folder)
    store.load()
    store.path.write_bytes(content)
    store.save([BeginGame(FOUR)])
    store.close()
    assert tree(folder)["game.jsonl.strange"] == content
    assert load_game(folder) is not None


def test_close_unlocks_the_game_and_is_idempotent(folder: Path) -> None:
    store = make_store(folder)
    store.load()
    store.save([BeginGame(FOUR)])
    with pytest.raises(JournalInUseError):
        make_store(folder).load()
    store.close()
    store.close()
    assert load_game(folder) is not None


# --- Torn tails ---------------------------------------------------------------------------


def test_torn_tail_is_removed_and_counted(folder: Path) -> None:
    write_game(folder, [Face(Facing.EAST)])
    path = folder / "game.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"crc":"0')
    store = make_store(folder)
    game, torn = store.load()
    assert game is not None
    assert game.now.facing is Facing.EAST
    assert torn == 9
    assert tree(folder) == {"game.jsonl": whole, "game.jsonl.torn": b'{"crc":"0\n'}
    store.close()


def test_next_game_overwrites_a_torn_header(folder: Path) -> None:
    write_game(folder, [])
    path = folder / "game.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:40])
    store = make_store(folder)
    assert store.load() == (None, 40)
    assert path.read_bytes() == whole[:40]
    store.save([BeginGame(FOUR)])
    assert path.read_bytes() == whole
    store.close()
