"""Steering a rug: direction buttons move among the placements that are offered, and no others.

A press goes to the nearest placement whose middle lies strictly that way from the middle of the
one aimed at: nearest as the crow flies. Of two at one distance the one less to the side is taken;
of two that are each other's mirror image, the one that comes first in reading order (`PLACEMENTS`),
which is the western or the northern one. No way wraps around: where nothing lies that way, there is
nowhere to go.

So a press depends on what is offered, on the aim and on the button, and on nothing else, and:

- every placement can be reached from every other with the four buttons, whatever subset of the
  placements beside Assam is offered. (Going by the distance along the button's way first would
  strand some.)
- one button pressed again and again never goes in a circle: each press moves that way.
- the opposite button is never refused after a press and goes no farther than the press did, but it
  need not lead back to the same placement: something else may be nearer.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.marrakech import Facing, Placement, State
from companion.games.marrakech.market import SIZE, STRIDES

# Everything is measured in half squares, so that the middle of a rug is at whole numbers.
_Distances = tuple[int, int]
"""Straight (squared), then sideways: the smaller comes first."""


def steer(offered: Iterable[Placement], aim: Placement, facing: Facing) -> Placement | None:
    """The placement that a direction button leads to; None if none lies that way."""
    x, y = _middle(aim)
    dx, dy = STRIDES[facing]
    start = x * dx + y * dy
    best: tuple[_Distances, Placement] | None = None
    for place in offered:
        u, v = _middle(place)
        if u * dx + v * dy > start:
            way = _distances(u - x, v - y, facing), place
            if best is None or way < best:  # placements compare in reading order
                best = way
    return best and best[1]


def first_aim(state: State, offered: Iterable[Placement]) -> Placement:
    """The placement offered first: straight ahead of Assam, lengthwise, like a runner before him.

    Where that is not offered, or the market ends, the one nearest to it, in the same order as
    `steer` goes by. So it is the same whenever the same position comes up again.
    """
    y, x = divmod(state.assam, SIZE)
    dx, dy = STRIDES[state.facing]
    x, y = 2 * x + 3 * dx, 2 * y + 3 * dy

    def way(place: Placement) -> tuple[_Distances, Placement]:
        u, v = _middle(place)
        return _distances(u - x, v - y, state.facing), place

    return min(offered, key=way)


def _middle(place: Placement) -> tuple[int, int]:
    first, second = place.first, place.second
    return first % SIZE + second % SIZE, first // SIZE + second // SIZE


def _distances(x: int, y: int, facing: Facing) -> _Distances:
    dx, dy = STRIDES[facing]
    return x * x + y * y, abs(x * dy - y * dx)
