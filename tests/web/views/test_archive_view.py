"""The archive view: summaries, whole games and damaged ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.storage.archived_games import (
    BEGUN,
    FOUR,
    THREE,
    TURN,
    archive_current_game,
    finished_game,
    game_until_a_player_is_out,
    save_current_game,
    two_player_game,
)
from helpers.storage.game_folder import damage, rewrite
from helpers.storage.stored_games import tree, without_fsync

from companion.errors import CompanionError
from companion.games.marrakech import Setup, parse_record, record_text, usual_players
from companion.storage.archive import UnknownGameError
from companion.storage.export import read_game_export
from companion.table.entries import CorrectDirhams, Restored, Undo
from companion.web.views import history as history_module
from companion.web.views.archive_view import MAX_CACHED_GAMES, ArchiveView
from companion.web.views.history import DamagedGameError, UnknownMomentError, read_game_history


@pytest.fixture(scope="module", autouse=True)
def no_fsync() -> Iterator[None]:
    with without_fsync():
        yield


def archived(folder: Path, *entries: Any, **more: Any) -> Path:  # noqa: ANN401 - passed on
    """Save a game and archive it."""
    save_current_game(folder, *entries, **more)
    return archive_current_game(folder)


# --- The list -----------------------------------------------------------------------------


def test_a_missing_archive_has_no_games(tmp_path: Path) -> None:
    assert ArchiveView(tmp_path / "nowhere").games() == []


def test_a_summary_has_date_players_and_winners(tmp_path: Path) -> None:
    beginning, entries = two_player_game("Ana", "Bo", dirhams=(50, 30))
    path = archived(tmp_path, *entries, beginning=beginning)
    state = read_game_export(path).game.state
    (row,) = ArchiveView(tmp_path).games()
    assert row == {
        "id": 1,
        "begun": BEGUN,
        "simulated": False,
        "damaged": None,
        "finished": True,
        "booklet": "en",
        "turns": 30,
        "players": [
            {
                "name": name,
                "called": name,
                "colours": [colour],
                "dirhams": dirhams,
                "visible": state.visible(seat),
                "score": dirhams + state.visible(seat),
                "rank": seat + 1,
                "out": False,
            }
            for seat, (name, colour, dirhams) in enumerate(
                [("Ana", "red", 50), ("Bo", "yellow", 30)]
            )
        ],
        "winners": [0],
    }


def test_the_newest_game_comes_first_and_the_current_game_is_not_listed(tmp_path: Path) -> None:
    archived(tmp_path, *TURN)
    archived(tmp_path, THREE, is_simulated=True)
    save_current_game(tmp_path, *TURN)
    rows = ArchiveView(tmp_path).games()
    assert [(row["id"], row["turns"], row["simulated"]) for row in rows] == [
        (2, 0, True),
        (1, 1, False),
    ]


def test_a_game_archived_unfinished_has_no_winner(tmp_path: Path) -> None:
    archived(tmp_path, *TURN)
    (row,) = ArchiveView(tmp_path).games()
    assert (row["finished"], row["winners"]) == (False, [])
    assert [player["score"] for player in row["players"]] == [32, 30, 30, 30]


def test_a_win_can_be_shared(tmp_path: Path) -> None:
    beginning, entries = two_player_game("Ana", "Bo")
    path = archived(tmp_path, *entries, beginning=beginning)
    seen = [read_game_export(path).game.state.visible(seat) for seat in (0, 1)]
    beginning, entries = two_player_game("Ana", "Bo", dirhams=(50 - seen[0], 50 - seen[1]))
    archived(tmp_path, *entries, beginning=beginning)
    assert ArchiveView(tmp_path).games()[0]["winners"] == [0, 1]


def test_players_with_two_colours_are_named_by_both(tmp_path: Path) -> None:
    beginning = replace(FOUR, setup=Setup(usual_players(2)), names=())
    archived(tmp_path, beginning=beginning)
    first = ArchiveView(tmp_path).games()[0]["players"][0]
    assert (first["name"], first["called"]) == ("", "Red & Yellow")
    assert first["colours"] == ["red", "yellow"]


def test_summaries_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of more games than are cached whole. A file that changes is read again."""
    reads: list[str] = []

    def count_read(path: Path, *more: Any) -> Any:  # noqa: ANN401 - passed on
        reads.append(path.stem)
        return read_game_history(path, *more)

    monkeypatch.setattr(history_module, "read_game_history", count_read)
    count = MAX_CACHED_GAMES + 2
    paths = [archived(tmp_path, *TURN) for _ in range(count)]
    view = ArchiveView(tmp_path)
    assert view.games() == view.games()
    assert len(reads) == count
    damage(paths[0], 2)
    paths[1].unlink()
    rows = view.games()
    assert reads[count:] == ["0001"]
    assert [row["id"] for row in rows] == [6, 5, 4, 3, 1]
    assert rows[-1]["damaged"]


