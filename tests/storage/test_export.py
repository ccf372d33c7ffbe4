"""Export of a journal as a game record and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from helpers.rules.strategies import seeds
from helpers.table.table_driver import INPUTS, random_driver, random_input, started_game
from hypothesis import given

from companion.games.marrakech import (
    Action,
    Facing,
    Lay,
    Options,
    Orient,
    Pivot,
    Rolled,
    Setup,
    parse_placement,
    parse_record,
    position_text,
    record_text,
    usual_players,
)
from companion.json_types import JsonObject
from companion.storage.export import (
    CORRECTED,
    SIMULATED,
    GameExport,
    NoGameError,
    build_record,
    export_to_json,
    player_names,
    read_game_export,
)
from companion.storage.game_store import fingerprint
from companion.storage.journal_reader import JournalContent, JournalDamagedError
from companion.storage.journal_writer import JournalWriter
from companion.table.conversation import Stage
from companion.table.entries import (
    Act,
    Aim,
    Beginning,
    CorrectAssam,
    CorrectDirhams,
    Entry,
    Face,
    Redo,
    Restored,
    Undo,
    entry_to_json,
)
from companion.table.game import Game, apply_entry, start_game

FOUR = Beginning(Setup(usual_players(4)), names=("Ana", "Bo", "Cleo", "Dan"))
EAST = Face(Facing.EAST)
THREE = Act(Rolled(3))
LAID = Act(Lay(*parse_placement("f4-f5")[:2]))
TURN = (EAST, THREE, LAID)
POOR = CorrectDirhams(1, 7)


def game_of(*entries: Entry, beginning: Beginning = FOUR) -> Game:
    game = start_game(beginning)
    for entry in entries:
        game = apply_entry(game, entry)
    return game


def actions(*entries: Entry, beginning: Beginning = FOUR) -> tuple[Action, ...]:
    return build_record(game_of(*entries, beginning=beginning)).actions


def export_of(*entries: Entry, beginning: Beginning = FOUR, **header_extras: object) -> GameExport:
    content = JournalContent(
        {**beginning.to_json(), **header_extras}, [entry_to_json(entry) for entry in entries], 0
    )
    return GameExport(content, game_of(*entries, beginning=beginning))


# --- Records ------------------------------------------------------------------------------


def test_record_of_a_turn() -> None:
    assert record_text(build_record(game_of(*TURN, Act(Rolled(1))), "2026-03-01")) == (
        "marrakech record 1\n"
        "date: 2026-03-01\n"
        "booklet: en\n"
        "player: R Ana\n"
        "player: Y Bo\n"
        "player: B Cleo\n"
        "player: N Dan\n"
        "facing: s\n"
        "\n"
        "1. R E3 g4e lays f4-f5\n"
        "2. Y E1 g5w\n"
    )


def test_roll_commits_assams_facing() -> None:
    assert actions(EAST) == ()
    assert actions(EAST, Face(Facing.WEST), THREE) == (Orient(Facing.WEST), Rolled(3))
    assert actions(THREE) == (Orient(Facing.SOUTH), Rolled(3))


def test_aim_is_not_a_move() -> None:
    aimed = Aim(parse_placement("f4-e4"))
    assert actions(EAST, THREE, aimed) == (Orient(Facing.EAST), Rolled(3))


def test_undone_moves_are_not_in_the_record() -> None:
    assert actions(*TURN, Undo(), Undo(), Restored(), Act(Rolled(2))) == (
        Orient(Facing.EAST),
        Rolled(2),
    )
    assert actions(*TURN, Undo(), Undo(), Undo()) == ()


def test_redone_moves_are_in_the_record() -> None:
    assert actions(*TURN, Undo(), Undo(), Redo(), Redo()) == actions(*TURN)


def test_pivot_is_a_move_of_its_own() -> None:
    setup = Setup(usual_players(4), Options().with_changes({"turn_order": "pivot-last"}))
    beginning = Beginning(setup, facing=Facing.EAST)
    entries = (THREE, LAID, Face(Facing.NORTH), Act(Pivot(Facing.NORTH)))
    assert actions(*entries, beginning=beginning) == (
        Rolled(3),
        Lay(*parse_placement("f4-f5")[:2]),
        Pivot(Facing.NORTH),
    )


def test_record_begins_after_a_correction() -> None:
    """A correction is not a move. The moves before it are only in the journal and the JSON."""
    corrected = game_of(*TURN, POOR)
    record = build_record(apply_entry(corrected, Act(Rolled(1))), "2026-03-01")
    assert record.start == corrected.state
    assert record.start.dirhams == (30, 7, 30, 30)
    assert record.actions == (Orient(Facing.EAST), Rolled(1))
    assert record.notes == (("date", "2026-03-01"), ("note", CORRECTED))
    assert "\nposition: " in record_text(record)


def test_correction_keeps_assams_facing() -> None:
    assert actions(EAST, POOR, THREE) == (Orient(Facing.EAST), Rolled(3))
    assert actions(CorrectAssam(0, Facing.WEST), THREE) == (Orient(Facing.WEST), Rolled(3))


def test_undone_correction_is_ignored() -> None:
    record = build_record(game_of(*TURN, POOR, Undo(), Restored()))
    assert record == build_record(game_of(*TURN))
    assert record.notes == ()


def test_record_of_a_simulated_game_has_a_note() -> None:
    assert export_of(simulated=True, begun="today").record().notes == (
        ("date", "today"),
        ("note", SIMULATED),
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë", "Zoë"),
        (" Ana ", "Ana"),
        ("a\nb\x1b", "a\\nb\\x1b"),
        ("\ud83d", "\\ud83d"),
        ("", ""),
    ],
)
def test_names_are_escaped_for_the_record(name: str, shown: str) -> None:
    """A journal may contain any name. A record may not."""
    game = game_of(*TURN, beginning=replace(FOUR, names=(name, "Bo", "", "Dan")))
    assert player_names(game) == (shown, "Bo", "", "Dan")
    assert parse_record(record_text(build_record(game))).names == (shown, "Bo", "", "Dan")


def test_empty_names_are_left_out() -> None:
    assert player_names(game_of(beginning=replace(FOUR, names=("", " ", "", "")))) == ()
    assert player_names(game_of(beginning=replace(FOUR, names=()))) == ()


@pytest.mark.parametrize(
    ("begun", "shown"),
    [("2026-03-01", "2026-03-01"), (" \n", "\\n"), (5, ""), (None, ""), ("", "")],
)
def test_begun_may_be_any_value(begun: object, shown: str) -> None:
    export = export_of(*TURN, begun=begun)
    assert export.begun == shown
    assert dict(export.record().notes).get("date", "") == shown
    assert parse_record(record_text(export.record())) == export.record()


@given(seeds)
def test_record_of_a_random_game_is_parsed_again_and_ends_in_its_position(seed: int) -> None:
    random, driver = Random(seed), random_driver(seed)
    for _ in range(8):
        for _ in range(25):
            driver.handle(INPUTS[random_input(random, driver.stage)])
        if driver.conversation.game is not None:
            record = build_record(driver.game, "2026-03-01T20:14:05+01:00")
            assert record.final() == driver.state
            assert parse_record(record_text(record)) == record


# --- Turns --------------------------------------------------------------------------------


def test_finished_turns_that_are_not_undone_are_counted() -> None:
    assert export_of().turns == 0
    assert export_of(EAST, THREE).turns == 0
    assert export_of(*TURN).turns == 1
    assert export_of(*TURN, EAST).turns == 1
    assert export_of(*TURN, POOR).turns == 1
    assert export_of(*TURN, Undo()).turns == 0


def test_last_turn_is_counted() -> None:
    driver = started_game()
    while not driver.state.is_over:
        driver.press("2" if driver.stage is Stage.ORIENT else "ok")
    export = GameExport(JournalContent(driver.game.beginning.to_json(), [], 0), driver.game)
    assert export.turns == 48


# --- Reading a file -----------------------------------------------------------------------


def write(path: Path, *entries: Entry, **header_extras: object) -> Path:
    journal = JournalWriter.create(path, {**FOUR.to_json(), **header_extras})
    game = start_game(FOUR)
    lines: list[JsonObject] = []
    for entry in entries:
        game = apply_entry(game, entry)
        lines.append(entry_to_json(entry) | {"hash": fingerprint(game)})
    journal.append(lines)
    journal.close()
    return path


def test_journal_is_read_while_it_is_being_written(tmp_path: Path) -> None:
    """Reading locks and changes nothing, so that the running table is not disturbed."""
    path = write(tmp_path / "game.jsonl", *TURN)
    with path.open("ab") as file:
        file.write(b'{"crc":"00c0ffe')
    before = path.read_bytes()
    export = read_game_export(path)
    assert export.turns == 1
    assert export.content.torn_bytes == 15
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["game.jsonl"]


def test_file_without_a_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with pytest.raises(NoGameError, match=r"^no game was begun in .*game\.jsonl$"):
        read_game_export(path)
    path.touch()
    with pytest.raises(NoGameError):
        read_game_export(path)


def test_wrong_fingerprint_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    journal = JournalWriter.create(path, FOUR.to_json())
    journal.append([entry_to_json(THREE) | {"hash": "00000000"}])
    journal.close()
    with pytest.raises(JournalDamagedError):
        read_game_export(path)


# --- JSON ---------------------------------------------------------------------------------


def test_json_document_has_everything(tmp_path: Path) -> None:
    entries = (*TURN, POOR, THREE, Undo(), Restored())
    path = write(tmp_path / "game.jsonl", *entries, begun="2026-03-01", simulated=True)
    export = read_game_export(path)
    document = json.loads(json.dumps(export_to_json(export)))
    assert [entry["told"] for entry in document.pop("entries")] == [
        "face", "roll", "lay", "correct-dirhams", "roll", "back", "ready",
    ]  # fmt: skip
    assert document.pop("header") == {**FOUR.to_json(), "begun": "2026-03-01", "simulated": True}
    assert document.pop("ranking") == [
        row("R", "Ana", 30, 2) | {"rank": 1},
        row("B", "Cleo", 30, 0) | {"rank": 2},
        row("N", "Dan", 30, 0) | {"rank": 2},
        row("Y", "Bo", 7, 0) | {"rank": 4},
    ]
    assert parse_record(document.pop("record")) == export.record()
    assert document == {
        "format": "marrakech game 1",
        "begun": "2026-03-01",
        "simulated": True,
        "finished": False,
        "turns": 1,
        "position": position_text(export.game.state),
        "torn_bytes": 0,
    }


def row(player: str, name: str, dirhams: int, visible: int) -> JsonObject:
    return {
        "player": player,
        "name": name,
        "dirhams": dirhams,
        "visible": visible,
        "score": dirhams + visible,
        "out": False,
    }


def test_json_document_of_a_minimal_header() -> None:
    document = export_to_json(export_of(beginning=replace(FOUR, names=())))
    assert document["begun"] is None
    assert document["simulated"] is False
    assert [one["name"] for one in document["ranking"]] == ["", "", "", ""]
