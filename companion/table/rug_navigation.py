"""Moves the rug between legal placements with the direction buttons.

A press goes to the nearest placement whose middle lies strictly in that direction from the middle
of the current one, by straight-line distance. Ties go to the smaller sideways distance, then to
the first in reading order (`PLACEMENTS`): the western or northern one. Nothing wraps around.

A press depends only on the legal placements, the current one and the button. Properties:

- Every placement can be reached from every other, for any subset of the placements beside Assam.
  (Minimising the distance along the button's direction first would make some unreachable.)
- Pressing one button repeatedly never cycles: each press moves in that direction.
- After a press the opposite button is never refused and moves no farther, but it need not return to
  the same placement: another one may be nearer.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.marrakech import Facing, Placement, State
from companion.games.marrakech.market import SIZE, STRIDES

# Coordinates are in half squares, so that the middle of a rug has whole numbers.
_Distances = tuple[int, int]
"""Straight-line distance (squared), then sideways distance, both to be minimised."""


def steer(placements: Iterable[Placement], aim: Placement, facing: Facing) -> Placement | None:
    """The placement in a direction from `aim`; None if there is none."""
    x, y = _middle(aim)
    dx, dy = STRIDES[facing]
    start = x * dx + y * dy
    best: tuple[_Distances, Placement] | None = None
    for placement in placements:
        u, v = _middle(placement)
        if u * dx + v * dy > start:
            candidate = _distances(u - x, v - y, facing), placement
            if best is None or candidate < best:  # placements compare in reading order
                best = candidate
    return best and best[1]


def first_aim(state: State, placements: Iterable[Placement]) -> Placement:
    """The placement to offer first: lengthwise ahead of Assam, or the one nearest to that.

    Nearest by the same order as in `steer`, so that a position always offers the same placement.
    """
    y, x = divmod(state.assam, SIZE)
    dx, dy = STRIDES[state.facing]
    x, y = 2 * x + 3 * dx, 2 * y + 3 * dy

    def order(placement: Placement) -> tuple[_Distances, Placement]:
        u, v = _middle(placement)
        return _distances(u - x, v - y, state.facing), placement

    return min(placements, key=order)


def _middle(placement: Placement) -> tuple[int, int]:
    first, second = placement.first, placement.second
    return first % SIZE + second % SIZE, first // SIZE + second // SIZE


def _distances(x: int, y: int, facing: Facing) -> _Distances:
    dx, dy = STRIDES[facing]
    return x * x + y * y, abs(x * dy - y * dx)
