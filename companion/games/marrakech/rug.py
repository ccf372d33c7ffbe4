"""Rugs and their colours.

A rug has a number, not only a colour: a new rug may not cover both halves of one visible rug, but
it may cover halves of two different rugs of the same colour. The n-th rug of a colour to leave its
pile has number n: R7 is the seventh red rug.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from companion.errors import SettingError, unknown


class Colour(IntEnum):
    RED = 0
    YELLOW = 1
    BLUE = 2
    BROWN = 3

    @property
    def letter(self) -> str:
        """R, Y, B, and N for brown (B is blue)."""
        return COLOUR_LETTERS[self]

    @property
    def label(self) -> str:
        return self.name.lower()


COLOURS = tuple(Colour)
COLOUR_LETTERS = "RYBN"


def colour_named(text: str) -> Colour:
    """Find a colour by its name or letter.

    >>> colour_named("brown") is colour_named("N") is Colour.BROWN
    True
    """
    for colour in COLOURS:
        if text.lower() == colour.label or text.upper() == colour.letter:
            return colour
    raise SettingError(unknown("colour", text, (c.label for c in COLOURS)))


class Rug(NamedTuple):
    colour: Colour
    number: int

    def __str__(self) -> str:
        return f"{self.colour.letter}{self.number}"

    @property
    def code(self) -> int:
        """The rug as one byte, as in `State.tops`, where 0 is an empty square."""
        return self.number << 2 | self.colour


MAX_RUG_NUMBER = 15
"""A box has at most 15 rugs of a colour."""

RUGS: tuple[Rug | None, ...] = tuple(
    Rug(Colour(code & 3), code >> 2) if code >> 2 else None
    for code in range(MAX_RUG_NUMBER + 1 << 2)
)
"""By code: the rug."""
