"""The config file marrakech.toml: find it, parse it, and print the settings in use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.config.cross_checks import matrix_faults, name_faults, pin_faults
from companion.config.keys import toml_value, value_excerpt
from companion.config.model import (
    OPTIONS_SECTION,
    Config,
    ConfigError,
    keys_of,
    section_classes,
    section_names,
)
from companion.errors import MAX_FILE_NAME_LENGTH, SettingError, one_line, unknown
from companion.games.marrakech import OPTIONS, Setup, booklet_named, usual_players
from companion.i18n.rules_summary import option_sentence

FILE_NAME = "marrakech.toml"
ENVIRONMENT_VARIABLE = "MARRAKECH_CONFIG"
SYSTEM_FILE = Path("/etc/marrakech") / FILE_NAME
DEFAULTS = "the defaults"
MAX_FILE_BYTES = 64_000
"""About twenty times the size of a config with all comments."""

# --- Finding ------------------------------------------------------------------------------


def load_config(
    path: Path | None = None, *, environ: Mapping[str, str], cwd: Path
) -> tuple[Config, str]:
    """The settings in use, and a text about their origin.

    A file named by `path` or the environment must exist. Otherwise the first file found in the
    default places is used.
    """
    if path is not None:
        return _load(cwd / path, str(path))
    if named := environ.get(ENVIRONMENT_VARIABLE):
        return _load(cwd / named, f"{named} (${ENVIRONMENT_VARIABLE})")
    places = list(_places(environ, cwd))
    for place in places:
        try:
            place.stat()
        except OSError:
            continue  # missing, or in a folder without permission
        return _load(place, FILE_NAME if place.parent == cwd else str(place))
    looked = ", ".join(map(str, places))
    return Config(), f"{DEFAULTS}: no {FILE_NAME} was found; looked in: {looked}"


def _places(environ: Mapping[str, str], cwd: Path) -> Iterator[Path]:
    yield cwd / FILE_NAME
    configs = Path(environ.get("XDG_CONFIG_HOME", ""))
    if configs.is_absolute():  # the specification ignores relative paths
        yield configs / "marrakech" / FILE_NAME
    elif home := environ.get("HOME"):
        yield Path(home) / ".config" / "marrakech" / FILE_NAME
    yield SYSTEM_FILE


def _load(file: Path, name: str) -> tuple[Config, str]:
    name = one_line(name, MAX_FILE_NAME_LENGTH)
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ConfigError([f"cannot read {name}: {error.strerror}"]) from None
    if len(raw) > MAX_FILE_BYTES:
        raise ConfigError([f"cannot read {name}: it is larger than 64 kB"])
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fault = f"cannot read {name}: byte {error.start + 1} is not UTF-8 text"
        raise ConfigError([fault]) from None
    return parse_config(text, name), f"read from {file}"


# --- Reading ------------------------------------------------------------------------------


def parse_config(text: str, name: str) -> Config:
    """Parse a config file. Each line of a `ConfigError` begins with `name`."""
    reader = _ConfigReader(_parse_toml(text, name))
    if reader.faults:
        raise ConfigError(f"{name}: {fault}" for fault in reader.faults)
    return reader.config


def _parse_toml(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|.*)\)", str(error), re.DOTALL)
        reason, line, column = found.groups() if found else (str(error), None, None)
        if line is None:  # at the end of the document
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        reason = reason[0].lower() + reason[1:]
        raise ConfigError([f"{name}: line {line}, column {column}: {reason}"]) from None
    except (ValueError, RecursionError):  # not wrapped by tomllib
        raise ConfigError([f"{name}: a number or a list in it is too long"]) from None


class _ConfigReader:
    """Checks the parsed TOML: valid values go into `config`, messages into `faults`."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.faults: list[str] = []
        self.invalid_keys: set[tuple[str, str]] = set()
        top = self._keys("", {n: v for n, v in raw.items() if n not in section_classes()})
        for section, make in section_classes().items():
            if section in raw:
                top[section] = make(**self._section(section, raw[section]))
        self.config = Config(**top)
        self.faults += matrix_faults(self.config, self.invalid_keys)
        self.faults += pin_faults(self.config, self.invalid_keys)
        self.faults += name_faults(self.config, self.invalid_keys)
        self._check_game()

    def _section(self, section: str, raw: object) -> dict[str, Any]:
        if not isinstance(raw, dict):
            self.faults.append(
                f"{section} = {value_excerpt(raw)}: write [{section}], and its keys below it"
            )
            return {}
        if section != "game" or "options" not in raw:
            return self._keys(section, raw)
        values = self._keys(section, {n: v for n, v in raw.items() if n != "options"})
        options = self._section(OPTIONS_SECTION, raw["options"])
        values["options"] = tuple((name, options[name]) for name in OPTIONS if name in options)
        return values

    def _keys(self, section: str, raw: dict[str, Any]) -> dict[str, Any]:
        keys, where = keys_of(section), f"[{section}] " if section else ""
        values: dict[str, Any] = {}
        for name, value in raw.items():
            if name not in keys:
                self.faults.append(_unknown_fault(section, name, value))
                continue
            try:
                values[name] = keys[name].check(value)
            except SettingError as error:
                self.faults.append(f"{where}{name} = {value_excerpt(value)}: {error}")
                self.invalid_keys.add((section, name))
        return values

    def _check_game(self) -> None:
        """The defaults of set-up must make a playable game."""
        if any(section.startswith("game") for section, _ in self.invalid_keys):
            return
        options = self.config.setup_options()
        try:
            Setup(usual_players(self.config.game.players, options), options)
        except SettingError as error:
            self.faults.append(f"[game] {error}")


def _unknown_fault(section: str, name: str, value: object) -> str:
    if isinstance(value, dict):
        return unknown("section", f"{section}.{name}" if section else name, section_names())
    where = f"[{section}] " if section else ""
    for other in ("", *section_names()):
        if name in keys_of(other):
            place = f"below [{other}]" if other else "at the top, above all sections"
            return f"{where}unknown key '{one_line(name)}': it belongs {place}"
    return where + unknown("key", name, keys_of(section))


# --- Printing -----------------------------------------------------------------------------


def effective_text(config: Config, origin: str) -> str:
    """The settings as a config file, with a comment for each key. Parses to the same settings."""
    return "\n".join(_lines(config, origin)) + "\n"


def _lines(config: Config, origin: str) -> Iterator[str]:
    yield f"# {one_line(origin, 1000)}"
    for section, make in ({"": Config} | section_classes()).items():
        values, defaults = getattr(config, section) if section else config, make()
        yield from ["", f"[{section}]"] if section else [""]
        for name, key in keys_of(section).items():
            value, default = getattr(values, name), getattr(defaults, name)
            mark = "" if value == default else f"  # default: {toml_value(default)}"
            yield from (f"# {key.comment}", f"{name} = {toml_value(value)}{mark}")
        if section == "game":
            yield from _option_lines(config)


def _option_lines(config: Config) -> Iterator[str]:
    """Options that are not set are commented out, because the booklet decides them."""
    yield from (
        "",
        f"[{OPTIONS_SECTION}]",
        "# options that are not set here are those of the booklet",
    )
    chosen, booklet = dict(config.game.options), booklet_named(config.game.booklet)
    for name, value in config.setup_options().items():
        others = ", ".join(other for other in OPTIONS[name] if other != value)
        default = getattr(booklet.options, name)
        mark = "" if value == default else f"  # default: {toml_value(default)}"
        yield f"# {option_sentence(name, value)} Or: {others}"
        yield f"{'' if name in chosen else '#'}{name} = {toml_value(value)}{mark}"
