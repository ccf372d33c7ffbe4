"""Journal writer: when `append` returns, the entries are on the disk.

All calls block: they run in one worker thread, never on the event loop. If a write fails, the
entries stay in a backlog, in order, and are written with the next ones or by `retry`.
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
    ensure_folder,
    explain_os_error,
    read_file,
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
from companion.storage.quarantine import (
    FOREIGN_SUFFIX,
    copy_to_quarantine,
    move_to_quarantine,
    save_torn_tail,
)

RETRY_SUFFIX = "; kept for the next try"


class JournalInUseError(JournalError, OSError):
    """Another process has locked the journal."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"another companion is playing this game ({path}): stop it first")


class JournalExistsError(JournalError, FileExistsError):
    """A new game would overwrite another one."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"{path} already contains a game: archive it first")


class JournalUnsavedError(JournalError, OSError):
    """A write failed. `unsaved` entries are in the backlog; do not append them again."""

    def __init__(self, path: Path, unsaved: int, cause: OSError) -> None:
        if unsaved:
            entries = "1 entry is" if unsaved == 1 else f"{unsaved} entries are"
            message = f"{entries} not saved in {path} ({explain_os_error(cause)}){RETRY_SUFFIX}"
        else:
            message = f"{path} cannot be written ({explain_os_error(cause)})"
        super().__init__(path, message)
        self.unsaved = unsaved
        self.errno = cause.errno


class JournalWriter:
    """A locked journal file that is open for writing. Use `create` or `open` to make one.

    It keeps everything it has written in memory. If somebody deletes, truncates or replaces the
    file while the game is being played, it writes the whole journal again before the next entry.
    """

    def __init__(
        self, path: Path, file: int, filesystem: Filesystem, *, seq: int = 1, saved: bytes = b""
    ) -> None:
        self.path = path
        self.backlog: list[bytes] = []
        """Lines that are not on the disk yet, because a write failed."""
        self._saved = bytearray(saved)
        """All bytes that are on the disk."""
        self._filesystem = filesystem
        self._file: int | None = file
        self._seq = seq
        self._has_partial_write = False
        """Whether the file may continue after `_saved`, because a write failed."""
        self._is_folder_synced = True
        """Whether the file's name would survive a power cut."""
        self._is_closed = False

    @property
    def intact_bytes(self) -> int:
        """How many bytes of the file are known to be on the disk."""
        return len(self._saved)

    @classmethod
    def create(
        cls, path: Path, header: Mapping[str, object], filesystem: Filesystem = OS_FILESYSTEM
    ) -> JournalWriter:
        """Begin a game. If this raises, no game was begun.

        Overwrites the remains of an interrupted `create`, but never a game.
        """
        line = header_line(header)
        with wrap_os_errors(path):
            try:
                file = open_locked(path, filesystem, is_new=True)
            except FileExistsError:
                file = open_locked(path, filesystem)
            journal = cls(path, file, filesystem)
            try:
                found = read_file(path)
                if parse_journal(found, path).header is not None:
                    raise JournalExistsError(path)
                if found:
                    save_torn_tail(path, found)
                filesystem.truncate(file, 0)
                # The header comes last: if anything before it fails, no game was begun.
                filesystem.fsync_folder(path.parent)
                journal._save(line)
            except BaseException:
                journal.close()
                raise
        return journal

    @classmethod
    def open(
        cls, path: Path, content: JournalContent, filesystem: Filesystem = OS_FILESYSTEM
    ) -> JournalWriter:
        """Go on with a game whose journal was read before, and remove its torn tail."""
        assert content.header is not None, "the file contains no game: use create"
        with wrap_os_errors(path):
            file = open_locked(path, filesystem)
            journal = cls(path, file, filesystem, seq=content.next_seq, saved=content.intact_data)
            try:
                # The journal was read before it was locked: it may have changed since.
                found = read_file(path)
                tail = found[content.intact_bytes :]
                is_same = found.startswith(content.intact_data)
                if not is_same or len(tail) not in (0, content.torn_bytes):
                    raise JournalError(path, f"{path} has changed since it was read: read it again")
                if tail:
                    save_torn_tail(path, tail)
                if content.torn_bytes:
                    filesystem.truncate(file, content.intact_bytes)
                    filesystem.fdatasync(file)
            except BaseException:
                journal.close()
                raise
        return journal

    def append(self, entries: Sequence[Mapping[str, object]]) -> None:
        """Save the backlog and these entries, with one write and one sync.

        Raises JournalUnsavedError if that fails; the entries are then in the backlog.
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

    def release(self) -> None:
        """Verify the file byte by byte, and unlock it. The next `append` locks it again."""
        assert not self.backlog, "save the backlog first"
        with wrap_os_errors(self.path):
            if self._is_unchanged() and read_file(self.path) != self._saved:
                self._close_file()  # so that _ensure_file writes it again
            self._ensure_file()
            self._close_file()

    def close(self) -> None:
        """Close the file without saving the backlog: `retry` first. Idempotent."""
        self._is_closed = True
        self._close_file()

    def _save(self, data: bytes) -> None:
        self._ensure_file()
        assert self._file is not None
        self._has_partial_write = True
        try:
            write_all(self._filesystem, self._file, data)
        except OSError:
            # A part of a line may have been written. If truncating fails too, it is tried again
            # before the next write; after a power cut it is a torn tail.
            with suppress(OSError):
                self._filesystem.truncate(self._file, self.intact_bytes)
            raise
        self._saved += data
        self._has_partial_write = False

    # --- Keeping the file as it should be ---------------------------------------------

    def _ensure_file(self) -> None:
        """Make the file contain exactly `_saved`, by opening or writing it again if necessary.

        After a failed sync, the kernel may drop the data it could not write and report the next
        sync as a success (fsync(2), "EIO"): so all data since the last good sync is written again.
        """
        if not self._has_partial_write and self._is_unchanged():
            return
        self._close_file()
        try:
            if _is_regular_file(self.path):
                self._reopen()
            else:
                if os.path.lexists(self.path):
                    move_to_quarantine(self.path, FOREIGN_SUFFIX, self._filesystem)
                self._rewrite()
            if not self._is_folder_synced:
                self._filesystem.fsync_folder(self.path.parent)
                self._is_folder_synced = True
        except BaseException:
            self._close_file()
            raise
        self._has_partial_write = False

    def _is_unchanged(self) -> bool:
        """Whether the path is still our open file, with the expected size. Two stat calls."""
        if self._file is None:
            return False
        try:
            held, there = os.fstat(self._file), self.path.stat()
        except OSError:
            return False
        return os.path.samestat(held, there) and there.st_size == self.intact_bytes

    def _reopen(self) -> None:
        self._file = open_locked(self.path, self._filesystem)
        found = read_file(self.path)
        if self._has_partial_write and found.startswith(self._saved):
            self._filesystem.truncate(self._file, self.intact_bytes)
        elif found != self._saved:
            if not self._saved.startswith(found):
                copy_to_quarantine(self.path, found, FOREIGN_SUFFIX, self._filesystem)
            self._rewrite()

    def _rewrite(self) -> None:
        """Write the whole journal to a new file and rename it, so that the path is never empty."""
        ensure_folder(self.path.parent, self._filesystem)
        new_path = self.path.with_name(f"{self.path.name}.anew")
        new_path.unlink(missing_ok=True)  # left by an interrupted rewrite
        file = self._filesystem.open(new_path, is_new=True)
        try:
            write_all(self._filesystem, file, bytes(self._saved))
            self._is_folder_synced = False
            self._filesystem.rename(new_path, self.path)
        except BaseException:
            self._filesystem.close(file)
            with suppress(OSError):
                new_path.unlink()
            raise
        self._close_file()
        self._file = file

    def _close_file(self) -> None:
        if self._file is not None:
            self._filesystem.close(self._file)
            self._file = None


def header_line(header: Mapping[str, object]) -> bytes:
    """The first line of a journal."""
    assert not HEADER_RESERVED & header.keys(), "journal and game are reserved"
    return encode_line(0, {"journal": VERSION, "game": GAME, **header})


def _is_regular_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def open_locked(path: Path, filesystem: Filesystem, *, is_new: bool = False) -> int:
    """Open a file for writing, unless another companion has locked it."""
    try:
        return filesystem.open(path, is_new=is_new)
    except BlockingIOError:
        raise JournalInUseError(path) from None


@contextmanager
def wrap_os_errors(path: Path) -> Iterator[None]:
    """Raise OSErrors as JournalUnsavedError, whose message says what to do."""
    try:
        yield
    except JournalError:
        raise
    except OSError as error:
        raise JournalUnsavedError(path, 0, error) from error
