"""All-time standings: names, what counts, and the order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.storage.archived_games import (
    TURN,
    archive_current_game,
    save_current_game,
    two_player_game,
)
from helpers.storage.game_folder import damage
from helpers.storage.stored_games import without_fsync

from companion.web.views.archive_view import ArchiveView
from companion.web.views.standings import standings, standings_of


def game(*players: tuple[str, int | None], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """The summary of a finished game with these names and scores."""
    best = max(score for _, score in players if score is not None)
    return {
        "finished": True,
        "simulated": False,
        "players": [{"name": name, "score": score} for name, score in players],
        "winners": [seat for seat, (_, score) in enumerate(players) if score == best],
    } | more


def names(*games: dict[str, Any]) -> list[str]:
    return [row["name"] for row in standings_of(games)]


def test_games_wins_average_and_best_are_summed_up() -> None:
    rows = standings_of(
        [
            game(("Ana", 40), ("Bo", 31)),
            game(("Bo", 50), ("Ana", 25), ("Cleo", 20)),
            game(("Ana", 45), ("Bo", 20)),
        ]
    )
    assert rows == [
        {
            "name": "Ana",
            "games": 3,
            "wins": 2,
            "shared": 0,
            "out": 0,
            "average": 36.67,
            "best": 45,
            "simulated": False,
        },
        {
            "name": "Bo",
            "games": 3,
            "wins": 1,
            "shared": 0,
            "out": 0,
            "average": 33.67,
            "best": 50,
            "simulated": False,
        },
        {
            "name": "Cleo",
            "games": 1,
            "wins": 0,
            "shared": 0,
            "out": 0,
            "average": 20.0,
            "best": 20,
            "simulated": False,
        },
    ]


def test_without_games_the_standings_are_empty() -> None:
    assert standings_of([]) == []


def test_a_shared_win_is_a_win_and_marked_as_shared() -> None:
    rows = standings_of([game(("Ana", 40), ("Bo", 40)), game(("Ana", 41), ("Bo", 40))])
    assert [(row["name"], row["wins"], row["shared"]) for row in rows] == [
        ("Ana", 2, 1),
        ("Bo", 1, 1),
    ]


@pytest.mark.parametrize("other", ["ANA", " ana ", "aNa", "Ａｎａ"])
def test_names_are_compared_without_case_and_spaces(other: str) -> None:
    (row,) = standings_of([game(("Ana", 40)), game((other, 50))])
    assert (row["name"], row["games"], row["best"]) == ("Ana", 2, 50)


def test_names_are_compared_in_unicode_normal_form() -> None:
    assert names(game(("Zo\u00eb", 40)), game(("ZOE\u0308", 30))) == ["Zo\u00eb"]
    assert names(game(("Straße", 40)), game(("STRASSE", 30))) == ["Straße"]


def test_a_name_is_shown_as_last_written() -> None:
    """The archive has the newest game first."""
    assert names(game(("ANA  maria ", 40)), game(("Ana Maria", 40))) == ["ANA maria"]


@pytest.mark.parametrize("name", ["", "   "])
def test_players_without_a_name_are_left_out(name: str) -> None:
    assert names(game((name, 50), ("Bo", 40))) == ["Bo"]


def test_a_player_who_was_out_has_played_without_a_score() -> None:
    rows = standings_of([game(("Ana", 40), ("Bo", None)), game(("Ana", 40), ("Bo", 31))])
    bo = rows[1]
    assert (bo["games"], bo["out"], bo["average"], bo["best"]) == (2, 1, 31.0, 31)
    (_, bo) = standings_of([game(("Ana", 40), ("Bo", None))])
    assert (bo["average"], bo["best"]) == (None, None)


def test_standings_are_sorted_by_wins_then_average_then_name() -> None:
    assert names(
        game(("cleo", 40), ("Bo", 30), ("ana", 30)),
        game(("Dan", 60), ("Eve", 50)),
    ) == ["Dan", "cleo", "Eve", "ana", "Bo"]


def test_only_finished_games_count() -> None:
    assert names(game(("Ana", 40), finished=False, winners=[])) == []


def test_simulated_games_count_only_if_there_are_no_others() -> None:
    played, simulated = game(("Ana", 40)), game(("Ana", 90), ("Robot", 10), simulated=True)
    (row,) = standings_of([played, simulated])
    assert (row["games"], row["best"], row["simulated"]) == (1, 40, False)
    assert [(row["name"], row["simulated"]) for row in standings_of([simulated])] == [
        ("Ana", True),
        ("Robot", True),
    ]


# --- From the folder ----------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def no_fsync() -> Iterator[None]:
    with without_fsync():
        yield


def test_standings_are_built_from_a_folder(tmp_path: Path) -> None:
    """The current game, an unfinished one and a damaged one do not count."""
    beginning, entries = two_player_game("Ana", "Bo", dirhams=(60, 10))
    for _ in range(2):
        save_current_game(tmp_path, *entries, beginning=beginning)
        path = archive_current_game(tmp_path)
    damage(path, 9)
    save_current_game(tmp_path, *TURN)
    archive_current_game(tmp_path)
    save_current_game(tmp_path, *TURN)
    rows = standings(tmp_path)
    assert [(row["name"], row["games"], row["wins"]) for row in rows] == [
        ("Ana", 1, 1),
        ("Bo", 1, 0),
    ]
    assert standings(tmp_path / "nowhere", ArchiveView(tmp_path)) == rows
