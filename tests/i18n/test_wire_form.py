"""What is to be said can be taken apart, sent as JSON, and said elsewhere in the same words."""

from __future__ import annotations

import json
from string import Formatter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.marrakech import BOOKLETS, COLOURS, Facing
from companion.i18n.english import ENGLISH
from companion.i18n.message import Book, Message, Value, Who, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import WireRenderer, spoken

colours = st.sampled_from(COLOURS)
values: st.SearchStrategy[Value] = st.one_of(
    st.integers(0, 999),
    st.text(max_size=20),
    colours,
    st.sampled_from(Facing),
    st.builds(Who, st.text(max_size=20), st.lists(colours, min_size=1, max_size=2).map(tuple)),
    st.builds(Book, st.sampled_from(list(BOOKLETS))),
)


@st.composite
def messages(draw: st.DrawFn) -> Message:
    key = draw(st.sampled_from(list(ENGLISH)))
    text = ENGLISH[key]
    names = {
        name for _, name, _, _ in Formatter().parse(text if isinstance(text, str) else text[1])
    }
    given = ((name, draw(st.integers(0, 200) if name == "count" else values)) for name in names)
    return Message(key, tuple((name, value) for name, value in given if name))


def sent(plain: object) -> Any:  # noqa: ANN401 - whatever JSON can be
    return json.loads(json.dumps(plain))


@given(messages())
def test_a_message_that_was_sent_is_said_as_here(said: Message) -> None:
    assert spoken(sent(WireRenderer().say(said)), TextRenderer()) == TextRenderer().say(said)


@given(values)
def test_a_word_that_was_sent_is_the_same_word(value: Value) -> None:
    assert spoken(sent(WireRenderer().word(value)), TextRenderer()) == TextRenderer().word(value)


def test_messages_are_found_wherever_they_are() -> None:
    speech = WireRenderer()
    told = {
        "title": speech.say(message("no.edge")),
        "todo": [speech.say(message("news.over")), "as it is"],
        "game": {"players": [{"called": speech.word(Who("", (COLOURS[0],))), "dirhams": 30}]},
        "refused": None,
    }
    assert spoken(sent(told), TextRenderer()) == {
        "title": "The market ends here.",
        "todo": ["The game is over.", "as it is"],
        "game": {"players": [{"called": "Red", "dirhams": 30}]},
        "refused": None,
    }


def test_what_another_version_says_is_told_by_its_key() -> None:
    told = {
        "title": {"say": "title.of_tomorrow", "with": {"count": 3}},
        "todo": [{"say": "title.turn", "with": {}}, {"say": "no.edge", "with": {}}],
    }
    assert spoken(told, TextRenderer()) == {
        "title": "title.of_tomorrow",
        "todo": ["title.turn", "The market ends here."],
    }
    with pytest.raises(KeyError):
        TextRenderer().say(Message("title.of_tomorrow"))  # our own are in the catalogue


@pytest.mark.parametrize("value", [None, 1.5, {}, {"facing": 3}, ["x"]])
def test_what_is_no_value_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="is no value of a message"):
        spoken({"say": "title.turn", "with": {"player": value}}, TextRenderer())
