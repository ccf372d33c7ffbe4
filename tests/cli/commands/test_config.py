"""`marrakech config`: the settings in use, or all their errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.main import main
from companion.config.file import effective_text, parse_config
from companion.config.model import Config

DEFAULTS = """\
# the defaults

# language of the texts: that of the booklet, or a code like en; phones use their own
language = "booklet"

[game]
# number of players: 2, 3 or 4
players = 4
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder without config files, whatever is set on this machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MARRAKECH_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["config", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["config", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


def test_the_settings_of_the_found_file_are_printed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "marrakech.toml").write_text("[matrix]\nbrightness = 9\n")
    out = printed(capsys)
    assert out.splitlines()[0] == f"# read from {here / 'marrakech.toml'}"
    assert "\nbrightness = 9  # default: 3\n" in out
    assert "\n[table]\n" in out


def test_the_environment_can_name_the_file(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "other.toml").write_text("[matrix]\nbrightness = 9\n")
    monkeypatch.setenv("MARRAKECH_CONFIG", "other.toml")
    assert "\nbrightness = 9  # default: 3\n" in printed(capsys)


def test_default_ignores_config_files(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "marrakech.toml").write_text("[matrix]\nbrightness = 99\n")
    out = printed(capsys, "--default")
    assert out.startswith(DEFAULTS)
    assert out == effective_text(Config(), "the defaults")


def test_the_output_is_a_valid_config_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.toml").write_text('[game]\nnames = ["Chloé", "Zoë \\"Z\\""]\n')
    out = printed(capsys, "--config", "mine.toml")
    assert parse_config(out, "printed").game.names == ("Chloé", 'Zoë "Z"')


def test_every_error_has_its_own_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.toml").write_text(
        '[matrix]\nbrightness = 99\n"a\\nb\\u001b" = 1\n[die]\nkey = 1\n'
    )
    assert refused(capsys, "--config", "mine.toml") == (
        "marrakech: mine.toml: [matrix] brightness = 99: use 0 to 15\n"
        "marrakech: mine.toml: [matrix] unknown key 'a\\nb\\x1b': use kind, brightness, bus, "
        "chip_select, rotation, mirrored, wiring, rail, night, night_brightness, most_ma or "
        "renew_every_s\n"
        "marrakech: mine.toml: [die] unknown key 'key': use input or keys; did you mean 'keys'?\n"
    )


def test_a_single_error_is_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "marrakech.toml").write_text("[matrix]\nbus 0\n")
    assert refused(capsys) == (
        "marrakech: marrakech.toml: line 2, column 5: "
        "expected '=' after a key in a key/value pair\n"
    )


def test_a_named_file_must_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "--config", "no\n.toml") == (
        "marrakech: cannot read no\\n.toml: No such file or directory\n"
    )
    assert refused(capsys, "--config", "") == "marrakech: the file name is empty\n"


def test_config_and_default_exclude_each_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["config", "--default", "--config", "x"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.splitlines() == [
        "marrakech: argument --config: not allowed with argument --default",
        "Try 'marrakech config --help'.",
    ]
