"""A position of the game: a frozen value.

`State` is a named tuple because games are made of thousands of them: a frozen dataclass of this
size takes five times as long to build.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

from companion.games.marrakech.events import Standing, Tribute
from companion.games.marrakech.market import (
    CENTRE,
    PLACEMENTS,
    SQUARES,
    Facing,
    bitboard,
    region,
)
from companion.games.marrakech.ranking import rank
from companion.games.marrakech.rug import COLOURS, RUGS, Colour, Rug
from companion.games.marrakech.setup import Pile, Setup


class Phase(IntEnum):
    """What the game waits for. The transitions between phases are in rules.py."""

    ORIENT = 0
    ROLL = 1
    PAY = 2
    DRAW = 3
    LAY = 4
    PIVOT = 5
    OVER = 6

    @property
    def label(self) -> str:
        return self.name.lower()


class State(NamedTuple):
    """Everything the rules need to know of a game in progress, and nothing of how it came about."""

    setup: Setup
    phase: Phase
    mover: int
    assam: int
    facing: Facing
    dirhams: tuple[int, ...]
    """By player."""
    left: tuple[int, ...]
    """Rugs not laid yet, by colour."""
    out: frozenset[int]
    """The players who are out."""
    tops: bytes
    """The code of the top rug on each square, 0 where there is none (see `Rug.code`)."""
    colours: tuple[int, ...]
    """The squares whose top rug has a colour, as bitboards by colour. Follows from `tops`."""
    whole: int
    """The rugs of which both halves are visible, as a placement bitboard. Follows from `tops`."""
    hand: Colour | None
    """The colour about to be laid, in phase LAY."""
    piles: tuple[Pile, ...] | None
    """What is left to lay in order, for two players whose pile order is known."""

    def rug_on(self, square: int) -> Rug | None:
        """The top rug of a square."""
        return RUGS[self.tops[square]]

    def rugs_left(self, player: int) -> int:
        return sum(self.left[colour] for colour in self.setup.players[player])

    def visible(self, player: int) -> int:
        """Rug halves of a player that can be seen."""
        return sum(self.colours[c].bit_count() for c in self.setup.players[player])

    def tribute_at(self, square: int) -> Tribute | None:
        """What the mover owes with Assam on this square, if anything."""
        code = self.tops[square]
        if not code:
            return None
        colour = COLOURS[code & 3]
        owner = self.setup.owner[colour]
        assert owner is not None, "a rug of nobody's colour lies on the market"
        if owner == self.mover or owner in self.out:
            return None
        return Tribute(self.mover, owner, colour, tuple(region(square, self.colours[colour])))

    @property
    def begins_turn(self) -> bool:
        return self.phase is (Phase.ROLL if self.setup.pivots_last else Phase.ORIENT)

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    def ranking(self) -> tuple[Standing, ...]:
        """The count as it stands, best first."""
        return rank(self.setup, self.dirhams, self.colours, self.out)


def see(tops: bytes) -> tuple[tuple[int, ...], int]:
    """What follows from the top rugs: squares by colour, and the rugs that are wholly visible."""
    by_colour = tuple(
        bitboard(s for s in range(SQUARES) if tops[s] and tops[s] & 3 == colour)
        for colour in COLOURS
    )
    whole = sum(p.bit for p in PLACEMENTS if tops[p.first] and tops[p.first] == tops[p.second])
    return by_colour, whole


def new_game(
    setup: Setup,
    *,
    facing: Facing = Facing.SOUTH,
    piles: Iterable[Sequence[Colour]] | None = None,
) -> State:
    """The position before the first turn.

    `piles` are the shuffled piles of two players, if the companion deals them. Without, the
    players shuffle the cardboard and tell each rug as they draw it.
    """
    tops = bytes(SQUARES)
    colours, whole = see(tops)
    return State(
        setup=setup,
        phase=Phase.ROLL if setup.pivots_last else Phase.ORIENT,
        mover=0,
        assam=CENTRE,
        facing=Facing(facing),
        dirhams=(setup.dirhams,) * len(setup.players),
        left=setup.rugs,
        out=frozenset(),
        tops=tops,
        colours=colours,
        whole=whole,
        hand=None,
        piles=setup.piles(piles),
    )
