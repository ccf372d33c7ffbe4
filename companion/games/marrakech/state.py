"""The position of a game, as an immutable value.

`State` is a named tuple for speed: a frozen dataclass of this size takes five times as long to
create.
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
    """The action that the game waits for. The transitions are in rules.py."""

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
    """Everything the rules need to know about a game in progress, without its history."""

    setup: Setup
    phase: Phase
    mover: int
    assam: int
    facing: Facing
    dirhams: tuple[int, ...]
    """By player: his dirhams."""
    left: tuple[int, ...]
    """By colour: the rugs not laid yet."""
    out: frozenset[int]
    """The players who are out."""
    tops: bytes
    """By square: the code of the top rug (see `Rug.code`), 0 if the square is empty."""
    colours: tuple[int, ...]
    """By colour: the squares whose top rug has it, as a bitboard. Derived from `tops`."""
    whole: int
    """The wholly visible rugs, as a placement bitboard. Derived from `tops`."""
    hand: Colour | None
    """The colour of the rug to lay, in phase LAY."""
    piles: tuple[Pile, ...] | None
    """By player: the rugs left, in order, if the order of the piles is known."""

    def rug_on(self, square: int) -> Rug | None:
        """The top rug of a square."""
        return RUGS[self.tops[square]]

    def rugs_left(self, player: int) -> int:
        return sum(self.left[colour] for colour in self.setup.players[player])

    def visible(self, player: int) -> int:
        """The number of visible rug halves of a player."""
        return sum(self.colours[c].bit_count() for c in self.setup.players[player])

    def tribute_at(self, square: int) -> Tribute | None:
        """The tribute that the mover owes if Assam stands on this square."""
        code = self.tops[square]
        if not code:
            return None
        colour = COLOURS[code & 3]
        owner = self.setup.owner[colour]
        assert owner is not None, "a rug on the market has no owner"
        if owner == self.mover or owner in self.out:
            return None
        return Tribute(self.mover, owner, colour, tuple(region(square, self.colours[colour])))

    @property
    def is_turn_start(self) -> bool:
        return self.phase is (Phase.ROLL if self.setup.is_pivot_last else Phase.ORIENT)

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    def ranking(self) -> tuple[Standing, ...]:
        """The current ranking, best first."""
        return rank(self.setup, self.dirhams, self.colours, self.out)


def derive_visible(tops: bytes) -> tuple[tuple[int, ...], int]:
    """`State.colours` and `State.whole` from the top rugs."""
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

    `piles` are the shuffled piles of two players, if the companion deals them. Without piles, the
    players shuffle the cardboard and enter each rug when they draw it.
    """
    tops = bytes(SQUARES)
    colours, whole = derive_visible(tops)
    return State(
        setup=setup,
        phase=Phase.ROLL if setup.is_pivot_last else Phase.ORIENT,
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
