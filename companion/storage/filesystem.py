"""The filesystem calls that write journals. Tests pass an implementation that fails."""

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
    """Append-only files. Every call may block, and every call except `close` may fail."""

    def open(self, path: Path, *, is_new: bool = False) -> int:
        """Open and lock a file for appending. Raises BlockingIOError if it is locked.

        With `is_new` the file must not exist yet; otherwise it must exist.
        """
        ...

    def write(self, file: int, data: memoryview) -> int:
        """Append data. Returns how many bytes were written."""
        ...

    def truncate(self, file: int, length: int) -> None:
        """Shorten the file. Fails if it is already shorter than `length`."""
        ...

    def fdatasync(self, file: int) -> None: ...
    def close(self, file: int) -> None: ...

    def rename(self, path: Path, target: Path) -> None:
        """Rename atomically, replacing the target if it exists."""
        ...

    def fsync_folder(self, folder: Path) -> None:
        """Sync a folder, so that files created or renamed in it survive a power cut."""
        ...


class OsFilesystem:
    """The operating system's filesystem."""

    def open(self, path: Path, *, is_new: bool = False) -> int:
        if not is_new:
            _check_is_file(path.stat())
        flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT | os.O_EXCL if is_new else 0)
        file = os.open(path, flags | os.O_NONBLOCK, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another process may have renamed the file between our open and our lock.
            if not os.path.samestat(os.fstat(file), path.stat()):
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        except BaseException:
            os.close(file)
            raise
        return file

    def write(self, file: int, data: memoryview) -> int:
        return os.write(file, data)

    def truncate(self, file: int, length: int) -> None:
        if os.fstat(file).st_size < length:  # ftruncate would pad it with zeros
            raise OSError(errno.EIO, "the file is shorter than it was")
        os.ftruncate(file, length)

    def fdatasync(self, file: int) -> None:
        os.fdatasync(file)

    def close(self, file: int) -> None:
        with suppress(OSError):  # everything that matters was synced before
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


def write_all(filesystem: Filesystem, file: int, data: bytes) -> None:
    """Write all data and sync it. When this returns, the data is on the disk."""
    view = memoryview(data)
    while view:
        written = filesystem.write(file, view)
        if not written:  # would loop forever
            raise OSError(errno.EIO, "the disk accepts no data")
        view = view[written:]
    filesystem.fdatasync(file)


def read_file(path: Path) -> bytes:
    """Read a regular file. Refuses pipes and devices, which could block forever."""
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


def ensure_folder(folder: Path, filesystem: Filesystem) -> None:
    """Create a folder and its missing parents, and sync each one. Idempotent."""
    if not folder.is_dir():
        ensure_folder(folder.parent, filesystem)
        folder.mkdir(exist_ok=True)
        filesystem.fsync_folder(folder.parent)


def explain_os_error(error: OSError) -> str:
    """The reason for an error, and what to do about it."""
    if isinstance(error, CompanionError):  # its message already says both
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
    errno.ENOTDIR: "move the file away that has the folder's name",
    errno.ELOOP: "move the link away",
    errno.ENAMETOOLONG: "choose another folder with --folder",
}
