"""The journal writer: appended entries are on the disk, once and in order, despite errors."""

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
from helpers.storage.sample_entries import HEADER, LAY, PAY, ROLL, TURN, entries_in

from companion.storage.filesystem import OsFilesystem
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalError,
    parse_journal,
    read_journal,
)
from companion.storage.journal_writer import (
    JournalExistsError,
    JournalInUseError,
    JournalUnsavedError,
    JournalWriter,
)
from companion.testing.faulty_filesystem import FaultyFilesystem


def test_written_game_is_read_back(path: Path) -> None:
    journal = JournalWriter.create(path, HEADER)
    journal.append([TURN])
    journal.append([ROLL, PAY])
    journal.close()
    data = path.read_bytes()
    assert read_journal(path) == JournalContent(HEADER, [TURN, ROLL, PAY], len(data), 0)
    assert journal.intact_bytes == len(data)
    assert data.startswith(b'{"crc":"')
    assert b'"seq":0,"journal":1,"game":"marrakech","players":["Zo\xc3\xab","Nour"]}\n' in data


def test_opened_journal_continues_the_game(path: Path) -> None:
    JournalWriter.create(path, HEADER).close()
    for entry in (TURN, ROLL):
        journal = JournalWriter.open(path, read_journal(path))
        journal.append([entry])
        journal.close()
    assert entries_in(path) == [TURN, ROLL]


def test_entries_take_one_write_and_one_sync(path: Path) -> None:
    filesystem = FaultyFilesystem()
    journal = JournalWriter.create(path, HEADER, filesystem)
    assert filesystem.calls == [
        "open",
        "truncate",
        f"fsync {path.parent.name}",
        "write",
        "fdatasync",
    ]
    filesystem.calls.clear()
    journal.append([TURN, ROLL, PAY])
    assert filesystem.calls == ["write", "fdatasync"]
    journal.append([])
    journal.retry()
    assert filesystem.calls == ["write", "fdatasync"]
    journal.close()


