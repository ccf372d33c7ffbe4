"""The config file: where it is found, the folder of the games, and printing."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.matrix import KINDS
from companion.config import file as config_file
from companion.config.file import effective_text, load_config, parse_config
from companion.config.model import (
    ButtonsConfig,
    Config,
    ConfigError,
    DieConfig,
    GameConfig,
    JournalConfig,
    MatrixConfig,
    TableConfig,
    keys_of,
    section_names,
)
from companion.games.marrakech import BOOKLETS, OPTIONS
from companion.games.marrakech.text.record import is_valid_name
from companion.light.current import MIN_LIMIT_MA
from companion.light.layout import RAILS, ROTATIONS, WIRINGS

# --- Finding the file ---------------------------------------------------------------------


@pytest.fixture(autouse=True)
def system_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A path instead of the system's config file, which may exist on this machine."""
    assert Path("/etc/marrakech/marrakech.toml") == config_file.SYSTEM_FILE
    file = tmp_path / "etc/marrakech.toml"
    monkeypatch.setattr(config_file, "SYSTEM_FILE", file)
    return file


def write(file: Path, brightness: int) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"[matrix]\nbrightness = {brightness}\n")
    return file


def test_the_first_file_found_is_used(tmp_path: Path, system_file: Path) -> None:
    cwd = tmp_path / "here"
    named = write(tmp_path / "a.toml", 1)
    from_environment = write(tmp_path / "b.toml", 2)
    here = write(cwd / "marrakech.toml", 4)
    xdg = write(tmp_path / "xdg/marrakech/marrakech.toml", 5)
    write(system_file, 7)
    home = write(tmp_path / "home/.config/marrakech/marrakech.toml", 6)
    environ = {
        "MARRAKECH_CONFIG": str(from_environment),
        "XDG_CONFIG_HOME": str(tmp_path / "xdg"),
        "HOME": str(tmp_path / "home"),
    }

    def found(path: Path | None = None) -> tuple[int, str]:
        config, origin = load_config(path, environ=environ, cwd=cwd)
        return config.matrix.brightness, origin

    assert found(named) == (1, f"read from {named}")
    assert found(Path("../a.toml")) == (1, f"read from {cwd}/../a.toml")
    assert found() == (2, f"read from {from_environment}")
    environ["MARRAKECH_CONFIG"] = ""
    assert found() == (4, f"read from {here}")
    here.unlink()
    assert found() == (5, f"read from {xdg}")
    environ["XDG_CONFIG_HOME"] = "xdg"  # a relative path is ignored
    assert found() == (6, f"read from {home}")
    home.unlink()
    assert found() == (7, f"read from {system_file}")


def test_without_a_file_the_origin_lists_the_places(tmp_path: Path, system_file: Path) -> None:
    assert load_config(environ={"HOME": "/nowhere"}, cwd=tmp_path) == (
        Config(),
        f"the defaults: no marrakech.toml was found; looked in: {tmp_path}/marrakech.toml, "
        f"/nowhere/.config/marrakech/marrakech.toml, {system_file}",
    )
    _, origin = load_config(environ={}, cwd=tmp_path)
    assert origin.endswith(f": {tmp_path}/marrakech.toml, {system_file}")


def load_error(cwd: Path, path: str | None = None, **environ: str) -> str:
    with pytest.raises(ConfigError) as error:
        load_config(Path(path) if path else None, environ=environ, cwd=cwd)
    return str(error.value)


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    write(tmp_path / "marrakech.toml", 4)
    assert load_error(tmp_path, "no.toml") == "cannot read no.toml: No such file or directory"
    assert load_error(tmp_path, MARRAKECH_CONFIG="no.toml") == (
        "cannot read no.toml ($MARRAKECH_CONFIG): No such file or directory"
    )


def test_a_found_file_must_be_readable(tmp_path: Path) -> None:
    place = tmp_path / "marrakech.toml"
    place.mkdir()
    assert load_error(tmp_path) == "cannot read marrakech.toml: Is a directory"
    place.rmdir()
    place.write_bytes(b"# caf\xe9\n")
    assert load_error(tmp_path) == "cannot read marrakech.toml: byte 6 is not UTF-8 text"
    place.write_bytes(b"#" * 64_001)
    assert load_error(tmp_path) == "cannot read marrakech.toml: it is larger than 64 kB"


def test_errors_begin_with_the_short_name_of_the_file(tmp_path: Path) -> None:
    write(tmp_path / "marrakech.toml", 99)
    fault = "[matrix] brightness = 99: use 0 to 15"
    assert load_error(tmp_path) == f"marrakech.toml: {fault}"
    inside = tmp_path / "inside"
    inside.mkdir()
    assert load_error(inside, "../marrakech.toml") == f"../marrakech.toml: {fault}"
    elsewhere = write(tmp_path / "home/.config/marrakech/marrakech.toml", 99)
    assert load_error(inside, HOME=str(tmp_path / "home")) == f"{elsewhere}: {fault}"


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "marrakech.toml").write_bytes(b"\xef\xbb\xbf[matrix]\r\nbrightness = 7\r\n")
    assert load_config(environ={}, cwd=tmp_path)[0].matrix.brightness == 7


