"""Where everything of the table is on the screen, at the size there is room for.

╭─────╮        the loops, and the letters of the columns at their ends
a     b
┌─────┬───     the market: `pitch` characters, or pixels, from square to square
│     │    ●   the eastern column of the rail, and what its LEDs mean
●     ●    ●   the southern row

The rail may be along other edges as well: then the market makes room for it there.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.marrakech.market import SIZE
from companion.light.layout import RAILS

PITCHES = (12, 10, 8, 6, 4)
"""From the nicest to the smallest; always even, since a character is two pixels high."""
LEFT = 2
TOP = 2
LABEL = 8
"""Room for what the LEDs of the rail's column mean."""


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """Columns and rows are characters; pixels are a column wide and half a row high."""

    pitch: int
    has_labels: bool = True
    rail: str = RAILS[0]

    @property
    def reach(self) -> int:
        """From the middle of a square to its last pixel: the line between squares is one."""
        return self.pitch // 2 - 1

    @property
    def radius(self) -> int:
        """Of a LED."""
        return 1 if self.pitch < 8 else 2

    @property
    def side(self) -> int:
        """Of the market, in pixels, with the lines around it."""
        return SIZE * self.pitch + 1

    @property
    def loops_left(self) -> int:
        """The column of the western loops."""
        return self._beside if self._is_rail_west else 0

    @property
    def loops_right(self) -> int:
        """The column of the eastern loops."""
        return self.loops_left + LEFT + self.side + 1

    @property
    def loops_above(self) -> int:
        """The row of the northern loops."""
        return self._under if self._is_rail_north else 0

    @property
    def loops_below(self) -> int:
        """The row of the southern loops."""
        return self.loops_above + TOP + self.side // 2 + 1

    @property
    def width(self) -> int:
        return self.loops_right + 1 + (0 if self._is_rail_west else self._beside)

    @property
    def rows(self) -> int:
        return self.loops_below + 1 + (0 if self._is_rail_north else self._under)

    @property
    def names_row(self) -> int:
        """Beyond the LEDs of the rail's row."""
        return 0 if self._is_rail_north else self.rows - 1

    def label_column(self, length: int) -> int:
        """Where a text of this length begins, beyond the LEDs of the rail's column and close."""
        return LABEL - length if self._is_rail_west else self.width - LABEL

    def corner(self, x: int, y: int) -> tuple[int, int]:
        """The pixel where the lines north and west of a square meet."""
        across, down = self.loops_left + LEFT, 2 * (self.loops_above + TOP)
        return across + x * self.pitch, down + y * self.pitch

    def middle(self, x: int, y: int) -> tuple[int, int]:
        """The pixel in the middle of a LED of a scene; the rail lies beyond the loops."""
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
    def _beside(self) -> int:
        """The columns that the rail takes, with a gap on both sides."""
        return 2 * self.radius + 3 + (LABEL if self.has_labels else 0)

    @property
    def _under(self) -> int:
        """The rows that the rail takes, and the names of its LEDs."""
        return self.radius + 2


def layout_for(width: int, height: int, beside: int, rail: str = RAILS[0]) -> BoardLayout:
    """The nicest plan that fits and leaves `beside` columns, or as many as a large one wants."""
    for pitch in PITCHES:
        for has_labels in (True, False):
            plan = BoardLayout(pitch, has_labels, rail)
            wanted = beside if pitch <= 6 and not has_labels else beside + 10
            if plan.rows <= height and plan.width + wanted <= width:
                return plan
    return BoardLayout(PITCHES[-1], has_labels=False, rail=rail)
