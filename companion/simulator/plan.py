"""Where everything of the table is on the screen, at the size there is room for.

╭─────╮        the loops, and the letters of the columns at their ends
a     b
┌─────┬───     the market: `pitch` characters, or pixels, from square to square
│     │    ●   the eastern column of the rail, and what its LEDs mean
●     ●    ●   the southern row
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.marrakech.market import SIZE

PITCHES = (12, 10, 8, 6, 4)
"""From the nicest to the smallest; always even, since a character is two pixels high."""
LEFT = 2
TOP = 2
LABEL = 8
"""Room for what the LEDs of the eastern column mean."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Columns and rows are characters; pixels are a column wide and half a row high."""

    pitch: int
    has_labels: bool = True

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
    def loops_right(self) -> int:
        """The column of the eastern loops."""
        return LEFT + self.side + 1

    @property
    def loops_below(self) -> int:
        """The row of the southern loops."""
        return TOP + self.side // 2 + 1

    @property
    def width(self) -> int:
        rail = self.loops_right + 3 + 2 * self.radius + 1
        return rail + (LABEL if self.has_labels else 0)

    @property
    def rows(self) -> int:
        return self.names_row + 1

    @property
    def names_row(self) -> int:
        """Under the southern row of LEDs."""
        return self.loops_below + 2 + self.radius

    @property
    def labels_column(self) -> int:
        return self.loops_right + 3 + 2 * self.radius + 1

    def corner(self, x: int, y: int) -> tuple[int, int]:
        """The pixel where the lines north and west of a square meet."""
        return LEFT + x * self.pitch, 2 * TOP + y * self.pitch

    def middle(self, x: int, y: int) -> tuple[int, int]:
        """The pixel in the middle of a LED; the rail lies beyond the loops."""
        across, down = self.corner(x, y)
        across, down = across + self.pitch // 2, down + self.pitch // 2
        if x == SIZE:
            across = self.loops_right + 2 + self.radius
        if y == SIZE:
            down = 2 * (self.loops_below + 1) + self.radius
        return across, down


def plan_for(width: int, height: int, beside: int) -> Plan:
    """The nicest plan that fits and leaves `beside` columns, or as many as a large one wants."""
    for pitch in PITCHES:
        for has_labels in (True, False):
            plan = Plan(pitch, has_labels)
            wanted = beside if pitch <= 6 and not has_labels else beside + 10
            if plan.rows <= height and plan.width + wanted <= width:
                return plan
    return Plan(PITCHES[-1], has_labels=False)
