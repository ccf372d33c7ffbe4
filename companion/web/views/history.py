"""The history of a game, replayed from its journal moment by moment.

Each journal entry that changed the table is a moment, numbered from 0, the start of the game.
Moments that were taken back stay in the list and are marked, so numbers never change. Files are
only read, also while the table writes: an incomplete last line is ignored.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock

from companion.control.messages import GameSnapshot, Text
from companion.control.snapshot import ends_turn, game_snapshot
from companion.errors import CompanionError, one_line
from companion.i18n.message import BookletName, Message, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer
from companion.json_types import JsonObject
from companion.storage.export import GameExport, standing_moments
from companion.storage.game_store import replay
from companion.storage.games_folder import CURRENT_GAME_FILE
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalError,
    read_journal,
)
from companion.table.conversation import Conversation, Playing, Preferences
from companion.table.entries import Act, Face, beginning_from_json, entry_from_json, entry_to_json
from companion.table.game import Game, Moment, apply_entry, start_game
from companion.table.text.news import news_of

MAX_FILE_BYTES = 1 << 22
"""A long game has about 50 kB. Anything larger is not a game."""
Signature = tuple[int, int, int]


class UnknownMomentError(CompanionError, LookupError):
    """A moment that the game does not have."""


class DamagedGameError(CompanionError, ValueError):
    """The operation needs the whole game, and its file is damaged."""


@dataclass(frozen=True)
class GameHistory:
    """A journal and its moments, as far as it is intact."""

    export: GameExport | None
    """None if the file has no game, or nothing of it can be read."""
    all_moments: tuple[Moment, ...] = ()
    """Includes moments that were taken back."""
    damage: Message | None = None
    """What is wrong with the file, and what to do."""
    renderer: Renderer = field(default_factory=TextRenderer)

    @property
    def damage_text(self) -> Text | None:
        """The damage, rendered."""
        return None if self.damage is None else self.renderer.render(self.damage)

    @property
    def begun(self) -> str | None:
        return self.export.begun or None if self.export else None

    @property
    def is_simulated(self) -> bool:
        return self.export is not None and self.export.is_simulated

    def intact_export(self) -> GameExport:
        """The whole game; raises `DamagedGameError` if there is no whole one."""
        if self.damage is not None:
            raise DamagedGameError(TextRenderer().render(self.damage))
        if self.export is None:
            raise DamagedGameError("no game was begun here")
        return self.export

    @cached_property
    def rows(self) -> list[JsonObject]:
        """Each moment as JSON: its events as text, and every player's money and score."""
        if self.export is None:
            return []
        current = set(map(id, standing_moments(self.export.game)))
        turns_ended: dict[int, int] = {}
        rows = []
        for number, moment in enumerate(self.all_moments):
            before = 0 if moment.before is None else turns_ended[id(moment.before)]
            turns_ended[id(moment)] = before + ends_turn(moment)
            rows.append(self._row(number, moment, before, id(moment) not in current))
        return rows

    def snapshot_at(self, number: int) -> GameSnapshot:
        """The game's part of a snapshot, at this moment."""
        if not 0 <= number < len(self.all_moments):
            last = len(self.all_moments) - 1
            existing = f"there are 0 to {last}" if last >= 0 else "there is no game"
            raise UnknownMomentError(f"no moment {number}: {existing}")
        return game_snapshot(self._conversation_at(self.all_moments[number]), self.renderer)

    def final_snapshot(self) -> GameSnapshot | None:
        """The game's part of a snapshot, at the end."""
        if self.export is None:
            return None
        return game_snapshot(_conversation(self.export.game), self.renderer)

    def _conversation_at(self, moment: Moment) -> Conversation:
        assert self.export is not None, "a moment without a game"
        return _conversation(Game(self.export.game.beginning, moment))

    def _row(self, number: int, moment: Moment, turns: int, is_taken_back: bool) -> JsonObject:
        conversation, before = self._conversation_at(moment), moment.before
        by = before.state.mover if before and isinstance(moment.entry, Act | Face) else None
        counted = sorted(moment.state.ranking(), key=lambda row: row.player)
        return {
            "number": number,
            "turn": turns + (before is None or not before.state.is_over),
            "told": "begin" if moment.entry is None else entry_to_json(moment.entry)["told"],
            "seat": by,
            "who": None if by is None else self.renderer.render_value(conversation.player_name(by)),
            "words": [self.renderer.render(one) for one in _news(conversation, moment)],
            "taken_back": is_taken_back,
            "dirhams": [row.dirhams for row in counted],
            "scores": [row.score for row in counted],
        }


