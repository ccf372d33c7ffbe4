"""The cardboard in pixels and signs: squares, rugs, loops, Assam, the rail and its light."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from companion.adapters.virtual.spi import Light
from companion.games.marrakech import COLOURS, Colour, Facing, Phase, parse_position
from companion.games.marrakech.market import CENTRE, SIZE
from companion.i18n.catalogue_loader import speech_in
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.light.layout import RAILS
from companion.simulator.board import PHASES, Cardboard, cardboard_of, draw_board
from companion.simulator.canvas import Canvas, brightness, mix, readable
from companion.simulator.layout import LABEL, PITCHES, BoardLayout, layout_for
from companion.simulator.led_layer import name_lamps, shine
from companion.simulator.palette import (
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
from companion.table.conversation import Preferences, fresh
from companion.table.scenes.scene import led_at

TURN, ROLL = message("sim.step_turn"), message("sim.step_roll")
PAGES = (
    message("sim.step_players"),
    message("sim.step_booklet"),
    message("sim.step_colours"),
    message("sim.step_board"),
)
DARK: Light = ((0, 0, 0),) * 64
EMPTY = Cardboard("ne-sw", CENTRE, Facing.SOUTH)
# A red rug across, a yellow one down, and two halves of different blue rugs side by side.
LAID = parse_position(
    "R1R1...../Y1....../Y1..B1B2../......./......./......./....... "
    "d4s orient R R:30:11,Y:30:11,B:30:10,N:30:12 -"
)


def laid(pitch: int = 6) -> tuple[Canvas, BoardLayout]:
    plan = BoardLayout(pitch)
    return draw_board(plan, Cardboard("ne-sw", CENTRE, Facing.SOUTH, LAID)), plan


def text(canvas: Canvas) -> list[str]:
    """The signs alone, line by line."""
    return [
        "".join(canvas.signs.get((x, y), (" ",))[0] for x in range(canvas.width)).rstrip()
        for y in range(canvas.rows)
    ]


def lit(*leds: int, colour: tuple[int, int, int] = (255, 0, 0)) -> Light:
    return tuple(colour if led in leds else (0, 0, 0) for led in range(64))


# --- Rugs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("pitch", PITCHES)
def test_halves_of_one_rug_are_joined_and_others_are_not(pitch: int) -> None:
    canvas, plan = laid(pitch)
    x, y = plan.corner(1, 0)
    assert canvas.pixels[y + 1][x] == RUG[Colour.RED]
    x, y = plan.corner(0, 2)
    assert canvas.pixels[y][x + 1] == RUG[Colour.YELLOW]
    x, y = plan.corner(4, 2)
    assert canvas.pixels[y + 1][x] == LINE


def test_rug_shows_base_and_thread_and_a_bare_square_neither() -> None:
    canvas, plan = laid()
    x, y = plan.middle(0, 0)
    assert [canvas.pixels[y + down][x + 1] for down in range(-2, 3)] == [
        RUG[Colour.RED],
        THREAD[Colour.RED],
        RUG[Colour.RED],
        THREAD[Colour.RED],
        RUG[Colour.RED],
    ]
    x, y = plan.corner(6, 6)
    assert canvas.pixels[y + 1][x + 1] == SQUARE


@pytest.mark.parametrize("pitch", PITCHES)
def test_every_colour_has_a_weave_of_its_own(pitch: int) -> None:
    reach = BoardLayout(pitch).reach
    span = range(-reach, reach + 1)
    weaves = {
        colour: tuple(has_thread(colour, x, y, reach) for y in span for x in span)
        for colour in COLOURS
    }
    assert len(set(weaves.values())) == 4
    assert all(any(weave) and not all(weave) for weave in weaves.values())
    assert len(set(SWATCH.values())) == 4


@pytest.mark.parametrize("colour", COLOURS)
def test_weave_can_be_seen_without_colours(colour: Colour) -> None:
    assert abs(brightness(RUG[colour]) - brightness(THREAD[colour])) > 50


# --- Loops, names, Assam ------------------------------------------------------------------


def test_loops_join_what_the_board_joins() -> None:
    canvas = draw_board(BoardLayout(6, has_labels=False), EMPTY)
    lines = text(canvas)
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


def test_loops_of_a_turned_board_have_their_big_corners_elsewhere() -> None:
    canvas = draw_board(BoardLayout(6, has_labels=False), Cardboard("nw-se", CENTRE, Facing.SOUTH))
    lines = text(canvas)
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
def test_assam_points_where_he_faces(facing: Facing, arrow: str, tip: tuple[int, int]) -> None:
    plan = BoardLayout(6)
    canvas = draw_board(plan, Cardboard("ne-sw", CENTRE, facing))
    x, y = plan.middle(3, 3)
    assert canvas.signs[x, y // 2][0] == arrow
    assert canvas.pixels[y + tip[1]][x + tip[0]] == ROBE
    beside = x + tip[0] + (tip[0] == 0), y + tip[1] + (tip[1] == 0)
    assert canvas.pixels[beside[1]][beside[0]] == SQUARE


def test_before_a_game_assam_stands_in_the_middle_as_he_was_set_up() -> None:
    cardboard = cardboard_of(fresh(Preferences(facing=Facing.EAST)))
    assert cardboard == Cardboard("ne-sw", CENTRE, Facing.EAST, None, (), PAGES)


# --- Light --------------------------------------------------------------------------------


@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("place", [(0, 0), (6, 6), (SIZE, 0), (0, SIZE), (SIZE, SIZE)])
def test_led_shines_in_its_place_and_nowhere_else(pitch: int, place: tuple[int, int]) -> None:
    plan = BoardLayout(pitch)
    base = draw_board(plan, EMPTY)
    canvas = shine(base, plan, lit(led_at(*place)))
    x, y = plan.middle(*place)
    assert canvas.pixels[y][x] == mix((255, 0, 0), (255, 255, 255), 0.65)
    assert canvas.pixels[y][x + plan.radius] == (255, 0, 0)
    other = plan.middle(3, 1)
    assert canvas.pixels[other[1]][other[0]] == base.pixels[other[1]][other[0]]


def test_no_light_leaves_the_cardboard_as_it_is() -> None:
    plan = BoardLayout(6)
    base = draw_board(plan, EMPTY)
    assert shine(base, plan, DARK).pixels == base.pixels
    x, y = plan.middle(SIZE, 2)
    assert base.pixels[y][x] == UNLIT


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_has_a_word_of_its_own_beside_the_rail(language: str) -> None:
    words = [speech_in(language).say(meaning) for meaning in PHASES.values()]
    assert len(set(words)) == len(Phase) - 1, "all but that the game is over"
    assert [word for word in words if cell_len(word) > LABEL] == []


def test_rail_says_what_its_leds_mean_and_brightens_what_is_lit() -> None:
    plan = BoardLayout(6)
    cardboard = Cardboard(
        "ne-sw", CENTRE, Facing.SOUTH, None, ((Colour.RED,), (Colour.BROWN,)), (TURN, ROLL)
    )
    canvas = draw_board(plan, cardboard)
    name_lamps(canvas, plan, cardboard, lit(led_at(SIZE, 1)), TextRenderer())
    lines = text(canvas)
    assert lines[3].endswith("turn")
    assert lines[6].endswith("roll")
    assert lines[-1].split() == ["red", "brown", "disk", "sim"]
    assert lines[plan.middle(SIZE, SIZE)[1] // 2].endswith("heard")
    column = plan.label_column(4)
    turn, roll = canvas.signs[column, 3], canvas.signs[column, 6]
    assert brightness(roll[1]) > brightness(turn[1]) + 50


# --- The rail along other edges -----------------------------------------------------------


@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("has_labels", [True, False])
@pytest.mark.parametrize("rail", RAILS)
def test_rail_takes_as_much_room_along_any_edge(pitch: int, has_labels: bool, rail: str) -> None:
    plan, usual = BoardLayout(pitch, has_labels, rail), BoardLayout(pitch, has_labels)
    assert (plan.width, plan.rows) == (usual.width, usual.rows)
    spots = [plan.middle(x, y) for y in range(8) for x in range(8)]
    assert len(set(spots)) == 64
    for x, y in spots:
        assert plan.radius <= x < plan.width - plan.radius
        assert plan.radius <= y < 2 * plan.rows - plan.radius


@pytest.mark.parametrize("rail", RAILS)
def test_rail_lies_beyond_the_loops_along_its_edges(rail: str) -> None:
    plan = BoardLayout(6, rail=rail)
    canvas = draw_board(plan, EMPTY)
    across, down = plan.middle(SIZE, SIZE)
    assert (across < plan.loops_left) == rail.endswith("west")
    assert (across > plan.loops_right) == rail.endswith("east")
    assert (down < 2 * plan.loops_above) == rail.startswith("north")
    assert (down > 2 * plan.loops_below) == rail.startswith("south")
    for n in range(8):
        for x, y in (plan.middle(SIZE, n), plan.middle(n, SIZE)):
            assert canvas.pixels[y][x] == UNLIT
            assert canvas.pixels[y][x + plan.radius] == RAIL


def test_rail_in_the_north_west_pushes_the_board_aside_and_changes_nothing_on_it() -> None:
    plan = BoardLayout(6, has_labels=False, rail="north-west")
    moved = text(draw_board(plan, EMPTY))
    usual = text(draw_board(BoardLayout(6, has_labels=False), EMPTY))
    board = [line[:47] for line in usual[:25]]
    assert moved == [""] * 3 + [f"     {line}" if line else "" for line in board]


def test_rail_in_the_north_west_has_its_names_in_the_north_and_its_labels_in_the_west() -> None:
    plan = BoardLayout(6, rail="north-west")
    cardboard = Cardboard(
        "ne-sw", CENTRE, Facing.SOUTH, None, ((Colour.RED,), (Colour.BROWN,)), (TURN, ROLL)
    )
    canvas = draw_board(plan, cardboard)
    name_lamps(canvas, plan, cardboard, lit(led_at(SIZE, 1)), TextRenderer())
    lines = text(canvas)
    assert lines[0].split() == ["red", "brown", "disk", "sim"]
    assert lines[1] == "   heard"
    assert [line.split()[0] for line in lines if line[:8].strip()] == [
        "heard",
        "turn",
        "roll",
        "pad",
    ]
    turn, roll = canvas.signs[4, 6], canvas.signs[4, 9]
    assert brightness(roll[1]) > brightness(turn[1]) + 50


# --- Canvas and plan ----------------------------------------------------------------------


def test_two_pixels_make_a_character() -> None:
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


def test_ink_that_nobody_could_read_is_changed() -> None:
    assert readable((250, 250, 250), (10, 10, 10)) == (250, 250, 250)
    assert brightness(readable((250, 250, 250), (240, 240, 240))) < 20
    assert brightness(readable((20, 20, 20), (10, 10, 10))) > 240


@pytest.mark.parametrize(
    ("size", "plan"),
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
def test_plan_takes_the_room_there_is(size: tuple[int, int], plan: BoardLayout) -> None:
    assert layout_for(*size, 28) == plan


def test_letters_that_take_two_places_keep_the_line_as_long_as_it_is() -> None:
    canvas = Canvas(8, 1, (0, 0, 0))
    canvas.write(1, 0, "赤い", (255, 255, 255))
    canvas.write(6, 0, "é", (255, 255, 255))  # an e, and a mark on it
    strip = canvas.strip(0)
    assert strip.text == " 赤い é "
    assert strip.cell_length == 8


def test_a_letter_that_has_half_a_place_is_left_out() -> None:
    canvas = Canvas(3, 1, (0, 0, 0))
    canvas.write(0, 0, "赤い", (255, 255, 255))
    assert canvas.strip(0).text == "赤 "
