"""`marrakech hotseat --record`: a game is kept in a file, and goes on from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.rules.sample_records import DEBT
from helpers.table.hotseat_keyboard import Keyboard, Scenario, played, refused, talk

from companion.cli.main import main
from companion.games.marrakech import parse_record, usual_players


def test_the_record_is_written_after_every_step(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    kept: list[str] = []

    def look() -> None:
        if file.exists():
            kept.append(file.read_text().splitlines()[-1])

    sit_down(Scenario(["s", "3", "d6-e6", "e", "u"], watch=look))
    out = played(capsys, "--players", "4", "--record", str(file))
    assert kept == [
        "",
        "1. R S",
        "1. R S3 d7s",
        "1. R S3 d7s lays d6-e6",
        "2. Y E",
        "1. R S3 d7s lays d6-e6",
    ]
    assert out.endswith(
        "\nThe game is kept in game.txt.\n'marrakech hotseat --record game.txt' goes on with it.\n"
    )
    assert [path.name for path in Path().iterdir()] == ["game.txt"]


def test_a_game_goes_on_where_it_was_left(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Scenario(["s", "3"]))
    played(capsys, "--players", "3", "--names", "Amina,,Chen", "--record", str(file))
    sit_down(Scenario(["4", "u", "d5-d6"]))
    out = played(capsys, "--record", str(file))
    assert "Amina (red): a red rug, where? [a number, or two squares like d5-d6] 4\n" in out
    assert file.read_text() == (
        "marrakech record 1\nbooklet: en\nplayer: R Amina\nplayer: Y\nplayer: B Chen\nfacing: s\n"
        "\n1. R S3 d7s lays d5-d6\n"
    )


def test_a_game_that_was_only_looked_at_is_still_kept(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Scenario(["s", "3"]))
    played(capsys, "--players", "3", "--record", str(file))
    before = file.read_text()
    sit_down(Scenario(["m", "q"]))
    said = talk(played(capsys, "--record", str(file)))
    assert said[-2] == "The game is kept in game.txt."
    assert file.read_text() == before


def test_notes_in_a_record_stay_in_it(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    note = "date: 2024-05-01\nnote: first game of the evening\n"
    file.write_text(
        f"marrakech record 1\n{note}booklet: fr\nplayer: R\nplayer: Y\nplayer: B\nfacing: e\n"
    )
    sit_down(Scenario(["n"]))
    played(capsys, "--record", str(file))
    assert file.read_text() == (
        f"marrakech record 1\n{note}booklet: fr\nplayer: R\nplayer: Y\nplayer: B\nfacing: e\n"
        "\n1. R N\n"
    )


def test_a_finished_record_is_only_counted(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        DEBT.format(booklet="en", options="two_player=one-colour")
        + "1. Y S1 d5s pays R 1 of 2 is out\n"
    )
    before = file.read_text()
    sit_down(Scenario([]))
    out = played(capsys, "--record", str(file))
    assert talk(out)[2:] == [
        "The count:",
        "1. Rachid (red): 31 + 2 = 33",
        "2. Yasmin (yellow): out",
    ]
    assert file.read_text() == before


def test_a_damaged_record_is_refused_with_its_line_and_left_alone(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "marrakech record 1\nplayer: R\nplayer: Y\nplayer: B\n\n1. R S3 d6s lays d6-e6\n"
    file.write_text(text)
    assert refused(capsys, "--record", str(file)) == [
        "marrakech: game.txt: line 6, column 9: Assam's arrival is 'd7s', not 'd6s'",
        "position: ......./......./......./......./......./......./....... d7s lay R "
        "R:30:15,Y:30:15,B:30:15 -",
    ]
    assert file.read_text() == text


def test_a_folder_cannot_be_played_on(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.mkdir()
    said = "marrakech: cannot read game.txt: Is a directory"
    assert refused(capsys, "--record", str(file)) == [said]


@pytest.mark.parametrize("names", ["A\nB,C", "A\u2028B,C", "A\rB,C"])
def test_names_never_damage_the_record(
    names: str, file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """Either they are refused, or what is written can be read again."""
    sit_down(Scenario(["s"]))
    code = main(["hotseat", "--players", "2", "--names", names, "--record", str(file)])
    assert code == 2 or parse_record(file.read_text()).start.setup.players == usual_players(2)


def test_names_that_are_no_text_are_refused(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """A shell passes bytes on; those that are not UTF-8 cannot be written down."""
    sit_down(Scenario(["s"]))
    assert main(["hotseat", "--players", "2", "--names", "Zo\udceb,C", "--record", str(file)]) == 2