def test_real_filesystem_syncs_the_file_and_its_folder(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []

    def sync(file: int) -> None:
        synced.append(Path(f"/proc/self/fd/{file}").readlink().name)

    monkeypatch.setattr("os.fsync", sync)
    monkeypatch.setattr("os.fdatasync", sync)
    journal = JournalWriter.create(path, HEADER)
    assert synced == [path.parent.name, "game.jsonl"]
    journal.append([TURN])
    assert synced == [path.parent.name, "game.jsonl", "game.jsonl"]
    journal.close()


def test_no_file_stays_open(path: Path) -> None:
    def count_open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = count_open_files()
    journal = JournalWriter.create(path, HEADER)
    with pytest.raises(JournalInUseError):
        JournalWriter.create(path, HEADER)
    journal.close()
    with pytest.raises(JournalExistsError):
        JournalWriter.create(path, HEADER)
    assert count_open_files() == before


def test_torn_tail_is_removed_before_the_game_goes_on(path: Path) -> None:
    journal = JournalWriter.create(path, HEADER)
    journal.append([TURN, ROLL])
    journal.close()
    whole = path.read_bytes()
    torn = whole.splitlines()[-1][:-2] + bytes(64)
    path.write_bytes(whole[:-3] + bytes(64))
    filesystem = FaultyFilesystem()
    journal = JournalWriter.open(path, read_journal(path), filesystem)
    assert filesystem.calls == ["open", "truncate", "fdatasync"]
    assert (path.parent / "game.jsonl.torn").read_bytes() == torn + b"\n"
    assert entries_in(path) == [TURN]
    journal.append([PAY])
    journal.close()
    assert entries_in(path) == [TURN, PAY]


@pytest.mark.parametrize("call", ["truncate", "fdatasync"])
def test_torn_tail_that_could_not_be_removed_is_removed_later(path: Path, call: str) -> None:
    JournalWriter.create(path, HEADER).close()
    path.write_bytes(path.read_bytes() + b'{"crc"')
    content = read_journal(path)
    filesystem = FaultyFilesystem(errors_at={1 if call == "truncate" else 2: errno.EIO})
    with pytest.raises(JournalUnsavedError, match=r"cannot be written \(Input/output error: copy"):
        JournalWriter.open(path, content, filesystem)
    assert filesystem.calls[-1] == call
    JournalWriter.open(path, content, filesystem).close()
    assert entries_in(path) == []


def test_journal_that_changed_since_it_was_read_is_refused(path: Path) -> None:
    journal = JournalWriter.create(path, HEADER)
    content = read_journal(path)
    journal.append([TURN])
    journal.close()
    with pytest.raises(JournalError, match=r"has changed since it was read: read it again$"):
        JournalWriter.open(path, content)
    assert entries_in(path) == [TURN]


def test_another_game_of_the_same_length_is_refused(path: Path) -> None:
    JournalWriter.create(path, {"players": ["Ana"]}).close()
    content = read_journal(path)
    path.unlink()
    JournalWriter.create(path, {"players": ["Bob"]}).close()
    with pytest.raises(JournalError, match=r"has changed since it was read: read it again$"):
        JournalWriter.open(path, content)


def test_damaged_journal_is_not_opened_by_its_intact_beginning(path: Path) -> None:
    JournalWriter.create(path, HEADER).close()
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(JournalDamagedError) as caught:
        read_journal(path)
    before = path.read_bytes()
    with pytest.raises(JournalError):
        JournalWriter.open(path, caught.value.intact)
    assert path.read_bytes() == before


def test_two_writers_cannot_open_one_journal(path: Path) -> None:
    journal = JournalWriter.create(path, HEADER)
    message = f"^another companion is playing this game \\({path}\\): stop it first$"
    with pytest.raises(JournalInUseError, match=message):
        JournalWriter.open(path, read_journal(path))
    with pytest.raises(JournalInUseError, match=message):
        JournalWriter.create(path, HEADER)
    journal.append([TURN])
    journal.close()
    JournalWriter.open(path, read_journal(path)).close()
    assert entries_in(path) == [TURN]


def test_two_processes_cannot_open_one_journal(path: Path) -> None:
    journal = JournalWriter.create(path, HEADER)
    code = "import sys, pathlib; from companion.storage.filesystem import OsFilesystem\n"
    code += "OsFilesystem().open(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(path)]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "BlockingIOError" in refused.stderr
    journal.close()
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_file_that_was_renamed_while_opening_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    JournalWriter.create(path, HEADER).close()

    def move_and_lock(file: int, how: int) -> None:
        path.rename(path.with_name("0001.jsonl"))
        path.write_bytes(b"")

    monkeypatch.setattr("companion.storage.filesystem.fcntl.flock", move_and_lock)
    with pytest.raises(BlockingIOError):
        OsFilesystem().open(path)


def test_new_game_does_not_overwrite_another(path: Path) -> None:
    JournalWriter.create(path, HEADER).close()
    before = path.read_bytes()
    with pytest.raises(JournalExistsError, match=r"already contains a game: archive it first$"):
        JournalWriter.create(path, {"players": []})
    assert path.read_bytes() == before
    JournalWriter.open(path, read_journal(path)).close()  # it is not locked any more


@pytest.mark.parametrize("content", [b"# Notes\n", b'{"journal":2}\n'])
def test_new_game_does_not_overwrite_an_unreadable_file(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalError):
        JournalWriter.create(path, HEADER)
    assert path.read_bytes() == content


def test_new_game_overwrites_an_incomplete_header(path: Path) -> None:
    JournalWriter.create(path, HEADER).close()
    whole = path.read_bytes()
    for content in (b"", whole[:-1], whole[:20], bytes(700)):
        path.write_bytes(content)
        JournalWriter.create(path, HEADER).close()
        assert path.read_bytes() == whole


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_game_does_not_begin_in_a_folder_or_pipe(path: Path, make: Callable[[Path], None]) -> None:
    make(path)
    message = r"\((Is a directory|It is a pipe or a device, not a file): move it away\)$"
    with pytest.raises(JournalUnsavedError, match=message):
        JournalWriter.create(path, HEADER)


def test_missing_folder_raises_an_error_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(JournalUnsavedError, match=r"put the file or its folder back\)$"):
        JournalWriter.create(tmp_path / "none" / "game.jsonl", HEADER)


def test_close_is_idempotent(path: Path) -> None:
    journal = JournalWriter.create(path, HEADER)
    journal.close()
    journal.close()
    with pytest.raises(AssertionError, match="closed"):
        journal.append([TURN])
    assert entries_in(path) == []


@pytest.mark.parametrize("max_write_bytes", [1, 2, 7, 1000])
def test_write_may_accept_a_few_bytes_at_a_time(path: Path, max_write_bytes: int) -> None:
    journal = JournalWriter.create(path, HEADER, FaultyFilesystem(max_write_bytes=max_write_bytes))
    journal.append([TURN, ROLL])
    journal.append([LAY])
    journal.close()
    assert entries_in(path) == [TURN, ROLL, LAY]


def test_write_that_accepts_no_bytes_is_an_error(path: Path) -> None:
    with pytest.raises(JournalUnsavedError, match="the disk accepts no data"):
        JournalWriter.create(path, HEADER, FaultyFilesystem(max_write_bytes=0))


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (errno.ENOSPC, "No space left on device: free some space"),
        (errno.EROFS, "Read-only file system: make the disk writable"),
        (errno.EIO, "Input/output error: copy the games away, change the card"),
    ],
)
def test_error_says_what_to_do(path: Path, error: int, message: str) -> None:
    filesystem = FaultyFilesystem()
    journal = JournalWriter.create(path, HEADER, filesystem)
    filesystem.fail_next(error)
    with pytest.raises(JournalUnsavedError) as caught:
        journal.append([TURN])
    assert str(caught.value).startswith(f"1 entry is not saved in {path} ({message}")
    assert str(caught.value).endswith("); kept for the next try")
    assert (caught.value.unsaved, caught.value.errno) == (1, error)
    assert isinstance(caught.value, OSError)
    assert entries_in(path) == []  # the half that was written is removed
    filesystem.fail_next(error)
    with pytest.raises(JournalUnsavedError, match=r"^3 entries are not saved in ") as caught:
        journal.append([ROLL, PAY])
    assert caught.value.unsaved == len(journal.backlog) == 3
    journal.append([LAY])
    assert journal.backlog == []
    journal.close()
    assert entries_in(path) == [TURN, ROLL, PAY, LAY]