def _conversation(game: Game) -> Conversation:
    return Conversation(Preferences(), Playing(), game)


def _news(conversation: Conversation, moment: Moment) -> tuple[Message, ...]:
    if moment.entry is None:
        booklet = BookletName(conversation.active_game.beginning.booklet)
        return (message("news.begun", booklet=booklet),)
    return news_of(conversation, moment.entry)


# --- Reading ------------------------------------------------------------------------------


def read_game_history(path: Path, renderer: Renderer | None = None) -> GameHistory:
    """Read a file that has a game, the intact beginning of one, or none."""
    renderer = renderer or TextRenderer()
    damage: Message | None = None
    content = JournalContent(None, [], 0)
    try:
        if (signature := signature_of(path)) and signature[1] > MAX_FILE_BYTES:
            why = f"{path} is too large for a game: see 'marrakech games show {path.stem}'"
            raise JournalError(path, why)
        content = read_journal(path)
    except JournalDamagedError as error:
        damage, content = _damage(error), error.intact
    except JournalError as error:
        damage = message("past.unreadable", reason=one_line(str(error)))
    if content.header is not None:
        try:
            replay(content, path)
        except JournalDamagedError as error:
            damage, content = _damage(error), error.intact
    if content.header is None:
        return GameHistory(None, damage=damage, renderer=renderer)
    game, all_moments = _replay(start_game(beginning_from_json(content.header)), content.entries)
    return GameHistory(GameExport(content, game), all_moments, damage, renderer)


def _damage(error: JournalDamagedError) -> Message:
    return message("past.damaged", reason=one_line(str(error)))


def _replay(game: Game, entries: Iterable[JsonObject]) -> tuple[Game, tuple[Moment, ...]]:
    """The game after these entries, and all moments in the order in which they were new."""
    found = {id(game.now): game.now}
    for entry in entries:
        game = apply_entry(game, entry_from_json(entry))
        found.setdefault(id(game.now), game.now)
    return game, tuple(found.values())


def signature_of(path: Path) -> Signature | None:
    """Changes when the file does; None if it does not exist."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


class GameHistoryCache:
    """The last few histories that were read, each until its file changes."""

    def __init__(self, max_size: int, renderer: Renderer | None = None) -> None:
        self._max_size = max_size
        self._renderer = renderer or TextRenderer()
        self._cached: OrderedDict[Path, tuple[Signature | None, GameHistory]] = OrderedDict()
        self._lock = Lock()
        """One thread reads, others wait for the result."""

    def get(self, path: Path) -> GameHistory:
        with self._lock:
            signature = signature_of(path)  # before reading, to notice later writes
            cached = self._cached.pop(path, None)
            if cached is None or cached[0] != signature:
                cached = signature, read_game_history(path, self._renderer)
            self._cached[path] = cached
            if len(self._cached) > self._max_size:
                self._cached.popitem(last=False)
            return cached[1]


class CurrentGameView:
    """The history of the game in progress, in a folder of games."""

    def __init__(self, folder: Path, renderer: Renderer | None = None) -> None:
        self._path = folder / CURRENT_GAME_FILE
        self._histories = GameHistoryCache(1, renderer)

    def moments(self) -> list[JsonObject]:
        """All moments so far; empty if there is no game."""
        return self._histories.get(self._path).rows

    def moment(self, number: int) -> GameSnapshot:
        """The game's part of a snapshot, at this moment."""
        return self._histories.get(self._path).snapshot_at(number)

    def damage_text(self) -> Text | None:
        """What is wrong with its file, and what to do."""
        return self._histories.get(self._path).damage_text
