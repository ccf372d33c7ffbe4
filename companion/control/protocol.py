"""Requests of the control socket: parses a line of JSON into a request. No I/O.

    {"do": "status"}                                    the snapshot of the table
    {"do": "watch"}                                     the snapshot, now and after every change
    {"do": "version"}
    {"do": "press", "button": "north"}                  or east, south, west, ok, back
    {"do": "press", "button": "ok", "hold": true}       OK and BACK can be held
    {"do": "press", "die": 3}                           a key of the die
    {"do": "press", "roll": true}                       ROLL
    {"do": "show_code"}                                 show a new pairing code on the matrix
    {"do": "pair", "code": "0417"}                      check a code that was typed on a phone
    {"do": "choices"}                                   what a set-up form can offer
    {"do": "setup", "players": 2, ...}                  change the set-up: see _parse_setup

Every request may have `"words": "fr"` for text in that language, or `"words": "plain"` for messages
that the client renders itself (companion/i18n/wire_form.py).

Anything else raises a `RequestError` with one line that says what is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from companion.config.keys import Key, value_excerpt
from companion.config.model import OPTIONS_SECTION, keys_of
from companion.control.pairing import DIGITS
from companion.errors import CompanionError, SettingError, listed, one_line, unknown
from companion.games.marrakech import PIPS, Colour
from companion.games.marrakech.rug import colour_named
from companion.i18n.languages import LANGUAGES
from companion.pad.messages import ROLL_KEY
from companion.table.inputs import Button
from companion.table.setup_stages import SetupWishes

MAX_LINE_BYTES = 64 * 1024
"""Of a request."""
_MAX_QUOTE_LENGTH = 40
"""Characters of a request that an error quotes."""
_MAX_ERROR_LENGTH = 500
"""Enough for the names of all booklets."""
HOLDABLE = (Button.OK, Button.BACK)


class RequestError(CompanionError, ValueError):
    """A line that is not a request."""


class Query(Enum):
    """A request without members beside `do`."""

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
    """A code that was typed on a phone."""

    code: str


@dataclass(frozen=True, slots=True)
class SetUp:
    """A change of the set-up."""

    wishes: SetupWishes


Request = Query | Press | Pair | SetUp
WIRE_WORDS = "plain"


class ParsedRequest(NamedTuple):
    """A request, and the words of the answer: None for the table's own language."""

    request: Request
    words: str | None


TOO_LONG = f"a request has at most {MAX_LINE_BYTES} bytes"
_KEYS = ("button", "die", "roll")
_SETTINGS = ("players", "names", "booklet")
_MAX_COLOURS = len(Colour)


def parse_request(line: bytes) -> ParsedRequest:
    members = _parse_object(line)
    words = members.pop("words", None)
    allowed = (WIRE_WORDS, *LANGUAGES)
    if words is not None and words not in allowed:
        raise RequestError(_unknown("words", words, allowed))
    return ParsedRequest(_parse_request(members), words)


def _parse_object(line: bytes) -> dict[str, Any]:
    try:
        members = json.loads(line.decode())
    except (ValueError, RecursionError):  # too many nested brackets
        raise RequestError('not JSON: send one line, like {"do": "status"}') from None
    if not isinstance(members, dict):
        raise RequestError('a request is a JSON object, like {"do": "status"}')
    return members


def _parse_request(members: Mapping[str, Any]) -> Request:
    if "do" not in members:
        raise RequestError(f'a request says what to "do": {listed(REQUEST_NAMES)}')
    do = members["do"]
    if not isinstance(do, str) or do not in REQUEST_NAMES:
        raise RequestError(_unknown("request", do, REQUEST_NAMES))
    if do in _PARSERS:
        return _PARSERS[do](members)
    _check_members(members, ("do",))
    return Query(do)


def _parse_press(members: Mapping[str, Any]) -> Press:
    _check_members(members, ("do", *_KEYS, "hold"))
    named = [name for name in _KEYS if name in members]
    if len(named) != 1:
        raise RequestError(f"a press has one of {listed(_KEYS, 'and')}")
    held = members.get("hold", False)
    if not isinstance(held, bool):
        raise RequestError(f"hold is true or false, not {_quoted(held)}")
    key = _parse_key(named[0], members[named[0]])
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
                raise RequestError(f"the die shows 1, 2, 3 or 4, not {_quoted(value)}")
            return value
    if value is not True:
        raise RequestError(f"roll is true, not {_quoted(value)}")
    return ROLL_KEY


