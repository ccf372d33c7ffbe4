"""`marrakech play`: arguments and errors."""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from helpers.pad.tools import need

from companion.adapters import firmware_folder
from companion.cli.commands import play
from companion.cli.main import main
from companion.config.file import parse_config
from companion.config.model import Config

if TYPE_CHECKING:
    from companion.adapters.hardware import MakePad


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(words)


def test_without_a_terminal_it_fails_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: play needs a terminal; without one, 'marrakech play --script FILE' runs a "
        "scenario\n",
    )


def test_a_config_is_checked_before_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that scripts can check a config."""
    config = tmp_path / "marrakech.toml"
    config.write_text("[game]\nplayers = 5\n")
    assert main(["play", "--config", str(config)]) == 2
    err = capsys.readouterr().err
    assert str(config) in err
    assert "terminal" not in err


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--die", "wooden"], "--die: invalid choice: 'wooden'"),
        (["--matrix", "oled"], "--matrix: invalid choice: 'oled'"),
        (["--pad", "joystick"], "--pad: invalid choice: 'joystick'"),
        (["--script"], "--script: expected one argument"),
    ],
)
def test_invalid_arguments_are_refused(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["play", *words])
    assert stopped.value.code == 2
    assert error in capsys.readouterr().err


def test_a_missing_script_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--script", "nowhere.table"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "nowhere.table" in err


def test_both_dice_are_the_default() -> None:
    config = Config()
    assert play._with_arguments(config, arguments()).die.input == "both"
    assert play._with_arguments(config, arguments("--die", "keys")).die.input == "keys"
    electronic_config = parse_config('[die]\ninput = "electronic"', "marrakech.toml")
    assert play._with_arguments(electronic_config, arguments()).die.input == "electronic"
    assert play._with_arguments(electronic_config, arguments("--die", "both")).die.input == "both"
    assert play._with_arguments(config, arguments()).matrix == config.matrix
    assert play._with_arguments(config, arguments("--matrix", "apa102")).matrix.kind == "apa102"


def test_the_language_option_overrides_the_config() -> None:
    config = replace(Config(), language="fi")
    assert play._with_arguments(config, arguments()).language == "fi"
    assert play._with_arguments(config, arguments("--language", "ja")).language == "ja"


def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *words: str) -> MakePad | None:
    """Run `play` with these arguments; returns the pad factory it uses."""
    pad_factories: list[MakePad | None] = []

    def run_simulator(*_: object, make_pad: MakePad | None, **__: object) -> int:
        pad_factories.append(make_pad)
        return 0

    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr("companion.simulator.app.run_simulator", run_simulator)
    assert main(["play", "--folder", str(tmp_path), *words]) == 0
    return pad_factories[0]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ((), "virtual"),
        pytest.param(("--pad", "simavr"), "simavr", marks=pytest.mark.firmware),
    ],
)
def test_the_pad_option_selects_the_pad(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...], kind: str
) -> None:
    if kind == "simavr":
        need("sim")
    monkeypatch.setattr(firmware_folder, "BUILD", tmp_path / "build")
    make_pad = started(monkeypatch, tmp_path, *words)

    async def connect_pad() -> str:
        assert make_pad is not None
        pad = make_pad(asyncio.get_running_loop())
        pad.close()
        return pad.kind

    assert asyncio.run(connect_pad()) == kind


def test_pad_none_connects_no_pad(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert started(monkeypatch, tmp_path, "--pad", "none") is None


def test_without_simavr_the_package_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Makefile").touch()
    monkeypatch.setattr(firmware_folder, "FOLDER", tmp_path)
    monkeypatch.setattr(firmware_folder, "BUILD", tmp_path / "build")
    needs = {"sim": {"/no/such/sim_avr.h": "libsimavr-dev"}}
    monkeypatch.setattr(firmware_folder, "NEEDS", needs)
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert main(["play", "--pad", "simavr"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: the die pad's firmware cannot be built without libsimavr-dev: "
        "sudo apt install libsimavr-dev\n",
    )


def test_without_textual_the_package_is_named(
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
