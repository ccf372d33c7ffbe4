"""Chance: the electronic die, and the shuffling of rugs.

The rules never roll. Whoever has no wooden die at hand rolls here, with the entropy of the
operating system, over the faces that the wooden one has.
"""

from __future__ import annotations

from random import Random, SystemRandom

from companion.games.marrakech import DIE, Colour, Setup

Piles = tuple[tuple[Colour, ...], ...]


class Chance:
    """Rolls and deals. `random` is given in tests and re-plays; else nobody can foresee it."""

    def __init__(self, random: Random | None = None) -> None:
        self.random = SystemRandom() if random is None else random

    def roll(self) -> int:
        """One face of the die, each as likely as the next: 1 and 4 once in six, 2 and 3 twice."""
        return self.random.choice(DIE)

    def deal(self, setup: Setup) -> Piles | None:
        """See `deal`."""
        return deal(setup, self.random)


def deal(setup: Setup, random: Random) -> Piles | None:
    """Shuffled piles for two players with two colours; None where there is nothing to shuffle."""
    if not setup.has_two_colours or setup.options.two_player != "shuffled":
        return None
    return tuple(tuple(random.sample(colours * 12, 24)) for colours in setup.players)
