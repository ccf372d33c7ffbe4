"""`marrakech play`: what it makes of its arguments, and what it says where it cannot play."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

from companion.cli import play
from companion.cli.main import main
from companion.daemon.config import Config


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(words)


def test_without_a_terminal_it_says_so_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: play needs a terminal; without one, 'marrakech play --script FILE' runs a "
        "scenario\n",
    )


def test_a_config_is_checked_before_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever writes one from a script learns of its faults all the same."""
    config = tmp_path / "marrakech.toml"
    config.write_text("[game]\nplayers = 5\n")
    assert main(["play", "--config", str(config)]) == 2
    err = capsys.readouterr().err
    assert str(config) in err
    assert "terminal" not in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--die", "wooden"], "--die: invalid choice: 'wooden'"),
        (["--matrix", "oled"], "--matrix: invalid choice: 'oled'"),
        (["--script"], "--script: expected one argument"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["play", *words])
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err


def test_a_script_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--script", "nowhere.table"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "nowhere.table" in err


def test_both_dice_are_there_unless_one_is_asked_for() -> None:
    config = Config()
    assert play._with_arguments(config, arguments()).die.input == "both"
    assert play._with_arguments(config, arguments("--die", "keys")).die.input == "keys"
    assert play._with_arguments(config, arguments()).matrix == config.matrix
    assert play._with_arguments(config, arguments("--matrix", "apa102")).matrix.kind == "apa102"


def test_a_laptop_without_the_screen_is_told_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.delitem(sys.modules, "companion.simulator.app", raising=False)
    monkeypatch.setitem(sys.modules, "textual", None)
    for name in [name for name in sys.modules if name.startswith("textual.")]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["play"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("marrakech: the simulator's screen is not installed: run ./marrakech")
    assert err.count("\n") == 1
