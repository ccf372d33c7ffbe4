"""A real disk that can be told to be full, or as slow as a cheap card."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

from companion.storage.filesystem import OS_FILESYSTEM, Filesystem


class MoodyDisk:
    """Passes everything on, in the mood it is in. Its calls come from the scribe's thread."""

    def __init__(self, disk: Filesystem = OS_FILESYSTEM) -> None:
        self._disk = disk
        self.is_full = False
        self.takes_ms = 0
        """How long a sync takes."""

    def open(self, path: Path, *, is_new: bool = False) -> int:
        if is_new:
            self._refuse_if_full()
        return self._disk.open(path, is_new=is_new)

    def write(self, file: int, data: memoryview) -> int:
        self._refuse_if_full()
        return self._disk.write(file, data)

    def cut(self, file: int, length: int) -> None:
        self._disk.cut(file, length)

    def fdatasync(self, file: int) -> None:
        time.sleep(self.takes_ms / 1000)
        self._refuse_if_full()
        self._disk.fdatasync(file)

    def close(self, file: int) -> None:
        self._disk.close(file)

    def rename(self, path: Path, target: Path) -> None:
        self._refuse_if_full()
        self._disk.rename(path, target)

    def fsync_folder(self, folder: Path) -> None:
        self._disk.fsync_folder(folder)

    def _refuse_if_full(self) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
