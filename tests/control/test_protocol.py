"""Requests of the control socket: a line is parsed, or a typed error says what is wrong."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.control.protocol import (
    Pair,
    Press,
    Query,
    Request,
    RequestError,
    SetUp,
    parse_request,
)
from companion.games.marrakech import Colour
from companion.pad.messages import ROLL_KEY
from companion.table.inputs import Button
from companion.table.setup_stages import SetupWishes

RED, YELLOW, BLUE, BROWN = Colour

VALID: dict[str, Request] = {
    '{"do": "status"}': Query.STATUS,
    ' {"do":"watch"} \r\n': Query.WATCH,
    '{"do": "version"}': Query.VERSION,
    '{"do": "press", "button": "north"}': Press(Button.NORTH),
    '{"do": "press", "button": "ok", "hold": true}': Press(Button.OK, is_held=True),
    '{"do": "press", "button": "back", "hold": false}': Press(Button.BACK),
    '{"do": "press", "die": 4}': Press(4),
    '{"do": "press", "roll": true}': Press(ROLL_KEY),
    '{"do": "show_code"}': Query.SHOW_CODE,
    '{"do": "pair", "code": "0417"}': Pair("0417"),
    '{"do": "choices"}': Query.CHOICES,
    '{"do": "setup"}': SetUp(SetupWishes()),
    '{"do": "setup", "players": null, "options": null, "names": null}': SetUp(SetupWishes()),
    '{"do": "setup", "players": 3, "names": ["Amina", ""], "booklet": "Czech"}': SetUp(
        SetupWishes(3, ("Amina", ""), booklet="cs")
    ),
    '{"do": "setup", "options": {"box": "57", "loops": "nw-se"}}': SetUp(
        SetupWishes(options={"box": "57", "loops": "nw-se"})
    ),
    '{"do": "setup", "colours": ["red", "brown"]}': SetUp(SetupWishes(colours=((RED,), (BROWN,)))),
    '{"do": "setup", "colours": [["red", "blue"], ["yellow"]]}': SetUp(
        SetupWishes(colours=((RED, BLUE), (YELLOW,)))
    ),
}

NO_JSON = 'not JSON: send one line, like {"do": "status"}'
ONE_OF = "a press has one of button, die and roll"
DO = "status, watch, version, show_code, choices, press, pair or setup"
FOUR = 'a code is 4 digits in quotes, like "0417"'
COLOURS = 'colours are a list with one or two for each seat, like ["red", "blue"]'
INVALID = {
    "": NO_JSON,
    "status": NO_JSON,
    '{"do": "status"': NO_JSON,
    "\ufeff{}": NO_JSON,
    "[" * 60_000: NO_JSON,
    "9" * 60_000: NO_JSON,
    '["status"]': 'a request is a JSON object, like {"do": "status"}',
    "{}": f'a request says what to "do": {DO}',
    '{"do": "statsu"}': f"unknown request 'statsu': use {DO}; did you mean 'status'?",
    '{"do": null}': f"unknown request 'null': use {DO}",
    '{"do": ["press"]}': f"unknown request 'a list': use {DO}",
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
    '{"do": "pair"}': FOUR,
    '{"do": "pair", "code": 1234}': FOUR,
    '{"do": "pair", "code": "123"}': FOUR,
    '{"do": "pair", "code": "12345"}': FOUR,
    '{"do": "pair", "code": "1234\\n"}': FOUR,
    '{"do": "pair", "code": "\u0664\u0661\u0667\u0660"}': FOUR,
    '{"do": "pair", "code": "0417", "name": "x"}': "unknown member 'name': use do or code",
    '{"do": "setup", "player": 2}': "unknown member 'player': use do, players, names, booklet, "
    "colours or options; did you mean 'players'?",
    '{"do": "setup", "players": 5}': "players = 5: use 2 to 4",
    '{"do": "setup", "players": "3"}': 'players = "3": a text is not a whole number: use 2 to 4',
    '{"do": "setup", "names": "Amina"}': 'names = "Amina": a text is not a list: use up to 4 names '
    'in quotes, like ["Amina", "Bruno"]',
    '{"do": "setup", "names": ["A", "B", "C", "D", "E"]}': 'names = ["A", "B", "C", "D", "E"]: '
    '5 names: use up to 4 names in quotes, like ["Amina", "Bruno"]',
    '{"do": "setup", "names": [" A"]}': 'names = [" A"]: " A" must be one line of text, without '
    "spaces around it",
    '{"do": "setup", "names": ["' + "x" * 21 + '"]}': f'names = ["{"x" * 21}"]: "{"x" * 21}" has '
    "21 characters: use 20 at most",
    '{"do": "setup", "booklet": 1}': "booklet = 1: a whole number is not text: use the code of a "
    'booklet, like "en"',
    '{"do": "setup", "options": ["box"]}': 'options are an object, like {"loops": "nw-se"}, '
    "not a list",
    '{"do": "setup", "options": {"box": 57}}': 'box = 57: a whole number is not text: write "57"',
    '{"do": "setup", "options": {"box": "58"}}': "box = \"58\": use 60 or 57; did you mean '57'?",
    '{"do": "setup", "options": {"loop": "nw-se"}}': "unknown option 'loop': use bankruptcy, "
    "covering, two_player, turn_order, pivot, purse, tie_break, box, short_colour or loops; "
    "did you mean 'loops'?",
    '{"do": "setup", "colours": "red"}': COLOURS,
    '{"do": "setup", "colours": [1, 2]}': COLOURS,
    '{"do": "setup", "colours": ["red", "blue", "brown", "yellow", "red"]}': COLOURS,
    '{"do": "setup", "colours": ["red", "bleu"]}': "unknown colour 'bleu': use red, yellow, blue "
    "or brown; did you mean 'blue'?",
    '{"do": "setup", "colours": [["red", ["blue"]]]}': "unknown colour 'a list': use red, yellow, "
    "blue or brown",
}


@pytest.mark.parametrize("line", VALID)
def test_a_valid_line_is_parsed(line: str) -> None:
    assert parse_request(line.encode()) == (VALID[line], None)


@pytest.mark.parametrize("line", INVALID, ids=lambda line: line[:40])
def test_an_invalid_line_has_a_one_line_error(line: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse_request(line.encode())
    assert str(caught.value) == INVALID[line]


def test_an_error_quotes_the_request_shortened_and_escaped() -> None:
    with pytest.raises(RequestError) as caught:
        parse_request(json.dumps({"do": "\x1b[2J" + "x" * 60_000}).encode())
    assert str(caught.value).startswith(f"unknown request '\\x1b[2J{'x' * 33}…': use status")


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["press", "pair", "setup"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
MEMBERS = st.sampled_from(
    ["do", "button", "die", "roll", "hold", "code", "players", "names", "colours", "options", "x"]
)


@given(st.binary() | st.dictionaries(MEMBERS, JSON_VALUES).map(lambda p: json.dumps(p).encode()))
@example(b'{"do": "press", "button": "\\ud800"}')
@example(b'{"do": NaN}')
@example(b'{"do": "setup", "names": ["\\ud800", "\\u0007"]}')
@example(b'{"do": "setup", "names": ' + b"[" * 900 + b"]" * 900 + b"}")
@example(b'{"do": "setup", "players": ' + b"9" * 5000 + b"}")
@example(b'{"do": "press", "die": Infinity}')
@example(b'{"do": "press", "die": ' + b"[" * 900 + b"]" * 900 + b"}")
def test_any_line_is_parsed_or_a_typed_error(line: bytes) -> None:
    try:
        assert isinstance(parse_request(line).request, Query | Press | Pair | SetUp)
    except RequestError as error:
        text = str(error)
        assert text.isprintable()
        assert len(text) <= 501


@pytest.mark.parametrize("words", ["plain", "en", "zh-TW", "fa"])
@pytest.mark.parametrize("line", VALID)
def test_every_request_may_select_the_words_of_its_answer(line: str, words: str) -> None:
    request = json.dumps({**json.loads(line), "words": words}).encode()
    assert parse_request(request) == (VALID[line], words)


@pytest.mark.parametrize("words", ["xx", "EN", "", 1, True, ["en"], {"en": 1}])
def test_unknown_words_are_an_error(words: object) -> None:
    with pytest.raises(RequestError, match=r"unknown words .*use plain, en, fr"):
        parse_request(json.dumps({"do": "status", "words": words}).encode())
