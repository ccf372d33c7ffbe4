"""A filesystem with fault injection: full, read-only, slow, failing calls, power cuts, crashes."""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import NoReturn

from companion.storage.filesystem import OS_FILESYSTEM, Filesystem


class CrashMoment(Enum):
    """When the process is killed, relative to a filesystem call."""

    BEFORE = "before"
    HALF_WRITTEN = "after half of the bytes of"
    AFTER = "after"


class FaultyFilesystem:
    """Passes calls on to another filesystem, except for the faults that are set.

    A failing write first writes half of its data, unless the filesystem is read-only. A failing
    sync replaces all data since the last successful one by zeros, and the next sync succeeds.
    """

    def __init__(
        self,
        inner: Filesystem = OS_FILESYSTEM,
        *,
        errors_at: Mapping[int, int] | None = None,
        max_write_bytes: int | None = None,
        loses_unsynced_data: bool = True,
        skips_sync: bool = False,
        crash_at: tuple[int, CrashMoment] | None = None,
    ) -> None:
        self._inner = inner
        self.is_full = False
        self.is_read_only = False
        self.sync_delay_ms = 0
        """How long each sync of a file takes, in real time."""
        self.errors_at = dict(errors_at or {})
        """Call numbers, counted from 0, and the error number (errno) that each one fails with."""
        self.max_write_bytes = max_write_bytes
        """How many bytes one write accepts."""
        self._loses_unsynced_data = loses_unsynced_data
        self._skips_sync = skips_sync
        """Saves time where only the process can die: its writes survive without a sync."""
        self._crash_at = crash_at
        """The call number and moment at which this process kills itself."""
        self.calls: list[str] = []
        """All calls except `close`, in order."""
        self._synced_bytes: dict[int, int] = {}
        """The open files, and how much of each survives a failing sync."""
        self._is_power_cut = False

    def fail_next(self, *errors: int) -> None:
        """Make the next calls fail, each with one of these error numbers."""
        self.errors_at |= {len(self.calls) + n: error for n, error in enumerate(errors)}

    def cut_power(self) -> None:
        """Close all files, as the system does with those of a dead process. Later calls fail."""
        self._is_power_cut = True
        for file in list(self._synced_bytes):
            self.close(file)

    # --- The Filesystem protocol ------------------------------------------------------

    def open(self, path: Path, *, is_new: bool = False) -> int:
        self._begin_call("open", needs_space=is_new)
        file = self._inner.open(path, is_new=is_new)
        self._synced_bytes[file] = os.fstat(file).st_size
        self._crash_if_due(CrashMoment.AFTER)
        return file

    def write(self, file: int, data: memoryview) -> int:
        half = data[: len(data) // 2]
        try:
            self._begin_call("write", needs_space=True)
        except OSError:
            if not self.is_read_only and not self._is_power_cut:
                self._inner.write(file, half)
            raise
        if self._crash_at == (len(self.calls) - 1, CrashMoment.HALF_WRITTEN):
            self._inner.write(file, half)
            kill_this_process()
        written = self._inner.write(file, data[: self.max_write_bytes])
        self._crash_if_due(CrashMoment.AFTER)
        return written

    def truncate(self, file: int, length: int) -> None:
        self._begin_call("truncate")
        self._inner.truncate(file, length)
        self._synced_bytes[file] = min(self._synced_bytes[file], length)
        self._crash_if_due(CrashMoment.AFTER)

    def fdatasync(self, file: int) -> None:
        time.sleep(self.sync_delay_ms / 1000)
        try:
            self._begin_call("fdatasync", needs_space=True, is_change=False)
        except OSError:
            if self._loses_unsynced_data and not self._is_power_cut:
                self._overwrite_unsynced_data(file)
            raise
        if not self._skips_sync:
            self._inner.fdatasync(file)
        self._synced_bytes[file] = os.fstat(file).st_size
        self._crash_if_due(CrashMoment.AFTER)

    def close(self, file: int) -> None:
        if file in self._synced_bytes:  # else its number may belong to another file by now
            del self._synced_bytes[file]
            self._inner.close(file)

    def rename(self, path: Path, target: Path) -> None:
        self._begin_call("rename", needs_space=True)
        self._inner.rename(path, target)
        self._crash_if_due(CrashMoment.AFTER)

    def fsync_folder(self, folder: Path) -> None:
        self._begin_call(f"fsync {folder.name}", is_change=False)
        if not self._skips_sync:
            self._inner.fsync_folder(folder)
        self._crash_if_due(CrashMoment.AFTER)

    # --- Faults -----------------------------------------------------------------------

    def _begin_call(self, name: str, *, needs_space: bool = False, is_change: bool = True) -> None:
        """Record a call, and raise the error that is due."""
        if self._is_power_cut:
            raise _os_error(errno.EIO)
        number = len(self.calls)
        self.calls.append(name)
        self._crash_if_due(CrashMoment.BEFORE)
        if number in self.errors_at:
            raise _os_error(self.errors_at.pop(number))
        if self.is_full and needs_space:
            raise _os_error(errno.ENOSPC)
        if self.is_read_only and is_change:
            raise _os_error(errno.EROFS)

    def _crash_if_due(self, moment: CrashMoment) -> None:
        if self._crash_at == (len(self.calls) - 1, moment):
            kill_this_process()

    def _overwrite_unsynced_data(self, file: int) -> None:
        size, synced = os.fstat(file).st_size, self._synced_bytes[file]
        self._inner.truncate(file, synced)
        self._inner.write(file, memoryview(bytes(size - synced)))


def _os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def kill_this_process() -> NoReturn:
    """Die at once, without any cleanup."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable: SIGKILL cannot be caught")
