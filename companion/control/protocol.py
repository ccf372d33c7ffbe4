"""What is asked over the control socket: a line of JSON in, a request out. No I/O.

    {"do": "status"}                                    the account of the table
    {"do": "watch"}                                     the account, now and after every change
    {"do": "version"}
    {"do": "press", "button": "north"}                  or east, south, west, ok, back
    {"do": "press", "button": "ok", "hold": true}       OK and BACK can be held
    {"do": "press", "die": 3}                           a key of the die
    {"do": "press", "roll": true}                       ROLL
    {"do": "show_code"}                                 a new code on the matrix, for phones
    {"do": "pair", "code": "0417"}                      whether a phone has read it there
    {"do": "choices"}                                   what a set-up can be
    {"do": "setup", "players": 2, ...}                  what it is to be: see _parse_setup

Every request may have `"words": "fr"` for words in a language, whatever the table speaks, or
`"words": "plain"` for messages that are said elsewhere: see companion/i18n/wire_form.py.

Whatever else comes is a `RequestError`, with a line that says what is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from companion.config.keys import Key
from companion.config.keys import told as as_config_tells
from companion.config.model import OPTIONS_SECTION, keys_of
from companion.daemon.pairing import DIGITS
from companion.errors import CompanionError, SettingError, listed, one_line, unknown
from companion.games.marrakech import PIPS, Colour
from companion.games.marrakech.rug import colour_named
from companion.i18n.languages import LANGUAGES
from companion.pad.messages import ROLL_KEY
from companion.table.inputs import Button
from companion.table.setup_stages import Wishes

LONGEST_LINE = 64 * 1024
"""Bytes of a request."""
_LONGEST_TOLD = 40
"""Of what was asked, in an answer."""
_LONGEST_FAULT = 500
"""Of what is wrong with a setting: all booklets there are, at most."""
HOLDABLE = (Button.OK, Button.BACK)


class RequestError(CompanionError, ValueError):
    """A line that asks for nothing there is."""


class Ask(Enum):
    """What has no members beside `do`."""

    STATUS = "status"
    WATCH = "watch"
    VERSION = "version"
    SHOW_CODE = "show_code"
    CHOICES = "choices"


@dataclass(frozen=True, slots=True)
class Press:
    """A button, a key of the die by its pips, or `ROLL_KEY`."""

    key: Button | int
    is_held: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """A code, as somebody has read it on the matrix."""

    code: str


@dataclass(frozen=True, slots=True)
class SetUp:
    """What a game is to be like."""

    wishes: Wishes


Request = Ask | Press | Pair | SetUp
PLAIN_WORDS = "plain"


class Asked(NamedTuple):
    """A request, and in which words it is answered: None for those of the table."""

    request: Request
    words: str | None


TOO_LONG = f"a request has at most {LONGEST_LINE} bytes"
_KEYS = ("button", "die", "roll")
_SETTINGS = ("players", "names", "booklet")
_MOST_COLOURS = len(Colour)


def parse_asked(line: bytes) -> Asked:
    plain = _parse_object(line)
    words = plain.pop("words", None)
    allowed = (PLAIN_WORDS, *LANGUAGES)
    if words is not None and words not in allowed:
        raise RequestError(_unknown("words", words, allowed))
    return Asked(_parse_request(plain), words)


def _parse_object(line: bytes) -> dict[str, Any]:
    try:
        plain = json.loads(line.decode())
    except (ValueError, RecursionError):  # brackets can be nested deeper than Python goes
        raise RequestError('this is no JSON: ask in one line, like {"do": "status"}') from None
    if not isinstance(plain, dict):
        raise RequestError('a request is a JSON object, like {"do": "status"}')
    return plain


def _parse_request(plain: Mapping[str, Any]) -> Request:
    if "do" not in plain:
        raise RequestError(f'a request says what to "do": {listed(_DO)}')
    do = plain["do"]
    if not isinstance(do, str) or do not in _DO:
        raise RequestError(_unknown("request", do, _DO))
    if do in _PARSERS:
        return _PARSERS[do](plain)
    _check_members(plain, ("do",))
    return Ask(do)


def _parse_press(plain: Mapping[str, Any]) -> Press:
    _check_members(plain, ("do", *_KEYS, "hold"))
    named = [name for name in _KEYS if name in plain]
    if len(named) != 1:
        raise RequestError(f"a press has one of {listed(_KEYS, 'and')}")
    held = plain.get("hold", False)
    if not isinstance(held, bool):
        raise RequestError(f"hold is true or false, not {_told(held)}")
    key = _parse_key(named[0], plain[named[0]])
    if held and key not in HOLDABLE:
        raise RequestError("only OK and BACK can be held")
    return Press(key, held)


def _parse_key(name: str, value: object) -> Button | int:
    match name:
        case "button":
            buttons = [button.value for button in Button]
            if value not in buttons:
                raise RequestError(_unknown("button", value, buttons))
            return Button(value)
        case "die":
            if not isinstance(value, int) or isinstance(value, bool) or value not in PIPS:
                raise RequestError(f"the die shows 1, 2, 3 or 4, not {_told(value)}")
            return value
    if value is not True:
        raise RequestError(f"roll is true, not {_told(value)}")
    return ROLL_KEY


def _parse_pair(plain: Mapping[str, Any]) -> Pair:
    _check_members(plain, ("do", "code"))
    code = plain.get("code")
    if not isinstance(code, str) or not re.fullmatch(f"[0-9]{{{DIGITS}}}", code):
        raise RequestError(f'a code is {DIGITS} digits in quotes, like "0417"')
    return Pair(code)


# --- Set-up -------------------------------------------------------------------------------


def _parse_setup(plain: Mapping[str, Any]) -> SetUp:
    """All of it may be left out, or null. Values are those of [game] in the config, and so checked:

    "players": 2, "names": ["Amina", "Bruno"], "booklet": "en",
    "options": {"loops": "nw-se"},
    "colours": ["red", "blue"]                  for each seat, or two:
    "colours": [["red", "yellow"], ["blue", "brown"]]
    """
    _check_members(plain, ("do", *_SETTINGS, "colours", "options"))
    keys = keys_of("game")
    given = {name: value for name, value in plain.items() if value is not None}
    found = {name: _checked(name, keys[name], given[name]) for name in _SETTINGS if name in given}
    if "options" in given:
        found["options"] = _parse_options(given["options"])
    if "colours" in given:
        found["colours"] = _parse_colours(given["colours"])
    return SetUp(Wishes(**found))


def _checked(name: str, key: Key, value: object) -> Any:  # noqa: ANN401 - as the key has it
    """The value, as the config takes it, or the config's own words for what is wrong."""
    try:
        return key.check(value)
    except SettingError as error:
        told = one_line(f"{name} = {as_config_tells(value)}: {error}", _LONGEST_FAULT)
        raise RequestError(told) from None


