"""Export of a journal: as a game record, or as one JSON document.

A journal contains all entries, including those that were undone. The game record
(docs/notation.md) contains only the moves that stand. The JSON document contains all entries and
the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import one_line
from companion.games.marrakech import (
    Action,
    Orient,
    Phase,
    Record,
    Rolled,
    Standing,
    position_text,
    record_text,
)
from companion.games.marrakech.text.record import is_single_line
from companion.json_types import JsonObject
from companion.storage.game_store import replay
from companion.storage.journal_reader import JournalContent, JournalError, read_journal
from companion.table.entries import Act, CorrectAssam, CorrectDirhams, CorrectSquare
from companion.table.game import Game, Moment

SIMULATED = "simulated: nobody sat at a table"
CORRECTED = "corrected at the table: the record begins after the last correction"
EXPORT_FORMAT = "marrakech game 1"
"""The format of the JSON document, with its version."""


class NoGameError(JournalError, LookupError):
    """The file contains no game."""


@dataclass(frozen=True)
class GameExport:
    """The content of a journal, and the game that its replay gives."""

    content: JournalContent
    game: Game

    @property
    def header(self) -> JsonObject:
        assert self.content.header is not None
        return self.content.header

    @property
    def begun(self) -> str:
        """When the game began, as in the header; empty if it is missing."""
        begun = self.header.get("begun")
        return _single_line(begun) if isinstance(begun, str) else ""

    @property
    def is_simulated(self) -> bool:
        return self.header.get("simulated") is True

    @property
    def turns(self) -> int:
        """How many turns were finished and not undone."""
        return sum(
            isinstance(moment.entry, Act) and (moment.state.is_turn_start or moment.state.is_over)
            for moment in standing_moments(self.game)
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, printable; empty if no player has one."""
        return player_names(self.game)

    def record(self) -> Record:
        return build_record(self.game, self.begun, is_simulated=self.is_simulated)


def read_game_export(path: Path) -> GameExport:
    """Read a journal without changing or locking it."""
    content = read_journal(path)
    if content.header is None:
        raise NoGameError(path, f"no game was begun in {path}")
    return GameExport(content, replay(content, path))


def standing_moments(game: Game) -> list[Moment]:
    """All moments that were not undone, from the beginning to now."""
    newest_first: list[Moment] = []
    moment: Moment | None = game.now
    while moment is not None:
        newest_first.append(moment)
        moment = moment.before
    return newest_first[::-1]


def player_names(game: Game) -> tuple[str, ...]:
    names = tuple(map(_single_line, game.beginning.names))
    return names if any(names) else ()


def build_record(game: Game, begun: str = "", *, is_simulated: bool = False) -> Record:
    """The record of all moves that stand. It ends in the game's current position.

    A record contains moves only, and a correction is not a move: so the record of a corrected game
    starts at the position after the last correction.
    """
    start, *rest = standing_moments(game)
    actions: list[Action] = []
    is_corrected = False
    for moment in rest:
        match moment.entry:
            case Act(action):
                assert moment.before is not None
                actions += _record_actions(moment.before, action)
            case CorrectAssam() | CorrectDirhams() | CorrectSquare():
                start, is_corrected = moment, True
                actions.clear()
    notes = [
        *([("date", begun)] if begun else ()),
        *([("note", SIMULATED)] if is_simulated else ()),
        *([("note", CORRECTED)] if is_corrected else ()),
    ]
    booklet = game.beginning.booklet
    return Record(start.state, tuple(actions), booklet, player_names(game), tuple(notes))


def _record_actions(before: Moment, action: Action) -> list[Action]:
    """A roll commits Assam's facing, so the turn is recorded with the roll."""
    if isinstance(action, Rolled) and before.state.phase is Phase.ORIENT:
        return [Orient(before.facing), action]
    return [action]


def _single_line(text: str) -> str:
    """The text on one line, with escapes for characters that a record cannot contain."""
    return (text if is_single_line(text) else one_line(text)).strip()


# --- JSON ---------------------------------------------------------------------------------


def export_to_json(export: GameExport) -> dict[str, Any]:
    """The JSON document: the header, all entries, and the result."""
    state, names = export.game.state, export.names
    return {
        "format": EXPORT_FORMAT,
        "begun": export.begun or None,
        "simulated": export.is_simulated,
        "finished": state.is_over,
        "turns": export.turns,
        "ranking": [_ranking_row(export.game, row, names) for row in state.ranking()],
        "position": position_text(state),
        "record": record_text(export.record()),
        "header": export.header,
        "entries": export.content.entries,
        "torn_bytes": export.content.torn_bytes,
    }


def _ranking_row(game: Game, row: Standing, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "player": game.state.setup.label(row.player),
        "name": names[row.player] if names else "",
        "dirhams": row.dirhams,
        "visible": row.visible,
        "score": row.score,
        "out": row.is_out,
    }
