"""The few calls by which a journal reaches the disk; a test passes others that fail."""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol


class Disk(Protocol):
    """Files that grow at their end. Every call may block, and all but `close` may fail."""

    def open(self, path: Path, *, is_new: bool = False) -> int:
        """A file that nobody else may open here until it is closed: else a BlockingIOError.

        A new one must not be there yet, any other must.
        """
        ...

    def write(self, file: int, data: memoryview) -> int:
        """Add to the end; how many bytes were taken."""
        ...

    def cut(self, file: int, length: int) -> None:
        """Shorten to a length that the file has."""
        ...

    def fdatasync(self, file: int) -> None: ...
    def close(self, file: int) -> None: ...

    def rename(self, path: Path, target: Path) -> None:
        """At once; what the target was is gone."""
        ...

    def fsync_folder(self, folder: Path) -> None:
        """Names that were made or changed in it are on the disk."""
        ...


class OsDisk:
    """The real one."""

    def open(self, path: Path, *, is_new: bool = False) -> int:
        flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT | os.O_EXCL if is_new else 0)
        file = os.open(path, flags, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Between open and lock, whoever had it may have moved it away.
            if not os.path.samestat(os.fstat(file), path.stat()):
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        except BaseException:
            os.close(file)
            raise
        return file

    def write(self, file: int, data: memoryview) -> int:
        return os.write(file, data)

    def cut(self, file: int, length: int) -> None:
        if os.fstat(file).st_size < length:  # ftruncate would fill it up with zeros
            raise OSError(errno.EIO, "the file is shorter than it was")
        os.ftruncate(file, length)

    def fdatasync(self, file: int) -> None:
        os.fdatasync(file)

    def close(self, file: int) -> None:
        with suppress(OSError):  # what matters was synced before
            os.close(file)

    def rename(self, path: Path, target: Path) -> None:
        path.rename(target)

    def fsync_folder(self, folder: Path) -> None:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


OS_DISK = OsDisk()


def write_all(disk: Disk, file: int, data: bytes) -> None:
    """Write and sync: when this returns, the data is on the disk."""
    view = memoryview(data)
    while view:
        taken = disk.write(file, view)
        if not taken:  # never seen, and would never end
            raise OSError(errno.EIO, "the disk takes nothing")
        view = view[taken:]
    disk.fdatasync(file)


def remedy(error: OSError) -> str:
    """Why the disk refused, and what to do about it."""
    reason = error.strerror or str(error)
    return f"{reason}: {_REMEDIES.get(error.errno or 0, 'copy the games away, change the card')}"


_REMEDIES = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EROFS: "make the disk writable; a card that went read-only by itself is worn out",
    errno.EACCES: "let the companion's user write there",
    errno.EPERM: "let the companion's user write there",
    errno.ENOENT: "put the file or its folder back",
}
