"""A running game survives foreign changes of its journal file."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from helpers.storage.sample_entries import HEADER, LAY, PAY, ROLL, TURN, entries_in

from companion.storage.journal_reader import read_journal
from companion.storage.journal_writer import JournalInUseError, JournalUnsavedError, JournalWriter
from companion.testing.faulty_filesystem import FaultyFilesystem

FOREIGN = b"dear diary,\n"


def begin_and_play(path: Path, filesystem: FaultyFilesystem | None = None) -> JournalWriter:
    journal = JournalWriter.create(path, HEADER, filesystem or FaultyFilesystem())
    journal.append([TURN])
    journal.append([ROLL])
    return journal


def other_files(path: Path) -> dict[str, bytes]:
    """All other files in the journal's folder."""
    files = sorted(path.parent.iterdir())
    return {file.name: file.read_bytes() for file in files if file != path and file.is_file()}


# --- Lost data ----------------------------------------------------------------------------


def delete(path: Path) -> None:
    path.unlink()


def delete_the_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def shorten(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def replace_with_a_copy(path: Path) -> None:
    """As some editors do when they save, and as a restored backup does."""
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    copy.rename(path)


def replace_with_an_older_copy(path: Path) -> None:
    replace_with_a_copy(path)
    path.write_bytes(path.read_bytes()[:-30])


LOSSES = [
    delete,
    delete_the_folder,
    empty,
    shorten,
    replace_with_a_copy,
    replace_with_an_older_copy,
]
FileChange = Callable[[Path], None]


@pytest.mark.parametrize("change_file", LOSSES)
def test_lost_file_is_written_again(tmp_path: Path, change_file: FileChange) -> None:
    path = tmp_path / "state" / "game.jsonl"
    path.parent.mkdir()
    journal = begin_and_play(path)
    change_file(path)
    journal.append([PAY])
    assert entries_in(path) == [TURN, ROLL, PAY]
    journal.append([LAY])
    assert entries_in(path) == [TURN, ROLL, PAY, LAY]
    assert other_files(path) == {}
    with pytest.raises(JournalInUseError):  # the new file is locked too
        JournalWriter.open(path, read_journal(path))
    journal.close()


def test_lost_file_of_an_opened_game_is_written_again(path: Path) -> None:
    begin_and_play(path).close()
    journal = JournalWriter.open(path, read_journal(path))
    path.unlink()
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY]


def test_checking_the_file_takes_no_further_filesystem_calls(path: Path) -> None:
    filesystem = FaultyFilesystem()
    journal = begin_and_play(path, filesystem)
    filesystem.calls.clear()
    journal.append([PAY])
    assert filesystem.calls == ["write", "fdatasync"]
    journal.close()


# --- Foreign files ------------------------------------------------------------------------


def replace_with_a_foreign_file(path: Path) -> None:
    path.unlink()
    path.write_bytes(FOREIGN)


def overwrite(path: Path) -> None:
    path.write_bytes(FOREIGN)


@pytest.mark.parametrize("change_file", [replace_with_a_foreign_file, overwrite])
def test_file_that_replaced_a_journal_is_kept_beside_it(
    path: Path, change_file: FileChange
) -> None:
    journal = begin_and_play(path)
    for name in ("game.jsonl.strange", "game.jsonl.strange-2"):
        change_file(path)
        journal.append([PAY])
        assert other_files(path)[name] == FOREIGN
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY, PAY]


def test_journal_with_foreign_lines_is_kept_beside_it(path: Path) -> None:
    journal = begin_and_play(path)
    ours = path.read_bytes()
    path.write_bytes(ours + FOREIGN)
    journal.append([PAY])
    journal.close()
    assert other_files(path) == {"game.jsonl.strange": ours + FOREIGN}
    assert entries_in(path) == [TURN, ROLL, PAY]


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_folder_or_pipe_in_the_place_of_a_journal_is_renamed(path: Path, make: FileChange) -> None:
    journal = begin_and_play(path)
    path.unlink()
    make(path)
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY]
    assert (path.parent / "game.jsonl.strange").exists()


def test_journal_of_another_running_game_is_not_touched(path: Path) -> None:
    journal = begin_and_play(path)
    path.unlink()
    other = JournalWriter.create(path, {"players": []})
    before = path.read_bytes()
    with pytest.raises(JournalUnsavedError) as caught:
        journal.append([PAY])
    assert str(caught.value) == (
        f"1 entry is not saved in {path} (another companion is playing this game ({path}): stop it "
        "first); kept for the next try"
    )
    assert path.read_bytes() == before
    other.close()
    journal.retry()
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY]
    assert other_files(path) == {"game.jsonl.strange": before}