def test_after_a_failed_sync_all_data_since_the_last_one_is_written_again(path: Path) -> None:
    """The kernel may have dropped it, and reports the next sync as a success."""
    filesystem = FaultyFilesystem()
    journal = JournalWriter.create(path, HEADER, filesystem)
    filesystem.calls.clear()
    filesystem.errors_at = {1: errno.EIO, 2: errno.EIO}  # the sync, and the truncation after it
    with pytest.raises(JournalUnsavedError):
        journal.append([TURN])
    journal.retry()
    assert filesystem.calls == [
        "write",
        "fdatasync",
        "truncate",
        "open",
        "truncate",
        "write",
        "fdatasync",
    ]
    assert entries_in(path) == [TURN]
    journal.append([ROLL])
    journal.close()
    assert entries_in(path) == [TURN, ROLL]


def test_entry_that_cannot_be_encoded_changes_nothing(path: Path) -> None:
    journal = JournalWriter.create(path, HEADER)
    with pytest.raises(TypeError):
        journal.append([TURN, {"told": {1, 2}}])
    journal.append([ROLL])
    journal.close()
    assert entries_in(path) == [ROLL]


def test_backlog_keeps_an_entry_as_it_was_appended(path: Path) -> None:
    filesystem = FaultyFilesystem()
    journal = JournalWriter.create(path, HEADER, filesystem)
    filesystem.fail_next(errno.ENOSPC)
    entry = {"told": "roll", "pips": 3}
    with pytest.raises(JournalUnsavedError):
        journal.append([entry])
    entry["pips"] = 4
    journal.retry()
    journal.close()
    assert entries_in(path) == [{"told": "roll", "pips": 3}]


