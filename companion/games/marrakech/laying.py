"""Where a rug may be laid: the only module that implements the option `covering`.

A placement is open if it lies beside Assam and is not blocked by what it would cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.games.marrakech.market import BESIDE, BESIDE_BITS, Placement, pairs
from companion.games.marrakech.setup import Setup


def blocked(setup: Setup, layer: int, whole: int, colours: Sequence[int]) -> int:
    """The placements that the option `covering` forbids `layer`, as a placement bitboard.

    `whole` is the placement bitboard of wholly visible rugs, `colours` the squares by top colour.
    """
    covering = setup.options.covering
    if covering == "no-whole-rug":
        return whole
    if covering == "own-rug-allowed":
        own = 0
        for colour in setup.players[layer]:
            own |= pairs(colours[colour])
        return whole & ~own
    same_colour = 0
    for squares in colours:
        same_colour |= pairs(squares)
    return same_colour


@lru_cache(maxsize=1 << 14)
def _open(assam: int, closed: int) -> tuple[Placement, ...]:
    return tuple(p for p in BESIDE[assam] if not p.bit & closed)


def open_placements(assam: int, closed: int) -> tuple[Placement, ...]:
    """The placements beside Assam that are not closed. `closed` is a placement bitboard."""
    return _open(assam, closed & BESIDE_BITS[assam])