@pytest.mark.parametrize("change_file", [delete, empty, overwrite, replace_with_a_foreign_file])
def test_lost_journal_is_written_again_whichever_calls_fail(
    tmp_path: Path, change_file: FileChange
) -> None:
    """Entries are only confirmed when they are saved, and the foreign file is always kept."""
    filesystem = FaultyFilesystem()
    journal = begin_and_play(tmp_path / "expected.jsonl", filesystem)
    before = len(filesystem.calls)
    change_file(journal.path)
    journal.append([PAY])
    journal.close()
    calls = len(filesystem.calls) - before
    assert calls >= 6
    for failing in (1, 2):
        for faults in combinations(range(calls + 3), failing):
            path = tmp_path / "-".join(map(str, faults)) / "game.jsonl"
            path.parent.mkdir()
            filesystem = FaultyFilesystem()
            journal = begin_and_play(path, filesystem)
            change_file(path)
            filesystem.errors_at = {len(filesystem.calls) + fault: errno.ENOSPC for fault in faults}
            is_foreign = path.exists() and path.read_bytes() == FOREIGN
            while True:
                try:
                    journal.append([]) if journal.backlog else journal.append([PAY])
                except JournalUnsavedError:
                    found = path.read_bytes() if path.exists() else b""
                    kept = [found, *other_files(path).values()]
                    assert not is_foreign or FOREIGN in kept
                else:
                    break
            journal.close()
            assert entries_in(path) == [TURN, ROLL, PAY]
            assert "game.jsonl.anew" not in other_files(path)
            assert set(other_files(path).values()) == ({FOREIGN} if is_foreign else set())


def test_remains_of_an_interrupted_rewrite_are_removed(path: Path) -> None:
    journal = begin_and_play(path)
    path.unlink()
    path.with_name("game.jsonl.anew").write_bytes(b"half")
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY]
    assert other_files(path) == {}


def test_rewritten_file_is_synced_before_its_name_and_its_name_before_the_next_entry(
    path: Path,
) -> None:
    filesystem = FaultyFilesystem()
    journal = begin_and_play(path, filesystem)
    path.unlink()
    filesystem.calls.clear()
    journal.append([PAY])
    journal.close()
    folder = f"fsync {path.parent.name}"
    assert filesystem.calls == [
        "open",
        "write",
        "fdatasync",
        "rename",
        folder,
        "write",
        "fdatasync",
    ]


@pytest.mark.parametrize("change_file", [*LOSSES, replace_with_a_foreign_file])
def test_released_file_contains_exactly_the_game(tmp_path: Path, change_file: FileChange) -> None:
    path = tmp_path / "state" / "game.jsonl"
    path.parent.mkdir()
    journal = begin_and_play(path)
    whole = path.read_bytes()
    change_file(path)
    journal.release()
    assert path.read_bytes() == whole
    JournalWriter.open(path, read_journal(path)).close()  # it is unlocked
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY]


def test_changed_byte_is_found_when_the_file_is_released(path: Path) -> None:
    journal = begin_and_play(path)
    whole = path.read_bytes()
    changed = whole.replace(b'"pips":3', b'"pips":4')
    with path.open("r+b") as file:
        file.write(changed)
    journal.release()
    journal.close()
    assert path.read_bytes() == whole
    assert other_files(path) == {"game.jsonl.strange": changed}


# --- Torn tails ---------------------------------------------------------------------------


def test_torn_header_is_kept_beside_the_journal(path: Path) -> None:
    JournalWriter.create(path, HEADER).close()
    path.write_bytes(path.read_bytes()[:20])
    torn = path.read_bytes()
    JournalWriter.create(path, HEADER).close()
    assert other_files(path) == {"game.jsonl.torn": torn + b"\n"}


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_torn_tail_that_cannot_be_saved_is_removed_anyway(
    path: Path, make: Callable[[Path], None]
) -> None:
    make(path.with_name("game.jsonl.torn"))
    begin_and_play(path).close()
    path.write_bytes(path.read_bytes()[:-3])
    JournalWriter.open(path, read_journal(path)).close()
    assert entries_in(path) == [TURN]