# --- The folder of the games --------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "environ", "place"),
    [
        ("/games", {"STATE_DIRECTORY": "/s", "HOME": "/h"}, "/games"),
        ("~/games", {"STATE_DIRECTORY": "/s", "HOME": "/h"}, "/h/games"),
        ("", {"STATE_DIRECTORY": "/s", "XDG_STATE_HOME": "/x", "HOME": "/h"}, "/s"),
        ("", {"STATE_DIRECTORY": "/s:/t"}, "/s"),
        ("", {"XDG_STATE_HOME": "/x", "HOME": "/h"}, "/x/marrakech"),
        ("", {"XDG_STATE_HOME": "x", "HOME": "/h"}, "/h/.local/state/marrakech"),
        ("", {"STATE_DIRECTORY": "", "HOME": "/h"}, "/h/.local/state/marrakech"),
    ],
)
def test_the_folder_of_the_games(folder: str, environ: dict[str, str], place: str) -> None:
    config = replace(Config(), journal=JournalConfig(folder=folder))
    assert config.journal_folder(environ) == Path(place)


@pytest.mark.parametrize("folder", ["", "~/games"])
def test_without_home_the_folder_must_be_set(folder: str) -> None:
    config = replace(Config(), journal=JournalConfig(folder=folder))
    with pytest.raises(
        ConfigError, match=r"\$HOME is not set; set \[journal\] folder to an absolute"
    ):
        config.journal_folder({})


# --- Printing -----------------------------------------------------------------------------

names = st.text(max_size=20).filter(lambda text: is_valid_name(text) and text == text.strip())
free_pins = st.permutations([pin for pin in range(2, 28) if pin not in (7, 8, 9, 10, 11)])


@st.composite
def configs(draw: st.DrawFn) -> Config:
    """Any valid config."""
    pins = draw(free_pins)
    options = draw(st.fixed_dictionaries({}, optional={
        name: st.sampled_from(list(values)) for name, values in OPTIONS.items()
    }))  # fmt: skip
    return Config(
        game=GameConfig(
            players=draw(st.integers(2, 4)),
            booklet=draw(st.sampled_from(list(BOOKLETS))),
            piles=draw(st.sampled_from(["told", "dealt"])),
            names=tuple(draw(st.lists(names, max_size=4, unique_by=str.casefold))),
            facing=draw(st.sampled_from(["north", "east", "south", "west"])),
            options=tuple((name, options[name]) for name in OPTIONS if name in options),
        ),
        matrix=MatrixConfig(
            kind=(kind := draw(st.sampled_from(KINDS))),
            brightness=draw(st.integers(0, 15)),
            chip_select=draw(st.integers(0, 1)),
            rotation=draw(st.sampled_from(ROTATIONS)),
            mirrored=draw(st.booleans()),
            wiring=draw(st.sampled_from(WIRINGS if kind == "apa102" else ["rows"])),
            rail=draw(st.sampled_from(RAILS)),
            night=draw(st.sampled_from(["", "22:00-07:00", "0:15 - 6:30"])),
            night_brightness=draw(st.integers(0, 15)),
            most_ma=draw(st.integers(MIN_LIMIT_MA, 4000)),
            renew_every_s=draw(st.integers(0, 3600)),
        ),
        buttons=ButtonsConfig(
            *(*pins[:6], draw(st.integers(0, 100)), draw(st.integers(500, 10_000)))
        ),
        die=DieConfig(draw(st.sampled_from(["keys", "electronic", "both"])), tuple(pins[6:10])),
        journal=JournalConfig(
            folder=draw(st.just("") | names.map(lambda name: f"/{name}")),
            retry_s=draw(st.floats(0.1, 60)),
        ),
        table=TableConfig(draw(st.integers(0, 3600))),
    )


@given(configs(), st.text())
def test_printed_settings_parse_to_the_same(config: Config, origin: str) -> None:
    assert parse_config(effective_text(config, origin), "printed") == config


def test_printed_settings_have_their_origin_and_differences_from_the_defaults() -> None:
    config = parse_config('[matrix]\nbrightness = 9\n[game.options]\nloops = "nw-se"', "x")
    lines = effective_text(config, "read from a\nb.toml").splitlines()
    assert lines[0] == "# read from a\\nb.toml"
    assert [line for line in lines if "  # default: " in line] == [
        'loops = "nw-se"  # default: "ne-sw"',
        "brightness = 9  # default: 3",
    ]
    at = lines.index("brightness = 9  # default: 3")
    assert (
        lines[at - 1]
        == "# 0 to 15; high values need a strong power supply, and apa102 are off at 0"
    )


def test_options_of_the_booklet_are_printed_as_comments() -> None:
    text = effective_text(parse_config('[game]\nbooklet = "cs"', "x"), "here")
    assert (
        "# Two players have two colours each, alternating in the pile. Or: shuffled, one-colour\n"
        '#two_player = "alternating"\n'
    ) in text
    assert parse_config(text, "x").game.options == ()


def test_every_key_is_printed_below_a_comment() -> None:
    lines = effective_text(Config(), "here").splitlines()
    for section in ("", *section_names()):
        begin = lines.index(f"[{section}]") if section else 0
        for name in keys_of(section):
            at = next(
                at
                for at, line in enumerate(lines[begin:], start=begin)
                if line.lstrip("#").startswith(f"{name} =")
            )
            assert "" not in lines[begin + (not section) * 2 : at], "in its section"
            assert lines[at - 1].startswith("# ")
            assert len(lines[at - 1]) > 10
    assert [line for line in lines if len(line) > 100] == []


def test_all_sections_and_keys_are_printed() -> None:
    printed = tomllib.loads(effective_text(Config(), "here"))
    assert printed.pop("language") == "booklet"
    assert printed["game"].pop("options") == {}
    assert {section: list(keys) for section, keys in printed.items()} == {
        section: list(keys_of(section)) for section in section_names() if "." not in section
    }
