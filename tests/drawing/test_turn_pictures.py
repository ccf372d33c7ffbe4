"""Pictures of a turn: scenes, captions, positions, durations."""

from __future__ import annotations

import pytest
from PIL import Image

from companion.drawing.leds import MONO_RGB, draw_leds
from companion.drawing.market import draw_board, led_centre
from companion.drawing.market_layout import CELL, corner
from companion.drawing.turn_pictures import (
    actions_by_turn,
    brightest_times,
    draw_animation,
    draw_sheet,
    scenes_of_turn,
)
from companion.errors import SettingError
from companion.games.marrakech import Facing, parse_position, parse_record
from companion.games.marrakech.market import parse_square
from companion.light.frame import DARK, render_frame
from companion.light.rgb import RGB
from companion.table.scenes.scene import LED_OF, Ink
from companion.table.scenes.turn_scenes import orient_scene

RECORD = parse_record(
    """marrakech record 1
player: R
player: Y
player: B

1. R S3 d7s lays d6-e6
2. Y E1 e7e lays e6-f6
3. B N1 e6n pays Y 2 lays e5-f5
"""
)


def test_a_record_is_split_into_turns() -> None:
    assert [[str(action) for _, action, _, _ in turn] for turn in actions_by_turn(RECORD)] == [
        ["face south", "a roll of 3", "lay d6-e6"],
        ["face east", "a roll of 1", "lay e6-f6"],
        ["face north", "a roll of 1", "pay", "lay e5-f5"],
    ]


def test_a_turn_shows_preview_path_payment_rug_and_the_next_preview() -> None:
    captions = [caption for scene in scenes_of_turn(RECORD, 3) for caption in scene.captions]
    assert captions == [
        "blue, facing north: where 1 to 4 lead",
        "blue rolls 1: the path",
        "yellow's region is counted",
        "the amount",
        "until it is paid",
        "blue lays a rug",
        "red, facing north: where 1 to 4 lead",
    ]
    assert [scene.captions[0] for scene in scenes_of_turn(RECORD, 1)] == [
        "red, facing south: where 1 to 4 lead",
        "red rolls 3: the path",
        "red lays a rug",
        "yellow, facing south: where 1 to 4 lead",
    ]


def test_the_last_turn_ends_with_the_count() -> None:
    record = parse_record(
        "marrakech record 1\nplayer: R\nplayer: Y\nplayer: B\n"
        "position: ......./......./......./......./......./......./....... d4s lay B "
        "R:30:0,Y:30:0,B:30:1 -\n\n1. B lays d3-d2\n"
    )
    *_, last = scenes_of_turn(record, 1)
    assert last.captions == (
        "yellow has 30 in all",
        "red has 30 in all",
        "blue: what is visible is counted",
        "blue has 32 in all",
    )
    assert last.market.is_over


@pytest.mark.parametrize("number", [0, 4, -1])
def test_an_unknown_turn_is_an_error(number: int) -> None:
    with pytest.raises(SettingError, match=f"^there is no turn {number}: the record has 1 to 3$"):
        scenes_of_turn(RECORD, number)


def test_a_still_picture_has_most_leds_of_its_shot() -> None:
    _, walk, *_ = scenes_of_turn(RECORD, 3)
    times = list(brightest_times(walk.scene))
    lit = [sum(ink is not None for ink in render_frame(walk.scene, time)) for time in times]
    assert lit == [1 + 2, 2 + 2, 11 + 2, 2 + 2]  # the path, the region, the 2, the region; the rail


def test_an_animation_shows_each_frame_until_the_next_change() -> None:
    frames, durations = draw_animation(scenes_of_turn(RECORD, 1)[:2], is_mono=True)
    assert len(frames) == len(durations)
    assert sum(durations) == 2000 + 2000
    assert min(durations) > 0


