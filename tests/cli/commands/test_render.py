"""`marrakech render`: PNG and GIF files, and errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from companion.cli.main import main

RECORD = """marrakech record 1
player: R
player: Y
player: B

1. R S3 d7s lays d6-e6
2. Y E1 e7e lays e6-f6
"""


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(RECORD)
    return "game.txt"


def test_a_png_and_a_gif_are_written(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", record, "--turn", "1", "--png", "turn.png", "--gif", "turn.gif"]) == 0
    with Image.open("turn.png") as sheet:
        assert sheet.format == "PNG"
    with Image.open("turn.gif") as film:
        assert film.format == "GIF"
        assert getattr(film, "n_frames", 1) > 10
    lines = capsys.readouterr().out.splitlines()
    assert [line.rpartition(",")[0] for line in lines] == ["turn.png: turn 1", "turn.gif: turn 1"]


def test_the_last_turn_is_the_default(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", record, "--png", "turn.png", "--matrix", "mono"]) == 0
    assert capsys.readouterr().out.startswith("turn.png: turn 2, ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to draw: give --png FILE, --gif FILE or both"),
        (["--png", "x.png", "--turn", "9"], "there is no turn 9: the record has 1 to 2"),
        (["--png", "nowhere/x.png"], "cannot write the picture: No such file or directory"),
        (["--gif", "."], "cannot write the picture: Is a directory"),
    ],
)
def test_impossible_requests_are_refused(
    words: list[str], message: str, record: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", record, *words]) == 2
    assert capsys.readouterr().err == f"marrakech: {message}\n"


def test_turn_must_be_a_whole_number(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["render", record, "--png", "x.png", "--turn", "last"])
    assert stop.value.code == 2
    wrong = capsys.readouterr().err.splitlines()[0]
    assert wrong == "marrakech: argument --turn: 'last' is not a whole number"


def test_a_record_without_turns_is_refused(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(record).write_text(RECORD.partition("\n\n")[0] + "\n")
    assert main(["render", record, "--png", "x.png"]) == 2
    assert capsys.readouterr().err == "marrakech: the record has no turn yet\n"
    assert not Path("x.png").exists()
