"""What was: a game told again from its journal, moment by moment.

A journal has everything that was told. Each thing that changed the table is a moment, counted from
0, the beginning, in the order of telling; what was taken back stays in its place and is marked, so
a moment keeps its number while the game goes on. Files are only ever looked at, also while the
table writes: a last line that is not whole yet is not there yet.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from companion.control.snapshot import ends_turn, game_snapshot
from companion.errors import CompanionError, one_line
from companion.i18n.message import Book, Message, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer
from companion.storage.export import GameExport, moments
from companion.storage.game_store import CURRENT, replay
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalError,
    read_journal,
)
from companion.storage.line_codec import Members
from companion.table.conversation import Conversation, Playing, Preferences
from companion.table.entries import Act, Face, beginning_from_json, entry_from_json, entry_to_json
from companion.table.game import Game, Moment, begin, tell
from companion.table.text.news import news_of

LONGEST_FILE = 1 << 22
"""A long game takes some 50 kB: this is none, and would only fill the memory."""
Plain = dict[str, Any]
Signature = tuple[int, int, int]


class NoMomentError(CompanionError, LookupError):
    """A moment that the game does not have, or not any more."""


class DamagedGameError(CompanionError, ValueError):
    """A game of which all would be needed, and not all is intact."""


@dataclass(frozen=True)
class Story:
    """A journal that was read, as far as it is intact."""

    chronicle: GameExport | None
    """None: no game was begun there, or nothing of it can be read."""
    told: tuple[Moment, ...] = ()
    """All moments, also those that were taken back."""
    wrong: Message | None = None
    """What is wrong with the file, and what to do."""
    speech: Renderer = field(default_factory=TextRenderer)

    @property
    def damaged(self) -> Any:  # noqa: ANN401 - words, or a message to be said
        """The same in words."""
        return None if self.wrong is None else self.speech.say(self.wrong)

    @property
    def begun(self) -> str | None:
        return self.chronicle.begun or None if self.chronicle else None

    @property
    def is_simulated(self) -> bool:
        return self.chronicle is not None and self.chronicle.is_simulated

    def whole(self) -> GameExport:
        """For what is made of all of a game."""
        if self.wrong is not None:
            raise DamagedGameError(TextRenderer().say(self.wrong))
        if self.chronicle is None:
            raise DamagedGameError("no game was begun here")
        return self.chronicle

    @cached_property
    def moments(self) -> list[Plain]:
        """Everything that was told, in words, and what everybody had after it."""
        if self.chronicle is None:
            return []
        standing = set(map(id, moments(self.chronicle.game)))
        ended: dict[int, int] = {}
        rows = []
        for number, moment in enumerate(self.told):
            before = 0 if moment.before is None else ended[id(moment.before)]
            ended[id(moment)] = before + ends_turn(moment)
            rows.append(self._row(number, moment, before, id(moment) not in standing))
        return rows

    def game_at(self, number: int) -> Plain:
        """The game as the account tells it, at this moment."""
        if not 0 <= number < len(self.told):
            there_is = f"there are 0 to {len(self.told) - 1}" if self.told else "there is no game"
            raise NoMomentError(f"no moment {number}: {there_is}")
        return game_snapshot(self._table_at(self.told[number]), self.speech)

    def game_now(self) -> Plain | None:
        """The game as it stands in the end."""
        if self.chronicle is None:
            return None
        return game_snapshot(_table(self.chronicle.game), self.speech)

    def _table_at(self, moment: Moment) -> Conversation:
        assert self.chronicle is not None, "a moment of no game"
        return _table(Game(self.chronicle.game.beginning, moment))

    def _row(self, number: int, moment: Moment, turns: int, is_taken_back: bool) -> Plain:
        table, before = self._table_at(moment), moment.before
        by = before.state.mover if before and isinstance(moment.told, Act | Face) else None
        counted = sorted(moment.state.ranking(), key=lambda row: row.player)
        return {
            "number": number,
            "turn": turns + (before is None or not before.state.is_over),
            "told": "begin" if moment.told is None else entry_to_json(moment.told)["told"],
            "seat": by,
            "who": None if by is None else self.speech.word(table.who(by)),
            "words": [self.speech.say(one) for one in _news(table, moment)],
            "taken_back": is_taken_back,
            "dirhams": [row.dirhams for row in counted],
            "scores": [row.score for row in counted],
        }


def _table(game: Game) -> Conversation:
    return Conversation(Preferences(), Playing(), game)


def _news(table: Conversation, moment: Moment) -> tuple[Message, ...]:
    if moment.told is None:
        return (message("news.begun", booklet=Book(table.playing.beginning.booklet)),)
    return news_of(table, moment.told)


# --- Reading ------------------------------------------------------------------------------


def read_story(path: Path, speech: Renderer | None = None) -> Story:
    """Whatever is in a file: a game, the intact beginning of one, or none."""
    speech = speech or TextRenderer()
    wrong: Message | None = None
    reading = JournalContent(None, [], 0)
    try:
        if (signature := signature_of(path)) and signature[1] > LONGEST_FILE:
            why = f"{path} is longer than a game gets: see 'marrakech games show {path.stem}'"
            raise JournalError(path, why)
        reading = read_journal(path)
    except JournalDamagedError as error:
        wrong, reading = _damage(error), error.intact
    except JournalError as error:
        wrong = message("past.unreadable", reason=one_line(str(error)))
    if reading.header is not None:
        try:
            replay(reading, path)
        except JournalDamagedError as error:
            wrong, reading = _damage(error), error.intact
    if reading.header is None:
        return Story(None, wrong=wrong, speech=speech)
    game, told = _tell_again(begin(beginning_from_json(reading.header)), reading.entries)
    return Story(GameExport(reading, game), told, wrong, speech)


def _damage(error: JournalDamagedError) -> Message:
    return message("past.damaged", reason=one_line(str(error)))


def _tell_again(game: Game, entries: Iterable[Members]) -> tuple[Game, tuple[Moment, ...]]:
    """The game that entries lead to, and each moment that was new when it came."""
    told = {id(game.now): game.now}
    for entry in entries:
        game = tell(game, entry_from_json(entry))
        told.setdefault(id(game.now), game.now)
    return game, tuple(told.values())


def signature_of(path: Path) -> Signature | None:
    """What changes when a file does; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


