"""Colours and rug patterns on the simulator's screen, dark enough for LEDs to stand out."""

from __future__ import annotations

from companion.drawing import palette
from companion.drawing.palette import RUGS
from companion.games.marrakech import COLOURS, Colour
from companion.simulator.board_view.canvas import Pixel

_TABLE_BRIGHTNESS, _RUG_BRIGHTNESS = 0.4, 0.75
"""Darker than in pictures, so that LEDs are visible."""
TABLE: Pixel = palette.TABLE.scaled(_TABLE_BRIGHTNESS)
BOARD: Pixel = (86, 68, 45)
SQUARE: Pixel = (146, 125, 90)
LINE: Pixel = (112, 92, 63)
RAIL: Pixel = (36, 30, 27)
UNDER: Pixel = (132, 112, 79)
LOOP: Pixel = (222, 200, 152)
NAME: Pixel = (238, 222, 186)
DULL: Pixel = (128, 116, 104)
LIT_NAME: Pixel = (255, 240, 205)
ROBE: Pixel = (33, 25, 60)
SLIPPERS: Pixel = (255, 236, 190)
UNLIT: Pixel = (62, 52, 48)

RUG: dict[Colour, Pixel] = {
    colour: paint.base.scaled(_RUG_BRIGHTNESS) for colour, paint in RUGS.items()
}
THREAD: dict[Colour, Pixel] = {
    Colour.RED: (196, 108, 84),
    Colour.YELLOW: (98, 60, 6),
    Colour.BLUE: (120, 156, 204),
    Colour.BROWN: (172, 132, 92),
}
INK: dict[Colour, Pixel] = {
    Colour.RED: (240, 110, 92),
    Colour.YELLOW: (244, 196, 66),
    Colour.BLUE: (128, 172, 240),
    Colour.BROWN: (206, 160, 112),
}
"""Names on the dark table."""
SWATCH: dict[Colour, str] = {
    Colour.RED: "≡≡",
    Colour.YELLOW: "∙∙",
    Colour.BLUE: "◆◆",
    Colour.BROWN: "✕✕",
}
"""The rug patterns as text: stripes, dots, diamonds, crosses."""


def has_thread(colour: Colour, across: int, down: int, reach: int) -> bool:
    """Whether the pattern covers a pixel, given relative to the middle of a square."""
    match colour:
        case Colour.RED:  # stripes
            return (down + reach) % 2 == 1
        case Colour.YELLOW:  # dots
            return (across + reach) % 2 == 1 and (down + reach) % 2 == 1
        case Colour.BLUE:  # diamonds
            return (abs(across) + abs(down)) in (reach, reach - 3)
        case Colour.BROWN:  # crosses
            return abs(across) == abs(down) and abs(across) > 0


assert set(RUG) == set(THREAD) == set(INK) == set(SWATCH) == set(COLOURS)
