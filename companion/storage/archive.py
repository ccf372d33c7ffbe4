"""Games that were put away, finished or not, and what is saved from a damaged journal.

The state folder has the game in progress and the archive, whose files are numbered from 1:

    game.jsonl
    archive/0001.jsonl
    archive/0002.jsonl

A number is never given twice while a later game is there, and no file is ever overwritten. A game
is at any time in one place, also when the power goes: moving it is a single renaming.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path

from companion.errors import CompanionError, listed
from companion.storage.filesystem import OS_FILESYSTEM, Filesystem, make_folder, read_file, remedy
from companion.storage.journal_reader import JournalContent, JournalError, parse_journal
from companion.storage.journal_writer import open_alone
from companion.storage.quarantine import DAMAGED, copy_aside, move_aside, write_new

ARCHIVE_FOLDER = "archive"
_NAME = re.compile(r"(0\d{3}|[1-9]\d{3,5})\.jsonl", re.ASCII)
"""Nobody plays a million games: a longer number is somebody's own."""


class ArchiveError(CompanionError, OSError):
    """A journal could not be moved or copied."""


class ArchiveUnsyncedError(ArchiveError):
    """A journal was moved, but may be back where it was when the power goes: `sync` again."""


class UnknownGameError(CompanionError, LookupError):
    """No game in the archive has this number."""


class Archive:
    """The folder of games that were put away. It is made when the first one comes."""

    def __init__(self, folder: Path, disk: Filesystem = OS_FILESYSTEM) -> None:
        self.folder = folder
        self._disk = disk

    def numbers(self) -> list[int]:
        """Of the games there are, the oldest first."""
        try:
            # An empty file is a number that was taken for a game which never came.
            return sorted(number for number, path in self._files() if path.stat().st_size)
        except OSError as error:
            raise ArchiveError(f"cannot read {self.folder}: {error.strerror}") from error

    def path_of(self, number: int) -> Path:
        numbers = self.numbers()
        if number in numbers:
            return self._path(number)
        there_is = f"there are {_spans(numbers)}" if numbers else "it is empty"
        raise UnknownGameError(f"no game {number} in the archive: {there_is}")

    def put_away(self, path: Path) -> int:
        """Move a journal into the archive; its number there. Nobody may have it open."""
        failed = f"{path} was not put into the archive"
        with _moving(failed):
            file = open_alone(path, self._disk)
            try:
                if not path.stat().st_size:
                    raise ArchiveError(f"{failed}: no game was begun in it")
                number = self._take_number()
                target = self._path(number)
                try:
                    self._disk.rename(path, target)
                except BaseException:
                    with suppress(OSError):
                        target.unlink()
                    raise
            finally:
                self._disk.close(file)
        told = f"{path} is game {number} of the archive now, but may not stay so"
        with _moving(told, ArchiveUnsyncedError):
            self.sync(path.parent)
        return number

    def sync(self, folder: Path) -> None:
        """What came here from a folder is here for good."""
        self._disk.fsync_folder(self.folder)
        self._disk.fsync_folder(folder)

    def _take_number(self) -> int:
        """The one after the highest, by an empty file that nobody else can take for his."""
        make_folder(self.folder, self._disk)
        highest = max((number for number, _ in self._files()), default=0)
        for number in count(highest + 1):
            with suppress(FileExistsError):
                self._disk.close(self._disk.open(self._path(number), is_new=True))
                return number
        raise AssertionError("numbers do not end")

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:04}.jsonl"

    def _files(self) -> Iterator[tuple[int, Path]]:
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if _NAME.fullmatch(path.name) and path.is_file():
                    yield int(path.stem), path


def rescue(path: Path, intact: JournalContent, disk: Filesystem = OS_FILESYSTEM) -> Path:
    """Make a journal of the intact beginning, in the place of the damaged one.

    Returns where the damaged one is kept: beside it, under a name with `.damaged`.
    """
    failed = f"{path} was not rescued"
    with _moving(failed):
        file = open_alone(path, disk)
        try:
            data = read_file(path)
            beginning = data[: intact.good_bytes]
            if intact.header is None:
                raise JournalError(path, f"{failed}: its header is not intact")
            if parse_journal(beginning, path) != intact:
                raise JournalError(path, f"{failed}: it has changed since it was read")
            mended = path.with_name(f"{path.name}.rescued")
            mended.unlink(missing_ok=True)  # from a rescue that was cut short
            with ExitStack() as undo:
                write_new(mended, beginning, disk)
                undo.callback(mended.unlink)
                kept = copy_aside(path, data, DAMAGED, disk)
                undo.callback(kept.unlink)
                disk.fsync_folder(path.parent)
                undo.pop_all()  # from here on, the copy may be all there is of the damaged one
            disk.rename(mended, path)
            disk.fsync_folder(path.parent)
        finally:
            disk.close(file)
    return kept


def set_aside(path: Path, disk: Filesystem = OS_FILESYSTEM) -> Path:
    """Move a journal of which nothing can be rescued out of the way, so that a game can begin.

    Returns where it is kept, as `rescue` does.
    """
    with _moving(f"{path} was not set aside"):
        file = open_alone(path, disk)
        try:
            return move_aside(path, DAMAGED, disk)
        finally:
            disk.close(file)


@contextmanager
def _moving(failed: str, kind: type[ArchiveError] = ArchiveError) -> Iterator[None]:
    """The disk's errors in the archive's words."""
    try:
        yield
    except CompanionError:
        raise
    except OSError as error:
        told = kind(f"{failed} ({remedy(error)})")
        told.errno = error.errno
        raise told from error


def _spans(numbers: list[int]) -> str:
    """`1 to 4, 6 and 8`"""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    told = [str(s[0]) if len(s) == 1 else f"{s[0]} to {s[-1]}" for s in spans]
    return listed(told, "and")