def test_file_that_was_truncated_meanwhile_is_not_padded_with_zeros(path: Path) -> None:
    filesystem = FaultyFilesystem()
    journal = JournalWriter.create(path, HEADER, filesystem)
    filesystem.fail_next(errno.EIO)
    with pytest.raises(JournalUnsavedError):
        journal.append([TURN])
    path.write_bytes(b"")
    journal.retry()
    journal.close()
    assert entries_in(path) == [TURN]


def test_journal_that_another_writer_has_locked_meanwhile_is_not_touched(path: Path) -> None:
    filesystem = FaultyFilesystem()
    journal = JournalWriter.create(path, HEADER, filesystem)
    filesystem.fail_next(errno.EIO, errno.EIO, errno.EIO)
    for _ in range(2):  # after the second one, the file is closed and cannot be opened
        with pytest.raises(JournalUnsavedError):
            journal.append([TURN])
    other = JournalWriter.open(path, read_journal(path))
    with pytest.raises(JournalUnsavedError, match=r"\(another companion is playing this game"):
        journal.retry()
    other.close()
    journal.retry()
    journal.close()
    assert entries_in(path) == [TURN, TURN]


STEPS = [[TURN], [ROLL, PAY], [LAY]]
ENTRIES = [entry for step in STEPS for entry in step]


def play(path: Path, filesystem: FaultyFilesystem) -> None:
    """Play a game despite errors, and check the file after each as if the power had gone."""

    def check(saved: int) -> None:
        content = parse_journal(path.read_bytes() if path.exists() else b"")
        assert content.entries == ENTRIES[: len(content.entries)]
        assert len(content.entries) >= saved

    journal = None
    while journal is None:
        try:
            journal = JournalWriter.create(path, HEADER, filesystem)
        except JournalUnsavedError:
            check(0)
    appended = saved = 0
    for step in STEPS:
        appended += len(step)
        with suppress(JournalUnsavedError):
            journal.append(step)
            saved = appended
        assert len(journal.backlog) == appended - saved
        check(saved)
    while journal.backlog:
        try:
            journal.retry()
        except JournalUnsavedError:
            check(saved)
    journal.close()


@pytest.mark.parametrize("max_write_bytes", [None, 30])
def test_entries_are_written_once_and_in_order_whichever_calls_fail(
    tmp_path: Path, max_write_bytes: int | None
) -> None:
    filesystem = FaultyFilesystem(max_write_bytes=max_write_bytes)
    play(tmp_path / "expected.jsonl", filesystem)
    expected = (tmp_path / "expected.jsonl").read_bytes()
    assert len(filesystem.calls) >= 11
    for failing in (1, 2):
        for faults in combinations(range(len(filesystem.calls) + 4), failing):
            path = tmp_path / f"{'-'.join(map(str, faults))}.jsonl"
            play(
                path,
                FaultyFilesystem(
                    errors_at=dict.fromkeys(faults, errno.ENOSPC), max_write_bytes=max_write_bytes
                ),
            )
            assert path.read_bytes() == expected


def test_backlog_of_a_long_full_disk_is_saved_later(path: Path) -> None:
    filesystem = FaultyFilesystem()
    journal = JournalWriter.create(path, HEADER, filesystem)
    filesystem.fail_next(*[errno.ENOSPC] * 200)
    entries = [{"told": "roll", "pips": n % 4 + 1, "n": n} for n in range(50)]
    for n, entry in enumerate(entries, 1):
        with pytest.raises(JournalUnsavedError) as caught:
            journal.append([entry])
        assert caught.value.unsaved == n
    filesystem.errors_at.clear()
    journal.retry()
    journal.close()
    assert entries_in(path) == entries
