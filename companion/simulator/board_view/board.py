"""Draws the board: squares, edge loops, rugs with their patterns, Assam and the unlit rail."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.marrakech import Colour, Facing, Phase, State
from companion.games.marrakech.market import CENTRE, SIZE, paths
from companion.i18n.message import Message, message
from companion.simulator.board_view.canvas import Canvas
from companion.simulator.board_view.layout import NORTH_MARGIN, WEST_MARGIN, BoardLayout
from companion.simulator.board_view.palette import (
    BOARD,
    LINE,
    LOOP,
    NAME,
    RAIL,
    ROBE,
    RUG,
    SLIPPERS,
    SQUARE,
    TABLE,
    THREAD,
    UNDER,
    UNLIT,
    has_thread,
)
from companion.table.conversation import Conversation, SettingUp, Stage
from companion.table.scenes.scene import MATRIX

ARROWS = "▲▶▼◀"
PHASES = {
    Phase.ORIENT: message("sim.step_turn"),
    Phase.ROLL: message("sim.step_roll"),
    Phase.PAY: message("sim.step_pay"),
    Phase.DRAW: message("sim.step_draw"),
    Phase.LAY: message("sim.step_lay"),
    Phase.PIVOT: message("sim.step_pivot"),
}
_SETUP_STEPS = (
    message("sim.step_players"),
    message("sim.step_booklet"),
    message("sim.step_colours"),
    message("sim.step_board"),
)
_STEP = {Facing.NORTH: (0, -1), Facing.EAST: (1, 0), Facing.SOUTH: (0, 1), Facing.WEST: (-1, 0)}


@dataclass(frozen=True)
class Cardboard:
    """The state of the real board, as known to the companion."""

    loops: str
    assam: int
    facing: Facing
    state: State | None = None
    """None before a game begins: no rugs are drawn."""
    seats: tuple[tuple[Colour, ...], ...] = ()
    rail_labels: tuple[Message, ...] = ()
    """The meanings of the LEDs in the rail's column, from the north."""


def cardboard_of(conversation: Conversation) -> Cardboard:
    page = conversation.activity
    if isinstance(page, SettingUp):
        seats = page.seats if page.stage in (Stage.COLOURS, Stage.SETTING) else ()
        return Cardboard(page.options.loops, CENTRE, page.facing, None, seats, _SETUP_STEPS)
    game = conversation.active_game
    state = game.state
    return Cardboard(
        state.setup.options.loops,
        state.assam,
        game.now.facing,
        state,
        state.setup.players,
        tuple(PHASES.values()),
    )


def draw_board(layout: BoardLayout, cardboard: Cardboard) -> Canvas:
    canvas = Canvas(layout.width, layout.rows, TABLE)
    across, down, wide, high = _board_rectangle(layout)
    canvas.fill(across, down, wide, high, BOARD)
    left, top = layout.corner(0, 0)
    canvas.fill(left, top, layout.side, layout.side, LINE)
    for square in range(SIZE * SIZE):
        _draw_square(canvas, layout, cardboard, square)
    _draw_loops(canvas, layout, cardboard.loops)
    _draw_assam(canvas, layout, cardboard)
    _draw_rail(canvas, layout)
    return canvas


def _board_rectangle(layout: BoardLayout) -> tuple[int, int, int, int]:
    """Left, top, width and height of the board in pixels."""
    across, down = layout.loops_left, 2 * layout.loops_above
    return across, down, layout.loops_right + 1 - across, 2 * layout.loops_below + 2 - down


# --- Squares and rugs ---------------------------------------------------------------------


def _draw_square(canvas: Canvas, layout: BoardLayout, cardboard: Cardboard, square: int) -> None:
    """Draw a square, or the half rug on it without a line to its other half."""
    y, x = divmod(square, SIZE)
    left, top = layout.corner(x, y)
    inside = layout.pitch - 1
    state = cardboard.state
    rug = state.rug_on(square) if state else None
    if state is None or rug is None:
        canvas.fill(left + 1, top + 1, inside, inside, SQUARE)
        middle, centre = layout.middle(x, y)
        canvas.pixels[centre][middle] = UNDER
        return
    base, thread, reach = RUG[rug.colour], THREAD[rug.colour], layout.reach
    canvas.fill(left + 1, top + 1, inside, inside, base)
    if x + 1 < SIZE and state.rug_on(square + 1) == rug:
        canvas.fill(left + layout.pitch, top + 1, 1, inside, base)
    if y + 1 < SIZE and state.rug_on(square + SIZE) == rug:
        canvas.fill(left + 1, top + layout.pitch, inside, 1, base)
    middle, centre = layout.middle(x, y)
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            if has_thread(rug.colour, across, down, reach):
                canvas.pixels[centre + down][middle + across] = thread


