"""The cardboard drawn: squares, edge loops, rugs with their weave, Assam, and the dark rail."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.marrakech import Colour, Facing, Phase, State
from companion.games.marrakech.market import CENTRE, SIZE, paths
from companion.i18n.message import Message, message
from companion.simulator.canvas import Canvas
from companion.simulator.layout import LEFT, TOP, BoardLayout
from companion.simulator.palette import (
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
_PAGES = (
    message("sim.step_players"),
    message("sim.step_booklet"),
    message("sim.step_colours"),
    message("sim.step_board"),
)
_BESIDE = {Facing.NORTH: (0, -1), Facing.EAST: (1, 0), Facing.SOUTH: (0, 1), Facing.WEST: (-1, 0)}


@dataclass(frozen=True)
class Cardboard:
    """What lies on the table, as far as the companion knows."""

    loops: str
    assam: int
    facing: Facing
    state: State | None = None
    """The rugs; none before a game begins."""
    seats: tuple[tuple[Colour, ...], ...] = ()
    meanings: tuple[Message, ...] = ()
    """Of the LEDs in the rail's column, from the north."""


def cardboard_of(conversation: Conversation) -> Cardboard:
    page = conversation.page
    if isinstance(page, SettingUp):
        seats = page.seats if page.stage in (Stage.COLOURS, Stage.SETTING) else ()
        return Cardboard(page.options.loops, CENTRE, page.facing, None, seats, _PAGES)
    game = conversation.playing
    state = game.state
    return Cardboard(
        state.setup.options.loops,
        state.assam,
        game.now.facing,
        state,
        state.setup.players,
        tuple(PHASES.values()),
    )


def draw_board(plan: BoardLayout, cardboard: Cardboard) -> Canvas:
    canvas = Canvas(plan.width, plan.rows, TABLE)
    across, down, wide, high = _board(plan)
    canvas.fill(across, down, wide, high, BOARD)
    left, top = plan.corner(0, 0)
    canvas.fill(left, top, plan.side, plan.side, LINE)
    for square in range(SIZE * SIZE):
        _draw_square(canvas, plan, cardboard, square)
    _draw_loops(canvas, plan, cardboard.loops)
    _draw_assam(canvas, plan, cardboard)
    _draw_rail(canvas, plan)
    return canvas


def _board(plan: BoardLayout) -> tuple[int, int, int, int]:
    """The pixels of the board: where it begins, its width and its height."""
    across, down = plan.loops_left, 2 * plan.loops_above
    return across, down, plan.loops_right + 1 - across, 2 * plan.loops_below + 2 - down


# --- Squares and rugs ---------------------------------------------------------------------


def _draw_square(canvas: Canvas, plan: BoardLayout, cardboard: Cardboard, square: int) -> None:
    """A square, or the half of a rug on it, which reaches over the line to its other half."""
    y, x = divmod(square, SIZE)
    left, top = plan.corner(x, y)
    inside = plan.pitch - 1
    state = cardboard.state
    rug = state.rug_on(square) if state else None
    if state is None or rug is None:
        canvas.fill(left + 1, top + 1, inside, inside, SQUARE)
        middle, centre = plan.middle(x, y)
        canvas.pixels[centre][middle] = UNDER
        return
    base, thread, reach = RUG[rug.colour], THREAD[rug.colour], plan.reach
    canvas.fill(left + 1, top + 1, inside, inside, base)
    if x + 1 < SIZE and state.rug_on(square + 1) == rug:
        canvas.fill(left + plan.pitch, top + 1, 1, inside, base)
    if y + 1 < SIZE and state.rug_on(square + SIZE) == rug:
        canvas.fill(left + 1, top + plan.pitch, inside, 1, base)
    middle, centre = plan.middle(x, y)
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            if has_thread(rug.colour, across, down, reach):
                canvas.pixels[centre + down][middle + across] = thread


