"""The log beside the games, for what happened before a power cut.

Raspberry Pi OS keeps journald's log in memory, so nothing of it is left after the plug was pulled.
This log has the same lines in three files of up to 200 kB. A thread writes and syncs them, at most
once per second. A disk that fails costs lines, never the game; and if it is nearly full, the log
stops, because the games need the rest.
"""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import QueueHandler, RotatingFileHandler
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread

from companion.errors import one_line
from companion.storage.filesystem import read_file

LOG_FILE = "marrakech.log"
MAX_BYTES, FILES = 200_000, 3
KEEP_FREE_BYTES = 5_000_000
SYNC_INTERVAL_S = 1.0
MAX_WAITING = 500
"""Lines that wait for the disk. If it hangs, more of them are dropped."""
CLOSE_TIMEOUT_S = 10.0
STOPPED = "the table has stopped"
STOPPED_BY_ERROR = "the table has stopped because of this error"
WITHOUT_NOTICE = "the run before it ended without notice: power cut, kill or hang"
MISSING_LINES = "lines are missing here: the disk was full, or could not be written"
_MAX_LENGTH = 1000
_TAIL_BYTES = 16_000


def log_paths(folder: Path) -> list[Path]:
    """The files of the log, oldest first. Any of them may be missing."""
    older = [folder / f"{LOG_FILE}.{number}" for number in range(FILES - 1, 0, -1)]
    return [*older, folder / LOG_FILE]


def read_log(folder: Path) -> str:
    """All lines, oldest first. Raises OSError if a file cannot be read."""
    parts = []
    for path in log_paths(folder):
        with suppress(FileNotFoundError, NotADirectoryError):
            parts.append(read_file(path).decode(errors="replace"))
    return "".join(parts)


def free_bytes(folder: Path) -> int:
    """What the disk has left for users other than root; 0 if it cannot be found out."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return 0
    return found.f_bavail * found.f_frsize


class LogLine(logging.Formatter):
    """`2026-11-18T20:15:03+0100 WARNING text`, always one line."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(record.created))
        return f"{at} {record.levelname} {one_line(record.getMessage(), _MAX_LENGTH)}"


class LogFile(RotatingFileHandler):
    """The files. Writing may block; it never raises."""

    def __init__(self, folder: Path, *, free_bytes: Callable[[Path], int] = free_bytes) -> None:
        super().__init__(
            folder / LOG_FILE,
            maxBytes=MAX_BYTES,
            backupCount=FILES - 1,
            encoding="utf-8",
            errors="backslashreplace",
            delay=True,
        )
        self.setFormatter(LogLine())
        self._folder = folder
        self._free_bytes = free_bytes
        self._has_gap = False

    def write(self, level: int, text: str) -> None:
        self.handle(_record(level, text))

    def write_start(self, version: str) -> None:
        """The first line of a run. Says so if the run before has no last line."""
        before = self._last_texts()[-1:]
        is_known = not before or before[0] in (STOPPED, STOPPED_BY_ERROR)
        text = f"marrakech {version} has started"
        self.write(logging.INFO, text if is_known else f"{text}; {WITHOUT_NOTICE}")

    def write_failure(self, lines: Sequence[str]) -> None:
        """The last lines of a run that failed.

        systemd starts the table again every few seconds. A traceback that is repeated is shortened
        to its last line, and the same failure before any start is not repeated at all.
        """
        block = [*(one_line(line, _MAX_LENGTH) for line in lines), STOPPED_BY_ERROR]
        short, recent = block[-2:], self._last_texts()
        if recent[-2:] == short:
            return
        starts = range(len(recent) - len(block) + 1)
        is_repeated = any(recent[at : at + len(block)] == block for at in starts)
        for text in short if is_repeated else block:
            self.write(logging.ERROR, text)
        self.sync()

    def sync(self) -> None:
        """What was written is on the disk, unless the disk fails."""
        if self.stream is not None:
            with suppress(OSError, ValueError):
                os.fdatasync(self.stream.fileno())

    # --- As a handler ---------------------------------------------------------------------

    def emit(self, record: logging.LogRecord) -> None:
        if self._free_bytes(self._folder) < KEEP_FREE_BYTES:
            self._has_gap = True
            return
        if self._has_gap:
            self._has_gap = False
            super().emit(_record(logging.WARNING, MISSING_LINES))
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - of logging
        """Drop the line; the next one opens the file again."""
        self._has_gap = True
        stream, self.stream = self.stream, None
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.close()

    def doRollover(self) -> None:  # noqa: N802 - of logging
        self.sync()
        super().doRollover()

    def _open(self) -> TextIOWrapper:
        path = Path(self.baseFilename)
        if path.exists() and not path.is_file():  # opening a pipe would block
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), self.baseFilename)
        is_torn = self._tail()[-1:] not in ("", "\n")
        stream = super()._open()
        if is_torn:  # by a power cut, or a full disk
            stream.write("\n")
        return stream

    # --- What was written before ----------------------------------------------------------

    def _tail(self) -> str:
        """The end of the newest file; empty if there is none or it cannot be read."""
        try:
            with Path(self.baseFilename).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
                return file.read().decode(errors="replace")
        except OSError:
            return ""

    def _last_texts(self) -> list[str]:
        """The last lines without time and level, oldest first."""
        lines = (line.split(" ", 2) for line in self._tail().splitlines())
        return [words[2] if len(words) > 2 else "" for words in lines]


def _record(level: int, text: str) -> logging.LogRecord:
    name = logging.getLevelName(level)
    return logging.makeLogRecord({"levelno": level, "levelname": name, "msg": text})


class LogQueue(QueueHandler):
    """Hands lines to a thread that writes them to the file. Callers never wait for the disk."""

    def __init__(self, file: LogFile, version: str) -> None:
        self._records: Queue[logging.LogRecord | None] = Queue(MAX_WAITING)
        super().__init__(self._records)
        self._file = file
        self._is_closing = Event()
        self._thread = Thread(target=self._write, args=(version,), name="log", daemon=True)
        self._thread.start()

    def note(self, text: str) -> None:
        """Write a line to this log only."""
        self.handle(_record(logging.INFO, text))

    def close(self) -> None:
        """Write all lines that wait. Idempotent."""
        self._is_closing.set()
        with suppress(Full):  # then the thread does not wait for a line
            self._records.put_nowait(None)
        self._thread.join(CLOSE_TIMEOUT_S)
        super().close()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - of logging
        """The queue is full because the disk hangs: the line is dropped."""

    def _write(self, version: str) -> None:
        self._file.write_start(version)
        is_open = True
        while is_open:
            self._file.sync()
            self._is_closing.wait(SYNC_INTERVAL_S)
            for record in self._take():
                self._file.handle(record)
            is_open = not (self._is_closing.is_set() and self._records.empty())
        self._file.sync()
        self._file.close()

    def _take(self) -> list[logging.LogRecord]:
        """Wait for a line, and take all that are there."""
        taken = [self._records.get()]
        with suppress(Empty):
            while True:
                taken.append(self._records.get_nowait())
        return [record for record in taken if record is not None]
