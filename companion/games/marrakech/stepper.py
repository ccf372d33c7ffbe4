"""Cheap stepping for search and statistics: the same game without checks or events.

A `Stepper` changes in place and takes a turn in two calls, `walk` and `lay`. It trusts its caller:
what it is told must be legal. Geometry, regions, covering and the passing of turns are the rules'
own functions; a test plays both ways side by side, move for move, under all options.
"""

from __future__ import annotations

from companion.games.marrakech.events import Standing
from companion.games.marrakech.laying import blocked, open_placements
from companion.games.marrakech.market import Facing, Placement, region
from companion.games.marrakech.ranking import rank
from companion.games.marrakech.rug import Colour
from companion.games.marrakech.rules import next_mover
from companion.games.marrakech.state import State

_EMPTY = -1


class Stepper:
    """A game in progress, from the beginning of a turn on. `copy` it to look ahead."""

    __slots__ = (
        "_colour_on",
        "_owner",
        "_paths",
        "_pivots_last",
        "assam",
        "colours",
        "dirhams",
        "facing",
        "is_over",
        "left",
        "mover",
        "out",
        "piles",
        "setup",
        "whole",
    )  # fmt: skip

    def __init__(self, state: State) -> None:
        if not (state.begins_turn or state.is_over):
            raise ValueError(f"stepping starts with a turn, not in phase {state.phase.label}")
        self.setup = state.setup
        self.mover = state.mover
        self.assam = state.assam
        self.facing = state.facing
        self.dirhams = list(state.dirhams)
        self.left = list(state.left)
        self.out = set(state.out)
        self.colours = list(state.colours)
        self.whole = state.whole
        self.piles = None if state.piles is None else [list(p[::-1]) for p in state.piles]
        """Known piles, the next rug last."""
        self.is_over = state.is_over
        self._colour_on = [code & 3 if code else _EMPTY for code in state.tops]
        self._owner = state.setup.owner
        self._pivots_last = state.setup.pivots_last
        self._paths = state.setup.paths

    def copy(self) -> Stepper:
        twin = object.__new__(Stepper)
        twin.setup = self.setup
        twin.mover = self.mover
        twin.assam = self.assam
        twin.facing = self.facing
        twin.dirhams = self.dirhams.copy()
        twin.left = self.left.copy()
        twin.out = self.out.copy()
        twin.colours = self.colours.copy()
        twin.whole = self.whole
        twin.piles = None if self.piles is None else [pile.copy() for pile in self.piles]
        twin.is_over = self.is_over
        twin._colour_on = self._colour_on.copy()
        twin._owner = self._owner
        twin._pivots_last = self._pivots_last
        twin._paths = self._paths
        return twin

    def walk(self, facing: Facing, pips: int) -> bool:
        """Face Assam that way, move him, pay. False if the mover went out, which ends his turn."""
        assam, self.facing = self._paths[self.assam * 4 + facing][pips][-1]
        self.assam = assam
        colour = self._colour_on[assam]
        if colour >= 0:
            owner = self._owner[colour]
            if owner != self.mover and owner not in self.out:
                assert owner is not None
                return self._settle(owner, len(region(assam, self.colours[colour])))
        return True

    def _settle(self, owner: int, due: int) -> bool:
        purse = self.dirhams[self.mover]
        paid = min(due, purse)
        self.dirhams[self.mover] = purse - paid
        self.dirhams[owner] += paid
        if due <= purse or self.setup.options.bankruptcy == "spare":
            return True
        self.out.add(self.mover)
        for colour in self.setup.players[self.mover]:
            self.left[colour] = 0
        if self.piles is not None:
            self.piles[self.mover] = []
        self._pass_on()
        return False

    def hands(self) -> tuple[Colour, ...]:
        """The colours that the mover's next rug may have: one, or two in a shuffled pile."""
        if self.piles is not None:
            return (self.piles[self.mover][-1],)
        return tuple([colour for colour in self.setup.players[self.mover] if self.left[colour]])

    def placements(self) -> tuple[Placement, ...]:
        """Where the next rug may lie; if nowhere, it must be given back."""
        closed = blocked(self.setup, self.mover, self.whole, self.colours)
        return open_placements(self.assam, closed)

    def lay(self, placement: Placement, colour: Colour) -> None:
        """Lay a rug of one of the `hands`; the turn passes on, unless Assam is to be pivoted."""
        first, second, squares, bit, touching = placement
        colour_on, colours = self._colour_on, self.colours
        covered = colour_on[first]
        if covered >= 0:
            colours[covered] ^= 1 << first
        covered = colour_on[second]
        if covered >= 0:
            colours[covered] ^= 1 << second
        colour_on[first] = colour_on[second] = colour
        colours[colour] |= squares
        self.whole = self.whole & ~touching | bit
        self.give_back(colour)

    def give_back(self, colour: Colour) -> None:
        """The rug has left the pile, for the box if it was not laid."""
        self.left[colour] -= 1
        if self.piles is not None:
            self.piles[self.mover].pop()
        mover = next_mover(self.setup, self.mover, self.left, self.out)
        if mover is None:
            self.is_over = True
        elif not self._pivots_last:
            self.mover = mover

    def pivot(self, facing: Facing) -> None:
        """Turn Assam at the end of a turn, where the order pivots last."""
        self.facing = facing
        self._pass_on()

    def ranking(self) -> tuple[Standing, ...]:
        return rank(self.setup, self.dirhams, self.colours, self.out)

    def _pass_on(self) -> None:
        mover = next_mover(self.setup, self.mover, self.left, self.out)
        if mover is None:
            self.is_over = True
        else:
            self.mover = mover