def test_the_sheet_has_a_picture_for_each_shot() -> None:
    one = draw_sheet(scenes_of_turn(RECORD, 1)[:1], is_mono=False)
    seven = draw_sheet(scenes_of_turn(RECORD, 3), is_mono=False)
    panel = one.width - 20
    assert seven.width == 4 * (panel + 10) + 10
    assert seven.height == 2 * (one.height - 10) + 10


STATE = parse_position(
    "......./......./...R1R1../......./......./......./....... d5e orient Y "
    "R:30:14,Y:30:15,B:30:15 -"
)


def colour_at(image: Image.Image, square: str, dx: int = 0, dy: int = 0) -> object:
    x, y = corner(parse_square(square))
    return image.getpixel((x + CELL // 2 + dx, y + CELL // 2 + dy))


def test_the_two_halves_of_a_rug_are_joined() -> None:
    board = draw_board(STATE)
    cloth = colour_at(board, "d3", -CELL // 2 + 10, CELL // 2 - 10)
    for across in range(-10, 11):  # from one half over the line to the other
        assert colour_at(board, "d3", CELL // 2 + across, CELL // 2 - 10) == cloth
    assert colour_at(board, "e3", CELL // 2 - 10, CELL // 2 - 10) == cloth
    assert colour_at(board, "f3") != cloth
    assert colour_at(board, "d3", -CELL // 2, CELL // 2 - 10) != cloth  # the line west of it


@pytest.mark.parametrize("market", ["R1", "Y1", "B1", "N1"])
def test_every_rug_colour_has_a_pattern(market: str) -> None:
    rows = f"{market}....../" * 2 + "/".join(["......."] * 5)
    board = draw_board(parse_position(f"{rows} d5e orient R R:30:11,Y:30:11,B:30:11,N:30:11 -"))
    x, y = corner(0)
    seen = board.crop((x + 15, y + 15, x + CELL - 15, y + CELL - 15)).getcolors()
    assert seen is not None
    assert len(seen) == 2  # cloth and thread


def test_assam_points_in_his_facing() -> None:
    ahead = dict(zip(Facing, [(0, -36), (36, 0), (0, 36), (-36, 0)], strict=True))
    for facing, tip in ahead.items():
        board = draw_board(STATE._replace(facing=facing))
        body = colour_at(board, "d5", *tip)
        others = [colour_at(board, "d5", *other) for other in ahead.values() if other != tip]
        assert body not in others


def test_lit_leds_have_their_ink_and_others_are_dark() -> None:
    frame = list(DARK)
    led = LED_OF[parse_square("b2")]
    frame[led] = Ink.BLUE
    frame[63] = Ink.ALARM
    board = draw_board(STATE)
    for is_mono, colour in ((False, RGB[Ink.BLUE]), (True, MONO_RGB)):
        image = draw_leds(board, tuple(frame), is_mono=is_mono)
        x, y = led_centre(led % 8, led // 8)
        assert image.getpixel((x + 9, y)) == colour
        assert image.getpixel((x + CELL + 9, y)) not in (RGB[Ink.BLUE], MONO_RGB)
    x, y = led_centre(7, 7)
    image = draw_leds(board, tuple(frame), is_mono=False)
    assert image.getpixel((x + 9, y)) == RGB[Ink.ALARM]


def test_leds_are_over_the_centres_of_squares_and_the_rail_is_outside_the_loops() -> None:
    x, y = corner(parse_square("c5"))
    assert led_centre(2, 4) == (x + CELL // 2, y + CELL // 2)
    assert led_centre(7, 0)[0] > corner(6)[0] + 2 * CELL
    assert led_centre(0, 7)[1] > corner(42)[1] + 2 * CELL


def test_a_preview_lights_the_reachable_squares() -> None:
    image = draw_leds(draw_board(STATE), render_frame(orient_scene(STATE), 750), is_mono=True)
    for square in ("e5", "f5", "g5", "g4"):
        led = LED_OF[parse_square(square)]
        x, y = led_centre(led % 8, led // 8)
        assert image.getpixel((x + 9, y)) == MONO_RGB
