"""What the table is made of: its colours, at dusk so that light can be seen, and the weaves."""

from __future__ import annotations

from companion.games.marrakech import COLOURS, Colour
from companion.simulator.canvas import Pixel

TABLE: Pixel = (23, 19, 17)
BOARD: Pixel = (118, 98, 68)
SQUARE: Pixel = (151, 130, 94)
LINE: Pixel = (98, 79, 52)
LOOP: Pixel = (222, 200, 152)
NAME: Pixel = (238, 222, 186)
DULL: Pixel = (128, 116, 104)
LIT_NAME: Pixel = (255, 240, 205)
ROBE: Pixel = (33, 25, 60)
SLIPPERS: Pixel = (255, 236, 190)
UNLIT: Pixel = (62, 52, 48)

RUG: dict[Colour, Pixel] = {
    Colour.RED: (158, 34, 32),
    Colour.YELLOW: (214, 158, 30),
    Colour.BLUE: (36, 78, 152),
    Colour.BROWN: (88, 52, 30),
}
THREAD: dict[Colour, Pixel] = {
    Colour.RED: (226, 128, 98),
    Colour.YELLOW: (120, 76, 8),
    Colour.BLUE: (146, 186, 236),
    Colour.BROWN: (204, 160, 112),
}
SWATCH: dict[Colour, str] = {
    Colour.RED: "≡≡",
    Colour.YELLOW: "∙∙",
    Colour.BLUE: "◆◆",
    Colour.BROWN: "✕✕",
}
"""The weaves in words: stripes, dots, diamonds, crosses."""


def has_thread(colour: Colour, across: int, down: int, reach: int) -> bool:
    """Whether a rug shows its thread here, counted from the middle of a square."""
    match colour:
        case Colour.RED:  # stripes
            return down % 2 == 1
        case Colour.YELLOW:  # dots
            return across % 2 == 1 and down % 2 == 1
        case Colour.BLUE:  # diamonds
            return (abs(across) + abs(down)) in (reach, reach - 3)
        case Colour.BROWN:  # crosses
            return abs(across) == abs(down) and abs(across) > 0


assert set(RUG) == set(THREAD) == set(SWATCH) == set(COLOURS)
