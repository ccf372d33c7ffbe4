"""The layout of a mounted matrix: which LED of the chip shows which LED of a scene.

A scene numbers its LEDs row by row, with the market in the north-west and the rail along the south
and the east. A layout is one permutation of the 64 LEDs. It moves the rail to the edges where this
table has it, and allows for a module that is turned, mirrored or wired in a zigzag.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from companion.table.scenes.scene import MATRIX, led_at

T = TypeVar("T")

ROTATIONS = (0, 90, 180, 270)
WIRINGS = ("rows", "zigzag")
RAILS = ("south-east", "south-west", "north-east", "north-west")

_LAST = MATRIX - 1
_PLACES = tuple((x, y) for y in range(MATRIX) for x in range(MATRIX))


class Layout:
    """How a matrix is mounted. `Layout()` has its rows from west to east, the first row north.

    `rotation` is how far the module is turned clockwise: at 90 its own north points east.
    `is_mirrored`: the columns run from east to west before the rotation, or the module is seen from
    behind. `is_zigzag`: every second row of the chain runs backwards.
    """

    def __init__(
        self,
        *,
        rotation: int = 0,
        is_mirrored: bool = False,
        is_zigzag: bool = False,
        rail: str = RAILS[0],
    ) -> None:
        assert rotation in ROTATIONS
        assert rail in RAILS
        self.rail = rail
        # The market is shifted, not mirrored, to keep its directions. The rail moves from one edge
        # to the opposite edge in the same order.
        down, across = int(rail.startswith("north")), int(rail.endswith("west"))
        self.places = tuple(led_at((x + across) % MATRIX, (y + down) % MATRIX) for x, y in _PLACES)
        """By LED of a scene: the place where it is seen, row by row from the north-west."""
        self.reading_order = _inverse(self.places)
        """By place: the LED of a scene that is seen there."""
        chain = [_wired(x, y, rotation, is_mirrored, is_zigzag) for x, y in _PLACES]
        self._order = tuple(self.reading_order[place] for place in _inverse(chain))
        self._chip_leds = _inverse(self._order)

    def to_chip(self, frame: Sequence[T]) -> list[T]:
        """A frame in the order of the chip's LEDs."""
        return [frame[led] for led in self._order]

    def from_chip(self, light: Sequence[T]) -> tuple[T, ...]:
        """The LEDs of the chip in the order of a scene."""
        return tuple([light[led] for led in self._chip_leds])

    def as_seen(self, light: Sequence[T]) -> tuple[T, ...]:
        """The LEDs of the chip as a person sees them, row by row from the north-west."""
        frame = self.from_chip(light)
        return tuple([frame[led] for led in self.reading_order])


def _wired(x: int, y: int, rotation: int, is_mirrored: bool, is_zigzag: bool) -> int:
    """The LED of the chip that a person sees in column x and row y."""
    for _ in range(rotation // 90):  # undo the rotation
        x, y = y, _LAST - x
    if is_mirrored:
        x = _LAST - x
    if is_zigzag and y % 2:
        x = _LAST - x
    return led_at(x, y)


def _inverse(permutation: Iterable[int]) -> tuple[int, ...]:
    found = {led: place for place, led in enumerate(permutation)}
    return tuple(found[led] for led in range(len(found)))
