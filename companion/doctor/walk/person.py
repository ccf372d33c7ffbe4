"""The port to the person who does the walk: presses contacts, and answers questions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol

from companion.errors import CompanionError
from companion.light.frame import LedFrame


class WalkAbortedError(CompanionError):
    """The person has ended the walk."""


class Person(Protocol):
    """Called on the event loop."""

    def show_line(self, line: str) -> None:
        """Show a line of text to the person."""

    def frame_shown(self) -> None:
        """A frame is on the matrix; a real person just sees it."""

    def request_press(self, contact: Hashable) -> None:
        """The person was asked to press a contact once."""

    async def confirm_frames(self, question: str, frames: Sequence[LedFrame]) -> bool:
        """Whether exactly these frames were seen since the last question."""

    async def confirm_led(self, question: str) -> bool:
        """A question about the die pad's LED."""

    async def confirm(self, question: str) -> bool:
        """A question about the table's parts."""
