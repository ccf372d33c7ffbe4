"""Renders messages as text: the catalogue's sentence with its values filled in.

A catalogue has one text for each key, or plural forms, of which the value `count` chooses one.
Values whose writing direction may differ from the sentence's are wrapped in Unicode isolates, and
bidirectional control characters are removed from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol
from unicodedata import bidirectional

from companion.games.marrakech import Colour, Facing
from companion.games.marrakech.text.record import BIDI_CONTROLS
from companion.i18n.english import ENGLISH
from companion.i18n.languages import ENGLISH as ENGLISH_CODE
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import BookletName, Message, PlayerName, Value

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = ("R", "AL", "AN")
_REMOVE_BIDI_CONTROLS = str.maketrans("", "", BIDI_CONTROLS)


class Catalogue(Protocol):
    """All sentences in one language."""

    language: str
    """A key of `LANGUAGES`."""

    def text(self, key: str) -> str: ...

    def plural(self, key: str, count: int) -> str:
        """The plural form for `count`."""

    def plural_index(self, count: int) -> int:
        """The number of that form, from 0."""


class EnglishCatalogue:
    """The source of all translations."""

    language = ENGLISH_CODE

    def text(self, key: str) -> str:
        text = ENGLISH[key]
        assert isinstance(text, str), f"{key} has plural forms"
        return text

    def plural(self, key: str, count: int) -> str:
        return ENGLISH[key][self.plural_index(count)]

    def plural_index(self, count: int) -> int:
        return int(count != 1)


class TextRenderer:
    """Renders messages in one language."""

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self.catalogue = catalogue or EnglishCatalogue()
        self._is_rtl = LANGUAGES[self.language].is_rtl
        self._separator = " " if LANGUAGES[self.language].has_spaces else ""

    @property
    def language(self) -> str:
        return self.catalogue.language

    def render(self, message: Message) -> str:
        values = {name: self._isolated_value(value) for name, value in message.values}
        return self._sentence(message).format_map(values)

    def _sentence(self, message: Message) -> str:
        if isinstance(ENGLISH[message.key], str):
            return self.catalogue.text(message.key)
        count = message.value("count")
        assert isinstance(count, int)
        return self.catalogue.plural(message.key, count)

    def _isolated_value(self, value: Value) -> str:
        text = self.render_value(value)
        is_from_catalogue = isinstance(value, Colour | Facing) or (
            isinstance(value, PlayerName) and not _without_bidi_controls(value.name)
        )
        return text if is_from_catalogue else isolate(text, is_rtl=self._is_rtl)

    def render_all(self, messages: Iterable[Message]) -> str:
        """The sentences joined, with spaces in languages that have them."""
        return self._separator.join(map(self.render, messages))

    def render_value(self, value: Value) -> str:
        """The text of a single value. A player without a name is called by colours."""
        text = self.catalogue.text
        match value:
            case PlayerName(name, colours):
                if name := _without_bidi_controls(name):
                    return name
                words = [text(f"player.{colour.label}") for colour in colours]
                if len(words) == 1:
                    return words[0]
                return text("player.two").format(one=words[0], other=words[1])
            case BookletName(code):
                language = LANGUAGES.get(code)
                return text(f"booklet.{code}") if language is None else language.name
            case Colour():
                return text(f"colour.{value.label}")
            case Facing():
                return text(f"facing.{value.name.lower()}")
            case _:
                return str(value)


def isolate(text: str, *, is_rtl: bool) -> str:
    """A value for a sentence, in Unicode isolates if either of them is right-to-left."""
    text = _without_bidi_controls(text)
    if is_rtl or any(bidirectional(char) in _RIGHT_TO_LEFT for char in text):
        return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"
    return text


def _without_bidi_controls(text: str) -> str:
    """They could end the isolate, or reorder the rest of the sentence."""
    return text.translate(_REMOVE_BIDI_CONTROLS)
