"""The few calls by which a journal reaches the disk; a test passes others that fail."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from companion.errors import CompanionError


class Filesystem(Protocol):
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


class OsFilesystem:
    """The real one."""

    def open(self, path: Path, *, is_new: bool = False) -> int:
        if not is_new:
            _check_is_file(path.stat())
        flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT | os.O_EXCL if is_new else 0)
        file = os.open(path, flags | os.O_NONBLOCK, 0o644)
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


OS_FILESYSTEM = OsFilesystem()


def write_all(disk: Filesystem, file: int, data: bytes) -> None:
    """Write and sync: when this returns, the data is on the disk."""
    view = memoryview(data)
    while view:
        taken = disk.write(file, view)
        if not taken:  # never seen, and would never end
            raise OSError(errno.EIO, "the disk takes nothing")
        view = view[taken:]
    disk.fdatasync(file)


def read_file(path: Path) -> bytes:
    """All of it. What is no file is refused and never waited for, as one waits for a pipe."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        _check_is_file(os.fstat(file))
    except BaseException:
        os.close(file)
        raise
    with os.fdopen(file, "rb") as opened:
        return opened.read()


def _check_is_file(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.ENXIO, "It is a pipe or a device, not a file")


def make_folder(folder: Path, disk: Filesystem) -> None:
    """Unless it is there: it and those above it, on the disk when this returns."""
    if not folder.is_dir():
        make_folder(folder.parent, disk)
        folder.mkdir(exist_ok=True)
        disk.fsync_folder(folder.parent)


def remedy(error: OSError) -> str:
    """Why the disk refused, and what to do about it."""
    if isinstance(error, CompanionError):  # it says so itself
        return str(error)
    reason = error.strerror or str(error)
    return f"{reason}: {_REMEDIES.get(error.errno or 0, 'copy the games away, change the card')}"


_REMEDIES = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EROFS: "make the disk writable; a card that went read-only by itself is worn out",
    errno.EACCES: "let the companion's user read and write there",
    errno.EPERM: "let the companion's user read and write there",
    errno.ENOENT: "put the file or its folder back",
    errno.EEXIST: "move it away",
    errno.EISDIR: "move it away",
    errno.ENXIO: "move it away",
    errno.ENOTDIR: "move away what is in the folder's place",
    errno.ELOOP: "move the link away",
    errno.ENAMETOOLONG: "give another folder with --folder",
}
