"""What a key of the config may be: its check, and the one line that says what it means.

A check takes what TOML has read and returns the value that the companion works with, or raises a
`SettingError` that says what to write instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from companion.errors import SettingError, counted, listed, one_line, unknown
from companion.games.marrakech import booklet_named
from companion.games.marrakech.text.record import is_name, is_text
from companion.light.night import USE as USE_HOURS
from companion.light.night import parse_night

T = TypeVar("T")
Check = Callable[[object], object]

LONGEST_VALUE = 60
"""What is told of a wrong value, so that there is room for what is wrong with it."""
LOWEST_PIN, HIGHEST_PIN = 2, 27
_HOST_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a section."""

    check: Check
    meaning: str


def key(default: T, check: Check, meaning: str) -> T:
    """A field of a section: its default, what it may be, and what it means."""
    return field(default=default, metadata={"key": Key(check, meaning)})


# --- As TOML writes it --------------------------------------------------------------------


def toml_value(value: object) -> str:
    """A value as TOML has it. What JSON escapes in a text, TOML reads the same way."""
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


def told(value: object) -> str:
    """A wrong value, fit for one line."""
    try:
        return one_line(toml_value(value), LONGEST_VALUE)
    except (ValueError, RecursionError):  # Python writes no number of more than 4300 digits
        return "…"


def _kind(value: object) -> str:
    """What a value of the wrong type is."""
    if isinstance(value, bool):
        return toml_value(value)
    kinds = {str: "a text", int: "a whole number", float: "a decimal number", list: "a list"}
    return kinds.get(type(value), "a section" if isinstance(value, dict) else "a date or time")


# --- Checks -------------------------------------------------------------------------------


def whole(low: int, high: int) -> Check:
    use = f"use {low} or {high}" if high == low + 1 else f"use {low} to {high}"

    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise SettingError(f"{_kind(value)} is no whole number: {use}")
        if not low <= value <= high:
            raise SettingError(use)
        return value

    return check


def one_number_of(allowed: Iterable[int]) -> Check:
    numbers = list(allowed)
    use = f"use {listed(list(map(str, numbers)))}"

    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise SettingError(f"{_kind(value)} is no whole number: {use}")
        if value not in numbers:
            raise SettingError(use)
        return value

    return check


def yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise SettingError(f"{_kind(value)} is neither: use true or false, without quotes")
    return value


def number(low: float, high: float) -> Check:
    use = f"use {low:g} to {high:g}"

    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise SettingError(f"{_kind(value)} is no number: {use}")
        if not low <= value <= high:  # nor is nan
            raise SettingError(use)
        return float(value)

    return check


def one_of(what: str, allowed: Iterable[str]) -> Check:
    names = list(allowed)

    def check(value: object) -> str:
        if isinstance(value, str) and value in names:
            return value
        if type(value) is int and told(value) in names:
            raise SettingError(f'{_kind(value)} is no text: write "{value}"')
        if not isinstance(value, str):
            raise SettingError(f"{_kind(value)} is no text: {_use(what, '', names)}")
        raise SettingError(_use(what, value, names))

    return check


def _use(what: str, value: str, names: Iterable[str]) -> str:
    """What to use instead; the value itself is told already."""
    return unknown(what, value, names).removeprefix(f"unknown {what} '{value}': ")


def booklet(value: object) -> str:
    """Any name a booklet goes by becomes its code."""
    if not isinstance(value, str):
        raise SettingError(f'{_kind(value)} is no text: use the code of a booklet, like "en"')
    try:
        return booklet_named(value).code
    except SettingError as error:
        raise SettingError(str(error).removeprefix(f"unknown booklet '{value}': ")) from None


def names(most: int, longest: int) -> Check:
    use = f'use up to {most} names in quotes, like ["Amina", "Bruno"]'

    def check(value: object) -> tuple[str, ...]:
        listed = _list(value, use)
        if len(listed) > most:
            raise SettingError(f"{counted(len(listed), 'name')}: {use}")
        if wrong := [fault for name in listed if (fault := _name_fault(name, longest))]:
            raise SettingError("; ".join(wrong))
        return tuple(map(str, listed))

    return check


def _name_fault(name: object, longest: int) -> str:
    if not isinstance(name, str):
        return f"{_kind(name)} is no name: write it in quotes"
    if not is_text(name) or name != name.strip():
        return f"{told(name)} must be one line of text, with no blanks around it"
    if not is_name(name):
        return f"{told(name)} has a sign that is not seen and turns letters round: leave it out"
    if len(name) > longest:
        return f"{told(name)} has {len(name)} characters: use {longest} at most"
    return ""


def pin(value: object) -> int:
    """A GPIO pin by its BCM number."""
    if type(value) is int and value in (0, 1):
        raise SettingError(
            f"pins 0 and 1 are for the ID of add-on boards: use {LOWEST_PIN} to {HIGHEST_PIN}"
        )
    return cast("int", whole(LOWEST_PIN, HIGHEST_PIN)(value))


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
        return f"pin {told(value)}: {error}"
    return ""


def folder(value: object) -> str:
    """Empty, or a place that does not depend on where the companion was started."""
    use = 'use a whole path, beginning with / or ~/, or "" for the usual place'
    if not isinstance(value, str):
        raise SettingError(f"{_kind(value)} is no text: {use}")
    if not is_text(value) or (value and not value.startswith(("/", "~/"))):
        raise SettingError(use)
    return value


def port(value: object) -> str:
    """A serial port, or how it is found."""
    use = 'use a path like /dev/ttyUSB0, "auto" to look for it, or "none"'
    if not isinstance(value, str):
        raise SettingError(f"{_kind(value)} is no text: {use}")
    if not is_text(value) or not (value in ("auto", "none") or value.startswith("/")):
        raise SettingError(use)
    return value


def host(value: object) -> str:
    """An address of this machine, in numbers: a name might lead elsewhere tomorrow."""
    use = 'use an address in numbers, like "0.0.0.0", "127.0.0.1" or "::"'
    if not isinstance(value, str):
        raise SettingError(f"{_kind(value)} is no text: {use}")
    from ipaddress import ip_address  # most tables have no such setting, and are lit before

    try:
        return str(ip_address(value))
    except ValueError:
        raise SettingError(use) from None


def host_names(most: int) -> Check:
    use = f'use up to {most} names in quotes, without a port, like ["pi.lan"]'

    def check(value: object) -> tuple[str, ...]:
        listed = _list(value, use)
        names = [name for name in listed if isinstance(name, str) and _HOST_NAME.fullmatch(name)]
        if len(names) != len(listed) or len(listed) > most:
            raise SettingError(use)
        return tuple(name.lower() for name in names)

    return check


def hours(value: object) -> str:
    """From when until when, as the clock on the wall shows it; or empty."""
    if not isinstance(value, str):
        raise SettingError(f"{_kind(value)} is no text: {USE_HOURS}")
    parse_night(value)
    return value


def _list(value: object, use: str) -> list[object]:
    if not isinstance(value, list):
        raise SettingError(f"{_kind(value)} is no list: {use}")
    return value
