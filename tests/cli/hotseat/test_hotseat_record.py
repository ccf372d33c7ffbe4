"""`marrakech hotseat --record`: a game is saved in a file and continued from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.rules.sample_records import DEBT
from helpers.table.hotseat_keyboard import (
    Keyboard,
    ScriptedAnswers,
    dialogue_lines,
    hotseat_errors,
    play_hotseat,
)

from companion.cli.main import main
from companion.games.marrakech import parse_record, usual_players


def test_the_record_is_written_after_every_step(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    saved: list[str] = []

    def look() -> None:
        if file.exists():
            saved.append(file.read_text().splitlines()[-1])

    set_keyboard(ScriptedAnswers(["s", "3", "d6-e6", "e", "u"], on_question=look))
    out = play_hotseat(capsys, "--players", "4", "--record", str(file))
    assert saved == [
        "",
        "1. R S",
        "1. R S3 d7s",
        "1. R S3 d7s lays d6-e6",
        "2. Y E",
        "1. R S3 d7s lays d6-e6",
    ]
    assert out.endswith(
        "\nThe game is saved in game.txt.\n'marrakech hotseat --record game.txt' continues it.\n"
    )
    assert [path.name for path in Path().iterdir()] == ["game.txt"]


def test_a_game_continues_where_it_was_left(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["s", "3"]))
    play_hotseat(capsys, "--players", "3", "--names", "Amina,,Chen", "--record", str(file))
    set_keyboard(ScriptedAnswers(["4", "u", "d5-d6"]))
    out = play_hotseat(capsys, "--record", str(file))
    assert "Amina (red): a red rug, where? [a number, or two squares like d5-d6] 4\n" in out
    assert file.read_text() == (
        "marrakech record 1\nbooklet: en\nplayer: R Amina\nplayer: Y\nplayer: B Chen\nfacing: s\n"
        "\n1. R S3 d7s lays d5-d6\n"
    )


def test_a_resumed_game_without_steps_stays_saved(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["s", "3"]))
    play_hotseat(capsys, "--players", "3", "--record", str(file))
    before = file.read_text()
    set_keyboard(ScriptedAnswers(["m", "q"]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--record", str(file)))
    assert dialogue[-2] == "The game is saved in game.txt."
    assert file.read_text() == before


def test_notes_of_a_record_are_kept(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    note = "date: 2024-05-01\nnote: first game of the evening\n"
    file.write_text(
        f"marrakech record 1\n{note}booklet: fr\nplayer: R\nplayer: Y\nplayer: B\nfacing: e\n"
    )
    set_keyboard(ScriptedAnswers(["n"]))
    play_hotseat(capsys, "--record", str(file))
    assert file.read_text() == (
        f"marrakech record 1\n{note}booklet: fr\nplayer: R\nplayer: Y\nplayer: B\nfacing: e\n"
        "\n1. R N\n"
    )


def test_a_finished_record_only_prints_the_score(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        DEBT.format(booklet="en", options="two_player=one-colour")
        + "1. Y S1 d5s pays R 1 of 2 is out\n"
    )
    before = file.read_text()
    set_keyboard(ScriptedAnswers([]))
    out = play_hotseat(capsys, "--record", str(file))
    assert dialogue_lines(out)[2:] == [
        "The count:",
        "1. Rachid (red): 31 + 2 = 33",
        "2. Yasmin (yellow): out",
    ]
    assert file.read_text() == before


def test_a_damaged_record_is_refused_with_its_line_and_not_changed(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "marrakech record 1\nplayer: R\nplayer: Y\nplayer: B\n\n1. R S3 d6s lays d6-e6\n"
    file.write_text(text)
    assert hotseat_errors(capsys, "--record", str(file)) == [
        "marrakech: game.txt: line 6, column 9: Assam's arrival is 'd7s', not 'd6s'",
        "position: ......./......./......./......./......./......./....... d7s lay R "
        "R:30:15,Y:30:15,B:30:15 -",
    ]
    assert file.read_text() == text


def test_a_folder_is_refused_as_record(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.mkdir()
    error = "marrakech: cannot read game.txt: Is a directory"
    assert hotseat_errors(capsys, "--record", str(file)) == [error]


@pytest.mark.parametrize("names", ["A\nB,C", "A\u2028B,C", "A\rB,C"])
def test_names_never_damage_the_record(
    names: str, file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are refused, or the record can be read again."""
    set_keyboard(ScriptedAnswers(["s"]))
    code = main(["hotseat", "--players", "2", "--names", names, "--record", str(file)])
    assert code == 2 or parse_record(file.read_text()).start.setup.players == usual_players(2)


def test_names_that_are_not_utf_8_are_refused(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """A shell passes any bytes; those that are not UTF-8 cannot be saved."""
    set_keyboard(ScriptedAnswers(["s"]))
    assert main(["hotseat", "--players", "2", "--names", "Zo\udceb,C", "--record", str(file)]) == 2
