"""Messages as JSON, for clients that render them in their own language.

`WireRenderer` is used like a `TextRenderer`, but renders a message as its key and values.
`render_wire` replaces every such message in a JSON value by the sentence in one language.
"""

from __future__ import annotations

from typing import Any

from companion.games.marrakech import Colour, Facing
from companion.games.marrakech.rug import colour_named
from companion.i18n.message import BookletName, Message, PlayerName, Value
from companion.i18n.renderer import TextRenderer
from companion.json_types import JsonObject

_KEY, _VALUES, _VALUE = "say", "with", "word"


class WireRenderer:
    """Renders messages and values as JSON, without a language."""

    def render(self, message: Message) -> JsonObject:
        values = {name: _value_to_json(value) for name, value in message.values}
        return {_KEY: message.key, _VALUES: values}

    def render_value(self, value: Value) -> JsonObject:
        return {_VALUE: _value_to_json(value)}


Renderer = TextRenderer | WireRenderer


def render_wire(plain: Any, renderer: TextRenderer) -> Any:  # noqa: ANN401 - any JSON value
    """A copy with every message rendered. Raises `KeyError` or `TypeError` for a broken message.

    During an update the sender may have another version: a message whose key or values are not in
    the catalogue is replaced by its key.
    """
    match plain:
        case dict() if _KEY in plain:
            values = tuple((name, _json_to_value(value)) for name, value in plain[_VALUES].items())
            try:
                return renderer.render(Message(plain[_KEY], values))
            except KeyError:
                return plain[_KEY]
        case dict() if _VALUE in plain:
            return renderer.render_value(_json_to_value(plain[_VALUE]))
        case dict():
            return {name: render_wire(member, renderer) for name, member in plain.items()}
        case list():
            return [render_wire(item, renderer) for item in plain]
        case _:
            return plain


def _value_to_json(value: Value) -> int | str | JsonObject:
    match value:
        case PlayerName(name, colours):
            return {"name": name, "colours": [colour.label for colour in colours]}
        case BookletName(code):
            return {"booklet": code}
        case Colour():  # before int: Colour is an IntEnum
            return {"colour": value.label}
        case Facing():
            return {"facing": value.name}
        case _:
            return value


def _json_to_value(plain: int | str | JsonObject) -> Value:
    match plain:
        case {"name": str(name), "colours": [*labels]}:
            return PlayerName(name, tuple(map(colour_named, labels)))
        case {"booklet": str(code)}:
            return BookletName(code)
        case {"colour": str(label)}:
            return colour_named(label)
        case {"facing": str(facing)}:
            return Facing[facing]
        case int() | str():
            return plain
        case _:
            raise TypeError(f"{plain!r} is not a value of a message")
