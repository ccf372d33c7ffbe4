"""Requests: a line means something, or a typed error says what is wrong with it."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.daemon.request import Ask, Press, Request, RequestError, parse_request
from companion.pad.messages import ROLL_KEY
from companion.table.inputs import Button

UNDERSTOOD: dict[str, Request] = {
    '{"do": "status"}': Ask.STATUS,
    ' {"do":"watch"} \r\n': Ask.WATCH,
    '{"do": "version"}': Ask.VERSION,
    '{"do": "press", "button": "north"}': Press(Button.NORTH),
    '{"do": "press", "button": "ok", "hold": true}': Press(Button.OK, is_held=True),
    '{"do": "press", "button": "back", "hold": false}': Press(Button.BACK),
    '{"do": "press", "die": 4}': Press(4),
    '{"do": "press", "roll": true}': Press(ROLL_KEY),
}

NO_JSON = 'this is no JSON: ask in one line, like {"do": "status"}'
ONE_OF = "a press has one of button, die and roll"
NOT_UNDERSTOOD = {
    "": NO_JSON,
    "status": NO_JSON,
    '{"do": "status"': NO_JSON,
    "\ufeff{}": NO_JSON,
    "[" * 60_000: NO_JSON,
    "9" * 60_000: NO_JSON,
    '["status"]': 'a request is a JSON object, like {"do": "status"}',
    "{}": 'a request says what to "do": status, watch, version or press',
    '{"do": "statsu"}': "unknown request 'statsu': use status, watch, version or press; "
    "did you mean 'status'?",
    '{"do": null}': "unknown request 'null': use status, watch, version or press",
    '{"do": ["press"]}': "unknown request 'a list': use status, watch, version or press",
    '{"do": "status", "now": 1}': "unknown member 'now': use do",
    '{"do": "press"}': ONE_OF,
    '{"do": "press", "button": "ok", "die": 3}': ONE_OF,
    '{"do": "press", "buton": "ok"}': "unknown member 'buton': use do, button, die, roll or hold; "
    "did you mean 'button'?",
    '{"do": "press", "button": "nort"}': "unknown button 'nort': use north, east, south, west, ok "
    "or back; did you mean 'north'?",
    '{"do": "press", "button": {}}': "unknown button 'an object': use north, east, south, west, ok "
    "or back",
    '{"do": "press", "die": 5}': "the die shows 1, 2, 3 or 4, not 5",
    '{"do": "press", "die": true}': "the die shows 1, 2, 3 or 4, not true",
    '{"do": "press", "die": 3.0}': "the die shows 1, 2, 3 or 4, not 3.0",
    '{"do": "press", "die": "3"}': 'the die shows 1, 2, 3 or 4, not "3"',
    '{"do": "press", "roll": 1}': "roll is true, not 1",
    '{"do": "press", "button": "ok", "hold": 1}': "hold is true or false, not 1",
    '{"do": "press", "button": "east", "hold": true}': "only OK and BACK can be held",
    '{"do": "press", "die": 3, "hold": true}': "only OK and BACK can be held",
}


@pytest.mark.parametrize("line", UNDERSTOOD)
def test_what_is_understood(line: str) -> None:
    assert parse_request(line.encode()) == UNDERSTOOD[line]


@pytest.mark.parametrize("line", NOT_UNDERSTOOD, ids=lambda line: line[:40])
def test_what_is_not_is_told_in_one_line(line: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse_request(line.encode())
    assert str(caught.value) == NOT_UNDERSTOOD[line]


def test_what_was_asked_is_told_again_in_few_signs_that_can_be_printed() -> None:
    with pytest.raises(RequestError) as caught:
        parse_request(json.dumps({"do": "\x1b[2J" + "x" * 60_000}).encode())
    assert str(caught.value).startswith(f"unknown request '\\x1b[2J{'x' * 33}…': use status")


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("press"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
MEMBERS = st.sampled_from(["do", "button", "die", "roll", "hold", "x"])


@settings(deadline=None)
@given(st.binary() | st.dictionaries(MEMBERS, PLAIN).map(lambda p: json.dumps(p).encode()))
@example(b'{"do": "press", "button": "\\ud800"}')
@example(b'{"do": NaN}')
@example(b'{"do": "press", "die": Infinity}')
@example(b'{"do": "press", "die": ' + b"[" * 900 + b"]" * 900 + b"}")
def test_whatever_comes_is_understood_or_a_typed_error(line: bytes) -> None:
    try:
        assert isinstance(parse_request(line), Ask | Press)
    except RequestError as error:
        told = str(error)
        assert told.isprintable() and len(told) < 200  # noqa: PT018 - or it is understood
