"""Random numbers: the electronic die, and shuffling the rugs of two players.

The rules never roll. The electronic die has the faces of the wooden one.
"""

from __future__ import annotations

from random import Random, SystemRandom

from companion.games.marrakech import DIE, Colour, Setup

Piles = tuple[tuple[Colour, ...], ...]


class SystemRandomSource:
    """Rolls and deals with the random numbers of the operating system, or those of `random`."""

    def __init__(self, random: Random | None = None) -> None:
        self.random = SystemRandom() if random is None else random

    def roll(self) -> int:
        """A random face of the six: 1 and 4 are on one face each, 2 and 3 on two."""
        return self.random.choice(DIE)

    def deal(self, setup: Setup) -> Piles | None:
        return deal(setup, self.random)


def deal(setup: Setup, random: Random) -> Piles | None:
    """Shuffled piles for two players with two colours each; None for other games."""
    if not setup.has_shuffled_piles:
        return None
    return tuple(tuple(random.sample(colours * 12, 24)) for colours in setup.players)
