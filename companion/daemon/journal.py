"""Writing a journal: what `append` has returned for is on the disk.

Everything here blocks: it is called from one worker thread, never from the loop. When the disk
refuses, nothing is lost and nothing is half done: the entries wait in the backlog, in order, and go
to the disk with the next ones or by `retry`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.daemon.disk import OS_DISK, Disk, remedy, write_all
from companion.daemon.line import encode_line
from companion.daemon.reading import (
    GAME,
    HEADER_RESERVED,
    VERSION,
    JournalError,
    Reading,
    read_journal,
)


class JournalInUseError(JournalError, OSError):
    """Two companions never write one journal."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"another companion is playing this game ({path}): stop it first")


class JournalExistsError(JournalError, FileExistsError):
    """A new game never takes the place of another."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"{path} has a game already: put it into the archive first")


class JournalUnsavedError(JournalError, OSError):
    """The disk refused. `unsaved` entries are waiting in the backlog: not to be appended again."""

    def __init__(self, path: Path, unsaved: int, cause: OSError) -> None:
        if unsaved:
            told = "1 entry is" if unsaved == 1 else f"{unsaved} entries are"
            message = f"{told} not saved in {path} ({remedy(cause)}); kept for the next try"
        else:
            message = f"{path} cannot be written ({remedy(cause)})"
        super().__init__(path, message)
        self.unsaved = unsaved
        self.errno = cause.errno


class Journal:
    """A journal open for writing, and locked. Made by `create` and `open`."""

    def __init__(self, path: Path, file: int, disk: Disk, *, seq: int, good_bytes: int) -> None:
        self.path = path
        self.good_bytes = good_bytes
        """How much of the file is known to be on the disk."""
        self.backlog: list[bytes] = []
        """Lines that are not; empty unless the disk has refused."""
        self._disk = disk
        self._file: int | None = file
        self._seq = seq
        self._is_settled = True
        """Whether the file ends at `good_bytes`."""
        self._is_closed = False

    @classmethod
    def create(cls, path: Path, header: Mapping[str, object], disk: Disk = OS_DISK) -> Journal:
        """Begin a game. It is begun when this returns, and not begun when it raises.

        What is left of a beginning that was cut short is overwritten; a game never is.
        """
        assert not HEADER_RESERVED & header.keys(), "journal and game are written here"
        line = encode_line(0, {"journal": VERSION, "game": GAME, **header})
        with _told(path):
            try:
                file = open_alone(path, disk, is_new=True)
            except FileExistsError:
                file = open_alone(path, disk)
            journal = cls(path, file, disk, seq=1, good_bytes=0)
            try:
                if read_journal(path).header is not None:
                    raise JournalExistsError(path)
                disk.cut(file, 0)
                # The header comes last: whatever fails before it, no game was begun.
                disk.fsync_folder(path.parent)
                journal._save(line)
            except BaseException:
                journal.close()
                raise
        return journal

    @classmethod
    def open(cls, path: Path, reading: Reading, disk: Disk = OS_DISK) -> Journal:
        """Go on with a game that was read, and cut off what is torn."""
        assert reading.header is not None, "where no game was begun, one is created"
        with _told(path):
            file = open_alone(path, disk)
            journal = cls(path, file, disk, seq=reading.next_seq, good_bytes=reading.good_bytes)
            try:
                # It was read before it was locked: somebody may have played on meanwhile.
                if path.stat().st_size - reading.good_bytes not in (0, reading.torn):
                    raise JournalError(path, f"{path} has changed since it was read: read it again")
                if reading.torn:
                    disk.cut(file, reading.good_bytes)
                    disk.fdatasync(file)
            except BaseException:
                journal.close()
                raise
        return journal

    def append(self, entries: Sequence[Mapping[str, object]]) -> None:
        """Save these, and whatever was waiting, by one write and one sync.

        Raises JournalUnsavedError when the disk refuses; they are in the backlog then.
        """
        lines = [encode_line(self._seq + n, entry) for n, entry in enumerate(entries)]
        self.backlog += lines
        self._seq += len(lines)
        self.retry()

    def retry(self) -> None:
        """Save the backlog, if there is one."""
        assert not self._is_closed, "the journal is closed"
        if not self.backlog:
            return
        try:
            self._save(b"".join(self.backlog))
        except OSError as error:
            raise JournalUnsavedError(self.path, len(self.backlog), error) from error
        self.backlog.clear()

    def close(self) -> None:
        """Let go of the file; twice is no trouble. A backlog is not saved by it: `retry` first."""
        self._is_closed = True
        self._let_go()

    def _save(self, data: bytes) -> None:
        if not self._is_settled:
            self._settle()
        assert self._file is not None
        self._is_settled = False
        try:
            write_all(self._disk, self._file, data)
        except OSError:
            # Half a line may be there. If it cannot be cut now, it is cut before the next try;
            # if the power goes first, it is a torn tail.
            with suppress(OSError):
                self._disk.cut(self._file, self.good_bytes)
            raise
        self.good_bytes += len(data)
        self._is_settled = True

    def _settle(self) -> None:
        """Back to what is known to be on the disk, by a file opened anew.

        After a sync that failed, the kernel may have dropped what it could not write and call the
        next sync a success (fsync(2), "EIO"): all since the last good one is written again.
        """
        self._let_go()
        self._file = open_alone(self.path, self._disk)
        self._disk.cut(self._file, self.good_bytes)

    def _let_go(self) -> None:
        if self._file is not None:
            self._disk.close(self._file)
            self._file = None


def open_alone(path: Path, disk: Disk, *, is_new: bool = False) -> int:
    """Open a file for writing, unless another companion has it."""
    try:
        return disk.open(path, is_new=is_new)
    except BlockingIOError:
        raise JournalInUseError(path) from None


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """The disk's errors in the journal's words."""
    try:
        yield
    except JournalError:
        raise
    except OSError as error:
        raise JournalUnsavedError(path, 0, error) from error