# --- One game -----------------------------------------------------------------------------


def test_a_game_has_its_count_scores_and_moments(tmp_path: Path) -> None:
    entries = finished_game(4)
    path = archived(tmp_path, *entries[:20], Undo(), Restored(), *entries[19:])
    view = ArchiveView(tmp_path)
    found, game = view.game("1"), read_game_export(path).game
    assert json.loads(json.dumps(found)) == found
    assert {name: found[name] for name in view.games()[0]} == view.games()[0]
    assert found["game"]["finished"] is True
    ranking = game.state.ranking()
    assert [row["seat"] for row in found["count"]] == [row.player for row in ranking]
    best = found["count"][0]
    called = found["players"][best["seat"]]["called"]
    assert best["words"] == (
        f"{called}: {best['dirhams']} + {best['visible']} = {best['score']} points"
    )
    assert [row["turn"] for row in found["scores"]] == list(range(49))
    assert found["scores"][0]["scores"] == [30] * 4
    assert found["scores"][-1]["scores"] == [player["score"] for player in found["players"]]
    assert [moment["number"] for moment in found["moments"] if moment["taken_back"]] == [20]
    assert view.moment("1", len(found["moments"]) - 1) == found["game"]


def test_scores_end_with_the_final_scores(tmp_path: Path) -> None:
    """Also in the middle of a turn, and after a correction."""
    archived(tmp_path, *TURN, CorrectDirhams(1, 7))
    archived(tmp_path, *TURN, THREE)
    view = ArchiveView(tmp_path)
    assert view.game(1)["scores"] == [
        {"turn": 0, "scores": [30, 30, 30, 30]},
        {"turn": 1, "scores": [32, 30, 30, 30]},
        {"turn": 2, "scores": [32, 7, 30, 30]},
    ]
    assert [row["turn"] for row in view.game(2)["scores"]] == [0, 1]


def test_a_player_who_is_out_is_last_and_has_no_score(tmp_path: Path) -> None:
    archived(tmp_path, *game_until_a_player_is_out())
    last = ArchiveView(tmp_path).game(1)["count"][-1]
    assert (last["out"], last["score"]) == (True, None)
    assert last["words"].endswith(": out, no score")


def test_a_record_equals_the_commands_export(tmp_path: Path) -> None:
    path = archived(tmp_path, *finished_game(4))
    text = ArchiveView(tmp_path).record("1")
    assert text == record_text(read_game_export(path).record())
    assert record_text(parse_record(text)) == text


def test_a_lone_surrogate_in_a_name_does_not_break_the_record(tmp_path: Path) -> None:
    archived(tmp_path, *TURN, beginning=replace(FOUR, names=("\ud83d", "Bo", "C", "D")))
    view = ArchiveView(tmp_path)
    view.record(1).encode()
    assert json.dumps(view.game(1)).encode()


@pytest.mark.parametrize("game_id", ["0", "2", "01x", "", "-1", "../1", "٣", "1" * 400, "now", 7])
def test_an_unknown_game_is_refused(tmp_path: Path, game_id: str | int) -> None:
    archived(tmp_path, *TURN)
    view = ArchiveView(tmp_path)
    for read in (view.game, view.record, lambda game_id: view.moment(game_id, 0)):
        with pytest.raises(UnknownGameError) as refused:
            read(game_id)
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 100