def _parse_pair(members: Mapping[str, Any]) -> Pair:
    _check_members(members, ("do", "code"))
    code = members.get("code")
    if not isinstance(code, str) or not re.fullmatch(f"[0-9]{{{DIGITS}}}", code):
        raise RequestError(f'a code is {DIGITS} digits in quotes, like "0417"')
    return Pair(code)


# --- Set-up -------------------------------------------------------------------------------


def _parse_setup(members: Mapping[str, Any]) -> SetUp:
    """Every member may be missing or null. Values are checked like those of [game] in the config:

    "players": 2, "names": ["Amina", "Bruno"], "booklet": "en",
    "options": {"loops": "nw-se"},
    "colours": ["red", "blue"]                  for each seat, or two:
    "colours": [["red", "yellow"], ["blue", "brown"]]
    """
    _check_members(members, ("do", *_SETTINGS, "colours", "options"))
    keys = keys_of("game")
    given = {name: value for name, value in members.items() if value is not None}
    found = {name: _checked(name, keys[name], given[name]) for name in _SETTINGS if name in given}
    if "options" in given:
        found["options"] = _parse_options(given["options"])
    if "colours" in given:
        found["colours"] = _parse_colours(given["colours"])
    return SetUp(SetupWishes(**found))


def _checked(name: str, key: Key, value: object) -> Any:  # noqa: ANN401 - as the key has it
    """The value as the config reads it, or the config's error message."""
    try:
        return key.check(value)
    except SettingError as error:
        text = one_line(f"{name} = {value_excerpt(value)}: {error}", _MAX_ERROR_LENGTH)
        raise RequestError(text) from None


def _parse_options(value: object) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise RequestError(
            f'options are an object, like {{"loops": "nw-se"}}, not {_quoted(value)}'
        )
    keys = keys_of(OPTIONS_SECTION)
    for name in value:
        if name not in keys:
            raise RequestError(_unknown("option", name, keys))
    return {name: _checked(name, keys[name], chosen) for name, chosen in value.items()}


def _parse_colours(value: object) -> tuple[tuple[Colour, ...], ...]:
    """A seat has a colour or a list of colours. The table checks whether they fit the game."""
    seats = [[seat] if isinstance(seat, str) else seat for seat in _short_list(value)]
    return tuple(tuple(map(_parse_colour, _short_list(seat))) for seat in seats)


def _short_list(value: object) -> list[object]:
    if not isinstance(value, list) or len(value) > _MAX_COLOURS:
        raise RequestError('colours are a list with one or two for each seat, like ["red", "blue"]')
    return value


def _parse_colour(value: object) -> Colour:
    labels = [colour.label for colour in Colour]
    if value not in labels:
        raise RequestError(_unknown("colour", value, labels))
    return colour_named(str(value))


# --- Errors -------------------------------------------------------------------------------


def _check_members(members: Mapping[str, Any], allowed: Iterable[str]) -> None:
    for name in members:
        if name not in allowed:
            raise RequestError(_unknown("member", name, allowed))


def _unknown(what: str, value: object, allowed: Iterable[str]) -> str:
    quoted = one_line(value, _MAX_QUOTE_LENGTH) if isinstance(value, str) else _quoted(value)
    return unknown(what, quoted, allowed)


def _quoted(value: object) -> str:
    """A value as JSON, shortened."""
    if isinstance(value, dict | list):  # may be nested too deeply to be encoded
        return "an object" if isinstance(value, dict) else "a list"
    return one_line(json.dumps(value), _MAX_QUOTE_LENGTH)


_PARSERS: dict[str, Callable[[Mapping[str, Any]], Request]] = {
    "press": _parse_press,
    "pair": _parse_pair,
    "setup": _parse_setup,
}
REQUEST_NAMES = (*(query.value for query in Query), *_PARSERS)
