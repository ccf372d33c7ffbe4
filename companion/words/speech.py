"""Messages in a language: the catalogue's sentence, with its values put in.

A catalogue has a text for each key, or the forms of a text by number: `count` chooses among them.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.marrakech import Colour, Facing
from companion.words.english import ENGLISH
from companion.words.message import Message, Value, Who

Text = str | tuple[str, str]
"""One text, or one for a single thing and one for any other number."""


class Speech:
    """Says messages in one language."""

    def __init__(self, catalogue: Mapping[str, Text] = ENGLISH) -> None:
        self._catalogue = catalogue

    def say(self, said: Message) -> str:
        values = {name: self._word(value) for name, value in said.values}
        text = self._catalogue[said.key]
        if isinstance(text, tuple):
            text = text[said.value("count") != 1]
        return text.format_map(values)

    def _word(self, value: Value) -> str:
        match value:
            case Who(name, colours):
                if name:
                    return name
                words = [self._text(f"player.{colour.label}") for colour in colours]
                if len(words) == 1:
                    return words[0]
                return self._text("player.two").format(one=words[0], other=words[1])
            case Colour():
                return self._text(f"colour.{value.label}")
            case Facing():
                return self._text(f"facing.{value.name.lower()}")
            case _:
                return str(value)

    def _text(self, key: str) -> str:
        text = self._catalogue[key]
        assert isinstance(text, str), f"{key} has no forms by number"
        return text
