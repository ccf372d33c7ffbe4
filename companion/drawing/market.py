"""The market drawn: squares, edge loops, rugs with their weave, Assam.

Drawn at twice the size and halved at the end, which smooths every edge.
"""

from __future__ import annotations

from PIL import Image, ImageDraw

from companion.games.marrakech import Colour, Facing, State
from companion.games.marrakech.market import SIZE, paths

CELL = 96
MARGIN = 84
RAIL_GAP = 24
SIDE = MARGIN + SIZE * CELL + MARGIN + CELL
"""Twice the pixels of a finished picture; the rail lies beyond the loops."""

_TABLE = (58, 46, 38)
_BOARD = (226, 205, 163)
_SQUARE = (240, 226, 194)
_LINE = (176, 148, 104)
_RUG = {
    Colour.RED: ((178, 42, 38), (232, 150, 120)),
    Colour.YELLOW: ((226, 170, 40), (250, 226, 150)),
    Colour.BLUE: ((44, 84, 150), (150, 184, 226)),
    Colour.BROWN: ((112, 70, 42), (198, 160, 120)),
}
_INSET = 7


def corner(square: int) -> tuple[int, int]:
    y, x = divmod(square, SIZE)
    return MARGIN + x * CELL, MARGIN + y * CELL


def centre(x: int, y: int) -> tuple[int, int]:
    """The middle of an LED of the 8 x 8 matrix; the rail stands off beyond the loops."""
    across = MARGIN + x * CELL + CELL // 2 + (MARGIN if x == SIZE else 0)
    down = MARGIN + y * CELL + CELL // 2 + (MARGIN if y == SIZE else 0)
    return across, down


def draw_board(state: State) -> Image.Image:
    image = Image.new("RGB", (SIDE + RAIL_GAP, SIDE + RAIL_GAP), _TABLE)
    draw = ImageDraw.Draw(image)
    edge = 2 * MARGIN + SIZE * CELL - 12
    draw.rounded_rectangle((12, 12, edge, edge), 40, _BOARD)
    _draw_loops(draw, state.setup.options.loops)
    for square in range(SIZE * SIZE):
        x, y = corner(square)
        draw.rectangle((x, y, x + CELL, y + CELL), _SQUARE, _LINE, 3)
    for square in range(SIZE * SIZE):
        _draw_half(draw, state, square)
    _draw_assam(draw, state)
    return image


def _draw_loops(draw: ImageDraw.ImageDraw, loops: str) -> None:
    """One arc for each pair of exits that the cardboard joins, from the same table as the rules."""
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
    draw.arc(box, start, start + 180, _LINE, 10)


def _draw_corner_loop(draw: ImageDraw.ImageDraw, square: int) -> None:
    """Three quarters of a circle around the outer corner of the square."""
    x, y = corner(square)
    across, down = square % SIZE > 0, square // SIZE > 0
    cx, cy = x + (CELL if across else 0), y + (CELL if down else 0)
    radius = CELL // 2
    start = {(False, False): 90, (True, False): 180, (True, True): 270, (False, True): 0}
    begin = start[across, down]
    draw.arc((cx - radius, cy - radius, cx + radius, cy + radius), begin, begin + 270, _LINE, 10)


def _draw_half(draw: ImageDraw.ImageDraw, state: State, square: int) -> None:
    """Half a rug, drawn to the middle of the line where its other half lies."""
    rug = state.rug_on(square)
    if rug is None:
        return
    x, y = corner(square)
    reach = {Facing.NORTH: -SIZE, Facing.EAST: 1, Facing.SOUTH: SIZE, Facing.WEST: -1}
    left, top, right, bottom = x + _INSET, y + _INSET, x + CELL - _INSET, y + CELL - _INSET
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
    base, thread = _RUG[rug.colour]
    draw.rectangle((left, top, right, bottom), base)
    _weave(draw, rug.colour, (x, y), thread)


def _weave(
    draw: ImageDraw.ImageDraw, colour: Colour, at: tuple[int, int], thread: tuple[int, int, int]
) -> None:
    """A pattern for each colour, so that the rugs can be told apart without it."""
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
    """Seen from above: a round man, his slippers pointing the way he faces."""
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
    draw.polygon([tip, *shoulders], (40, 34, 60), (20, 16, 30))
    draw.ellipse((cx - 28, cy - 28, cx + 28, cy + 28), (62, 52, 96), (20, 16, 30), 4)
    draw.ellipse((cx - 13, cy - 13, cx + 13, cy + 13), (150, 30, 36), (20, 16, 30), 3)
