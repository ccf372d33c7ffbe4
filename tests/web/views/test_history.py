"""The history of the game in progress, with undone moments."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.storage.archived_games import (
    EAST,
    FOUR,
    LAID,
    THREE,
    TURN,
    archive_current_game,
    finished_game,
    save_current_game,
)
from helpers.storage.game_folder import damage, rewrite
from helpers.storage.stored_games import tree, without_fsync
from helpers.table.table_driver import RandomDice, random_input, started_game

from companion.control import snapshot
from companion.games.marrakech import Rolled, legal_actions, parse_position
from companion.table.conversation import Conversation, Playing, Preferences
from companion.table.entries import Act, Aim, CorrectDirhams, Redo, Restored, Undo
from companion.table.game import apply_entry, start_game
from companion.table.scenes.stage_scenes import RailStatus
from companion.table.view import TableView
from companion.web.views import history as history_module
from companion.web.views.history import (
    MAX_FILE_BYTES,
    CurrentGameView,
    GameHistoryCache,
    UnknownMomentError,
    read_game_history,
)

AIM = Aim(LAID.action.placement)  # type: ignore[attr-defined]


@pytest.fixture(scope="module", autouse=True)
def no_fsync() -> Iterator[None]:
    with without_fsync():
        yield


def column(folder: Path, name: str) -> list[Any]:
    return [moment[name] for moment in CurrentGameView(folder).moments()]


# --- Moments ------------------------------------------------------------------------------


def test_every_moment_has_player_text_money_and_scores(tmp_path: Path) -> None:
    save_current_game(tmp_path, *TURN)
    assert CurrentGameView(tmp_path).moments() == [
        {
            "number": 0,
            "turn": 1,
            "told": "begin",
            "seat": None,
            "who": None,
            "words": ["The game begins, by the booklet: English."],
            "taken_back": False,
            "dirhams": [30, 30, 30, 30],
            "scores": [30, 30, 30, 30],
        },
        *(
            {
                "number": number,
                "turn": 1,
                "told": kind,
                "seat": 0,
                "who": "Ana",
                "words": [words],
                "taken_back": False,
                "dirhams": [30, 30, 30, 30],
                "scores": [score, 30, 30, 30],
            }
            for number, kind, words, score in (
                (1, "face", "Assam faces east.", 30),
                (2, "roll", "Ana rolled 3: Assam walks to g4 and faces east.", 30),
                (3, "lay", "Ana laid a red rug on f4 and f5.", 32),
            )
        ),
    ]


def test_undone_turns_are_not_counted(tmp_path: Path) -> None:
    save_current_game(
        tmp_path, *TURN, Act(Rolled(1)), Undo(), Undo(), Restored(), LAID, Act(Rolled(1))
    )
    assert column(tmp_path, "turn") == [1, 1, 1, 1, 2, 1, 2]
    assert column(tmp_path, "seat") == [None, 0, 0, 0, 1, 0, 1]


def test_undone_moments_stay_in_place_and_are_marked(tmp_path: Path) -> None:
    save_current_game(tmp_path, EAST, THREE, Undo(), Restored(), Act(Rolled(1)))
    assert column(tmp_path, "told") == ["begin", "face", "roll", "roll"]
    assert column(tmp_path, "taken_back") == [False, False, True, False]


def test_a_redone_moment_is_one_moment_and_not_marked(tmp_path: Path) -> None:
    save_current_game(tmp_path, EAST, THREE, Undo(), Undo(), Redo())
    assert column(tmp_path, "taken_back") == [False, False, True]
    snapshot_then = CurrentGameView(tmp_path).moment(1)
    assert snapshot_then["assam"] == {"square": "d4", "facing": "east"}


def test_an_aim_is_not_a_moment(tmp_path: Path) -> None:
    save_current_game(tmp_path, EAST, THREE, AIM, LAID)
    assert column(tmp_path, "told") == ["begin", "face", "roll", "lay"]


def test_a_correction_has_no_player(tmp_path: Path) -> None:
    save_current_game(tmp_path, CorrectDirhams(1, 7))
    assert column(tmp_path, "who") == [None, None]
    assert column(tmp_path, "words")[1] == ["Corrected: Bo has 7 dirhams."]
    assert column(tmp_path, "dirhams")[1] == [30, 7, 30, 30]


def test_a_player_without_a_name_is_named_by_colour(tmp_path: Path) -> None:
    entries = finished_game(3)
    save_current_game(tmp_path, *entries)
    assert set(column(tmp_path, "who")) == {None, "Ana", "Bo", "Zoë", "Brown"}
    assert column(tmp_path, "turn")[-1] == 48


def test_a_correction_after_the_end_belongs_to_the_last_turn(tmp_path: Path) -> None:
    save_current_game(tmp_path, *finished_game(3), CorrectDirhams(1, 2))
    assert column(tmp_path, "turn")[-2:] == [48, 48]


def test_without_a_game_there_are_no_moments(tmp_path: Path) -> None:
    view = CurrentGameView(tmp_path / "nowhere")
    assert (view.moments(), view.damage_text()) == ([], None)
    with pytest.raises(UnknownMomentError, match=r"^no moment 0: there is no game$"):
        view.moment(0)


# --- Snapshots ----------------------------------------------------------------------------


def test_a_moment_equals_the_snapshot_at_that_time(tmp_path: Path) -> None:
    """Also for undone moments."""
    entries = [*finished_game(5)[:40], Undo(), Undo(), Restored()]
    game = start_game(FOUR)
    for entry in entries:
        game = apply_entry(game, entry)
    entries.append(Act(legal_actions(game.state)[-1]))
    save_current_game(tmp_path, *entries)
    view, game, number = CurrentGameView(tmp_path), start_game(FOUR), 0
    for entry in entries:
        game = apply_entry(game, entry)
        if isinstance(entry, Undo | Restored):
            continue
        number += 1
        table = TableView(Conversation(Preferences(), Playing(), game), RailStatus())
        assert view.moment(number) == snapshot.snapshot_of(table)["game"]
    assert number == 41


@pytest.mark.parametrize("number", [-1, 4, 10**6])
def test_an_unknown_moment_is_refused(tmp_path: Path, number: int) -> None:
    save_current_game(tmp_path, *TURN)
    with pytest.raises(UnknownMomentError, match=f"^no moment {number}: there are 0 to 3$"):
        CurrentGameView(tmp_path).moment(number)


@pytest.mark.parametrize("seed", range(6))
def test_any_game_has_a_history(tmp_path: Path, seed: int) -> None:
    """After random inputs: consecutive numbers, rows as JSON, and the last moment is now."""
    random = Random(seed)
    driver = started_game(players=2 + seed % 3, names=("Ana", "", "Cleo", "Dan"))
    driver.random_source = RandomDice(random)
    while len(driver.commands) < 150 and not driver.state.is_over:
        word = random_input(random, driver.stage)
        driver.refusal = None
        driver.press(word if word != "pause" else "ok")
    save_current_game(tmp_path, *driver.entries, beginning=driver.game.beginning)
    view = CurrentGameView(tmp_path)
    found = view.moments()
    assert json.loads(json.dumps(found)) == found
    assert [moment["number"] for moment in found] == list(range(len(found)))
    standing = [moment["number"] for moment in found if not moment["taken_back"]]
    assert len(standing) == driver.game.now.entry_count + 1 < len(found)
    assert parse_position(view.moment(standing[-1])["position"]) == driver.state


# --- While the table writes ---------------------------------------------------------------


def test_an_incomplete_last_line_is_ignored(tmp_path: Path) -> None:
    """Cut off at any byte, the file has the game so far and no damage."""
    save_current_game(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    data, view = path.read_bytes(), CurrentGameView(tmp_path)
    ends = [n + 1 for n, byte in enumerate(data) if byte == 10]
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        assert len(view.moments()) == sum(end <= cut for end in ends)
        assert view.damage_text() is None


def test_new_entries_are_seen(tmp_path: Path) -> None:
    save_current_game(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    data, view = path.read_bytes(), CurrentGameView(tmp_path)
    path.write_bytes(data[: data.rindex(b"\n", 0, -1) + 1])
    assert len(view.moments()) == 3
    path.write_bytes(data)
    assert len(view.moments()) == 4
    archive_current_game(tmp_path)
    assert view.moments() == []


def test_reading_changes_no_file(tmp_path: Path) -> None:
    save_current_game(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    path.write_bytes(path.read_bytes() + b'{"crc":"')
    before = tree(tmp_path)
    view = CurrentGameView(tmp_path)
    view.moments()
    view.moment(2)
    assert tree(tmp_path) == before


def test_a_file_is_read_once_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Path] = []

    def count_read(path: Path, *more: Any) -> Any:  # noqa: ANN401 - passed on
        reads.append(path)
        return read_game_history(path, *more)

    monkeypatch.setattr(history_module, "read_game_history", count_read)
    save_current_game(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    view = CurrentGameView(tmp_path)
    assert view.moments() is view.moments()
    view.moment(1)
    assert len(reads) == 1
    os.utime(path, ns=(1, 1))
    view.moments()
    assert len(reads) == 2


def test_the_cache_keeps_the_last_few(tmp_path: Path) -> None:
    for name in "abc":
        save_current_game(tmp_path / name, *TURN)
    paths = [tmp_path / name / "game.jsonl" for name in "abc"]
    cache = GameHistoryCache(2)
    first, second = cache.get(paths[0]), cache.get(paths[1])
    assert cache.get(paths[0]) is first  # now the second is the oldest
    cache.get(paths[2])
    assert cache.get(paths[0]) is first
    assert cache.get(paths[1]) is not second


# --- Damage -------------------------------------------------------------------------------


def test_a_damaged_game_has_its_intact_beginning_and_what_to_do(tmp_path: Path) -> None:
    save_current_game(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    damage(path, 3)
    view = CurrentGameView(tmp_path)
    assert [moment["told"] for moment in view.moments()] == ["begin", "face"]
    damage_text = str(view.damage_text())
    assert damage_text.startswith("This game is damaged: line 3 of the journal: ")
    assert damage_text.endswith(f"1 entry before it is intact; to go on from there: {rescue(path)}")


def rescue(path: Path) -> str:
    return f"marrakech games rescue --folder {path.parent} now"


def test_a_game_that_replays_differently_ends_before_the_difference(tmp_path: Path) -> None:
    save_current_game(tmp_path, *TURN)
    rewrite(tmp_path / "game.jsonl", 3, pips=4)
    view = CurrentGameView(tmp_path)
    assert [moment["told"] for moment in view.moments()] == ["begin", "face"]
    assert "the replay differs from the game that was played" in str(view.damage_text())


def test_a_game_without_its_header_has_no_moments(tmp_path: Path) -> None:
    save_current_game(tmp_path, *TURN)
    rewrite(tmp_path / "game.jsonl", 1, players=["Q"])
    view = CurrentGameView(tmp_path)
    assert view.moments() == []
    assert str(view.damage_text()).startswith("This game is damaged: line 1 of the journal: ")


def test_a_file_of_another_version_is_not_called_damaged(tmp_path: Path) -> None:
    save_current_game(tmp_path, *TURN)
    rewrite(tmp_path / "game.jsonl", 1, journal=2)
    assert str(CurrentGameView(tmp_path).damage_text()).startswith("This game cannot be read: ")


def test_a_folder_in_place_of_the_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").mkdir()
    damage_text = str(CurrentGameView(tmp_path).damage_text())
    assert damage_text.endswith("(Is a directory: move it away)")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "game.jsonl").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    assert "is too large for a game" in str(CurrentGameView(tmp_path).damage_text())


@pytest.mark.parametrize("seed", range(40))
def test_garbage_is_reported_as_damage(tmp_path: Path, seed: int) -> None:
    """Changed bytes, and lost, cut or doubled lines: an intact beginning, and mostly damage."""
    random = Random(seed)
    save_current_game(tmp_path, *finished_game(seed)[:30])
    path = tmp_path / "game.jsonl"
    whole = column(tmp_path, "told")
    lines = path.read_bytes().splitlines(keepends=True)
    data = bytearray(b"".join(lines))
    match seed % 4:
        case 0:
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        case 1:
            del lines[random.randrange(len(lines))]
            data = bytearray(b"".join(lines))
        case 2:
            lines.insert(random.randrange(len(lines)), random.choice(lines))
            data = bytearray(b"".join(lines))
        case 3:
            data[random.randrange(len(data)) :] = random.randbytes(random.randrange(200))
    path.write_bytes(data)
    view = CurrentGameView(tmp_path)
    kinds = [moment["told"] for moment in view.moments()]
    assert kinds == whole[: len(kinds)]
    if seed % 4 in (0, 2):  # else the file may look like an intact shorter one
        assert view.damage_text() is not None
