"""A random source whose results are scripted beforehand."""

from __future__ import annotations

from collections import deque

from companion.errors import CompanionError
from companion.games.marrakech import Colour, Setup


class UnscriptedRandomError(CompanionError, RuntimeError):
    """The companion needs a random result that the scenario does not give."""


class ScriptedRandomSource:
    """Returns the rolls, piles and pairing codes that it was given, in order."""

    def __init__(self) -> None:
        self.rolls: deque[int] = deque()
        self.piles: tuple[tuple[Colour, ...], ...] | None = None
        self.pairing_codes: deque[str] = deque()

    def roll(self) -> int:
        if not self.rolls:
            raise UnscriptedRandomError("the companion rolls: write before it 'rolls 3'")
        return self.rolls.popleft()

    def make_pairing_code(self) -> str:
        if not self.pairing_codes:
            raise UnscriptedRandomError("the companion makes a code: write before it 'code 0417'")
        return self.pairing_codes.popleft()

    def deal(self, setup: Setup) -> tuple[tuple[Colour, ...], ...] | None:
        if not setup.has_shuffled_piles:
            return None
        if self.piles is None:
            raise UnscriptedRandomError("the companion deals: write before it 'deals RY… BN…'")
        return self.piles
