"""Messages in a language: the catalogue's sentence, with its values put in.

A catalogue has a text for each key, or the forms of a text by number: `count` chooses among them.
Whatever is put in is set apart where its letters may run the other way than the sentence's, and
nothing in it leads out of there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol
from unicodedata import bidirectional

from companion.games.marrakech import Colour, Facing
from companion.games.marrakech.text.record import TURNING
from companion.i18n.english import ENGLISH
from companion.i18n.languages import ENGLISH as ENGLISH_CODE
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import Book, Message, Value, Who

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = ("R", "AL", "AN")
_NOTHING_TURNS = str.maketrans("", "", TURNING)


class Catalogue(Protocol):
    """Every sentence in one language."""

    language: str
    """Its code: one of LANGUAGES."""

    def text(self, key: str) -> str: ...

    def counted(self, key: str, count: int) -> str:
        """The form of a text for this number."""

    def form(self, count: int) -> int:
        """Which of the forms that is, from 0 on."""


class EnglishCatalogue:
    """What all others are translations of."""

    language = ENGLISH_CODE

    def text(self, key: str) -> str:
        text = ENGLISH[key]
        assert isinstance(text, str), f"{key} has forms by number"
        return text

    def counted(self, key: str, count: int) -> str:
        return ENGLISH[key][self.form(count)]

    def form(self, count: int) -> int:
        return int(count != 1)


class TextRenderer:
    """Says messages in one language."""

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self.catalogue = catalogue or EnglishCatalogue()
        self._is_rtl = LANGUAGES[self.language].is_rtl
        self._blank = " " if LANGUAGES[self.language].has_blanks else ""

    @property
    def language(self) -> str:
        return self.catalogue.language

    def say(self, said: Message) -> str:
        values = {name: self._put_in(value) for name, value in said.values}
        return self._sentence(said).format_map(values)

    def _sentence(self, said: Message) -> str:
        if isinstance(ENGLISH[said.key], str):
            return self.catalogue.text(said.key)
        count = said.value("count")
        assert isinstance(count, int)
        return self.catalogue.counted(said.key, count)

    def _put_in(self, value: Value) -> str:
        word = self.word(value)
        is_ours = isinstance(value, Colour | Facing) or (
            isinstance(value, Who) and not _unturned(value.name)
        )
        return word if is_ours else isolated(word, is_rtl=self._is_rtl)

    def say_all(self, said: Iterable[Message]) -> str:
        """Whole sentences, one after the other."""
        return self._blank.join(map(self.say, said))

    def word(self, value: Value) -> str:
        """What a thing is called: a player by name, where one is known, else by colours."""
        text = self.catalogue.text
        match value:
            case Who(name, colours):
                if name := _unturned(name):
                    return name
                words = [text(f"player.{colour.label}") for colour in colours]
                if len(words) == 1:
                    return words[0]
                return text("player.two").format(one=words[0], other=words[1])
            case Book(code):
                language = LANGUAGES.get(code)
                return text(f"booklet.{code}") if language is None else language.name
            case Colour():
                return text(f"colour.{value.label}")
            case Facing():
                return text(f"facing.{value.name.lower()}")
            case _:
                return str(value)


def isolated(word: str, *, is_rtl: bool) -> str:
    """A name or a number inside a sentence: neither turns the order of the other's letters."""
    word = _unturned(word)
    if is_rtl or any(bidirectional(sign) in _RIGHT_TO_LEFT for sign in word):
        return f"{FIRST_STRONG_ISOLATE}{word}{POP_ISOLATE}"
    return word


def _unturned(text: str) -> str:
    """Without signs that turn the order of letters: they end what sets it apart, or outlive it."""
    return text.translate(_NOTHING_TURNS)
