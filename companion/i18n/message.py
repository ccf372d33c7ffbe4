"""What is to be said, before it is said in a language: a key of the catalogue and its values.

A message is never glued from others. Values are numbers, plain text (names, squares), or things
that every language has its own word for: a colour, a direction, a player, a booklet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.games.marrakech import Colour, Facing


class Who(NamedTuple):
    """A player: by name, where one is known, else by colours."""

    name: str
    colours: tuple[Colour, ...]


class Book(NamedTuple):
    """A booklet, by its code: it is called what its language calls itself."""

    code: str


Value = int | str | Colour | Facing | Who | Book


@dataclass(frozen=True, slots=True)
class Message:
    """`key` names an entry of every catalogue; `values` fill it."""

    key: str
    values: tuple[tuple[str, Value], ...] = ()

    def value(self, name: str) -> Value:
        return dict(self.values)[name]


def message(key: str, /, **values: Value) -> Message:
    """A message; the test of the catalogues looks for calls of just this name."""
    return Message(key, tuple(values.items()))
