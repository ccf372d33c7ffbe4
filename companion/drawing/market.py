"""Draws the market with Pillow: squares, edge loops, rugs with their patterns, Assam.

Pictures are drawn at twice the size. Halving them at the end smooths the edges.
"""

from __future__ import annotations

from PIL import Image, ImageDraw

from companion.drawing.market_layout import BOARD_SIDE, CELL, INSET, MARGIN, corner
from companion.drawing.palette import (
    ASSAM_FEZ,
    ASSAM_OUTLINE,
    ASSAM_ROBE,
    ASSAM_SLIPPERS,
    BOARD,
    LINE,
    RUGS,
    SQUARE,
    TABLE,
    Paint,
)
from companion.games.marrakech import Colour, Facing, State
from companion.games.marrakech.market import SIZE, paths

RAIL_GAP = 24
SIDE = BOARD_SIDE + CELL
"""The board, and the LEDs of the rail beside it."""


def led_centre(x: int, y: int) -> tuple[int, int]:
    """The centre of an LED of the 8 x 8 matrix. The rail is outside the loops."""
    across = MARGIN + x * CELL + CELL // 2 + (MARGIN if x == SIZE else 0)
    down = MARGIN + y * CELL + CELL // 2 + (MARGIN if y == SIZE else 0)
    return across, down


def draw_board(state: State) -> Image.Image:
    """The board on the table, with room for the rail."""
    image = Image.new("RGB", (SIDE + RAIL_GAP, SIDE + RAIL_GAP), TABLE)
    draw = ImageDraw.Draw(image)
    edge = BOARD_SIDE - 12
    draw.rounded_rectangle((12, 12, edge, edge), 40, BOARD)
    _draw_loops(draw, state.setup.options.loops)
    for square in range(SIZE * SIZE):
        x, y = corner(square)
        draw.rectangle((x, y, x + CELL, y + CELL), SQUARE, LINE, 3)
    for square in range(SIZE * SIZE):
        _draw_half(draw, state, square)
    _draw_assam(draw, state)
    return image


def _draw_loops(draw: ImageDraw.ImageDraw, loops: str) -> None:
    """An arc between each two exits that a loop joins, by the rules' path table."""
    table = paths(loops)
    for square in range(SIZE * SIZE):
        for facing in Facing:
            (step,) = table[square * 4 + facing][1]
            if step.square == square:
                _draw_corner_loop(draw, square)
            elif step.facing is facing.behind and square < step.square:
                _draw_side_loop(draw, square, step.square, facing)


def _draw_side_loop(draw: ImageDraw.ImageDraw, one: int, other: int, facing: Facing) -> None:
    (ax, ay), (bx, by) = corner(one), corner(other)
    half, out = CELL // 2, CELL // 2
    if facing in (Facing.NORTH, Facing.SOUTH):
        y = ay if facing is Facing.NORTH else ay + CELL
        box = (ax + half, y - out, bx + half, y + out)
        start = 180 if facing is Facing.NORTH else 0
    else:
        x = ax if facing is Facing.WEST else ax + CELL
        box = (x - out, ay + half, x + out, by + half)
        start = 90 if facing is Facing.WEST else 270
    draw.arc(box, start, start + 180, LINE, 10)


def _draw_corner_loop(draw: ImageDraw.ImageDraw, square: int) -> None:
    """A three-quarter circle around the outer corner of the square."""
    x, y = corner(square)
    across, down = square % SIZE > 0, square // SIZE > 0
    cx, cy = x + (CELL if across else 0), y + (CELL if down else 0)
    radius = CELL // 2
    start = {(False, False): 90, (True, False): 180, (True, True): 270, (False, True): 0}
    begin = start[across, down]
    draw.arc((cx - radius, cy - radius, cx + radius, cy + radius), begin, begin + 270, LINE, 10)


def _draw_half(draw: ImageDraw.ImageDraw, state: State, square: int) -> None:
    """The rug on a square. Joined to its other half if that is visible."""
    rug = state.rug_on(square)
    if rug is None:
        return
    x, y = corner(square)
    reach = {Facing.NORTH: -SIZE, Facing.EAST: 1, Facing.SOUTH: SIZE, Facing.WEST: -1}
    left, top, right, bottom = x + INSET, y + INSET, x + CELL - INSET, y + CELL - INSET
    for facing, stride in reach.items():
        there = square + stride
        if not 0 <= there < SIZE * SIZE or state.rug_on(there) != rug:
            continue
        if facing is Facing.EAST and square % SIZE < SIZE - 1:
            right = x + CELL
        elif facing is Facing.WEST and square % SIZE:
            left = x
        elif facing is Facing.SOUTH:
            bottom = y + CELL
        elif facing is Facing.NORTH:
            top = y
    base, thread = RUGS[rug.colour]
    draw.rectangle((left, top, right, bottom), base)
    _weave(draw, rug.colour, (x, y), thread)


def _weave(draw: ImageDraw.ImageDraw, colour: Colour, at: tuple[int, int], thread: Paint) -> None:
    """Each colour has its own pattern, for colour-blind players."""
    x, y = at
    near, far = 20, CELL - 20
    match colour:
        case Colour.RED:  # stripes
            for line in range(near, far + 1, 14):
                draw.line((x + near, y + line, x + far, y + line), thread, 4)
        case Colour.YELLOW:  # dots
            for dx in range(near, far + 1, 18):
                for dy in range(near, far + 1, 18):
                    draw.ellipse((x + dx - 4, y + dy - 4, x + dx + 4, y + dy + 4), thread)
        case Colour.BLUE:  # diamonds
            for size in (28, 14):
                middle = x + CELL // 2, y + CELL // 2
                points = [
                    (middle[0], middle[1] - size),
                    (middle[0] + size, middle[1]),
                    (middle[0], middle[1] + size),
                    (middle[0] - size, middle[1]),
                ]
                draw.polygon(points, outline=thread, width=5)
        case Colour.BROWN:  # crosses
            for dx, dy in ((28, 28), (68, 28), (28, 68), (68, 68)):
                draw.line((x + dx - 9, y + dy - 9, x + dx + 9, y + dy + 9), thread, 5)
                draw.line((x + dx - 9, y + dy + 9, x + dx + 9, y + dy - 9), thread, 5)


def _draw_assam(draw: ImageDraw.ImageDraw, state: State) -> None:
    """Seen from above; the slippers point in his facing."""
    x, y = corner(state.assam)
    cx, cy = x + CELL // 2, y + CELL // 2
    ahead = {
        Facing.NORTH: (0, -1),
        Facing.EAST: (1, 0),
        Facing.SOUTH: (0, 1),
        Facing.WEST: (-1, 0),
    }
    dx, dy = ahead[state.facing]
    tip = (cx + dx * 44, cy + dy * 44)
    shoulders = [(cx + dx * 8 + side * dy * 26, cy + dy * 8 + side * dx * 26) for side in (1, -1)]
    draw.polygon([tip, *shoulders], ASSAM_SLIPPERS, ASSAM_OUTLINE)
    draw.ellipse((cx - 28, cy - 28, cx + 28, cy + 28), ASSAM_ROBE, ASSAM_OUTLINE, 4)
    draw.ellipse((cx - 13, cy - 13, cx + 13, cy + 13), ASSAM_FEZ, ASSAM_OUTLINE, 3)
