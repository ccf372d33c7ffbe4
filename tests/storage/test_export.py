"""A journal seen as a whole: what stands is a record that others can read and replay."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from helpers.rules.strategies import seeds
from helpers.table.table_driver import INPUTS, begun, random_talk, random_word
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
from companion.storage.export import (
    CORRECTED,
    SIMULATED,
    GameExport,
    NoGameError,
    json_of,
    names_of,
    read_game_export,
    record_of,
)
from companion.storage.game_store import fingerprint
from companion.storage.journal_reader import JournalContent, JournalDamagedError
from companion.storage.journal_writer import Journal
from companion.storage.line_codec import Members
from companion.table.conversation import Stage
from companion.table.entries import (
    Act,
    Aim,
    Beginning,
    CorrectAssam,
    CorrectDirhams,
    Entry,
    Face,
    Ready,
    TakeBack,
    TellAgain,
    entry_to_json,
)
from companion.table.game import Game, begin, tell

FOUR = Beginning(Setup(usual_players(4)), names=("Ana", "Bo", "Cleo", "Dan"))
EAST = Face(Facing.EAST)
THREE = Act(Rolled(3))
LAID = Act(Lay(*parse_placement("f4-f5")[:2]))
TURN = (EAST, THREE, LAID)
POOR = CorrectDirhams(1, 7)


def game_of(*told: Entry, beginning: Beginning = FOUR) -> Game:
    game = begin(beginning)
    for one in told:
        game = tell(game, one)
    return game


def actions(*told: Entry, beginning: Beginning = FOUR) -> tuple[Action, ...]:
    return record_of(game_of(*told, beginning=beginning)).actions


def chronicle(*told: Entry, beginning: Beginning = FOUR, **about: object) -> GameExport:
    entries = [entry_to_json(one) for one in told]
    return GameExport(
        JournalContent({**beginning.plain(), **about}, entries, 0),
        game_of(*told, beginning=beginning),
    )


# --- Records ------------------------------------------------------------------------------


def test_a_turn_is_told_in_the_words_of_a_record() -> None:
    assert record_text(record_of(game_of(*TURN, Act(Rolled(1))), "2026-03-01")) == (
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


def test_the_die_commits_where_assam_was_turned() -> None:
    assert actions(EAST) == ()
    assert actions(EAST, Face(Facing.WEST), THREE) == (Orient(Facing.WEST), Rolled(3))
    assert actions(THREE) == (Orient(Facing.SOUTH), Rolled(3))


def test_an_aim_is_no_move() -> None:
    aimed = Aim(parse_placement("f4-e4"))
    assert actions(EAST, THREE, aimed) == (Orient(Facing.EAST), Rolled(3))


def test_what_was_taken_back_is_not_in_it() -> None:
    assert actions(*TURN, TakeBack(), TakeBack(), Ready(), Act(Rolled(2))) == (
        Orient(Facing.EAST),
        Rolled(2),
    )
    assert actions(*TURN, TakeBack(), TakeBack(), TakeBack()) == ()


def test_what_was_told_again_is() -> None:
    assert actions(*TURN, TakeBack(), TakeBack(), TellAgain(), TellAgain()) == actions(*TURN)


def test_in_the_order_that_pivots_last_the_turn_is_told_by_itself() -> None:
    setup = Setup(usual_players(4), Options().but({"turn_order": "pivot-last"}))
    beginning = Beginning(setup, facing=Facing.EAST)
    told = (THREE, LAID, Face(Facing.NORTH), Act(Pivot(Facing.NORTH)))
    assert actions(*told, beginning=beginning) == (
        Rolled(3),
        Lay(*parse_placement("f4-f5")[:2]),
        Pivot(Facing.NORTH),
    )


def test_a_correction_is_where_the_record_begins() -> None:
    """No rule leads there: what was played before is in the journal, and in its JSON."""
    corrected = game_of(*TURN, POOR)
    record = record_of(tell(corrected, Act(Rolled(1))), "2026-03-01")
    assert record.start == corrected.state
    assert record.start.dirhams == (30, 7, 30, 30)
    assert record.actions == (Orient(Facing.EAST), Rolled(1))
    assert record.notes == (("date", "2026-03-01"), ("note", CORRECTED))
    assert "\nposition: " in record_text(record)


def test_after_a_correction_assam_is_still_turned_as_he_was() -> None:
    assert actions(EAST, POOR, THREE) == (Orient(Facing.EAST), Rolled(3))
    assert actions(CorrectAssam(0, Facing.WEST), THREE) == (Orient(Facing.WEST), Rolled(3))


def test_a_correction_that_was_taken_back_does_not_count() -> None:
    record = record_of(game_of(*TURN, POOR, TakeBack(), Ready()))
    assert record == record_of(game_of(*TURN))
    assert record.notes == ()


def test_a_simulated_game_says_so() -> None:
    assert chronicle(simulated=True, begun="today").record().notes == (
        ("date", "today"),
        ("note", SIMULATED),
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Zoë", "Zoë"),
        (" Ana ", "Ana"),
        ("a\nb\x1b", "a\\nb\\x1b"),
        ("\ud83d", "\\ud83d"),
        ("", ""),
    ],
)
def test_a_name_that_no_record_could_say_is_made_one_that_it_can(name: str, told: str) -> None:
    """A journal is a file: whatever is in it, its game can be written down."""
    game = game_of(*TURN, beginning=replace(FOUR, names=(name, "Bo", "", "Dan")))
    assert names_of(game) == (told, "Bo", "", "Dan")
    assert parse_record(record_text(record_of(game))).names == (told, "Bo", "", "Dan")


def test_names_that_are_all_empty_are_none() -> None:
    assert names_of(game_of(beginning=replace(FOUR, names=("", " ", "", "")))) == ()
    assert names_of(game_of(beginning=replace(FOUR, names=()))) == ()


@pytest.mark.parametrize(
    ("said", "told"), [("2026-03-01", "2026-03-01"), (" \n", "\\n"), (5, ""), (None, ""), ("", "")]
)
def test_when_it_was_begun_may_be_anything(said: object, told: str) -> None:
    seen = chronicle(*TURN, begun=said)
    assert seen.begun == told
    assert dict(seen.record().notes).get("date", "") == told
    assert parse_record(record_text(seen.record())) == seen.record()


@given(seeds)
def test_whatever_is_told_the_record_reads_back_and_ends_where_the_game_is(seed: int) -> None:
    chance, talk = Random(seed), random_talk(seed)
    for _ in range(8):
        for _ in range(25):
            talk.hear(INPUTS[random_word(chance, talk.stage)])
        if talk.conversation.game is not None:
            record = record_of(talk.game, "2026-03-01T20:14:05+01:00")
            assert record.final() == talk.state
            assert parse_record(record_text(record)) == record


# --- Turns --------------------------------------------------------------------------------


def test_turns_are_counted_when_they_are_over_and_while_they_stand() -> None:
    assert chronicle().turns == 0
    assert chronicle(EAST, THREE).turns == 0
    assert chronicle(*TURN).turns == 1
    assert chronicle(*TURN, EAST).turns == 1
    assert chronicle(*TURN, POOR).turns == 1
    assert chronicle(*TURN, TakeBack()).turns == 0


def test_the_last_turn_counts_too() -> None:
    talk = begun()
    while not talk.state.is_over:
        talk.say("2" if talk.stage is Stage.ORIENT else "ok")
    seen = GameExport(JournalContent(talk.game.beginning.plain(), [], 0), talk.game)
    assert seen.turns == 48


# --- Reading a file -----------------------------------------------------------------------


def write(path: Path, *told: Entry, **about: object) -> Path:
    journal = Journal.create(path, {**FOUR.plain(), **about})
    game = begin(FOUR)
    entries: list[Members] = []
    for one in told:
        game = tell(game, one)
        entries.append(entry_to_json(one) | {"hash": fingerprint(game)})
    journal.append(entries)
    journal.close()
    return path


def test_a_journal_is_read_while_it_is_being_written(tmp_path: Path) -> None:
    """Nothing is locked, and nothing is changed: the table that has it open plays on."""
    path = write(tmp_path / "game.jsonl", *TURN)
    with path.open("ab") as file:
        file.write(b'{"crc":"00c0ffe')
    before = path.read_bytes()
    seen = read_game_export(path)
    assert seen.turns == 1
    assert seen.reading.torn == 15
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["game.jsonl"]


def test_where_no_game_was_begun_there_is_nothing_to_tell(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with pytest.raises(NoGameError, match=r"^no game was begun in .*game\.jsonl$"):
        read_game_export(path)
    path.touch()
    with pytest.raises(NoGameError):
        read_game_export(path)


def test_a_journal_that_comes_out_otherwise_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    journal = Journal.create(path, FOUR.plain())
    journal.append([entry_to_json(THREE) | {"hash": "00000000"}])
    journal.close()
    with pytest.raises(JournalDamagedError):
        read_game_export(path)


# --- JSON ---------------------------------------------------------------------------------


def test_everything_is_one_json_document(tmp_path: Path) -> None:
    told = (*TURN, POOR, THREE, TakeBack(), Ready())
    path = write(tmp_path / "game.jsonl", *told, begun="2026-03-01", simulated=True)
    seen = read_game_export(path)
    document = json.loads(json.dumps(json_of(seen)))
    assert [entry["told"] for entry in document.pop("entries")] == [
        "face", "roll", "lay", "correct-dirhams", "roll", "back", "ready",
    ]  # fmt: skip
    assert document.pop("header") == {**FOUR.plain(), "begun": "2026-03-01", "simulated": True}
    assert document.pop("ranking") == [
        row("R", "Ana", 30, 2) | {"rank": 1},
        row("B", "Cleo", 30, 0) | {"rank": 2},
        row("N", "Dan", 30, 0) | {"rank": 2},
        row("Y", "Bo", 7, 0) | {"rank": 4},
    ]
    assert parse_record(document.pop("record")) == seen.record()
    assert document == {
        "format": "marrakech game 1",
        "begun": "2026-03-01",
        "simulated": True,
        "finished": False,
        "turns": 1,
        "position": position_text(seen.game.state),
        "torn_bytes": 0,
    }


def row(player: str, name: str, dirhams: int, visible: int) -> Members:
    return {
        "player": player,
        "name": name,
        "dirhams": dirhams,
        "visible": visible,
        "score": dirhams + visible,
        "out": False,
    }


def test_a_game_that_says_little_of_itself_has_a_document_too() -> None:
    document = json_of(chronicle(beginning=replace(FOUR, names=())))
    assert document["begun"] is None
    assert document["simulated"] is False
    assert [one["name"] for one in document["ranking"]] == ["", "", "", ""]