def test_an_unknown_moment_is_refused(tmp_path: Path) -> None:
    archived(tmp_path, *TURN)
    with pytest.raises(UnknownMomentError, match=r"^no moment 4: there are 0 to 3$"):
        ArchiveView(tmp_path).moment(1, 4)


# --- Damage -------------------------------------------------------------------------------


def test_a_damaged_game_is_listed_with_its_intact_part(tmp_path: Path) -> None:
    path = archived(tmp_path, *finished_game(4))
    archived(tmp_path, *TURN)
    damage(path, 5)
    view = ArchiveView(tmp_path)
    newest, row = view.games()
    assert newest["damaged"] is None
    assert row["damaged"].endswith(
        f"to go on from there: marrakech games rescue --folder {tmp_path} 1"
    )
    assert (row["finished"], row["winners"], row["begun"]) == (False, [], BEGUN)
    assert [player["name"] for player in row["players"]] == ["Ana", "Bo", "Zoë", ""]
    found = view.game(1)
    assert len(found["moments"]) == 4
    assert found["scores"][0] == {"turn": 0, "scores": [30] * 4}
    assert view.moment(1, 3)["told"] == 3


def test_a_game_whose_last_line_is_damaged_is_not_finished(tmp_path: Path) -> None:
    """The damaged line may be a correction that changes the result."""
    entries = finished_game(4)
    path = archived(tmp_path, *entries, CorrectDirhams(0, 1))
    damage(path, len(entries) + 2)
    (row,) = ArchiveView(tmp_path).games()
    assert row["damaged"]
    assert (row["finished"], row["winners"]) == (False, [])


def test_a_game_without_its_header_has_only_its_damage(tmp_path: Path) -> None:
    rewrite(archived(tmp_path, *TURN), 1, players=["Q"])
    view = ArchiveView(tmp_path)
    (row,) = view.games()
    assert row["damaged"].startswith("This game is damaged: line 1 of the journal: ")
    assert (row["id"], row["players"], row["begun"], row["turns"]) == (1, [], None, 0)
    found = view.game(1)
    assert (found["game"], found["count"], found["scores"], found["moments"]) == (None, [], [], [])


@pytest.mark.parametrize("line", [1, 3])
def test_a_damaged_game_has_no_record(tmp_path: Path, line: int) -> None:
    path = archived(tmp_path, *TURN)
    if line == 1:
        rewrite(path, 1, players=["Q"])
    else:
        damage(path, line)
    with pytest.raises(DamagedGameError, match=f"^This game is damaged: line {line} of"):
        ArchiveView(tmp_path).record(1)


def test_an_incomplete_last_line_is_not_damage(tmp_path: Path) -> None:
    path = archived(tmp_path, *TURN)
    path.write_bytes(path.read_bytes()[:-9])
    (row,) = ArchiveView(tmp_path).games()
    assert (row["damaged"], row["turns"]) == (None, 0)


def test_a_file_of_zeros_is_neither_a_game_nor_damaged(tmp_path: Path) -> None:
    """As a power cut may leave it, before the table showed the game."""
    archived(tmp_path, *TURN).write_bytes(bytes(100))
    view = ArchiveView(tmp_path)
    (row,) = view.games()
    assert (row["damaged"], row["players"]) == (None, [])
    with pytest.raises(DamagedGameError, match=r"^no game was begun here$"):
        view.record(1)


def test_reading_changes_no_file(tmp_path: Path) -> None:
    damage(archived(tmp_path, *TURN), 2)
    archived(tmp_path, *TURN)
    before = tree(tmp_path)
    view = ArchiveView(tmp_path)
    view.games()
    view.game(1)
    view.record(2)
    assert tree(tmp_path) == before


def test_an_unreadable_archive_raises_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied")

    archived(tmp_path, *TURN)
    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(CompanionError, match="Permission denied"):
        ArchiveView(tmp_path).games()
