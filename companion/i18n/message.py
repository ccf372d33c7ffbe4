"""Messages for players, independent of language: a key of the catalogue and its values.

A message is never assembled from others. Values are numbers, plain text (names, squares), or
things that each language has its own word for: a colour, a direction, a player, a booklet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.games.marrakech import Colour, Facing


class PlayerName(NamedTuple):
    """A player: rendered as the name, or as the colours if `name` is empty."""

    name: str
    colours: tuple[Colour, ...]


class BookletName(NamedTuple):
    """A booklet, by its code: rendered as its language's own name."""

    code: str


Value = int | str | Colour | Facing | PlayerName | BookletName


@dataclass(frozen=True, slots=True)
class Message:
    """`key` names an entry of every catalogue; `values` fill it."""

    key: str
    values: tuple[tuple[str, Value], ...] = ()

    def value(self, name: str) -> Value:
        return dict(self.values)[name]


def message(key: str, /, **values: Value) -> Message:
    """Make a message. A test finds the messages in use by calls of this name."""
    return Message(key, tuple(values.items()))
