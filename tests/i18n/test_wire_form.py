"""Messages survive the way through JSON and are rendered by the receiver."""

from __future__ import annotations

import json
from string import Formatter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.marrakech import BOOKLETS, COLOURS, Facing
from companion.i18n.english import ENGLISH
from companion.i18n.message import BookletName, Message, PlayerName, Value, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import WireRenderer, render_wire

colours = st.sampled_from(COLOURS)
values: st.SearchStrategy[Value] = st.one_of(
    st.integers(0, 999),
    st.text(max_size=20),
    colours,
    st.sampled_from(Facing),
    st.builds(
        PlayerName, st.text(max_size=20), st.lists(colours, min_size=1, max_size=2).map(tuple)
    ),
    st.builds(BookletName, st.sampled_from(list(BOOKLETS))),
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


def sent(plain: object) -> Any:  # noqa: ANN401 - any JSON value
    return json.loads(json.dumps(plain))


@given(messages())
def test_a_sent_message_is_rendered_as_here(unrendered: Message) -> None:
    received = sent(WireRenderer().render(unrendered))
    assert render_wire(received, TextRenderer()) == TextRenderer().render(unrendered)


@given(values)
def test_a_sent_value_is_rendered_as_here(value: Value) -> None:
    received = sent(WireRenderer().render_value(value))
    assert render_wire(received, TextRenderer()) == TextRenderer().render_value(value)


def test_messages_are_rendered_at_any_depth() -> None:
    renderer = WireRenderer()
    plain = {
        "title": renderer.render(message("no.edge")),
        "todo": [renderer.render(message("news.over")), "as it is"],
        "game": {
            "players": [
                {"called": renderer.render_value(PlayerName("", (COLOURS[0],))), "dirhams": 30}
            ]
        },
        "refused": None,
    }
    assert render_wire(sent(plain), TextRenderer()) == {
        "title": "The market ends here.",
        "todo": ["The game is over.", "as it is"],
        "game": {"players": [{"called": "Red", "dirhams": 30}]},
        "refused": None,
    }


def test_a_message_of_another_version_is_rendered_as_its_key() -> None:
    plain = {
        "title": {"say": "title.of_tomorrow", "with": {"count": 3}},
        "todo": [{"say": "title.turn", "with": {}}, {"say": "no.edge", "with": {}}],
    }
    assert render_wire(plain, TextRenderer()) == {
        "title": "title.of_tomorrow",
        "todo": ["title.turn", "The market ends here."],
    }
    with pytest.raises(KeyError):
        TextRenderer().render(Message("title.of_tomorrow"))


@pytest.mark.parametrize("value", [None, 1.5, {}, {"facing": 3}, ["x"]])
def test_an_unknown_value_raises_an_error(value: object) -> None:
    with pytest.raises(TypeError, match="is not a value of a message"):
        render_wire({"say": "title.turn", "with": {"player": value}}, TextRenderer())
