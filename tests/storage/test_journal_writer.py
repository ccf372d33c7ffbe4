"""What was appended is on the disk, once and in order, whatever the disk does meanwhile."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import pytest
from helpers.storage.faulty_filesystem import FaultyDisk

from companion.storage.filesystem import OsFilesystem
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalError,
    parse_journal,
    read_journal,
)
from companion.storage.journal_writer import (
    Journal,
    JournalExistsError,
    JournalInUseError,
    JournalUnsavedError,
)
from companion.storage.line_codec import Members

HEADER: Members = {"players": ["Zoë", "Nour"]}
TURN: Members = {"told": "turn", "to": "east"}
ROLL: Members = {"told": "roll", "pips": 3}
PAY: Members = {"told": "pay", "dirhams": 4}
LAY: Members = {"told": "lay", "squares": [[0, 1], [0, 2]]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def entries_in(path: Path) -> list[Members]:
    reading = read_journal(path)
    assert reading.header == HEADER
    assert reading.torn == 0
    return reading.entries


def test_a_game_is_written_and_read_back(path: Path) -> None:
    journal = Journal.create(path, HEADER)
    journal.append([TURN])
    journal.append([ROLL, PAY])
    journal.close()
    data = path.read_bytes()
    assert read_journal(path) == JournalContent(HEADER, [TURN, ROLL, PAY], len(data), 0)
    assert journal.good_bytes == len(data)
    assert data.startswith(b'{"crc":"')
    assert b'"seq":0,"journal":1,"game":"marrakech","players":["Zo\xc3\xab","Nour"]}\n' in data


def test_a_game_goes_on_where_it_was_left(path: Path) -> None:
    Journal.create(path, HEADER).close()
    for entry in (TURN, ROLL):
        journal = Journal.open(path, read_journal(path))
        journal.append([entry])
        journal.close()
    assert entries_in(path) == [TURN, ROLL]


def test_entries_are_one_write_and_one_sync(path: Path) -> None:
    disk = FaultyDisk()
    journal = Journal.create(path, HEADER, disk)
    assert disk.calls == ["open", "cut", f"fsync {path.parent.name}", "write", "fdatasync"]
    disk.calls.clear()
    journal.append([TURN, ROLL, PAY])
    assert disk.calls == ["write", "fdatasync"]
    journal.append([])
    journal.retry()
    assert disk.calls == ["write", "fdatasync"]
    journal.close()


def test_the_real_disk_syncs_the_file_and_its_folder(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []

    def sync(file: int) -> None:
        synced.append(Path(f"/proc/self/fd/{file}").readlink().name)

    monkeypatch.setattr("os.fsync", sync)
    monkeypatch.setattr("os.fdatasync", sync)
    journal = Journal.create(path, HEADER)
    assert synced == [path.parent.name, "game.jsonl"]
    journal.append([TURN])
    assert synced == [path.parent.name, "game.jsonl", "game.jsonl"]
    journal.close()


def test_no_file_stays_open(path: Path) -> None:
    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = opened()
    journal = Journal.create(path, HEADER)
    with pytest.raises(JournalInUseError):
        Journal.create(path, HEADER)
    journal.close()
    with pytest.raises(JournalExistsError):
        Journal.create(path, HEADER)
    assert opened() == before


def test_a_torn_tail_is_cut_before_the_game_goes_on(path: Path) -> None:
    journal = Journal.create(path, HEADER)
    journal.append([TURN, ROLL])
    journal.close()
    whole = path.read_bytes()
    torn = whole.splitlines()[-1][:-2] + bytes(64)
    path.write_bytes(whole[:-3] + bytes(64))
    disk = FaultyDisk()
    journal = Journal.open(path, read_journal(path), disk)
    assert disk.calls == ["open", "cut", "fdatasync"]
    assert (path.parent / "game.jsonl.torn").read_bytes() == torn + b"\n"
    assert entries_in(path) == [TURN]
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, PAY]


@pytest.mark.parametrize("fault", ["cut", "fdatasync"])
def test_a_tail_that_could_not_be_cut_is_cut_later(path: Path, fault: str) -> None:
    Journal.create(path, HEADER).close()
    path.write_bytes(path.read_bytes() + b'{"crc"')
    reading = read_journal(path)
    disk = FaultyDisk({1 if fault == "cut" else 2: errno.EIO})
    with pytest.raises(JournalUnsavedError, match=r"cannot be written \(Input/output error: copy"):
        Journal.open(path, reading, disk)
    assert disk.calls[-1] == fault
    Journal.open(path, reading, disk).close()
    assert entries_in(path) == []


def test_a_journal_that_has_changed_since_is_not_cut(path: Path) -> None:
    journal = Journal.create(path, HEADER)
    reading = read_journal(path)
    journal.append([TURN])
    journal.close()
    with pytest.raises(JournalError, match=r"has changed since it was read: read it again$"):
        Journal.open(path, reading)
    assert entries_in(path) == [TURN]


def test_another_game_of_the_same_length_is_not_taken_for_it(path: Path) -> None:
    Journal.create(path, {"players": ["Ana"]}).close()
    reading = read_journal(path)
    path.unlink()
    Journal.create(path, {"players": ["Bob"]}).close()
    with pytest.raises(JournalError, match=r"has changed since it was read: read it again$"):
        Journal.open(path, reading)


def test_the_intact_beginning_of_a_damaged_journal_is_not_opened_in_its_place(path: Path) -> None:
    Journal.create(path, HEADER).close()
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(JournalDamagedError) as caught:
        read_journal(path)
    before = path.read_bytes()
    with pytest.raises(JournalError):
        Journal.open(path, caught.value.intact)
    assert path.read_bytes() == before


def test_two_companions_do_not_write_one_journal(path: Path) -> None:
    journal = Journal.create(path, HEADER)
    words = f"^another companion is playing this game \\({path}\\): stop it first$"
    with pytest.raises(JournalInUseError, match=words):
        Journal.open(path, read_journal(path))
    with pytest.raises(JournalInUseError, match=words):
        Journal.create(path, HEADER)
    journal.append([TURN])
    journal.close()
    Journal.open(path, read_journal(path)).close()
    assert entries_in(path) == [TURN]


def test_two_processes_do_not_write_one_journal(path: Path) -> None:
    journal = Journal.create(path, HEADER)
    code = "import sys, pathlib; from companion.storage.filesystem import OsFilesystem\n"
    code += "OsFilesystem().open(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(path)]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "BlockingIOError" in refused.stderr
    journal.close()
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_file_that_was_moved_while_it_was_opened_is_not_taken(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Journal.create(path, HEADER).close()

    def move_and_lock(file: int, how: int) -> None:
        path.rename(path.with_name("0001.jsonl"))
        path.write_bytes(b"")

    monkeypatch.setattr("companion.storage.filesystem.fcntl.flock", move_and_lock)
    with pytest.raises(BlockingIOError):
        OsFilesystem().open(path)


def test_a_new_game_does_not_overwrite_another(path: Path) -> None:
    Journal.create(path, HEADER).close()
    before = path.read_bytes()
    with pytest.raises(JournalExistsError, match=r"has a game already: put it into the archive"):
        Journal.create(path, {"players": []})
    assert path.read_bytes() == before
    Journal.open(path, read_journal(path)).close()  # and it is locked no more


@pytest.mark.parametrize("content", [b"# Notes\n", b'{"journal":2}\n'])
def test_a_new_game_does_not_overwrite_what_it_cannot_read(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalError):
        Journal.create(path, HEADER)
    assert path.read_bytes() == content


def test_a_new_game_overwrites_one_that_was_not_begun(path: Path) -> None:
    Journal.create(path, HEADER).close()
    whole = path.read_bytes()
    for content in (b"", whole[:-1], whole[:20], bytes(700)):
        path.write_bytes(content)
        Journal.create(path, HEADER).close()
        assert path.read_bytes() == whole


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_game_does_not_begin_in_what_is_no_file(path: Path, make: Callable[[Path], None]) -> None:
    make(path)
    words = r"\((Is a directory|It is a pipe or a device, not a file): move it away\)$"
    with pytest.raises(JournalUnsavedError, match=words):
        Journal.create(path, HEADER)


def test_a_journal_without_a_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(JournalUnsavedError, match=r"put the file or its folder back\)$"):
        Journal.create(tmp_path / "none" / "game.jsonl", HEADER)


def test_closing_twice_is_no_trouble(path: Path) -> None:
    journal = Journal.create(path, HEADER)
    journal.close()
    journal.close()
    with pytest.raises(AssertionError, match="closed"):
        journal.append([TURN])
    assert entries_in(path) == []


@pytest.mark.parametrize("most", [1, 2, 7, 1000])
def test_a_disk_may_take_a_few_bytes_at_a_time(path: Path, most: int) -> None:
    journal = Journal.create(path, HEADER, FaultyDisk(most=most))
    journal.append([TURN, ROLL])
    journal.append([LAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, LAY]


def test_a_disk_that_takes_nothing_is_given_up(path: Path) -> None:
    with pytest.raises(JournalUnsavedError, match="the disk takes nothing"):
        Journal.create(path, HEADER, FaultyDisk(most=0))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (errno.ENOSPC, "No space left on device: free some space"),
        (errno.EROFS, "Read-only file system: make the disk writable"),
        (errno.EIO, "Input/output error: copy the games away, change the card"),
    ],
)
def test_a_refusal_says_what_to_do(path: Path, error: int, words: str) -> None:
    disk = FaultyDisk()
    journal = Journal.create(path, HEADER, disk)
    disk.fail(error)
    with pytest.raises(JournalUnsavedError) as caught:
        journal.append([TURN])
    assert str(caught.value).startswith(f"1 entry is not saved in {path} ({words}")
    assert str(caught.value).endswith("); kept for the next try")
    assert (caught.value.unsaved, caught.value.errno) == (1, error)
    assert isinstance(caught.value, OSError)
    assert entries_in(path) == []  # the half of it was cut off
    disk.fail(error)
    with pytest.raises(JournalUnsavedError, match=r"^3 entries are not saved in ") as caught:
        journal.append([ROLL, PAY])
    assert caught.value.unsaved == len(journal.backlog) == 3
    journal.append([LAY])
    assert journal.backlog == []
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY, LAY]


def test_after_a_failed_sync_everything_since_the_last_one_is_written_again(path: Path) -> None:
    """The kernel may have dropped it, and calls the next sync a success."""
    disk = FaultyDisk()
    journal = Journal.create(path, HEADER, disk)
    disk.calls.clear()
    disk.faults = {1: errno.EIO, 2: errno.EIO}  # the sync, and the cut after it
    with pytest.raises(JournalUnsavedError):
        journal.append([TURN])
    journal.retry()
    assert disk.calls == ["write", "fdatasync", "cut", "open", "cut", "write", "fdatasync"]
    assert entries_in(path) == [TURN]
    journal.append([ROLL])
    journal.close()
    assert entries_in(path) == [TURN, ROLL]


def test_an_entry_that_cannot_be_written_changes_nothing(path: Path) -> None:
    journal = Journal.create(path, HEADER)
    with pytest.raises(TypeError):
        journal.append([TURN, {"told": {1, 2}}])
    journal.append([ROLL])
    journal.close()
    assert entries_in(path) == [ROLL]


def test_an_entry_is_kept_as_it_was_told(path: Path) -> None:
    disk = FaultyDisk()
    journal = Journal.create(path, HEADER, disk)
    disk.fail(errno.ENOSPC)
    entry = {"told": "roll", "pips": 3}
    with pytest.raises(JournalUnsavedError):
        journal.append([entry])
    entry["pips"] = 4
    journal.retry()
    journal.close()
    assert entries_in(path) == [{"told": "roll", "pips": 3}]


def test_a_file_that_has_shrunk_meanwhile_is_not_filled_with_zeros(path: Path) -> None:
    disk = FaultyDisk()
    journal = Journal.create(path, HEADER, disk)
    disk.fail(errno.EIO)
    with pytest.raises(JournalUnsavedError):
        journal.append([TURN])
    path.write_bytes(b"")
    journal.retry()
    journal.close()
    assert entries_in(path) == [TURN]


def test_a_journal_that_another_companion_took_meanwhile_is_left_to_it(path: Path) -> None:
    disk = FaultyDisk()
    journal = Journal.create(path, HEADER, disk)
    disk.fail(errno.EIO, errno.EIO, errno.EIO)
    for _ in range(2):  # the second time, the file is closed and could not be opened again
        with pytest.raises(JournalUnsavedError):
            journal.append([TURN])
    other = Journal.open(path, read_journal(path))
    with pytest.raises(JournalUnsavedError, match=r"\(another companion is playing this game"):
        journal.retry()
    other.close()
    journal.retry()
    journal.close()
    assert entries_in(path) == [TURN, TURN]


STEPS = [[TURN], [ROLL, PAY], [LAY]]
TOLD = [entry for step in STEPS for entry in step]


def play(path: Path, disk: FaultyDisk) -> None:
    """A game whose players go on whatever the disk says; the power may go after every call."""

    def check(saved: int) -> None:
        reading = parse_journal(path.read_bytes() if path.exists() else b"")
        assert reading.entries == TOLD[: len(reading.entries)]
        assert len(reading.entries) >= saved

    journal = None
    while journal is None:
        try:
            journal = Journal.create(path, HEADER, disk)
        except JournalUnsavedError:
            check(0)
    told = saved = 0
    for step in STEPS:
        told += len(step)
        with suppress(JournalUnsavedError):
            journal.append(step)
            saved = told
        assert len(journal.backlog) == told - saved
        check(saved)
    while journal.backlog:
        try:
            journal.retry()
        except JournalUnsavedError:
            check(saved)
    journal.close()


@pytest.mark.parametrize("most", [None, 30])
def test_nothing_is_lost_doubled_or_moved_whichever_calls_fail(
    tmp_path: Path, most: int | None
) -> None:
    disk = FaultyDisk(most=most)
    play(tmp_path / "well.jsonl", disk)
    well = (tmp_path / "well.jsonl").read_bytes()
    assert len(disk.calls) >= 11
    for failing in (1, 2):
        for faults in combinations(range(len(disk.calls) + 4), failing):
            path = tmp_path / f"{'-'.join(map(str, faults))}.jsonl"
            play(path, FaultyDisk(dict.fromkeys(faults, errno.ENOSPC), most))
            assert path.read_bytes() == well


def test_a_disk_that_is_full_for_long_is_caught_up_with_later(path: Path) -> None:
    disk = FaultyDisk()
    journal = Journal.create(path, HEADER, disk)
    disk.fail(*[errno.ENOSPC] * 200)
    told = [{"told": "roll", "pips": n % 4 + 1, "n": n} for n in range(50)]
    for n, entry in enumerate(told, 1):
        with pytest.raises(JournalUnsavedError) as caught:
            journal.append([entry])
        assert caught.value.unsaved == n
    disk.faults.clear()
    journal.retry()
    journal.close()
    assert entries_in(path) == told
