"""Measures of the market in pictures, in pixels. Shared by PNG and SVG; does not import Pillow."""

from __future__ import annotations

from companion.games.marrakech.market import SIZE

CELL = 96
MARGIN = 84
"""From the edge of the board to the squares: the loops are drawn here."""
INSET = 7
"""From the edge of a square to the rug on it."""
BOARD_SIDE = 2 * MARGIN + SIZE * CELL


def corner(square: int) -> tuple[int, int]:
    """The top left corner of a square."""
    y, x = divmod(square, SIZE)
    return MARGIN + x * CELL, MARGIN + y * CELL