class Shelf:
    """Stories that were read, each until its file changes: the last few of them."""

    def __init__(self, most: int, speech: Renderer | None = None) -> None:
        self._most = most
        self._speech = speech or TextRenderer()
        self._stories: OrderedDict[Path, tuple[Signature | None, Story]] = OrderedDict()
        self._lock = Lock()
        """Many may ask at once; one of them reads."""

    def story(self, path: Path) -> Story:
        with self._lock:
            signature = signature_of(path)  # before reading: what is written since is read later
            kept = self._stories.pop(path, None)
            if kept is None or kept[0] != signature:
                kept = signature, read_story(path, self._speech)
            self._stories[path] = kept
            if len(self._stories) > self._most:
                self._stories.popitem(last=False)
            return kept[1]


class History:
    """The game in progress, of a folder of games."""

    def __init__(self, folder: Path, speech: Renderer | None = None) -> None:
        self._path = folder / CURRENT
        self._shelf = Shelf(1, speech)

    def moments(self) -> list[Plain]:
        """All of them so far; none while no game is played."""
        return self._shelf.story(self._path).moments

    def moment(self, number: int) -> Plain:
        """The game at a moment, in the form of the account's game."""
        return self._shelf.story(self._path).game_at(number)

    def damaged(self) -> Any:  # noqa: ANN401 - words, or a message to be said
        """What is wrong with its file, and what to do."""
        return self._shelf.story(self._path).damaged
