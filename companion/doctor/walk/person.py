"""Somebody at the table who presses what he is asked to, and says what he sees."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeAlias

from companion.errors import CompanionError
from companion.table.scenes.scene import Ink

Sight: TypeAlias = tuple[Ink | None, ...]
"""What 64 LEDs look like to a person, row by row from the north-west."""


class LeftError(CompanionError):
    """Whoever was there has left."""


class Person(Protocol):
    """All on the loop."""

    def hear(self, line: str) -> None:
        """Something is said to him."""

    def look(self) -> None:
        """The light has changed."""

    def press(self, contact: Hashable) -> None:
        """He is asked to press this, once."""

    async def sees(self, question: str, sights: Sequence[Sight]) -> bool:
        """Whether he has seen these, one after the other, since he was asked the last time."""

    async def sees_led(self, question: str) -> bool:
        """Whether the LED of the die pad does what is asked."""

    async def has(self, question: str) -> bool:
        """Whether his table has something that not every table has."""
