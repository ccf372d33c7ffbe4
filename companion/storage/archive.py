"""The archive of games, and the rescue of damaged journals.

A number is not reused while a higher one exists, and no file is ever overwritten. A single rename
archives a game, so that it is always in exactly one place, even after a power cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path

from companion.errors import CompanionError, listed
from companion.storage.filesystem import (
    OS_FILESYSTEM,
    Filesystem,
    ensure_folder,
    explain_os_error,
    read_file,
)
from companion.storage.games_folder import archive_number
from companion.storage.journal_reader import JournalContent, JournalError, parse_journal
from companion.storage.journal_writer import open_locked
from companion.storage.quarantine import (
    DAMAGED_SUFFIX,
    copy_to_quarantine,
    move_to_quarantine,
    write_new_file,
)


class ArchiveError(CompanionError, OSError):
    """A journal could not be moved or copied."""


class ArchiveUnsyncedError(ArchiveError):
    """A journal was moved, but a power cut may undo the move: call `sync` again."""


class UnknownGameError(CompanionError, LookupError):
    """No game in the archive has this number."""


class Archive:
    """The folder of archived games. It is created with the first one."""

    def __init__(self, folder: Path, filesystem: Filesystem = OS_FILESYSTEM) -> None:
        self.folder = folder
        self._filesystem = filesystem

    def numbers(self) -> list[int]:
        """The numbers of all archived games, in ascending order."""
        try:
            # An empty file is a number that was reserved for a game that was never moved.
            return sorted(number for number, path in self._files() if path.stat().st_size)
        except OSError as error:
            raise ArchiveError(f"cannot read {self.folder}: {error.strerror}") from error

    def path_of(self, number: int) -> Path:
        numbers = self.numbers()
        if number in numbers:
            return self._path(number)
        there_is = f"there are {_format_ranges(numbers)}" if numbers else "it is empty"
        raise UnknownGameError(f"no game {number} in the archive: {there_is}")

    def add(self, path: Path) -> int:
        """Move a journal into the archive and return its number. It must not be open elsewhere."""
        failed = f"{path} was not moved to the archive"
        with _wrap_os_errors(failed):
            file = open_locked(path, self._filesystem)
            try:
                if not path.stat().st_size:
                    raise ArchiveError(f"{failed}: it contains no game")
                number = self._reserve_number()
                target = self._path(number)
                try:
                    self._filesystem.rename(path, target)
                except BaseException:
                    with suppress(OSError):
                        target.unlink()
                    raise
            finally:
                self._filesystem.close(file)
        unsynced = f"{path} is now game {number} of the archive, but a power cut may undo that"
        with _wrap_os_errors(unsynced, ArchiveUnsyncedError):
            self.sync(path.parent)
        return number

    def sync(self, source_folder: Path) -> None:
        """Make moves from `source_folder` into the archive survive a power cut."""
        self._filesystem.fsync_folder(self.folder)
        self._filesystem.fsync_folder(source_folder)

    def _reserve_number(self) -> int:
        """Reserve the number after the highest by creating an empty file, without a race."""
        ensure_folder(self.folder, self._filesystem)
        highest = max((number for number, _ in self._files()), default=0)
        for number in count(highest + 1):
            with suppress(FileExistsError):
                self._filesystem.close(self._filesystem.open(self._path(number), is_new=True))
                return number
        raise AssertionError("unreachable: the numbers are infinite")

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:04}.jsonl"

    def _files(self) -> Iterator[tuple[int, Path]]:
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                number = archive_number(path.name)
                if number is not None and path.is_file():
                    yield number, path


def rescue(path: Path, intact: JournalContent, filesystem: Filesystem = OS_FILESYSTEM) -> Path:
    """Replace a damaged journal by its intact beginning.

    Returns the path of the copy of the damaged journal, beside it with the suffix `.damaged`.
    """
    failed = f"{path} was not rescued"
    with _wrap_os_errors(failed):
        file = open_locked(path, filesystem)
        try:
            data = read_file(path)
            beginning = data[: intact.intact_bytes]
            if intact.header is None:
                raise JournalError(path, f"{failed}: its header is not intact")
            if parse_journal(beginning, path) != intact:
                raise JournalError(path, f"{failed}: it has changed since it was read")
            rescued = path.with_name(f"{path.name}.rescued")
            rescued.unlink(missing_ok=True)  # left by an interrupted rescue
            with ExitStack() as undo:
                write_new_file(rescued, beginning, filesystem)
                undo.callback(rescued.unlink)
                kept = copy_to_quarantine(path, data, DAMAGED_SUFFIX, filesystem)
                undo.callback(kept.unlink)
                filesystem.fsync_folder(path.parent)
                undo.pop_all()  # from here on the copy may be the only one
            filesystem.rename(rescued, path)
            filesystem.fsync_folder(path.parent)
        finally:
            filesystem.close(file)
    return kept


def quarantine_journal(path: Path, filesystem: Filesystem = OS_FILESYSTEM) -> Path:
    """Rename a journal from which nothing can be rescued, so that a new game can begin.

    Returns the new path, beside it with the suffix `.damaged`.
    """
    with _wrap_os_errors(f"{path} was not set aside"):
        file = open_locked(path, filesystem)
        try:
            return move_to_quarantine(path, DAMAGED_SUFFIX, filesystem)
        finally:
            filesystem.close(file)


@contextmanager
def _wrap_os_errors(failed: str, kind: type[ArchiveError] = ArchiveError) -> Iterator[None]:
    """Raise OSErrors as archive errors that say what failed and what to do."""
    try:
        yield
    except CompanionError:
        raise
    except OSError as error:
        wrapped = kind(f"{failed} ({explain_os_error(error)})")
        wrapped.errno = error.errno
        raise wrapped from error


def _format_ranges(numbers: list[int]) -> str:
    """`1 to 4, 6 and 8`"""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return listed([str(r[0]) if len(r) == 1 else f"{r[0]} to {r[-1]}" for r in ranges], "and")
