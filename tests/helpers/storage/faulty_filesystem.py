"""A disk that fails when it is told to, as badly as a real one may."""

from __future__ import annotations

import os
from pathlib import Path

from companion.storage.filesystem import OsFilesystem


class FaultyDisk(OsFilesystem):
    """The real disk; `faults` says by which error number the n-th call fails, from 0.

    A write that fails has taken half of the bytes before. A sync that fails has lost all bytes
    since the last one: there are zeros in their place, and the next sync knows nothing of it.
    """

    def __init__(self, faults: dict[int, int] | None = None, most: int | None = None) -> None:
        self.faults = dict(faults or {})
        self.most = most
        """How many bytes a write takes at most."""
        self.calls: list[str] = []
        self._synced: dict[int, int] = {}

    def fail(self, *errors: int) -> None:
        """The next calls fail, one by each of these."""
        self.faults |= {len(self.calls) + n: error for n, error in enumerate(errors)}

    def open(self, path: Path, *, is_new: bool = False) -> int:
        self._call("open")
        file = super().open(path, is_new=is_new)
        self._synced[file] = os.fstat(file).st_size
        return file

    def write(self, file: int, data: memoryview) -> int:
        try:
            self._call("write")
        except OSError:
            super().write(file, data[: len(data) // 2])
            raise
        return super().write(file, data[: self.most])

    def cut(self, file: int, length: int) -> None:
        self._call("cut")
        super().cut(file, length)
        self._synced[file] = min(self._synced[file], length)

    def fdatasync(self, file: int) -> None:
        size = os.fstat(file).st_size
        try:
            self._call("fdatasync")
        except OSError:
            super().cut(file, self._synced[file])
            super().write(file, memoryview(bytes(size - self._synced[file])))
            raise
        super().fdatasync(file)
        self._synced[file] = size

    def rename(self, path: Path, target: Path) -> None:
        self._call("rename")
        super().rename(path, target)

    def fsync_folder(self, folder: Path) -> None:
        self._call(f"fsync {folder.name}")
        super().fsync_folder(folder)

    def _call(self, name: str) -> None:
        number = len(self.calls)
        self.calls.append(name)
        if number in self.faults:
            error = self.faults.pop(number)
            raise OSError(error, os.strerror(error))
