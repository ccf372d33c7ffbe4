"""The log beside the games: its lines, its size, and disks that are full or fail."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, current_thread

import pytest
from helpers.patience import PATIENCE_S

from companion.storage import log_file
from companion.storage.log_file import (
    FILES,
    KEEP_FREE_BYTES,
    LOG_FILE,
    MAX_BYTES,
    MISSING_LINES,
    STOPPED,
    STOPPED_BY_ERROR,
    WITHOUT_NOTICE,
    LogFile,
    LogQueue,
    read_log,
)

TRACEBACK = ["Traceback (most recent call last):", '  File "a.py", line 1', "KeyError: 'x'"]


@pytest.fixture
def file(tmp_path: Path) -> Iterator[LogFile]:
    file = LogFile(tmp_path, free_bytes=lambda _: KEEP_FREE_BYTES)
    yield file
    file.close()


def texts(folder: Path) -> list[str]:
    """Level and text of all lines."""
    return [line.split(" ", 1)[1] for line in read_log(folder).splitlines()]


def test_a_line_has_the_time_the_level_and_the_text(file: LogFile, tmp_path: Path) -> None:
    file.write(logging.WARNING, "two\nlines")
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} WARNING two\\nlines\n", read_log(tmp_path)
    )


def test_the_size_is_limited_and_the_newest_lines_stay(file: LogFile, tmp_path: Path) -> None:
    count = FILES * MAX_BYTES // 400
    for number in range(count):
        file.write(logging.INFO, f"{number} {'x' * 500}")
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sorted(sizes) == [LOG_FILE, f"{LOG_FILE}.1", f"{LOG_FILE}.2"]
    assert all(size <= MAX_BYTES for size in sizes.values())
    numbers = [int(text.split()[1]) for text in texts(tmp_path)]
    assert numbers == list(range(numbers[0], count)), "oldest first, and none is missing"


# --- Starts and failures ------------------------------------------------------------------


def test_a_start_says_if_the_run_before_ended_without_notice(file: LogFile, tmp_path: Path) -> None:
    file.write_start("1.0.0")
    file.write(logging.INFO, "the table is ready")
    file.write_start("1.0.0")
    file.write(logging.INFO, STOPPED)
    file.write_start("1.0.1")
    file.write_failure(["the config is wrong"])
    file.write_start("1.0.1")
    starts = [text for text in texts(tmp_path) if "has started" in text]
    assert starts == [
        "INFO marrakech 1.0.0 has started",
        f"INFO marrakech 1.0.0 has started; {WITHOUT_NOTICE}",
        "INFO marrakech 1.0.1 has started",
        "INFO marrakech 1.0.1 has started",
    ]


def test_a_failure_is_logged_with_its_traceback(file: LogFile, tmp_path: Path) -> None:
    file.write_failure(TRACEBACK)
    assert texts(tmp_path) == [f"ERROR {line}" for line in (*TRACEBACK, STOPPED_BY_ERROR)]


def test_a_table_that_never_starts_logs_its_error_once(file: LogFile, tmp_path: Path) -> None:
    """systemd tries again every five seconds, all night."""
    for _ in range(100):
        file.write_failure(["the config is wrong"])
    file.write_failure(["the config is still wrong"])
    assert texts(tmp_path) == [
        "ERROR the config is wrong",
        f"ERROR {STOPPED_BY_ERROR}",
        "ERROR the config is still wrong",
        f"ERROR {STOPPED_BY_ERROR}",
    ]


def test_a_crash_after_every_start_has_one_traceback(file: LogFile, tmp_path: Path) -> None:
    for _ in range(3):
        file.write_start("1.0.0")
        file.write_failure(TRACEBACK)
    lines = texts(tmp_path)
    assert [lines.count(f"ERROR {line}") for line in (TRACEBACK[0], TRACEBACK[-1])] == [1, 3]
    assert lines[-1] == f"ERROR {STOPPED_BY_ERROR}"


# --- Disks --------------------------------------------------------------------------------


def test_a_nearly_full_disk_is_left_to_the_games(tmp_path: Path) -> None:
    """When there is space again, the log says that lines are missing."""
    free = [KEEP_FREE_BYTES]
    file = LogFile(tmp_path, free_bytes=lambda _: free[0])
    for free[0], text in (
        (KEEP_FREE_BYTES, "one"),
        (KEEP_FREE_BYTES - 1, "two"),
        (0, "three"),
        (KEEP_FREE_BYTES, "four"),
        (KEEP_FREE_BYTES, "five"),
    ):
        file.write(logging.INFO, text)
    file.close()
    assert texts(tmp_path) == ["INFO one", f"WARNING {MISSING_LINES}", "INFO four", "INFO five"]


def test_free_space_is_that_of_other_users_than_root(tmp_path: Path) -> None:
    found = os.statvfs(tmp_path)
    blocks, *_ = divmod(log_file.free_bytes(tmp_path), found.f_frsize)
    assert 0 < blocks <= found.f_blocks
    assert log_file.free_bytes(tmp_path / "nowhere") == 0


@pytest.mark.parametrize("name", [LOG_FILE, f"{LOG_FILE}.2"])
def test_a_folder_in_place_of_a_file_costs_lines_only(
    file: LogFile, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name / "full").mkdir(parents=True)
    for _ in range(FILES * MAX_BYTES // 800):
        file.write(logging.ERROR, "x" * 900)
    file.sync()
    (tmp_path / name / "full").rmdir()
    (tmp_path / name).rmdir()
    file.write(logging.ERROR, "works again")
    assert texts(tmp_path)[-2:] == [f"WARNING {MISSING_LINES}", "ERROR works again"]
    assert capsys.readouterr() == ("", "")


def test_a_pipe_in_place_of_the_file_does_not_block(file: LogFile, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / LOG_FILE)
    file.write(logging.ERROR, "lost")
    (tmp_path / LOG_FILE).unlink()
    file.write(logging.ERROR, "works again")
    assert texts(tmp_path)[-1] == "ERROR works again"


def test_a_write_that_fails_drops_its_line(file: LogFile, tmp_path: Path) -> None:
    """As on a disk that is full for everybody, or read-only."""
    file.write(logging.INFO, "one")

    class Full:
        def __getattr__(self, name: str) -> object:
            raise OSError(28, "No space left on device")

    assert file.stream is not None
    file.stream.close()
    file.stream = Full()  # type: ignore[assignment]
    file.write(logging.INFO, "two")
    file.write(logging.INFO, "three")
    assert texts(tmp_path) == ["INFO one", f"WARNING {MISSING_LINES}", "INFO three"]


def test_a_removed_folder_costs_lines_only(tmp_path: Path) -> None:
    file = LogFile(tmp_path / "nowhere")
    file.write(logging.INFO, "one")
    file.write_failure(["two"])
    file.close()
    assert read_log(tmp_path / "nowhere") == ""


def test_after_a_torn_line_a_new_line_begins(tmp_path: Path) -> None:
    (tmp_path / LOG_FILE).write_bytes(b"2026-11-18T20:15:03+0100 INFO half a l")
    file = LogFile(tmp_path, free_bytes=lambda _: KEEP_FREE_BYTES)
    file.write_start("1.0.0")
    file.close()
    assert texts(tmp_path) == [
        "INFO half a l",
        f"INFO marrakech 1.0.0 has started; {WITHOUT_NOTICE}",
    ]


# --- The thread ---------------------------------------------------------------------------

logger = logging.getLogger("test.log_file")


@pytest.fixture
def attached() -> Iterator[list[LogQueue]]:
    """Queues in this list get the records of `logger`, and are closed."""
    queues: list[LogQueue] = []
    logger.setLevel(logging.INFO)
    yield queues
    for queue in queues:
        logger.removeHandler(queue)
        queue.close()


def attach(queues: list[LogQueue], file: LogFile) -> LogQueue:
    queue = LogQueue(file, "1.0.0")
    queues.append(queue)
    logger.addHandler(queue)
    return queue


def test_records_and_notes_are_written_in_order(
    attached: list[LogQueue], file: LogFile, tmp_path: Path
) -> None:
    queue = attach(attached, file)
    logger.warning("one %s", "with a value")
    queue.note("two")
    logger.error("three")
    queue.close()
    queue.close()
    assert texts(tmp_path) == [
        "INFO marrakech 1.0.0 has started",
        "WARNING one with a value",
        "INFO two",
        "ERROR three",
    ]


def test_lines_are_on_the_disk_without_closing(
    attached: list[LogQueue], file: LogFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power may be cut at any time."""
    synced: dict[str, Event] = {"started": Event(), "a warning": Event()}

    def fdatasync(_: int) -> None:
        assert current_thread().name == "log", "callers do not wait for the disk"
        for text, event in synced.items():
            if text in read_log(tmp_path):
                event.set()

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", fdatasync)
        attach(attached, file)
        assert synced["started"].wait(PATIENCE_S)
        logger.warning("a warning")
        assert synced["a warning"].wait(PATIENCE_S)
        attached[0].close()


