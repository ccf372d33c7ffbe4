"""The game store: saves the current game and loads it again.

It executes the store commands of the conversation, in order. If the disk refuses a write, all
commands wait in memory and are executed as soon as it accepts them. All calls block: they run in
one worker thread.
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
from companion.storage.archive import Archive, ArchiveUnsyncedError
from companion.storage.filesystem import OS_FILESYSTEM, Filesystem, ensure_folder, read_file
from companion.storage.games_folder import ARCHIVE_FOLDER, CURRENT_GAME_FILE
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalVersionError,
    read_journal,
)
from companion.storage.journal_writer import JournalWriter, header_line, wrap_os_errors
from companion.storage.quarantine import FOREIGN_SUFFIX, move_to_quarantine
from companion.table.conversation import ArchiveGame, BeginGame
from companion.table.entries import (
    Beginning,
    Entry,
    beginning_from_json,
    entry_from_json,
    entry_to_json,
)
from companion.table.game import Game, apply_entry, start_game


@dataclass(frozen=True)
class StampedEntry:
    """An entry, and the fingerprint of the game after it."""

    entry: Entry
    fingerprint: str


StampedCommand = BeginGame | ArchiveGame | StampedEntry


def fingerprint(game: Game) -> str:
    """A checksum of the position and of the choices that are not committed yet.

    A replay must produce the same one. Journals contain fingerprints, so the text below must never
    change: it contains only numbers and letters, no `repr` of our classes. It does not use
    `position_text`, which would double the time to handle an input.
    """
    now, state, chosen = game.now, game.state, game.chosen_placement
    aim = "None" if chosen is None else f"{square_name(chosen.first)}-{square_name(chosen.second)}"
    hand = "None" if state.hand is None else f"{state.hand:d}"
    piles = "None" if state.piles is None else " ".join(map(_pile_letters, state.piles))
    text = (
        f"{now.entry_count} {now.facing:d} {aim} {game.is_restoring:d} {state.phase:d} "
        f"{state.mover} {state.assam} {state.facing:d} {state.dirhams} {state.left} "
        f"{sorted(state.out)} {hand} {piles}"
    )
    return f"{crc32(text.encode(), crc32(state.tops)):08x}"


def _pile_letters(pile: Pile) -> str:
    return "".join([COLOUR_LETTERS[colour] for colour in pile])


class GameStore:
    """Keeps the current game in a folder, and earlier games in the archive below it."""

    def __init__(
        self,
        folder: Path,
        *,
        header_extras: Callable[[], Mapping[str, Any]] = dict,
        filesystem: Filesystem = OS_FILESYSTEM,
    ) -> None:
        self.path = folder / CURRENT_GAME_FILE
        self.archive = Archive(folder / ARCHIVE_FOLDER, filesystem)
        self._header_extras = header_extras
        """Returns further header members: when the game began, and whether it is simulated."""
        self._filesystem = filesystem
        self._journal: JournalWriter | None = None
        self._header: dict[str, Any] | None = None
        """The header of a new game whose journal could not be created yet."""
        self._is_archive_unsynced = False
        """Whether the last game was moved to the archive, but the move is not synced yet."""
        self._pending: deque[StampedCommand] = deque()

    def load(self) -> tuple[Game | None, int]:
        """The current game or None, and how many bytes of a torn tail its journal had."""
        with wrap_os_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        content = read_journal(self.path)
        if content.header is None:
            return None, content.torn_bytes
        game = replay(content, self.path)
        self._journal = JournalWriter.open(self.path, content, self._filesystem)
        return game, content.torn_bytes

    def save(self, commands: Iterable[StampedCommand] = ()) -> None:
        """Execute these commands after the pending ones. Raises if one fails; it stays pending."""
        self._pending.extend(commands)
        if self._journal is not None and not self._is_entry_next():
            self._journal.retry()  # appending entries does it too, and counts them in the error
        while self._pending:
            match self._pending[0]:
                case BeginGame(beginning):
                    self._begin_game(beginning)
                    self._pending.popleft()
                case ArchiveGame():
                    self._archive_game()
                    self._pending.popleft()
                case StampedEntry():
                    self._append_entries()

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _begin_game(self, beginning: Beginning) -> None:
        is_first_try = self._header is None
        if self._header is None:
            self._header = {**beginning.to_json(), **self._header_extras()}
        with wrap_os_errors(self.path):
            ensure_folder(self.path.parent, self._filesystem)
            if not is_first_try and self._is_own_failed_beginning(self._header):
                self.path.unlink()  # both the sync and the truncation after it failed
            try:
                self._journal = JournalWriter.create(self.path, self._header, self._filesystem)
            except (JournalDamagedError, JournalVersionError):  # created since `load`
                move_to_quarantine(self.path, FOREIGN_SUFFIX, self._filesystem)
                self._journal = JournalWriter.create(self.path, self._header, self._filesystem)
        self._header = None

    def _is_own_failed_beginning(self, header: dict[str, Any]) -> bool:
        """Whether the file contains nothing but the header, or a part, of our failed attempt."""
        try:
            found = read_file(self.path)
        except FileNotFoundError:
            return False
        return header_line(header).startswith(found.rstrip(b"\0"))

    def _is_entry_next(self) -> bool:
        return bool(self._pending) and isinstance(self._pending[0], StampedEntry)

    def _append_entries(self) -> None:
        """Append all entries up to the next BeginGame or ArchiveGame, with one write."""
        assert self._journal is not None, "an entry comes before BeginGame"
        entries: list[dict[str, Any]] = []
        while self._pending and isinstance(entry := self._pending[0], StampedEntry):
            entries.append(entry_to_json(entry.entry) | {"hash": entry.fingerprint})
            self._pending.popleft()
        self._journal.append(entries)  # on failure they are in its backlog

    def _archive_game(self) -> None:
        if self._is_archive_unsynced:
            with wrap_os_errors(self.path):
                self.archive.sync(self.path.parent)
            self._is_archive_unsynced = False
        elif self._journal is not None:
            self._journal.release()
            try:
                self.archive.add(self.path)
            except ArchiveUnsyncedError:
                self._is_archive_unsynced = True
                self.close()
                raise
            self.close()


def replay(content: JournalContent, path: Path) -> Game:
    """Replay a journal's entries, and check the result against their fingerprints."""
    assert content.header is not None
    try:
        game = start_game(beginning_from_json(content.header))
    except CompanionError as error:
        raise JournalDamagedError(path, 1, str(error), JournalContent(None, [], 0)) from None
    done = 0
    try:
        for entry in content.entries:
            game = apply_entry(game, entry_from_json(entry))
            done += 1
    except CompanionError as error:
        _check_fingerprints(content, path, done)  # an earlier difference may have made it illegal
        raise _damage_error(path, content, done, str(error).partition("\n")[0]) from None
    if content.entries and content.entries[-1].get("hash") != fingerprint(game):
        _check_fingerprints(content, path, done)
    return game


def _check_fingerprints(content: JournalContent, path: Path, count: int) -> None:
    """Raise an error at the first of `count` entries whose fingerprint does not match."""
    assert content.header is not None
    game = start_game(beginning_from_json(content.header))
    for done, entry in enumerate(content.entries[:count]):
        game = apply_entry(game, entry_from_json(entry))
        if entry.get("hash") != fingerprint(game):
            fault = "the replay differs from the game that was played"
            raise _damage_error(path, content, done, fault)


def _damage_error(
    path: Path, content: JournalContent, done: int, fault: str
) -> JournalDamagedError:
    """Damage in the line after the header and `done` intact entries."""
    intact_lines = content.intact_data.split(b"\n")[: done + 1]
    intact_bytes = sum(len(line) + 1 for line in intact_lines)
    data = content.intact_data[:intact_bytes]
    intact = JournalContent(content.header, content.entries[:done], intact_bytes, intact_data=data)
    return JournalDamagedError(path, done + 2, fault, intact)
