"""All-time standings: games, wins and scores by player name, over all finished games.

Names are compared without regard to case and spaces, and shown as last written. Players without a
name are left out, and so are damaged and unfinished games. Simulated games count only if there are
no others, and are marked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import normalize

from companion.json_types import JsonObject
from companion.web.views.archive_view import ArchiveView


@dataclass
class _Player:
    """The totals of one name."""

    name: str
    games: int = 0
    wins: int = 0
    shared: int = 0
    out: int = 0
    scores: list[int] = field(default_factory=list)

    @property
    def average(self) -> float | None:
        return sum(self.scores) / len(self.scores) if self.scores else None


def standings(folder: Path, view: ArchiveView | None = None) -> list[JsonObject]:
    """One row for each name, the best first. A `view` saves reading the games again."""
    return standings_of((view or ArchiveView(folder)).games())


def standings_of(games: Iterable[JsonObject]) -> list[JsonObject]:
    """The standings from summaries of games, the newest first."""
    finished = [game for game in games if game["finished"]]
    played = [game for game in finished if not game["simulated"]]
    players: dict[str, _Player] = {}
    for game in played or finished:
        for seat, row in enumerate(game["players"]):
            if key := key_of(row["name"]):
                player = players.setdefault(key, _Player(" ".join(row["name"].split())))
                _add(player, game, seat)
    best_first = sorted(
        players.items(),
        key=lambda item: (-item[1].wins, -(item[1].average or 0), item[0]),
    )
    return [_row(player, is_simulated=not played) for _, player in best_first]


def key_of(name: str) -> str:
    """Equal for names that count as the same player."""
    return " ".join(normalize("NFKC", name).casefold().split())


def _add(player: _Player, game: JsonObject, seat: int) -> None:
    score = game["players"][seat]["score"]
    player.games += 1
    if seat in game["winners"]:
        player.wins += 1
        player.shared += len(game["winners"]) > 1
    if score is None:
        player.out += 1
    else:
        player.scores.append(score)


def _row(player: _Player, *, is_simulated: bool) -> JsonObject:
    """`shared`: wins with others. `average`: without games in which the player was out."""
    average = player.average
    return {
        "name": player.name,
        "games": player.games,
        "wins": player.wins,
        "shared": player.shared,
        "out": player.out,
        "average": None if average is None else round(average, 2),
        "best": max(player.scores, default=None),
        "simulated": is_simulated,
    }
