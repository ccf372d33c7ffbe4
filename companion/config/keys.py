"""Keys of the config: checks of values, and a one-line comment for each key.

A check takes a value from TOML and returns the value to use, or raises a `SettingError` that says
what to write instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from companion.errors import SettingError, counted, listed, one_line, unknown
from companion.games.marrakech import booklet_named
from companion.games.marrakech.text.record import is_single_line, is_valid_name
from companion.light.night import USAGE as USE_HOURS
from companion.light.night import parse_night

T = TypeVar("T")
Check = Callable[[object], object]

MAX_VALUE_LENGTH = 60
"""Longer values are truncated in error messages."""
MIN_PIN, MAX_PIN = 2, 27
_HOST_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a section."""

    check: Check
    comment: str


def key(default: T, check: Check, comment: str) -> T:
    """A dataclass field for a key."""
    return field(default=default, metadata={"key": Key(check, comment)})


# --- TOML ---------------------------------------------------------------------------------


def toml_value(value: object) -> str:
    """A value in TOML syntax. Its strings have the same escapes as those of JSON."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case dict():
            return "{…}"
        case _:
            return str(value)


def value_excerpt(value: object) -> str:
    """A value for an error message, in one short line."""
    try:
        return one_line(toml_value(value), MAX_VALUE_LENGTH)
    except (ValueError, RecursionError):  # Python limits integers to 4300 digits
        return "…"


def _kind(value: object) -> str:
    """The type of a value, for error messages."""
    if isinstance(value, bool):
        return toml_value(value)
    kinds = {str: "a text", int: "a whole number", float: "a decimal number", list: "a list"}
    return kinds.get(type(value), "a section" if isinstance(value, dict) else "a date or time")


# --- Checks -------------------------------------------------------------------------------


def whole_number(low: int, high: int) -> Check:
    use = f"use {low} or {high}" if high == low + 1 else f"use {low} to {high}"

    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise SettingError(f"{_kind(value)} is not a whole number: {use}")
        if not low <= value <= high:
            raise SettingError(use)
        return value

    return check


def one_of_numbers(allowed: Iterable[int]) -> Check:
    numbers = list(allowed)
    use = f"use {listed(list(map(str, numbers)))}"

    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise SettingError(f"{_kind(value)} is not a whole number: {use}")
        if value not in numbers:
            raise SettingError(use)
        return value

    return check


def boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise SettingError(f"{_kind(value)} is not a boolean: use true or false, without quotes")
    return value


def number(low: float, high: float) -> Check:
    use = f"use {low:g} to {high:g}"

    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise SettingError(f"{_kind(value)} is not a number: {use}")
        if not low <= value <= high:  # also rejects nan
            raise SettingError(use)
        return float(value)

    return check


def one_of(what: str, allowed: Iterable[str]) -> Check:
    names = list(allowed)

    def check(value: object) -> str:
        if isinstance(value, str) and value in names:
            return value
        if type(value) is int and value_excerpt(value) in names:
            raise SettingError(f'{_kind(value)} is not text: write "{value}"')
        if not isinstance(value, str):
            raise SettingError(f"{_kind(value)} is not text: {_use(what, '', names)}")
        raise SettingError(_use(what, value, names))

    return check


def _use(what: str, value: str, names: Iterable[str]) -> str:
    """What to use instead, without the value, which the caller adds."""
    return unknown(what, value, names).removeprefix(f"unknown {what} '{value}': ")


def booklet(value: object) -> str:
    """The code of a booklet, from any of its names."""
    if not isinstance(value, str):
        raise SettingError(f'{_kind(value)} is not text: use the code of a booklet, like "en"')
    try:
        return booklet_named(value).code
    except SettingError as error:
        raise SettingError(str(error).removeprefix(f"unknown booklet '{value}': ")) from None


def names(max_count: int, max_length: int) -> Check:
    use = f'use up to {max_count} names in quotes, like ["Amina", "Bruno"]'

    def check(value: object) -> tuple[str, ...]:
        listed = _list(value, use)
        if len(listed) > max_count:
            raise SettingError(f"{counted(len(listed), 'name')}: {use}")
        if wrong := [fault for name in listed if (fault := _name_fault(name, max_length))]:
            raise SettingError("; ".join(wrong))
        return tuple(map(str, listed))

    return check


def _name_fault(name: object, max_length: int) -> str:
    if not isinstance(name, str):
        return f"{_kind(name)} is not a name: write it in quotes"
    if not is_single_line(name) or name != name.strip():
        return f"{value_excerpt(name)} must be one line of text, without spaces around it"
    if not is_valid_name(name):
        excerpt = value_excerpt(name)
        return f"{excerpt} has an invisible character that changes the writing direction: remove it"
    if len(name) > max_length:
        return f"{value_excerpt(name)} has {len(name)} characters: use {max_length} at most"
    return ""


def pin(value: object) -> int:
    """A BCM pin number."""
    if type(value) is int and value in (0, 1):
        raise SettingError(
            f"pins 0 and 1 are reserved for add-on boards (HAT ID): use {MIN_PIN} to {MAX_PIN}"
        )
    return cast("int", whole_number(MIN_PIN, MAX_PIN)(value))


def pins(count: int) -> Check:
    use = f"use a list of {count} different pins"

    def check(value: object) -> tuple[int, ...]:
        listed = _list(value, use)
        if wrong := [fault for each in listed if (fault := _pin_fault(each))]:
            raise SettingError("; ".join(wrong))
        found = tuple(map(pin, listed))
        if len(found) != count or len(set(found)) != count:
            raise SettingError(use)
        return found

    return check


def _pin_fault(value: object) -> str:
    try:
        pin(value)
    except SettingError as error:
        return f"pin {value_excerpt(value)}: {error}"
    return ""


def folder(value: object) -> str:
    """Empty, or an absolute path."""
    use = 'use an absolute path, beginning with / or ~/, or "" for the default folder'
    if not isinstance(value, str):
        raise SettingError(f"{_kind(value)} is not text: {use}")
    if not is_single_line(value) or (value and not value.startswith(("/", "~/"))):
        raise SettingError(use)
    return value


def port(value: object) -> str:
    """A serial port, "auto" or "none"."""
    use = 'use a path like /dev/ttyUSB0, "auto" to find it, or "none"'
    if not isinstance(value, str):
        raise SettingError(f"{_kind(value)} is not text: {use}")
    if not is_single_line(value) or not (value in ("auto", "none") or value.startswith("/")):
        raise SettingError(use)
    return value


def host(value: object) -> str:
    """An IP address. Not a host name, which may resolve to another machine later."""
    use = 'use an IP address, like "0.0.0.0", "127.0.0.1" or "::"'
    if not isinstance(value, str):
        raise SettingError(f"{_kind(value)} is not text: {use}")
    from ipaddress import ip_address  # slow to import, and rarely used

    try:
        return str(ip_address(value))
    except ValueError:
        raise SettingError(use) from None


def host_names(max_count: int) -> Check:
    use = f'use up to {max_count} names in quotes, without a port, like ["pi.lan"]'

    def check(value: object) -> tuple[str, ...]:
        listed = _list(value, use)
        names = [name for name in listed if isinstance(name, str) and _HOST_NAME.fullmatch(name)]
        if len(names) != len(listed) or len(listed) > max_count:
            raise SettingError(use)
        return tuple(name.lower() for name in names)

    return check


def night_hours(value: object) -> str:
    """Two times of day, or empty."""
    if not isinstance(value, str):
        raise SettingError(f"{_kind(value)} is not text: {USE_HOURS}")
    parse_night(value)
    return value


def _list(value: object, use: str) -> list[object]:
    if not isinstance(value, list):
        raise SettingError(f"{_kind(value)} is not a list: {use}")
    return value
