"""Colours of the board, the rugs and Assam in pictures: PNG, SVG and the simulator.

Does not import Pillow, so that an SVG can be drawn without it. LED colours are in `light/rgb.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.games.marrakech import Colour


class Paint(NamedTuple):
    """A colour. Pillow takes it as an RGB tuple, SVG as `hex`."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """`#rrggbb`."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    def scaled(self, brightness: float) -> Paint:
        """The same hue, darker (below 1.0) or brighter, up to white."""
        return Paint(*(min(255, round(part * brightness)) for part in self))


class RugPaint(NamedTuple):
    """The two colours of a rug."""

    base: Paint
    thread: Paint
    """The pattern woven into the rug."""


TABLE = Paint(58, 46, 38)
BOARD = Paint(226, 205, 163)
SQUARE = Paint(240, 226, 194)
LINE = Paint(176, 148, 104)
RUGS: dict[Colour, RugPaint] = {
    Colour.RED: RugPaint(Paint(178, 42, 38), Paint(232, 150, 120)),
    Colour.YELLOW: RugPaint(Paint(226, 170, 40), Paint(250, 226, 150)),
    Colour.BLUE: RugPaint(Paint(44, 84, 150), Paint(150, 184, 226)),
    Colour.BROWN: RugPaint(Paint(112, 70, 42), Paint(198, 160, 120)),
}
ASSAM_OUTLINE = Paint(20, 16, 30)
ASSAM_SLIPPERS = Paint(40, 34, 60)
ASSAM_ROBE = Paint(62, 52, 96)
ASSAM_FEZ = Paint(150, 30, 36)
