"""What is asked over the control socket: a line of JSON in, a request out. No I/O.

    {"do": "status"}                                    the account of the table
    {"do": "watch"}                                     the account, now and after every change
    {"do": "version"}
    {"do": "press", "button": "north"}                  or east, south, west, ok, back
    {"do": "press", "button": "ok", "hold": true}       OK and BACK can be held
    {"do": "press", "die": 3}                           a key of the die
    {"do": "press", "roll": true}                       ROLL

Whatever else comes is a `RequestError`, with a line that says what is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from companion.errors import CompanionError, listed, one_line, unknown
from companion.games.marrakech import PIPS
from companion.pad.messages import ROLL_KEY
from companion.table.inputs import Button

LONGEST_LINE = 64 * 1024
"""Bytes of a request."""
_LONGEST_TOLD = 40
"""Of what was asked, in an answer."""
HOLDABLE = (Button.OK, Button.BACK)


class RequestError(CompanionError, ValueError):
    """A line that asks for nothing there is."""


class Ask(Enum):
    """What has no members beside `do`."""

    STATUS = "status"
    WATCH = "watch"
    VERSION = "version"


@dataclass(frozen=True, slots=True)
class Press:
    """A button, a key of the die by its pips, or `ROLL_KEY`."""

    key: Button | int
    is_held: bool = False


Request = Ask | Press
TOO_LONG = f"a request has at most {LONGEST_LINE} bytes"
_PRESS = "press"
_DO = (*(ask.value for ask in Ask), _PRESS)
_KEYS = ("button", "die", "roll")


def parse_request(line: bytes) -> Request:
    try:
        plain = json.loads(line.decode())
    except (ValueError, RecursionError):  # brackets can be nested deeper than Python goes
        raise RequestError('this is no JSON: ask in one line, like {"do": "status"}') from None
    if not isinstance(plain, dict):
        raise RequestError('a request is a JSON object, like {"do": "status"}')
    if "do" not in plain:
        raise RequestError(f'a request says what to "do": {listed(_DO)}')
    do = plain["do"]
    if do == _PRESS:
        return _parse_press(plain)
    if do not in _DO:
        raise RequestError(_unknown("request", do, _DO))
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
