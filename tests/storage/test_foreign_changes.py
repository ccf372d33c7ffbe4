"""A game that is being played outlives its file: who meddles with that takes nothing from it."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from helpers.storage.faulty_filesystem import FaultyDisk

from companion.storage.journal_reader import read_journal
from companion.storage.journal_writer import Journal, JournalInUseError, JournalUnsavedError
from companion.storage.line_codec import Members

HEADER: Members = {"players": ["Zoë", "Nour"]}
TURN: Members = {"told": "turn", "to": "east"}
ROLL: Members = {"told": "roll", "pips": 3}
PAY: Members = {"told": "pay", "dirhams": 4}
LAY: Members = {"told": "lay", "squares": [[0, 1], [0, 2]]}
STRANGE = b"dear diary,\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def entries_in(path: Path) -> list[Members]:
    reading = read_journal(path)
    assert reading.header == HEADER
    assert reading.torn == 0
    return reading.entries


def played(path: Path, disk: FaultyDisk | None = None) -> Journal:
    journal = Journal.create(path, HEADER, disk or FaultyDisk())
    journal.append([TURN])
    journal.append([ROLL])
    return journal


def beside(path: Path) -> dict[str, bytes]:
    """Every other file of the folder."""
    files = sorted(path.parent.iterdir())
    return {file.name: file.read_bytes() for file in files if file != path and file.is_file()}


# --- Lost ---------------------------------------------------------------------------------


def delete(path: Path) -> None:
    path.unlink()


def delete_the_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def shorten(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def replace_by_a_copy(path: Path) -> None:
    """As some editors save, and as a backup comes back."""
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    copy.rename(path)


def replace_by_an_older_copy(path: Path) -> None:
    replace_by_a_copy(path)
    path.write_bytes(path.read_bytes()[:-30])


HARMLESS = [delete, delete_the_folder, empty, shorten, replace_by_a_copy, replace_by_an_older_copy]
Meddling = Callable[[Path], None]


@pytest.mark.parametrize("meddle", HARMLESS)
def test_a_file_that_is_lost_while_playing_is_written_anew(
    tmp_path: Path, meddle: Meddling
) -> None:
    path = tmp_path / "state" / "game.jsonl"
    path.parent.mkdir()
    journal = played(path)
    meddle(path)
    journal.append([PAY])
    assert entries_in(path) == [TURN, ROLL, PAY]
    journal.append([LAY])
    assert entries_in(path) == [TURN, ROLL, PAY, LAY]
    assert beside(path) == {}
    with pytest.raises(JournalInUseError):  # the new file is locked as the old one was
        Journal.open(path, read_journal(path))
    journal.close()


def test_a_game_that_was_opened_is_written_anew_too(path: Path) -> None:
    played(path).close()
    journal = Journal.open(path, read_journal(path))
    path.unlink()
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY]


def test_the_look_at_the_file_needs_no_call_of_the_disk_while_all_is_well(path: Path) -> None:
    disk = FaultyDisk()
    journal = played(path, disk)
    disk.calls.clear()
    journal.append([PAY])
    assert disk.calls == ["write", "fdatasync"]
    journal.close()


# --- Strange ------------------------------------------------------------------------------


def replace_by_something_else(path: Path) -> None:
    path.unlink()
    path.write_bytes(STRANGE)


def overwrite(path: Path) -> None:
    path.write_bytes(STRANGE)


@pytest.mark.parametrize("meddle", [replace_by_something_else, overwrite])
def test_what_is_put_in_the_place_of_a_game_is_kept_beside_it(path: Path, meddle: Meddling) -> None:
    journal = played(path)
    for name in ("game.jsonl.strange", "game.jsonl.strange-2"):
        meddle(path)
        journal.append([PAY])
        assert beside(path)[name] == STRANGE
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY, PAY]


def test_what_is_added_to_a_game_is_kept_beside_it(path: Path) -> None:
    journal = played(path)
    ours = path.read_bytes()
    path.write_bytes(ours + STRANGE)
    journal.append([PAY])
    journal.close()
    assert beside(path) == {"game.jsonl.strange": ours + STRANGE}
    assert entries_in(path) == [TURN, ROLL, PAY]


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_moved_out_of_the_way(path: Path, make: Meddling) -> None:
    journal = played(path)
    path.unlink()
    make(path)
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY]
    assert (path.parent / "game.jsonl.strange").exists()


def test_a_game_that_another_companion_put_there_is_left_to_it(path: Path) -> None:
    journal = played(path)
    path.unlink()
    other = Journal.create(path, {"players": []})
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
    assert beside(path) == {"game.jsonl.strange": before}


@pytest.mark.parametrize("meddle", [delete, empty, overwrite, replace_by_something_else])
def test_a_game_is_written_anew_whichever_calls_fail(tmp_path: Path, meddle: Meddling) -> None:
    """Nothing is confirmed before it is there, and what was strange is kept at every moment."""
    disk = FaultyDisk()
    journal = played(tmp_path / "well.jsonl", disk)
    before = len(disk.calls)
    meddle(journal.path)
    journal.append([PAY])
    journal.close()
    calls = len(disk.calls) - before
    assert calls >= 6
    for failing in (1, 2):
        for faults in combinations(range(calls + 3), failing):
            path = tmp_path / "-".join(map(str, faults)) / "game.jsonl"
            path.parent.mkdir()
            disk = FaultyDisk()
            journal = played(path, disk)
            meddle(path)
            disk.faults = {len(disk.calls) + fault: errno.ENOSPC for fault in faults}
            is_strange = path.exists() and path.read_bytes() == STRANGE
            while True:
                try:
                    journal.append([]) if journal.backlog else journal.append([PAY])
                except JournalUnsavedError:
                    there = path.read_bytes() if path.exists() else b""
                    kept = [there, *beside(path).values()]
                    assert not is_strange or STRANGE in kept
                else:
                    break
            journal.close()
            assert entries_in(path) == [TURN, ROLL, PAY]
            assert "game.jsonl.anew" not in beside(path)
            assert set(beside(path).values()) == ({STRANGE} if is_strange else set())


def test_a_try_that_was_cut_short_is_no_hindrance(path: Path) -> None:
    journal = played(path)
    path.unlink()
    path.with_name("game.jsonl.anew").write_bytes(b"half")
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY]
    assert beside(path) == {}


def test_the_new_file_is_on_the_disk_before_its_name_and_its_name_before_the_entry(
    path: Path,
) -> None:
    disk = FaultyDisk()
    journal = played(path, disk)
    path.unlink()
    disk.calls.clear()
    journal.append([PAY])
    journal.close()
    folder = f"fsync {path.parent.name}"
    assert disk.calls == ["open", "write", "fdatasync", "rename", folder, "write", "fdatasync"]


@pytest.mark.parametrize("meddle", [*HARMLESS, replace_by_something_else])
def test_a_file_that_is_let_go_is_the_game_to_the_last_byte(
    tmp_path: Path, meddle: Meddling
) -> None:
    path = tmp_path / "state" / "game.jsonl"
    path.parent.mkdir()
    journal = played(path)
    whole = path.read_bytes()
    meddle(path)
    journal.let_go()
    assert path.read_bytes() == whole
    Journal.open(path, read_journal(path)).close()  # and others may have it
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY]


def test_a_byte_that_was_changed_is_found_when_the_file_is_let_go(path: Path) -> None:
    journal = played(path)
    whole = path.read_bytes()
    changed = whole.replace(b'"pips":3', b'"pips":4')
    with path.open("r+b") as file:
        file.write(changed)
    journal.let_go()
    journal.close()
    assert path.read_bytes() == whole
    assert beside(path) == {"game.jsonl.strange": changed}


# --- Torn ends ----------------------------------------------------------------------------


def test_what_is_left_of_a_beginning_is_kept_beside_it(path: Path) -> None:
    Journal.create(path, HEADER).close()
    path.write_bytes(path.read_bytes()[:20])
    torn = path.read_bytes()
    Journal.create(path, HEADER).close()
    assert beside(path) == {"game.jsonl.torn": torn + b"\n"}


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_torn_tail_that_cannot_be_kept_is_cut_all_the_same(
    path: Path, make: Callable[[Path], None]
) -> None:
    make(path.with_name("game.jsonl.torn"))
    played(path).close()
    path.write_bytes(path.read_bytes()[:-3])
    Journal.open(path, read_journal(path)).close()
    assert entries_in(path) == [TURN]
