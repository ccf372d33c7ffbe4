"""A disk that is the last thing its process sees."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from random import Random
from typing import NoReturn

from companion.storage.filesystem import OsFilesystem


class When(Enum):
    BEFORE = "before"
    HALF = "after half of the bytes of"
    AFTER = "after"


class DeadlyDisk(OsFilesystem):
    """Kills this process at a call of the disk. What a process has written outlives it, synced or
    not, so there is no need to wait for the syncs."""

    def __init__(self, at: int | None = None, when: When = When.BEFORE) -> None:
        self.calls: list[str] = []
        self._at = at
        self._when = when

    def open(self, path: Path, *, is_new: bool = False) -> int:
        self._begin("open")
        file = super().open(path, is_new=is_new)
        self._end()
        return file

    def write(self, file: int, data: memoryview) -> int:
        self._begin("write")
        if self._is_here(When.HALF):
            super().write(file, data[: len(data) // 2])
            die()
        taken = super().write(file, data)
        self._end()
        return taken

    def cut(self, file: int, length: int) -> None:
        self._begin("cut")
        super().cut(file, length)
        self._end()

    def fdatasync(self, file: int) -> None:  # noqa: ARG002
        self._begin("fdatasync")
        self._end()

    def rename(self, path: Path, target: Path) -> None:
        self._begin("rename")
        super().rename(path, target)
        self._end()

    def fsync_folder(self, folder: Path) -> None:  # noqa: ARG002
        self._begin("fsync_folder")
        self._end()

    def _begin(self, name: str) -> None:
        self.calls.append(name)
        if self._is_here(When.BEFORE):
            die()

    def _end(self) -> None:
        if self._is_here(When.AFTER):
            die()

    def _is_here(self, when: When) -> bool:
        return len(self.calls) - 1 == self._at and when is self._when


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nobody survives that")


def points(calls: list[str], chance: Random) -> Iterator[tuple[int, When]]:
    """Where to kill: before each write, in its middle, after it, after its sync.

    Where a game begins, is put away or was just resumed, all of them, and around every other call;
    in between, one of them for each write.
    """
    writes = [number for number, name in enumerate(calls) if name == "write"]
    odd = [number for number, name in enumerate(calls) if name not in ("write", "fdatasync")]
    for number in odd:
        yield number, When.AFTER
    for number in writes:
        around = [(number, when) for when in When] + [(number + 1, When.AFTER)]
        is_quiet = 5 < number < len(calls) - 5 and not any(abs(number - n) < 3 for n in odd)
        yield from [chance.choice(around)] if is_quiet else around
