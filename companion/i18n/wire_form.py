"""Messages as JSON, for clients that render them in a language of their own.

`WireRenderer` takes the place of a `TextRenderer`: it renders a message as its key and values.
`spoken` replaces all of these in a JSON value by the sentences of one language.
"""

from __future__ import annotations

from typing import Any

from companion.games.marrakech import Colour, Facing
from companion.games.marrakech.rug import colour_named
from companion.i18n.message import Book, Message, Value, Who
from companion.i18n.renderer import TextRenderer

Plain = dict[str, Any]
_SAY, _VALUES, _WORD = "say", "with", "word"


class WireRenderer:
    """Says nothing, and tells what there is to say."""

    def say(self, said: Message) -> Plain:
        return {_SAY: said.key, _VALUES: {name: _plain(value) for name, value in said.values}}

    def word(self, value: Value) -> Plain:
        return {_WORD: _plain(value)}


Renderer = TextRenderer | WireRenderer


def spoken(told: Any, speech: TextRenderer) -> Any:  # noqa: ANN401 - whatever JSON can be
    """The same with every message said; `KeyError` or `TypeError` for what is no message.

    Who tells may be of another version, after an update: a message that we have no words for, or
    other ones, is its key, and the rest is said all the same.
    """
    match told:
        case dict() if _SAY in told:
            values = tuple((name, _value(value)) for name, value in told[_VALUES].items())
            try:
                return speech.say(Message(told[_SAY], values))
            except KeyError:
                return told[_SAY]
        case dict() if _WORD in told:
            return speech.word(_value(told[_WORD]))
        case dict():
            return {name: spoken(one, speech) for name, one in told.items()}
        case list():
            return [spoken(one, speech) for one in told]
        case _:
            return told


def _plain(value: Value) -> int | str | Plain:
    match value:
        case Who(name, colours):
            return {"name": name, "colours": [colour.label for colour in colours]}
        case Book(code):
            return {"booklet": code}
        case Colour():  # an int as well, so before those
            return {"colour": value.label}
        case Facing():
            return {"facing": value.name}
        case _:
            return value


def _value(plain: int | str | Plain) -> Value:
    match plain:
        case {"name": str(name), "colours": [*labels]}:
            return Who(name, tuple(map(colour_named, labels)))
        case {"booklet": str(code)}:
            return Book(code)
        case {"colour": str(label)}:
            return colour_named(label)
        case {"facing": str(facing)}:
            return Facing[facing]
        case int() | str():
            return plain
        case _:
            raise TypeError(f"{plain!r} is no value of a message")