def _parse_options(value: object) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise RequestError(f'options are an object, like {{"loops": "nw-se"}}, not {_told(value)}')
    keys = keys_of(OPTIONS_SECTION)
    for name in value:
        if name not in keys:
            raise RequestError(_unknown("option", name, keys))
    return {name: _checked(name, keys[name], chosen) for name, chosen in value.items()}


def _parse_colours(value: object) -> tuple[tuple[Colour, ...], ...]:
    """A seat has a colour, or a list of them. Whether they can play is seen at the table."""
    seats = [[seat] if isinstance(seat, str) else seat for seat in _list_of_few(value)]
    return tuple(tuple(map(_parse_colour, _list_of_few(seat))) for seat in seats)


def _list_of_few(value: object) -> list[object]:
    if not isinstance(value, list) or len(value) > _MOST_COLOURS:
        raise RequestError('colours are a list with one or two for each seat, like ["red", "blue"]')
    return value


def _parse_colour(value: object) -> Colour:
    labels = [colour.label for colour in Colour]
    if value not in labels:
        raise RequestError(_unknown("colour", value, labels))
    return colour_named(str(value))


# --- What is wrong ------------------------------------------------------------------------


def _check_members(plain: Mapping[str, Any], allowed: Iterable[str]) -> None:
    for name in plain:
        if name not in allowed:
            raise RequestError(_unknown("member", name, allowed))


def _unknown(what: str, value: object, allowed: Iterable[str]) -> str:
    told = one_line(value, _LONGEST_TOLD) if isinstance(value, str) else _told(value)
    return unknown(what, told, allowed)


def _told(value: object) -> str:
    """As JSON has it, and no longer than one likes to read."""
    if isinstance(value, dict | list):  # which may be too deep to be written again
        return "an object" if isinstance(value, dict) else "a list"
    return one_line(json.dumps(value), _LONGEST_TOLD)


_PARSERS: dict[str, Callable[[Mapping[str, Any]], Request]] = {
    "press": _parse_press,
    "pair": _parse_pair,
    "setup": _parse_setup,
}
_DO = (*(ask.value for ask in Ask), *_PARSERS)
