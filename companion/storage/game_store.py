"""The keeper of games: what is told goes to the disk, and comes back from it.

It writes down what the conversation hands it, in order. When the disk refuses, everything waits in
memory, in order, and goes to the disk as soon as that is possible again. All of this blocks, and is
called from one worker.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from companion.errors import CompanionError
from companion.games.marrakech import square_name
from companion.games.marrakech.rug import COLOUR_LETTERS
from companion.games.marrakech.setup import Pile
from companion.storage.archive import ARCHIVE_FOLDER, Archive, ArchiveUnsyncedError
from companion.storage.filesystem import OS_FILESYSTEM, Filesystem, make_folder, read_file
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalVersionError,
    read_journal,
)
from companion.storage.journal_writer import Journal, header_line, in_words
from companion.storage.quarantine import STRANGE, move_aside
from companion.table.conversation import ArchiveGame, BeginGame
from companion.table.entries import (
    Beginning,
    Entry,
    beginning_from_json,
    entry_from_json,
    entry_to_json,
)
from companion.table.game import Game, begin, tell

CURRENT = "game.jsonl"


@dataclass(frozen=True)
class StampedEntry:
    """Something told, and the game it led to, by its fingerprint."""

    told: Entry
    fingerprint: str


StampedCommand = BeginGame | ArchiveGame | StampedEntry


def fingerprint(game: Game) -> str:
    """What a replay must come to: all of the position, and what was chosen and not yet committed.

    Not by `position_text`, which would take as long as all the rest of hearing an input. Journals
    keep it: what goes into it are numbers and letters, and never how Python shows a value of ours.
    """
    now, state, chosen = game.now, game.state, game.chosen
    aim = "None" if chosen is None else f"{square_name(chosen.first)}-{square_name(chosen.second)}"
    hand = "None" if state.hand is None else f"{state.hand:d}"
    piles = "None" if state.piles is None else " ".join(map(_letters, state.piles))
    told = (
        f"{now.number} {now.facing:d} {aim} {game.is_putting_back:d} {state.phase:d} "
        f"{state.mover} {state.assam} {state.facing:d} {state.dirhams} {state.left} "
        f"{sorted(state.out)} {hand} {piles}"
    )
    return f"{crc32(told.encode(), crc32(state.tops)):08x}"


def _letters(pile: Pile) -> str:
    return "".join([COLOUR_LETTERS[colour] for colour in pile])


class GameStore:
    """Keeps the game in progress in a folder, and its forerunners in the archive beside it."""

    def __init__(
        self,
        folder: Path,
        *,
        about: Callable[[], Mapping[str, Any]] = dict,
        disk: Filesystem = OS_FILESYSTEM,
    ) -> None:
        self.path = folder / CURRENT
        self.archive = Archive(folder / ARCHIVE_FOLDER, disk)
        self._about = about
        """What headers say beside how the game begins: when, and whether it is simulated."""
        self._disk = disk
        self._journal: Journal | None = None
        self._header: dict[str, Any] | None = None
        """Of the game that is being begun, while the disk refuses it."""
        self._is_moved = False
        """Whether the last game is in the archive, but perhaps not for good."""
        self._waiting: deque[StampedCommand] = deque()

    def load(self) -> tuple[Game | None, int]:
        """The game in progress, if there is one, and how many torn bytes were cut off its end."""
        with in_words(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        reading = read_journal(self.path)
        if reading.header is None:
            return None, reading.torn
        game = replay(reading, self.path)
        self._journal = Journal.open(self.path, reading, self._disk)
        return game, reading.torn

    def save(self, notes: Iterable[StampedCommand] = ()) -> None:
        """Write these down after whatever is waiting. What cannot be written waits, in order."""
        self._waiting.extend(notes)
        if self._journal is not None and not self._has_entry_next():
            self._journal.retry()  # entries do so as they are appended, and are counted then
        while self._waiting:
            match self._waiting[0]:
                case BeginGame(beginning):
                    self._begin(beginning)
                    self._waiting.popleft()
                case ArchiveGame():
                    self._put_away()
                    self._waiting.popleft()
                case StampedEntry():
                    self._append()

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _begin(self, beginning: Beginning) -> None:
        is_first_try = self._header is None
        if self._header is None:
            self._header = {**beginning.plain(), **self._about()}
        with in_words(self.path):
            make_folder(self.path.parent, self._disk)
            if not is_first_try and self._is_only_begun(self._header):
                self.path.unlink()  # the disk refused to sync it, and then to cut it off again
            try:
                self._journal = Journal.create(self.path, self._header, self._disk)
            except (JournalDamagedError, JournalVersionError):  # it came since the folder was read
                move_aside(self.path, STRANGE, self._disk)
                self._journal = Journal.create(self.path, self._header, self._disk)
        self._header = None

    def _is_only_begun(self, header: dict[str, Any]) -> bool:
        """Whether the file has the beginning that was tried before, or a part, and no more."""
        try:
            found = read_file(self.path)
        except FileNotFoundError:
            return False
        return header_line(header).startswith(found.rstrip(b"\0"))

    def _has_entry_next(self) -> bool:
        return bool(self._waiting) and isinstance(self._waiting[0], StampedEntry)

    def _append(self) -> None:
        """All entries up to the next beginning or end of a game, by one write."""
        assert self._journal is not None, "something is told, and no game was begun"
        entries: list[dict[str, Any]] = []
        while self._waiting and isinstance(entry := self._waiting[0], StampedEntry):
            entries.append(entry_to_json(entry.told) | {"hash": entry.fingerprint})
            self._waiting.popleft()
        self._journal.append(entries)  # if the disk refuses, they wait there

    def _put_away(self) -> None:
        if self._is_moved:
            with in_words(self.path):
                self.archive.sync(self.path.parent)
            self._is_moved = False
        elif self._journal is not None:
            self._journal.let_go()
            try:
                self.archive.put_away(self.path)
            except ArchiveUnsyncedError:
                self._is_moved = True
                self.close()
                raise
            self.close()


def replay(reading: JournalContent, path: Path) -> Game:
    """The game that a journal tells of, checked against what it came to when it was played."""
    assert reading.header is not None
    try:
        game = begin(beginning_from_json(reading.header))
    except CompanionError as error:
        raise JournalDamagedError(path, 1, str(error), JournalContent(None, [], 0)) from None
    done = 0
    try:
        for entry in reading.entries:
            game = tell(game, entry_from_json(entry))
            done += 1
    except CompanionError as error:
        _find_difference(reading, path, done)  # it may be illegal only because of an earlier one
        raise _damage(path, reading, done, str(error).partition("\n")[0]) from None
    if reading.entries and reading.entries[-1].get("hash") != fingerprint(game):
        _find_difference(reading, path, done)
    return game


def _find_difference(reading: JournalContent, path: Path, count: int) -> None:
    """Where the replay of so many entries first leaves the game that was played, if it does."""
    assert reading.header is not None
    game = begin(beginning_from_json(reading.header))
    for done, entry in enumerate(reading.entries[:count]):
        game = tell(game, entry_from_json(entry))
        if entry.get("hash") != fingerprint(game):
            raise _damage(path, reading, done, "the game comes out otherwise than it was played")


def _damage(path: Path, reading: JournalContent, done: int, fault: str) -> JournalDamagedError:
    """Damage after `done` whole entries; the header is line 1."""
    whole = reading.data.split(b"\n")[: done + 1]
    good_bytes = sum(len(line) + 1 for line in whole)
    data = reading.data[:good_bytes]
    intact = JournalContent(reading.header, reading.entries[:done], good_bytes, data=data)
    return JournalDamagedError(path, done + 2, fault, intact)
