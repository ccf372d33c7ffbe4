"""The archive as the page shows it: the list of games, and each game with its history.

Summaries are small and cached for every game until its file changes. Whole games are cached for the
last few that were opened. A damaged game is listed with what is intact of it.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from companion.control.messages import GameSnapshot
from companion.control.snapshot import ends_turn
from companion.errors import one_line
from companion.games.marrakech import Standing, record_text
from companion.i18n.message import PlayerName, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer
from companion.json_types import JsonObject
from companion.storage.archive import Archive, UnknownGameError
from companion.storage.export import GameExport, standing_moments
from companion.storage.games_folder import ARCHIVE_FOLDER
from companion.web.views.history import (
    GameHistory,
    GameHistoryCache,
    Signature,
    signature_of,
)

MAX_CACHED_GAMES = 4


class ArchiveView:
    """The archived games of a folder, finished or not."""

    def __init__(self, folder: Path, renderer: Renderer | None = None) -> None:
        self._archive = Archive(folder / ARCHIVE_FOLDER)
        self._renderer = renderer or TextRenderer()
        self._histories = GameHistoryCache(MAX_CACHED_GAMES, self._renderer)
        self._paths: dict[int, Path] = {}
        self._summaries: dict[int, tuple[Signature | None, JsonObject]] = {}
        self._lock = Lock()

    def games(self) -> list[JsonObject]:
        """A summary of each game, the newest first."""
        with self._lock:
            numbers = self._archive.numbers()
            self._summaries = {number: self._cached_summary(number) for number in numbers}
            return [self._summaries[number][1] for number in reversed(numbers)]

    def game(self, game_id: int | str) -> JsonObject:
        """One game: its summary, final position, count, scores by turn, and moments."""
        number = _number(game_id)
        history = self._history(number)
        return {
            **self._summary(number, history),
            "game": history.final_snapshot(),
            "count": _count(history, self._renderer),
            "scores": _scores(history),
            "moments": history.rows,
        }

    def moment(self, game_id: int | str, number: int) -> GameSnapshot:
        """The game's part of a snapshot, at one of its moments."""
        return self._history(_number(game_id)).snapshot_at(number)

    def record(self, game_id: int | str) -> str:
        """The game as a game record; raises `DamagedGameError` for a damaged one."""
        return record_text(self._history(_number(game_id)).intact_export().record())

    def _history(self, number: int) -> GameHistory:
        return self._histories.get(self._archive.path_of(number))

    def _cached_summary(self, number: int) -> tuple[Signature | None, JsonObject]:
        path = self._paths.get(number) or self._archive.path_of(number)
        self._paths[number] = path  # `path_of` looks at all files
        signature = signature_of(path)
        cached = self._summaries.get(number)
        if cached is not None and cached[0] == signature:
            return cached
        return signature, self._summary(number, self._histories.get(path))

    def _summary(self, number: int, history: GameHistory) -> JsonObject:
        export = history.export
        row: JsonObject = {
            "id": number,
            "begun": history.begun,
            "simulated": history.is_simulated,
            "damaged": history.damage_text,
            "finished": False,
            "booklet": None,
            "turns": 0,
            "players": [],
            "winners": [],
        }
        if export is None:
            return row
        state = export.game.state
        ranking = sorted(state.ranking(), key=lambda standing: standing.player)
        is_finished = state.is_over and history.damage is None
        return row | {
            "finished": is_finished,
            "booklet": export.game.beginning.booklet,
            "turns": export.turns,
            "players": [_player(export, standing, self._renderer) for standing in ranking],
            "winners": [one.player for one in ranking if one.rank == 1] if is_finished else [],
        }


def _number(game_id: int | str) -> int:
    text = str(game_id)
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise UnknownGameError(f"'{one_line(text, 40)}' is not the number of a game")


def _player_name(export: GameExport, seat: int) -> PlayerName:
    name = export.names[seat] if export.names else ""
    return PlayerName(name, export.game.state.setup.players[seat])


def _player(export: GameExport, row: Standing, renderer: Renderer) -> JsonObject:
    who = _player_name(export, row.player)
    return {
        "name": who.name,
        "called": renderer.render_value(who),
        "colours": [colour.label for colour in who.colours],
        **_standing(row),
    }


def _standing(row: Standing) -> JsonObject:
    return {
        "dirhams": row.dirhams,
        "visible": row.visible,
        "score": row.score,
        "rank": row.rank,
        "out": row.is_out,
    }


def _count(history: GameHistory, renderer: Renderer) -> list[JsonObject]:
    """The final count of each player, the best first."""
    if history.export is None:
        return []
    rows = []
    for row in history.export.game.state.ranking():
        who = _player_name(history.export, row.player)
        if row.score is None:
            text = message("count.out", player=who)
        else:
            text = message(
                "count.row",
                player=who,
                dirhams=row.dirhams,
                visible=row.visible,
                count=row.score,
            )
        rows.append({"seat": row.player, "words": renderer.render(text), **_standing(row)})
    return rows


def _scores(history: GameHistory) -> list[JsonObject]:
    """All scores at the start, after each turn, and at the end of an unfinished turn."""
    if history.export is None:
        return []
    rows: list[JsonObject] = []
    turn = 0
    current = standing_moments(history.export.game)
    for moment in current:
        turn += ends_turn(moment)
        ranking = sorted(moment.state.ranking(), key=lambda row: row.player)
        row = {"turn": turn, "scores": [one.score for one in ranking]}
        if moment.before is None or ends_turn(moment):
            rows.append(row)
        elif moment is current[-1] and row["scores"] != rows[-1]["scores"]:
            rows.append(row | {"turn": turn if moment.state.is_over else turn + 1})
    return rows
