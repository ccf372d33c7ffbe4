"""Writing a journal: what `append` has returned for is on the disk.

Everything here blocks: it is called from one worker thread, never from the loop. When the disk
refuses, nothing is lost and nothing is half done: the entries wait in the backlog, in order, and go
to the disk with the next ones or by `retry`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.storage.filesystem import (
    OS_FILESYSTEM,
    Filesystem,
    make_folder,
    read_file,
    remedy,
    write_all,
)
from companion.storage.journal_reader import (
    GAME,
    HEADER_RESERVED,
    VERSION,
    JournalContent,
    JournalError,
    parse_journal,
)
from companion.storage.line_codec import encode_line
from companion.storage.quarantine import STRANGE, copy_aside, keep_torn, move_aside

NEXT_TRY = "; kept for the next try"


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
            message = f"{told} not saved in {path} ({remedy(cause)}){NEXT_TRY}"
        else:
            message = f"{path} cannot be written ({remedy(cause)})"
        super().__init__(path, message)
        self.unsaved = unsaved
        self.errno = cause.errno


class Journal:
    """A journal open for writing, and locked. Made by `create` and `open`.

    It knows all that it has saved. Whoever deletes, empties or replaces the file of a game that is
    being played takes nothing from it: before the next entry, all of it is written anew.
    """

    def __init__(
        self, path: Path, file: int, disk: Filesystem, *, seq: int = 1, saved: bytes = b""
    ) -> None:
        self.path = path
        self.backlog: list[bytes] = []
        """Lines that are not on the disk; empty unless it has refused."""
        self._saved = bytearray(saved)
        """All bytes that are."""
        self._disk = disk
        self._file: int | None = file
        self._seq = seq
        self._has_half = False
        """Whether the file may go on after what is saved, by a write of ours that failed."""
        self._is_named = True
        """Whether the folder, as it is on the disk, knows of the file."""
        self._is_closed = False

    @property
    def good_bytes(self) -> int:
        """How much of the file is known to be on the disk."""
        return len(self._saved)

    @classmethod
    def create(
        cls, path: Path, header: Mapping[str, object], disk: Filesystem = OS_FILESYSTEM
    ) -> Journal:
        """Begin a game. It is begun when this returns, and not begun when it raises.

        What is left of a beginning that was cut short is overwritten; a game never is.
        """
        line = header_line(header)
        with in_words(path):
            try:
                file = open_alone(path, disk, is_new=True)
            except FileExistsError:
                file = open_alone(path, disk)
            journal = cls(path, file, disk)
            try:
                found = read_file(path)
                if parse_journal(found, path).header is not None:
                    raise JournalExistsError(path)
                if found:
                    keep_torn(path, found)
                disk.cut(file, 0)
                # The header comes last: whatever fails before it, no game was begun.
                disk.fsync_folder(path.parent)
                journal._save(line)
            except BaseException:
                journal.close()
                raise
        return journal

    @classmethod
    def open(cls, path: Path, reading: JournalContent, disk: Filesystem = OS_FILESYSTEM) -> Journal:
        """Go on with a game that was read, and cut off what is torn."""
        assert reading.header is not None, "where no game was begun, one is created"
        with in_words(path):
            file = open_alone(path, disk)
            journal = cls(path, file, disk, seq=reading.next_seq, saved=reading.data)
            try:
                # It was read before it was locked: somebody may have played on meanwhile.
                found = read_file(path)
                tail = found[reading.good_bytes :]
                if not found.startswith(reading.data) or len(tail) not in (0, reading.torn):
                    raise JournalError(path, f"{path} has changed since it was read: read it again")
                if tail:
                    keep_torn(path, tail)
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

    def let_go(self) -> None:
        """Let others have the file, which is the game to the last byte; the next entry takes it
        back."""
        assert not self.backlog, "what waits is saved first"
        with in_words(self.path):
            if self._is_in_place() and read_file(self.path) != self._saved:
                self._let_go()  # so that it is written anew
            self._settle()
            self._let_go()

    def close(self) -> None:
        """Let go of the file; twice is no trouble. A backlog is not saved by it: `retry` first."""
        self._is_closed = True
        self._let_go()

    def _save(self, data: bytes) -> None:
        self._settle()
        assert self._file is not None
        self._has_half = True
        try:
            write_all(self._disk, self._file, data)
        except OSError:
            # Half a line may be there. If it cannot be cut now, it is cut before the next try;
            # if the power goes first, it is a torn tail.
            with suppress(OSError):
                self._disk.cut(self._file, self.good_bytes)
            raise
        self._saved += data
        self._has_half = False

    # --- The file as it should be -----------------------------------------------------

    def _settle(self) -> None:
        """What is under the game's name is what was saved, or is made so by a file opened anew.

        After a sync that failed, the kernel may have dropped what it could not write and call the
        next sync a success (fsync(2), "EIO"): all since the last good one is written again.
        """
        if not self._has_half and self._is_in_place():
            return
        self._let_go()
        try:
            if _is_file(self.path):
                self._take_back()
            else:
                if os.path.lexists(self.path):
                    move_aside(self.path, STRANGE, self._disk)
                self._write_anew()
            if not self._is_named:
                self._disk.fsync_folder(self.path.parent)
                self._is_named = True
        except BaseException:
            self._let_go()
            raise
        self._has_half = False

    def _is_in_place(self) -> bool:
        """Whether nobody has deleted, replaced, cut or lengthened the file: two quick looks."""
        if self._file is None:
            return False
        try:
            held, there = os.fstat(self._file), self.path.stat()
        except OSError:
            return False
        return os.path.samestat(held, there) and there.st_size == self.good_bytes

    def _take_back(self) -> None:
        self._file = open_alone(self.path, self._disk)
        found = read_file(self.path)
        if self._has_half and found.startswith(self._saved):
            self._disk.cut(self._file, self.good_bytes)
        elif found != self._saved:
            if not self._saved.startswith(found):
                copy_aside(self.path, found, STRANGE, self._disk)
            self._write_anew()

    def _write_anew(self) -> None:
        """The whole game, so that at any time its name has the old file or the new one."""
        make_folder(self.path.parent, self._disk)
        anew = self.path.with_name(f"{self.path.name}.anew")
        anew.unlink(missing_ok=True)  # from a try that was cut short
        file = self._disk.open(anew, is_new=True)
        try:
            write_all(self._disk, file, bytes(self._saved))
            self._is_named = False
            self._disk.rename(anew, self.path)
        except BaseException:
            self._disk.close(file)
            with suppress(OSError):
                anew.unlink()
            raise
        self._let_go()
        self._file = file

    def _let_go(self) -> None:
        if self._file is not None:
            self._disk.close(self._file)
            self._file = None


def header_line(header: Mapping[str, object]) -> bytes:
    """The first line of a game."""
    assert not HEADER_RESERVED & header.keys(), "journal and game are written here"
    return encode_line(0, {"journal": VERSION, "game": GAME, **header})


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def open_alone(path: Path, disk: Filesystem, *, is_new: bool = False) -> int:
    """Open a file for writing, unless another companion has it."""
    try:
        return disk.open(path, is_new=is_new)
    except BlockingIOError:
        raise JournalInUseError(path) from None


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """The disk's errors in the journal's words."""
    try:
        yield
    except JournalError:
        raise
    except OSError as error:
        raise JournalUnsavedError(path, 0, error) from error
