"""Rugs and their colours.

Every rug has an identity, not only a colour: both halves of one visible rug may not be covered
in one go, but two halves of different rugs of the same colour may. The n-th rug of a colour to
leave its pile is number n, so R7 is red's seventh.
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
        """R, Y, B, and N for brown, since B is blue."""
        return COLOUR_LETTERS[self]

    @property
    def label(self) -> str:
        return self.name.lower()


COLOURS = tuple(Colour)
COLOUR_LETTERS = "RYBN"


def colour_named(text: str) -> Colour:
    """The colour of this name or letter.

    >>> colour_named("brown") is colour_named("N") is Colour.BROWN
    True
    """
    for colour in COLOURS:
        if text.lower() == colour.label or text.upper() == colour.letter:
            return colour
    raise SettingError(unknown("colour", text, (c.label for c in COLOURS)))


class Rug(NamedTuple):
    """One piece of cloth."""

    colour: Colour
    number: int

    def __str__(self) -> str:
        return f"{self.colour.letter}{self.number}"

    @property
    def code(self) -> int:
        """The rug in one byte, as `State.tops` keeps it; 0 is left for an empty square."""
        return self.number << 2 | self.colour


HIGHEST_NUMBER = 15
"""A box has at most 15 rugs of a colour."""

RUGS: tuple[Rug | None, ...] = tuple(
    Rug(Colour(code & 3), code >> 2) if code >> 2 else None
    for code in range(HIGHEST_NUMBER + 1 << 2)
)
"""The rug of each code."""