def test_a_flood_of_lines_is_synced_together(
    attached: list[LogQueue], file: LogFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sync of the card for each line would slow down the journal of the game."""
    syncs: list[int] = []
    monkeypatch.setattr(log_file, "SYNC_INTERVAL_S", PATIENCE_S)
    monkeypatch.setattr(os, "fdatasync", syncs.append)
    attach(attached, file)
    for number in range(10):
        logger.warning("line %d", number)
        time.sleep(0.01)  # time to sync each of them
    attached[0].close()
    assert len(texts(tmp_path)) == 11
    assert len(syncs) <= 3, "the first line, the others, and the end"


def test_callers_do_not_wait_for_a_disk_that_hangs(
    attached: list[LogQueue],
    file: LogFile,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    is_hanging, is_released = Event(), Event()

    def hang(_: int) -> None:
        is_hanging.set()
        is_released.wait(PATIENCE_S)

    monkeypatch.setattr(os, "fdatasync", hang)
    attach(attached, file)
    assert is_hanging.wait(PATIENCE_S)
    for number in range(2 * log_file.MAX_WAITING):
        logger.warning("line %d", number)
    monkeypatch.setattr(log_file, "CLOSE_TIMEOUT_S", 0.01)
    attached[0].close()
    is_released.set()
    monkeypatch.setattr(log_file, "CLOSE_TIMEOUT_S", PATIENCE_S)
    assert capsys.readouterr() == ("", "")
