"""A journal seen as a whole: the game that it tells of, as others want it.

A journal has everything that was told, also what was taken back. What stands is a game record
(docs/notation.md); all of it, with how it came out, is one JSON document.
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
from companion.games.marrakech.text.record import is_text
from companion.storage.game_store import replay
from companion.storage.journal_reader import JournalContent, JournalError, read_journal
from companion.storage.line_codec import Members
from companion.table.entries import Act, CorrectAssam, CorrectDirhams, CorrectSquare
from companion.table.game import Game, Moment

SIMULATED = "simulated: nobody sat at a table"
CORRECTED = "corrected at the table: the record begins after the last correction"
FORMAT = "marrakech game 1"
"""The name of the JSON document and its version."""


class NoGameError(JournalError, LookupError):
    """A file in which no game was begun."""


@dataclass(frozen=True)
class GameExport:
    """A journal that was read, and the game it tells of."""

    reading: JournalContent
    game: Game

    @property
    def header(self) -> Members:
        assert self.reading.header is not None
        return self.reading.header

    @property
    def begun(self) -> str:
        """When, as the writer said it; empty where he did not."""
        begun = self.header.get("begun")
        return _plain_line(begun) if isinstance(begun, str) else ""

    @property
    def is_simulated(self) -> bool:
        return self.header.get("simulated") is True

    @property
    def turns(self) -> int:
        """How many were played to their end, and stand."""
        return sum(
            isinstance(moment.told, Act) and (moment.state.begins_turn or moment.state.is_over)
            for moment in moments(self.game)
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Of the players, fit to be shown; empty where nobody gave one."""
        return names_of(self.game)

    def record(self) -> Record:
        return record_of(self.game, self.begun, is_simulated=self.is_simulated)


def read_game_export(path: Path) -> GameExport:
    """Read a file, and change and lock nothing."""
    reading = read_journal(path)
    if reading.header is None:
        raise NoGameError(path, f"no game was begun in {path}")
    return GameExport(reading, replay(reading, path))


def moments(game: Game) -> list[Moment]:
    """What stands, from the beginning to now."""
    back: list[Moment] = []
    moment: Moment | None = game.now
    while moment is not None:
        back.append(moment)
        moment = moment.before
    return back[::-1]


def names_of(game: Game) -> tuple[str, ...]:
    names = tuple(map(_plain_line, game.beginning.names))
    return names if any(names) else ()


def record_of(game: Game, begun: str = "", *, is_simulated: bool = False) -> Record:
    """What stands of a game; it ends in the position that the game is in.

    A record is played by the rules from its start, and a correction is no move of them: where the
    table was corrected, the record starts after that.
    """
    start, *rest = moments(game)
    actions: list[Action] = []
    is_corrected = False
    for moment in rest:
        match moment.told:
            case Act(action):
                assert moment.before is not None
                actions += _actions(moment.before, action)
            case CorrectAssam() | CorrectDirhams() | CorrectSquare():
                start, is_corrected = moment, True
                actions.clear()
    notes = [
        *([("date", begun)] if begun else ()),
        *([("note", SIMULATED)] if is_simulated else ()),
        *([("note", CORRECTED)] if is_corrected else ()),
    ]
    booklet = game.beginning.booklet
    return Record(start.state, tuple(actions), booklet, names_of(game), tuple(notes))


def _actions(before: Moment, action: Action) -> list[Action]:
    """Turning Assam is free until the die commits it: then it is part of the game."""
    if isinstance(action, Rolled) and before.state.phase is Phase.ORIENT:
        return [Orient(before.facing), action]
    return [action]


def _plain_line(text: str) -> str:
    """As it is, unless a record could not say it."""
    return (text if is_text(text) else one_line(text)).strip()


# --- JSON ---------------------------------------------------------------------------------


def json_of(chronicle: GameExport) -> dict[str, Any]:
    """Everything there is: what the header says, every entry as it was told, and the outcome."""
    state, names = chronicle.game.state, chronicle.names
    return {
        "format": FORMAT,
        "begun": chronicle.begun or None,
        "simulated": chronicle.is_simulated,
        "finished": state.is_over,
        "turns": chronicle.turns,
        "ranking": [_plain_row(chronicle.game, row, names) for row in state.ranking()],
        "position": position_text(state),
        "record": record_text(chronicle.record()),
        "header": chronicle.header,
        "entries": chronicle.reading.entries,
        "torn_bytes": chronicle.reading.torn,
    }


def _plain_row(game: Game, row: Standing, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "player": game.state.setup.label(row.player),
        "name": names[row.player] if names else "",
        "dirhams": row.dirhams,
        "visible": row.visible,
        "score": row.score,
        "out": row.is_out,
    }
