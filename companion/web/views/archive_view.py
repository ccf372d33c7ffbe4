"""The archive as people look at it: which games there were, who won, and how each of them went.

Rows are small and kept for every game, as long as its file does not change; whole games are kept
for the last few that were looked at. A damaged game is in the list with what is left of it.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

from companion.control.snapshot import ends_turn
from companion.errors import one_line
from companion.games.marrakech import Standing, record_text
from companion.i18n.message import Who, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer
from companion.storage.archive import ARCHIVE_FOLDER, Archive, UnknownGameError
from companion.storage.export import GameExport, moments
from companion.web.views.history import Plain, Shelf, Signature, Story, signature_of

KEPT_WHOLE = 4


class ArchiveView:
    """The games that were put away, finished or not, of a folder of games."""

    def __init__(self, folder: Path, speech: Renderer | None = None) -> None:
        self._archive = Archive(folder / ARCHIVE_FOLDER)
        self._speech = speech or TextRenderer()
        self._shelf = Shelf(KEPT_WHOLE, self._speech)
        self._paths: dict[int, Path] = {}
        self._rows: dict[int, tuple[Signature | None, Plain]] = {}
        self._lock = Lock()

    def games(self) -> list[Plain]:
        """A row for each, the newest first."""
        with self._lock:
            numbers = self._archive.numbers()
            self._rows = {number: self._row(number) for number in numbers}
            return [self._rows[number][1] for number in reversed(numbers)]

    def game(self, which: int | str) -> Plain:
        """All about one of them: the row, the table in the end, the count, and how it came."""
        number = _number(which)
        story = self._story(number)
        return {
            **self._row_of(number, story),
            "game": story.game_now(),
            "count": _count(story, self._speech),
            "scores": _scores(story),
            "moments": story.moments,
        }

    def moment(self, which: int | str, number: int) -> Plain:
        """A game at one of its moments, in the form of the account's game."""
        return self._story(_number(which)).game_at(number)

    def record(self, which: int | str) -> str:
        """What stands of a game, as a game record; not of a damaged one."""
        return record_text(self._story(_number(which)).whole().record())

    def _story(self, number: int) -> Story:
        return self._shelf.story(self._archive.path_of(number))

    def _row(self, number: int) -> tuple[Signature | None, Plain]:
        path = self._paths.get(number) or self._archive.path_of(number)
        self._paths[number] = path  # to find one, the archive looks at all
        signature = signature_of(path)
        kept = self._rows.get(number)
        if kept is not None and kept[0] == signature:
            return kept
        return signature, self._row_of(number, self._shelf.story(path))

    def _row_of(self, number: int, story: Story) -> Plain:
        chronicle = story.chronicle
        row: Plain = {
            "id": number,
            "begun": story.begun,
            "simulated": story.is_simulated,
            "damaged": story.damaged,
            "finished": False,
            "booklet": None,
            "turns": 0,
            "players": [],
            "winners": [],
        }
        if chronicle is None:
            return row
        state = chronicle.game.state
        ranking = sorted(state.ranking(), key=lambda standing: standing.player)
        is_finished = state.is_over and story.wrong is None
        return row | {
            "finished": is_finished,
            "booklet": chronicle.game.beginning.booklet,
            "turns": chronicle.turns,
            "players": [_player(chronicle, standing, self._speech) for standing in ranking],
            "winners": [one.player for one in ranking if one.rank == 1] if is_finished else [],
        }


def _number(which: int | str) -> int:
    """Whatever came out of an address: most of it is no game."""
    text = str(which)
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise UnknownGameError(f"'{one_line(text, 40)}' is no number of a game")


def _who(chronicle: GameExport, seat: int) -> Who:
    name = chronicle.names[seat] if chronicle.names else ""
    return Who(name, chronicle.game.state.setup.players[seat])


def _player(chronicle: GameExport, row: Standing, speech: Renderer) -> Plain:
    who = _who(chronicle, row.player)
    return {
        "name": who.name,
        "called": speech.word(who),
        "colours": [colour.label for colour in who.colours],
        **_standing(row),
    }


def _standing(row: Standing) -> dict[str, Any]:
    return {
        "dirhams": row.dirhams,
        "visible": row.visible,
        "score": row.score,
        "rank": row.rank,
        "out": row.is_out,
    }


def _count(story: Story, speech: Renderer) -> list[Plain]:
    """Who has how much and of what, the best first."""
    if story.chronicle is None:
        return []
    rows = []
    for row in story.chronicle.game.state.ranking():
        who = _who(story.chronicle, row.player)
        if row.score is None:
            told = message("count.out", player=who)
        else:
            told = message(
                "count.row",
                player=who,
                dirhams=row.dirhams,
                visible=row.visible,
                count=row.score,
            )
        rows.append({"seat": row.player, "words": speech.say(told), **_standing(row)})
    return rows


def _scores(story: Story) -> list[Plain]:
    """Everybody's score at the beginning, after each turn that stands, and as the game is left."""
    if story.chronicle is None:
        return []
    rows: list[Plain] = []
    turn = 0
    standing = moments(story.chronicle.game)
    for moment in standing:
        turn += ends_turn(moment)
        ranking = sorted(moment.state.ranking(), key=lambda row: row.player)
        row = {"turn": turn, "scores": [one.score for one in ranking]}
        if moment.before is None or ends_turn(moment):
            rows.append(row)
        elif moment is standing[-1] and row["scores"] != rows[-1]["scores"]:
            rows.append(row | {"turn": turn if moment.state.is_over else turn + 1})
    return rows
