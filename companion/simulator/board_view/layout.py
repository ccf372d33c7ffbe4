"""The layout of the board on the screen, for the available size.

╭─────╮        the loops, with the column letters at their ends
a     b
┌─────┬───     the market: `pitch` characters, or pixels, from square to square
│     │    ●   the eastern column of the rail, and what its LEDs mean
●     ●    ●   the southern row

The rail may also be at the western or northern edge; then the market moves to make room.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.marrakech.market import SIZE
from companion.light.layout import RAILS

PITCHES = (12, 10, 8, 6, 4)
"""From large to small; always even, because a character is two pixels high."""
WEST_MARGIN = 2
NORTH_MARGIN = 2
LABEL_WIDTH = 8
"""For the labels of the LEDs in the rail's column."""


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """Columns and rows are in characters. A pixel is one column wide and half a row high."""

    pitch: int
    has_labels: bool = True
    rail: str = RAILS[0]

    @property
    def reach(self) -> int:
        """Pixels from the middle of a square to its edge, without the line between squares."""
        return self.pitch // 2 - 1

    @property
    def radius(self) -> int:
        """Of an LED, in pixels."""
        return 1 if self.pitch < 8 else 2

    @property
    def side(self) -> int:
        """Side length of the market in pixels, with the lines around it."""
        return SIZE * self.pitch + 1

    @property
    def loops_left(self) -> int:
        """The column of the western loops."""
        return self._rail_width if self._is_rail_west else 0

    @property
    def loops_right(self) -> int:
        """The column of the eastern loops."""
        return self.loops_left + WEST_MARGIN + self.side + 1

    @property
    def loops_above(self) -> int:
        """The row of the northern loops."""
        return self._rail_height if self._is_rail_north else 0

    @property
    def loops_below(self) -> int:
        """The row of the southern loops."""
        return self.loops_above + NORTH_MARGIN + self.side // 2 + 1

    @property
    def width(self) -> int:
        return self.loops_right + 1 + (0 if self._is_rail_west else self._rail_width)

    @property
    def rows(self) -> int:
        return self.loops_below + 1 + (0 if self._is_rail_north else self._rail_height)

    @property
    def names_row(self) -> int:
        """The row of the names beyond the LEDs of the rail's row."""
        return 0 if self._is_rail_north else self.rows - 1

    def label_column(self, length: int) -> int:
        """The first column of a label of this length, next to the rail's column."""
        return LABEL_WIDTH - length if self._is_rail_west else self.width - LABEL_WIDTH

    def corner(self, x: int, y: int) -> tuple[int, int]:
        """The pixel where the lines north and west of a square meet."""
        across, down = self.loops_left + WEST_MARGIN, 2 * (self.loops_above + NORTH_MARGIN)
        return across + x * self.pitch, down + y * self.pitch

    def middle(self, x: int, y: int) -> tuple[int, int]:
        """The pixel in the middle of an LED; the rail's LEDs are beyond the loops."""
        across, down = self.corner(x, y)
        across, down = across + self.pitch // 2, down + self.pitch // 2
        if x == SIZE and self._is_rail_west:
            across = self.loops_left - 2 - self.radius
        elif x == SIZE:
            across = self.loops_right + 2 + self.radius
        if y == SIZE and self._is_rail_north:
            down = 2 + self.radius
        elif y == SIZE:
            down = 2 * (self.loops_below + 1) + self.radius
        return across, down

    @property
    def _is_rail_west(self) -> bool:
        return self.rail.endswith("west")

    @property
    def _is_rail_north(self) -> bool:
        return self.rail.startswith("north")

    @property
    def _rail_width(self) -> int:
        """Columns of the rail, with a gap on both sides."""
        return 2 * self.radius + 3 + (LABEL_WIDTH if self.has_labels else 0)

    @property
    def _rail_height(self) -> int:
        """Rows of the rail and the names of its LEDs."""
        return self.radius + 2


def layout_for(width: int, height: int, panel_width: int, rail: str = RAILS[0]) -> BoardLayout:
    """The largest layout that leaves `panel_width` columns, or 10 more for larger layouts."""
    for pitch in PITCHES:
        for has_labels in (True, False):
            layout = BoardLayout(pitch, has_labels, rail)
            wanted = panel_width if pitch <= 6 and not has_labels else panel_width + 10
            if layout.rows <= height and layout.width + wanted <= width:
                return layout
    return BoardLayout(PITCHES[-1], has_labels=False, rail=rail)
