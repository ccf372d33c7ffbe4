"""The board in pixels and characters: squares, rugs, loops, Assam, the rail and the LEDs."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from companion.adapters.virtual.spi import Light
from companion.games.marrakech import COLOURS, Colour, Facing, Phase, parse_position
from companion.games.marrakech.market import CENTRE, SIZE
from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.light.layout import RAILS
from companion.simulator.board_view.board import PHASES, Cardboard, cardboard_of, draw_board
from companion.simulator.board_view.canvas import Canvas, brightness, mix, readable
from companion.simulator.board_view.layout import LABEL_WIDTH, PITCHES, BoardLayout, layout_for
from companion.simulator.board_view.led_layer import draw_leds, draw_rail_labels
from companion.simulator.board_view.palette import (
    LINE,
    RAIL,
    ROBE,
    RUG,
    SQUARE,
    SWATCH,
    THREAD,
    UNLIT,
    has_thread,
)
from companion.table.conversation import Preferences, new_conversation
from companion.table.scenes.scene import led_at

TURN, ROLL = message("sim.step_turn"), message("sim.step_roll")
SETUP_STAGES = (
    message("sim.step_players"),
    message("sim.step_booklet"),
    message("sim.step_colours"),
    message("sim.step_board"),
)
DARK: Light = ((0, 0, 0),) * 64
EMPTY = Cardboard("ne-sw", CENTRE, Facing.SOUTH)
# A horizontal red rug, a vertical yellow one, and adjacent halves of different blue rugs.
RUGS_POSITION = parse_position(
    "R1R1...../Y1....../Y1..B1B2../......./......./......./....... "
    "d4s orient R R:30:11,Y:30:11,B:30:10,N:30:12 -"
)


def draw_rugs(pitch: int = 6) -> tuple[Canvas, BoardLayout]:
    layout = BoardLayout(pitch)
    return draw_board(layout, Cardboard("ne-sw", CENTRE, Facing.SOUTH, RUGS_POSITION)), layout


def chars(canvas: Canvas) -> list[str]:
    """The characters without pixels, line by line."""
    return [
        "".join(canvas.chars.get((x, y), (" ",))[0] for x in range(canvas.width)).rstrip()
        for y in range(canvas.rows)
    ]


def lit(*leds: int, colour: tuple[int, int, int] = (255, 0, 0)) -> Light:
    return tuple(colour if led in leds else (0, 0, 0) for led in range(64))


# --- Rugs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("pitch", PITCHES)
def test_only_halves_of_the_same_rug_are_joined(pitch: int) -> None:
    canvas, layout = draw_rugs(pitch)
    x, y = layout.corner(1, 0)
    assert canvas.pixels[y + 1][x] == RUG[Colour.RED]
    x, y = layout.corner(0, 2)
    assert canvas.pixels[y][x + 1] == RUG[Colour.YELLOW]
    x, y = layout.corner(4, 2)
    assert canvas.pixels[y + 1][x] == LINE


def test_rug_has_a_pattern_and_a_bare_square_has_none() -> None:
    canvas, layout = draw_rugs()
    x, y = layout.middle(0, 0)
    assert [canvas.pixels[y + down][x + 1] for down in range(-2, 3)] == [
        RUG[Colour.RED],
        THREAD[Colour.RED],
        RUG[Colour.RED],
        THREAD[Colour.RED],
        RUG[Colour.RED],
    ]
    x, y = layout.corner(6, 6)
    assert canvas.pixels[y + 1][x + 1] == SQUARE


@pytest.mark.parametrize("pitch", PITCHES)
def test_every_colour_has_its_own_pattern(pitch: int) -> None:
    reach = BoardLayout(pitch).reach
    span = range(-reach, reach + 1)
    patterns = {
        colour: tuple(has_thread(colour, x, y, reach) for y in span for x in span)
        for colour in COLOURS
    }
    assert len(set(patterns.values())) == 4
    assert all(any(pattern) and not all(pattern) for pattern in patterns.values())
    assert len(set(SWATCH.values())) == 4


@pytest.mark.parametrize("colour", COLOURS)
def test_pattern_is_visible_without_colours(colour: Colour) -> None:
    assert abs(brightness(RUG[colour]) - brightness(THREAD[colour])) > 50


# --- Loops, names, Assam ------------------------------------------------------------------


def test_loops_join_the_exits_of_the_board() -> None:
    canvas = draw_board(BoardLayout(6, has_labels=False), EMPTY)
    lines = chars(canvas)
    assert lines[0] == "     ╭─────╮     ╭─────╮     ╭─────╮     ╭────╮"
    assert lines[1] == "     a     b     c     d     e     f     g    │"
    assert lines[2] == "                                              │"
    assert lines[3] == "╭1                                           ─╯"
    assert lines[4] == lines[5] == "│"
    assert lines[6] == "╰2                                           ─╮"
    assert lines[12] == "╰4                     ▼                     ─╮"
    assert lines[21] == "╭7                                           ─╯"
    assert lines[22] == lines[23] == "│"
    assert lines[24] == "╰────╯     ╰─────╯     ╰─────╯     ╰─────╯"


def test_loops_of_a_turned_board_have_other_corners() -> None:
    canvas = draw_board(BoardLayout(6, has_labels=False), Cardboard("nw-se", CENTRE, Facing.SOUTH))
    lines = chars(canvas)
    assert lines[0] == "╭────╮     ╭─────╮     ╭─────╮     ╭─────╮"
    assert lines[3] == "╰1                                           ─╮"
    assert lines[24] == "     ╰─────╯     ╰─────╯     ╰─────╯     ╰────╯"


@pytest.mark.parametrize(
    ("facing", "arrow", "tip"),
    [
        (Facing.NORTH, "▲", (0, -2)),
        (Facing.EAST, "▶", (2, 0)),
        (Facing.SOUTH, "▼", (0, 2)),
        (Facing.WEST, "◀", (-2, 0)),
    ],
)
def test_assam_points_in_his_direction(facing: Facing, arrow: str, tip: tuple[int, int]) -> None:
    layout = BoardLayout(6)
    canvas = draw_board(layout, Cardboard("ne-sw", CENTRE, facing))
    x, y = layout.middle(3, 3)
    assert canvas.chars[x, y // 2][0] == arrow
    assert canvas.pixels[y + tip[1]][x + tip[0]] == ROBE
    beside = x + tip[0] + (tip[0] == 0), y + tip[1] + (tip[1] == 0)
    assert canvas.pixels[beside[1]][beside[0]] == SQUARE


def test_before_a_game_assam_is_in_the_middle_with_the_chosen_direction() -> None:
    cardboard = cardboard_of(new_conversation(Preferences(facing=Facing.EAST)))
    assert cardboard == Cardboard("ne-sw", CENTRE, Facing.EAST, None, (), SETUP_STAGES)


# --- LEDs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("place", [(0, 0), (6, 6), (SIZE, 0), (0, SIZE), (SIZE, SIZE)])
def test_led_is_drawn_in_its_place_only(pitch: int, place: tuple[int, int]) -> None:
    layout = BoardLayout(pitch)
    base = draw_board(layout, EMPTY)
    canvas = draw_leds(base, layout, lit(led_at(*place)))
    x, y = layout.middle(*place)
    assert canvas.pixels[y][x] == mix((255, 0, 0), (255, 255, 255), 0.65)
    assert canvas.pixels[y][x + layout.radius] == (255, 0, 0)
    other = layout.middle(3, 1)
    assert canvas.pixels[other[1]][other[0]] == base.pixels[other[1]][other[0]]


def test_dark_leds_leave_the_board_unchanged() -> None:
    layout = BoardLayout(6)
    base = draw_board(layout, EMPTY)
    assert draw_leds(base, layout, DARK).pixels == base.pixels
    x, y = layout.middle(SIZE, 2)
    assert base.pixels[y][x] == UNLIT


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_has_a_different_label_that_fits(language: str) -> None:
    words = [renderer_for(language).render(meaning) for meaning in PHASES.values()]
    assert len(set(words)) == len(Phase) - 1, "every phase except OVER"
    assert [word for word in words if cell_len(word) > LABEL_WIDTH] == []


def test_rail_labels_are_brighter_for_lit_leds() -> None:
    layout = BoardLayout(6)
    cardboard = Cardboard(
        "ne-sw", CENTRE, Facing.SOUTH, None, ((Colour.RED,), (Colour.BROWN,)), (TURN, ROLL)
    )
    canvas = draw_board(layout, cardboard)
    draw_rail_labels(canvas, layout, cardboard, lit(led_at(SIZE, 1)), TextRenderer())
    lines = chars(canvas)
    assert lines[3].endswith("turn")
    assert lines[6].endswith("roll")
    assert lines[-1].split() == ["red", "brown", "disk", "sim"]
    assert lines[layout.middle(SIZE, SIZE)[1] // 2].endswith("heard")
    column = layout.label_column(4)
    turn, roll = canvas.chars[column, 3], canvas.chars[column, 6]
    assert brightness(roll[1]) > brightness(turn[1]) + 50


# --- The rail at other edges --------------------------------------------------------------


@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("has_labels", [True, False])
@pytest.mark.parametrize("rail", RAILS)
def test_board_has_the_same_size_with_the_rail_at_any_edge(
    pitch: int, has_labels: bool, rail: str
) -> None:
    layout, usual = BoardLayout(pitch, has_labels, rail), BoardLayout(pitch, has_labels)
    assert (layout.width, layout.rows) == (usual.width, usual.rows)
    spots = [layout.middle(x, y) for y in range(8) for x in range(8)]
    assert len(set(spots)) == 64
    for x, y in spots:
        assert layout.radius <= x < layout.width - layout.radius
        assert layout.radius <= y < 2 * layout.rows - layout.radius


@pytest.mark.parametrize("rail", RAILS)
def test_rail_is_outside_the_loops_at_its_edges(rail: str) -> None:
    layout = BoardLayout(6, rail=rail)
    canvas = draw_board(layout, EMPTY)
    across, down = layout.middle(SIZE, SIZE)
    assert (across < layout.loops_left) == rail.endswith("west")
    assert (across > layout.loops_right) == rail.endswith("east")
    assert (down < 2 * layout.loops_above) == rail.startswith("north")
    assert (down > 2 * layout.loops_below) == rail.startswith("south")
    for n in range(8):
        for x, y in (layout.middle(SIZE, n), layout.middle(n, SIZE)):
            assert canvas.pixels[y][x] == UNLIT
            assert canvas.pixels[y][x + layout.radius] == RAIL


def test_rail_in_the_north_west_moves_the_board_unchanged() -> None:
    layout = BoardLayout(6, has_labels=False, rail="north-west")
    moved = chars(draw_board(layout, EMPTY))
    usual = chars(draw_board(BoardLayout(6, has_labels=False), EMPTY))
    board = [line[:47] for line in usual[:25]]
    assert moved == [""] * 3 + [f"     {line}" if line else "" for line in board]


def test_rail_in_the_north_west_has_names_in_the_north_and_labels_in_the_west() -> None:
    layout = BoardLayout(6, rail="north-west")
    cardboard = Cardboard(
        "ne-sw", CENTRE, Facing.SOUTH, None, ((Colour.RED,), (Colour.BROWN,)), (TURN, ROLL)
    )
    canvas = draw_board(layout, cardboard)
    draw_rail_labels(canvas, layout, cardboard, lit(led_at(SIZE, 1)), TextRenderer())
    lines = chars(canvas)
    assert lines[0].split() == ["red", "brown", "disk", "sim"]
    assert lines[1] == "   heard"
    assert [line.split()[0] for line in lines if line[:8].strip()] == [
        "heard",
        "turn",
        "roll",
        "pad",
    ]
    turn, roll = canvas.chars[4, 6], canvas.chars[4, 9]
    assert brightness(roll[1]) > brightness(turn[1]) + 50


# --- Canvas and layout --------------------------------------------------------------------


def test_a_character_has_two_pixels() -> None:
    canvas = Canvas(3, 1, (0, 0, 0))
    canvas.pixels[0][1] = (255, 0, 0)
    canvas.write(2, 0, "a", (255, 255, 255))
    strip = canvas.strip(0)
    assert strip.text == " ▀a"
    half = list(strip)[1].style
    assert half is not None
    assert half.color is not None
    assert half.bgcolor is not None
    assert (tuple(half.color.triplet or ()), tuple(half.bgcolor.triplet or ())) == (
        (255, 0, 0),
        (0, 0, 0),
    )


def test_ink_with_low_contrast_is_replaced() -> None:
    assert readable((250, 250, 250), (10, 10, 10)) == (250, 250, 250)
    assert brightness(readable((250, 250, 250), (240, 240, 240))) < 20
    assert brightness(readable((20, 20, 20), (10, 10, 10))) > 240


@pytest.mark.parametrize(
    ("size", "layout"),
    [
        ((200, 60), BoardLayout(12)),
        ((120, 38), BoardLayout(8)),
        ((100, 30), BoardLayout(6)),
        ((80, 28), BoardLayout(6, has_labels=False)),
        ((80, 22), BoardLayout(4, has_labels=False)),
        ((90, 22), BoardLayout(4)),
        ((20, 5), BoardLayout(4, has_labels=False)),
    ],
)
def test_layout_fits_the_available_size(size: tuple[int, int], layout: BoardLayout) -> None:
    assert layout_for(*size, 28) == layout


def test_wide_characters_keep_the_length_of_the_line() -> None:
    canvas = Canvas(8, 1, (0, 0, 0))
    canvas.write(1, 0, "赤い", (255, 255, 255))
    canvas.write(6, 0, "é", (255, 255, 255))  # an e and a combining accent
    strip = canvas.strip(0)
    assert strip.text == " 赤い é "
    assert strip.cell_length == 8


def test_wide_character_that_does_not_fit_is_left_out() -> None:
    canvas = Canvas(3, 1, (0, 0, 0))
    canvas.write(0, 0, "赤い", (255, 255, 255))
    assert canvas.strip(0).text == "赤 "