def _draw_assam(canvas: Canvas, plan: BoardLayout, cardboard: Cardboard) -> None:
    """A robe that points the way he faces, and an arrow that says the same."""
    y, x = divmod(cardboard.assam, SIZE)
    middle, centre = plan.middle(x, y)
    ahead_x, ahead_y = _BESIDE[cardboard.facing]
    reach = plan.reach
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            ahead = across * ahead_x + down * ahead_y
            aside = abs(across * ahead_y) + abs(down * ahead_x)
            if 2 * aside <= reach - ahead + 1:
                canvas.pixels[centre + down][middle + across] = ROBE
    canvas.write(middle, centre // 2, ARROWS[cardboard.facing], SLIPPERS)


# --- Loops and names ----------------------------------------------------------------------


def _draw_loops(canvas: Canvas, plan: BoardLayout, loops: str) -> None:
    """A line for each pair of exits that the cardboard joins, from the same table as the rules."""
    table = paths(loops)
    for square in range(SIZE * SIZE):
        for facing in Facing:
            (step,) = table[square * 4 + facing][1]
            if step.square == square and facing in (Facing.NORTH, Facing.SOUTH):
                _draw_corner_loop(canvas, plan, square, facing)
            elif step.facing is facing.behind and square < step.square:
                _draw_side_loop(canvas, plan, (square, step.square), facing)
    for line in range(SIZE):
        column, row = plan.middle(line, line)
        canvas.write(column, plan.loops_above + TOP - 1, "abcdefg"[line], NAME)
        canvas.write(plan.loops_left + LEFT - 1, row // 2, "1234567"[line], NAME)


def _spot(plan: BoardLayout, square: int) -> tuple[int, int]:
    """The column and the row of a square's middle."""
    y, x = divmod(square, SIZE)
    column, down = plan.middle(x, y)
    return column, down // 2


def _draw_side_loop(
    canvas: Canvas, plan: BoardLayout, pair: tuple[int, int], facing: Facing
) -> None:
    (from_column, from_row), (to_column, to_row) = (_spot(plan, square) for square in pair)
    match facing:
        case Facing.NORTH:
            canvas.write(from_column, plan.loops_above, _arc("╭╮", to_column - from_column), LOOP)
        case Facing.SOUTH:
            canvas.write(from_column, plan.loops_below, _arc("╰╯", to_column - from_column), LOOP)
        case Facing.WEST:
            _write_down(canvas, plan.loops_left, from_row, to_row, "╭╰")
        case Facing.EAST:
            _write_down(canvas, plan.loops_right, from_row, to_row, "╮╯")
            for row in (from_row, to_row):
                canvas.write(plan.loops_right - 1, row, "─", LOOP)


def _draw_corner_loop(canvas: Canvas, plan: BoardLayout, square: int, facing: Facing) -> None:
    """Three quarters of a loop, around the corner of the market that the square lies in."""
    column, row = _spot(plan, square)
    is_east = square % SIZE > 0
    side = plan.loops_right if is_east else plan.loops_left
    edge = plan.loops_above if facing is Facing.NORTH else plan.loops_below
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
        sign = ends[0] if row == first else ends[1] if row == last else "│"
        canvas.write(column, row, sign, LOOP)


# --- The rail -----------------------------------------------------------------------------


def _draw_rail(canvas: Canvas, plan: BoardLayout) -> None:
    """Along two edges of the board, and round the corner between them."""
    left, top, board_wide, board_high = _board(plan)
    across, down = plan.middle(SIZE, SIZE)
    across, down, wide = across - plan.radius, down - plan.radius, 2 * plan.radius + 1
    first, last = min(left, across), max(left + board_wide, across + wide)
    canvas.fill(first, down, last - first, wide + 1, RAIL)
    first, last = min(top, down), max(top + board_high, down + wide + 1)
    canvas.fill(across, first, wide, last - first, RAIL)
    for n in range(MATRIX):
        for x, y in {(SIZE, n), (n, SIZE)}:
            across, down = plan.middle(x, y)
            for spot_x, spot_y in disc(plan.radius - 1):
                canvas.pixels[down + spot_y][across + spot_x] = UNLIT


def disc(radius: int) -> list[tuple[int, int]]:
    """The pixels of a round spot, from its middle."""
    span = range(-radius, radius + 1)
    return [(x, y) for y in span for x in span if x * x + y * y <= radius * radius + radius // 2]