def _draw_assam(canvas: Canvas, layout: BoardLayout, cardboard: Cardboard) -> None:
    """Draw a robe that points in his direction, and an arrow."""
    y, x = divmod(cardboard.assam, SIZE)
    middle, centre = layout.middle(x, y)
    ahead_x, ahead_y = _STEP[cardboard.facing]
    reach = layout.reach
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            ahead = across * ahead_x + down * ahead_y
            aside = abs(across * ahead_y) + abs(down * ahead_x)
            if 2 * aside <= reach - ahead + 1:
                canvas.pixels[centre + down][middle + across] = ROBE
    canvas.write(middle, centre // 2, ARROWS[cardboard.facing], SLIPPERS)


# --- Loops and names ----------------------------------------------------------------------


def _draw_loops(canvas: Canvas, layout: BoardLayout, loops: str) -> None:
    """Draw a line for each pair of exits that a loop joins, using the paths of the rules."""
    table = paths(loops)
    for square in range(SIZE * SIZE):
        for facing in Facing:
            (step,) = table[square * 4 + facing][1]
            if step.square == square and facing in (Facing.NORTH, Facing.SOUTH):
                _draw_corner_loop(canvas, layout, square, facing)
            elif step.facing is facing.behind and square < step.square:
                _draw_side_loop(canvas, layout, (square, step.square), facing)
    for line in range(SIZE):
        column, row = layout.middle(line, line)
        canvas.write(column, layout.loops_above + NORTH_MARGIN - 1, "abcdefg"[line], NAME)
        canvas.write(layout.loops_left + WEST_MARGIN - 1, row // 2, "1234567"[line], NAME)


def _spot(layout: BoardLayout, square: int) -> tuple[int, int]:
    """Column and row of a square's middle, in characters."""
    y, x = divmod(square, SIZE)
    column, down = layout.middle(x, y)
    return column, down // 2


def _draw_side_loop(
    canvas: Canvas, layout: BoardLayout, pair: tuple[int, int], facing: Facing
) -> None:
    (from_column, from_row), (to_column, to_row) = (_spot(layout, square) for square in pair)
    match facing:
        case Facing.NORTH:
            canvas.write(from_column, layout.loops_above, _arc("╭╮", to_column - from_column), LOOP)
        case Facing.SOUTH:
            canvas.write(from_column, layout.loops_below, _arc("╰╯", to_column - from_column), LOOP)
        case Facing.WEST:
            _write_down(canvas, layout.loops_left, from_row, to_row, "╭╰")
        case Facing.EAST:
            _write_down(canvas, layout.loops_right, from_row, to_row, "╮╯")
            for row in (from_row, to_row):
                canvas.write(layout.loops_right - 1, row, "─", LOOP)


def _draw_corner_loop(canvas: Canvas, layout: BoardLayout, square: int, facing: Facing) -> None:
    """Draw a three-quarter loop around a corner of the market."""
    column, row = _spot(layout, square)
    is_east = square % SIZE > 0
    side = layout.loops_right if is_east else layout.loops_left
    edge = layout.loops_above if facing is Facing.NORTH else layout.loops_below
    ends = "╭╮" if facing is Facing.NORTH else "╰╯"
    canvas.write(min(column, side), edge, _arc(ends, abs(side - column)), LOOP)
    for between in range(min(edge, row) + 1, max(edge, row)):
        canvas.write(side, between, "│", LOOP)
    turn = ("╯" if is_east else "╰") if facing is Facing.NORTH else ("╮" if is_east else "╭")
    canvas.write(side, row, turn, LOOP)
    if is_east:
        canvas.write(side - 1, row, "─", LOOP)


def _arc(ends: str, length: int) -> str:
    return ends[0] + "─" * (length - 1) + ends[1]


def _write_down(canvas: Canvas, column: int, first: int, last: int, ends: str) -> None:
    for row in range(first, last + 1):
        char = ends[0] if row == first else ends[1] if row == last else "│"
        canvas.write(column, row, char, LOOP)


# --- The rail -----------------------------------------------------------------------------


def _draw_rail(canvas: Canvas, layout: BoardLayout) -> None:
    """Draw the unlit rail along two edges of the board, and the corner between them."""
    left, top, board_wide, board_high = _board_rectangle(layout)
    across, down = layout.middle(SIZE, SIZE)
    across, down, wide = across - layout.radius, down - layout.radius, 2 * layout.radius + 1
    first, last = min(left, across), max(left + board_wide, across + wide)
    canvas.fill(first, down, last - first, wide + 1, RAIL)
    first, last = min(top, down), max(top + board_high, down + wide + 1)
    canvas.fill(across, first, wide, last - first, RAIL)
    for n in range(MATRIX):
        for x, y in {(SIZE, n), (n, SIZE)}:
            across, down = layout.middle(x, y)
            for spot_x, spot_y in disc_pixels(layout.radius - 1):
                canvas.pixels[down + spot_y][across + spot_x] = UNLIT


def disc_pixels(radius: int) -> list[tuple[int, int]]:
    """The pixels of a disc, relative to its centre."""
    span = range(-radius, radius + 1)
    return [(x, y) for y in span for x in span if x * x + y * y <= radius * radius + radius // 2]
