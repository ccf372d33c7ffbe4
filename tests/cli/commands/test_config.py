"""`marrakech config`: the settings in use, or everything that is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.main import main
from companion.config.file import effective_text, parse_config
from companion.config.model import Config

DEFAULTS = """\
# the defaults

# the language of what is shown: that of the booklet, or another; phones follow their own
language = "booklet"

[game]
# how many play: 2, 3 or 4
players = 4
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own, whatever is set on this machine."""
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


def test_the_file_that_is_found_is_printed_as_it_is_in_use(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "marrakech.toml").write_text("[matrix]\nbrightness = 9\n")
    out = printed(capsys)
    assert out.splitlines()[0] == f"# read from {here / 'marrakech.toml'}"
    assert "\nbrightness = 9  # default: 3\n" in out
    assert "\n[table]\n" in out


def test_the_environment_may_name_the_file(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "other.toml").write_text("[matrix]\nbrightness = 9\n")
    monkeypatch.setenv("MARRAKECH_CONFIG", "other.toml")
    assert "\nbrightness = 9  # default: 3\n" in printed(capsys)


def test_the_defaults_are_printed_whatever_is_set(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "marrakech.toml").write_text("[matrix]\nbrightness = 99\n")
    out = printed(capsys, "--default")
    assert out.startswith(DEFAULTS)
    assert out == effective_text(Config(), "the defaults")


def test_what_is_printed_is_a_config_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.toml").write_text('[game]\nnames = ["Chloé", "Zoë \\"Z\\""]\n')
    out = printed(capsys, "--config", "mine.toml")
    assert parse_config(out, "printed").game.names == ("Chloé", 'Zoë "Z"')


def test_everything_wrong_has_a_line_of_its_own(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_one_fault_is_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "marrakech.toml").write_text("[matrix]\nbus 0\n")
    assert refused(capsys) == (
        "marrakech: marrakech.toml: line 2, column 5: "
        "expected '=' after a key in a key/value pair\n"
    )


def test_a_file_that_is_named_must_be_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "--config", "no\n.toml") == (
        "marrakech: cannot read no\\n.toml: No such file or directory\n"
    )
    assert refused(capsys, "--config", "") == "marrakech: no file is named\n"


def test_a_file_and_the_defaults_are_not_asked_for_together(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["config", "--default", "--config", "x"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.splitlines() == [
        "marrakech: argument --config: not allowed with argument --default",
        "Try 'marrakech config --help'.",
    ]
