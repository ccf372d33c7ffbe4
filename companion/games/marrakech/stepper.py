"""Fast, mutable games for search and statistics, without checks or events.

A `Stepper` changes in place and plays a turn in two calls, `walk` and `lay`. It does not check
anything: the caller must pass legal values. It shares the functions for geometry, regions, covering
and turn order with rules.py; a test plays both side by side under all options.
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
    """A game in progress, from the start of a turn. `copy` it to look ahead."""

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
        if not (state.is_turn_start or state.is_over):
            raise ValueError(
                f"a stepper starts at the start of a turn, not in phase {state.phase.label}"
            )
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
        """By player: the rugs left if their order is known, next rug last."""
        self.is_over = state.is_over
        self._colour_on = [code & 3 if code else _EMPTY for code in state.tops]
        self._owner = state.setup.owner
        self._pivots_last = state.setup.is_pivot_last
        self._paths = state.setup.paths

    def copy(self) -> Stepper:
        copy = object.__new__(Stepper)
        copy.setup = self.setup
        copy.mover = self.mover
        copy.assam = self.assam
        copy.facing = self.facing
        copy.dirhams = self.dirhams.copy()
        copy.left = self.left.copy()
        copy.out = self.out.copy()
        copy.colours = self.colours.copy()
        copy.whole = self.whole
        copy.piles = None if self.piles is None else [pile.copy() for pile in self.piles]
        copy.is_over = self.is_over
        copy._colour_on = self._colour_on.copy()
        copy._owner = self._owner
        copy._pivots_last = self._pivots_last
        copy._paths = self._paths
        return copy

    def walk(self, facing: Facing, pips: int) -> bool:
        """Turn and move Assam, pay tribute. False if the mover went out, which ends his turn."""
        assam, self.facing = self._paths[self.assam * 4 + facing][pips][-1]
        self.assam = assam
        colour = self._colour_on[assam]
        if colour >= 0:
            owner = self._owner[colour]
            if owner != self.mover and owner not in self.out:
                assert owner is not None
                return self._pay(owner, len(region(assam, self.colours[colour])))
        return True

    def _pay(self, owner: int, due: int) -> bool:
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
        self._end_turn()
        return False

    def next_colours(self) -> tuple[Colour, ...]:
        """The possible colours of the mover's next rug: one, or two in a shuffled pile."""
        if self.piles is not None:
            return (self.piles[self.mover][-1],)
        return tuple([colour for colour in self.setup.players[self.mover] if self.left[colour]])

    def placements(self) -> tuple[Placement, ...]:
        """Where the next rug may be laid. If empty, call `return_rug`."""
        closed = blocked(self.setup, self.mover, self.whole, self.colours)
        return open_placements(self.assam, closed)

    def lay(self, placement: Placement, colour: Colour) -> None:
        """Lay a rug of one of the `next_colours`. Ends the turn, except with pivot-last."""
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
        self._take_rug(colour)

    def return_rug(self, colour: Colour) -> None:
        """Put the rug back into the box, because it cannot be laid anywhere. Ends like `lay`."""
        self._take_rug(colour)

    def _take_rug(self, colour: Colour) -> None:
        self.left[colour] -= 1
        if self.piles is not None:
            self.piles[self.mover].pop()
        mover = next_mover(self.setup, self.mover, self.left, self.out)
        if mover is None:
            self.is_over = True
        elif not self._pivots_last:
            self.mover = mover

    def pivot(self, facing: Facing) -> None:
        """Turn Assam and end the turn, with turn_order = pivot-last."""
        self.facing = facing
        self._end_turn()

    def ranking(self) -> tuple[Standing, ...]:
        return rank(self.setup, self.dirhams, self.colours, self.out)

    def _end_turn(self) -> None:
        mover = next_mover(self.setup, self.mover, self.left, self.out)
        if mover is None:
            self.is_over = True
        else:
            self.mover = mover
