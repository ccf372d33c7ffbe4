"""Where the LEDs of a scene are on a matrix as it was mounted: one permutation of the 64.

A scene counts its LEDs row by row, the market in the north-west and the rail along the south and
the east. On the way to the chip two things happen, and only here: the rail goes to the edges where
this table has it, and what a person is to see becomes what the chip has to be sent, however the
module is turned, mirrored or wired.
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
    """How a matrix was mounted. `Layout()` is the guide's: each row from the west, the first north.

    `rotation` is how far the module is turned clockwise: at 90 its own north points east.
    `is_mirrored` is a module whose columns run from east to west before it is turned, or that is
    seen from behind. In a zigzag every second row of the chain runs back.
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
        # The market keeps its directions, so it is shifted and not mirrored; what falls off one
        # edge is the rail, and comes in at the other in the same order.
        down, across = int(rail.startswith("north")), int(rail.endswith("west"))
        self.places = tuple(led_at((x + across) % MATRIX, (y + down) % MATRIX) for x, y in _PLACES)
        """Where each LED of a scene is seen, row by row from the north-west."""
        self.reading_order = _inverse(self.places)
        """The LED of a scene that is seen at each place."""
        chain = [_wired(x, y, rotation, is_mirrored, is_zigzag) for x, y in _PLACES]
        self._order = tuple(self.reading_order[place] for place in _inverse(chain))
        self._chip_leds = _inverse(self._order)

    def wire(self, shown: Sequence[T]) -> list[T]:
        """A picture in the order of the chip's LEDs."""
        return [shown[led] for led in self._order]

    def read(self, light: Sequence[T]) -> tuple[T, ...]:
        """The light of the chip's LEDs in the order of a scene: what it means."""
        return tuple([light[led] for led in self._chip_leds])

    def see(self, light: Sequence[T]) -> tuple[T, ...]:
        """The light of the chip's LEDs as a person sees it, row by row from the north-west."""
        meant = self.read(light)
        return tuple([meant[led] for led in self.reading_order])


def _wired(x: int, y: int, rotation: int, is_mirrored: bool, is_zigzag: bool) -> int:
    """Which LED of the chip shines where a person sees column x and row y."""
    for _ in range(rotation // 90):  # back to how it was before it was turned
        x, y = y, _LAST - x
    if is_mirrored:
        x = _LAST - x
    if is_zigzag and y % 2:
        x = _LAST - x
    return led_at(x, y)


def _inverse(permutation: Iterable[int]) -> tuple[int, ...]:
    found = {led: place for place, led in enumerate(permutation)}
    return tuple(found[led] for led in range(len(found)))
