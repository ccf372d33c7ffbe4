"""Pictures of a turn: which moments, what is drawn where, how long it stays."""

from __future__ import annotations

import pytest
from PIL import Image

from companion.drawing.leds import MONO, shine
from companion.drawing.market import CELL, centre, corner, draw_board
from companion.drawing.turn_pictures import acts_of_turn, draw_film, draw_sheet, moments, turns_of
from companion.errors import SettingError
from companion.games.marrakech import Facing, parse_position, parse_record
from companion.games.marrakech.market import parse_square
from companion.light.frame import DARK, picture
from companion.light.rgb import RGB
from companion.table.scenes.scene import Ink, led_of
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


def test_a_record_is_cut_into_its_turns() -> None:
    assert [[str(action) for _, action, _, _ in turn] for turn in turns_of(RECORD)] == [
        ["face south", "a roll of 3", "lay d6-e6"],
        ["face east", "a roll of 1", "lay e6-f6"],
        ["face north", "a roll of 1", "pay", "lay e5-f5"],
    ]


def test_a_turn_shows_preview_path_payment_rug_and_the_next_preview() -> None:
    captions = [caption for act in acts_of_turn(RECORD, 3) for caption in act.captions]
    assert captions == [
        "blue, facing north: where 1 to 4 lead",
        "blue rolls 1: the path",
        "yellow's region is counted",
        "the amount",
        "until it is paid",
        "blue lays a rug",
        "red, facing north: where 1 to 4 lead",
    ]
    assert [act.captions[0] for act in acts_of_turn(RECORD, 1)] == [
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
    *_, act = acts_of_turn(record, 1)
    assert act.captions == (
        "yellow has 30 in all",
        "red has 30 in all",
        "blue: what is visible is counted",
        "blue has 32 in all",
    )
    assert act.market.is_over


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_turn_that_is_not_there_is_refused(number: int) -> None:
    with pytest.raises(SettingError, match=f"^there is no turn {number}: the record has 1 to 3$"):
        acts_of_turn(RECORD, number)


def test_a_moment_shows_as_much_as_its_shot_ever_does() -> None:
    _, act, *_ = acts_of_turn(RECORD, 3)
    times = list(moments(act.scene))
    lit = [sum(ink is not None for ink in picture(act.scene, time)) for time in times]
    assert lit == [1 + 2, 2 + 2, 11 + 2, 2 + 2]  # the path, the region, the 2, the region; the rail


def test_the_film_stays_on_each_frame_until_the_next_change() -> None:
    frames, lasts = draw_film(acts_of_turn(RECORD, 1)[:2], is_mono=True)
    assert len(frames) == len(lasts)
    assert sum(lasts) == 2000 + 2000
    assert min(lasts) > 0


def test_the_sheet_has_a_panel_for_each_moment() -> None:
    one = draw_sheet(acts_of_turn(RECORD, 1)[:1], is_mono=False)
    seven = draw_sheet(acts_of_turn(RECORD, 3), is_mono=False)
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


def test_the_two_halves_of_a_rug_are_one_piece_of_cloth() -> None:
    board = draw_board(STATE)
    cloth = colour_at(board, "d3", -CELL // 2 + 10, CELL // 2 - 10)
    for across in range(-10, 11):  # from one half over the line to the other
        assert colour_at(board, "d3", CELL // 2 + across, CELL // 2 - 10) == cloth
    assert colour_at(board, "e3", CELL // 2 - 10, CELL // 2 - 10) == cloth
    assert colour_at(board, "f3") != cloth
    assert colour_at(board, "d3", -CELL // 2, CELL // 2 - 10) != cloth  # the line west of it


@pytest.mark.parametrize("market", ["R1", "Y1", "B1", "N1"])
def test_every_colour_has_a_weave_of_its_own(market: str) -> None:
    rows = f"{market}....../" * 2 + "/".join(["......."] * 5)
    board = draw_board(parse_position(f"{rows} d5e orient R R:30:11,Y:30:11,B:30:11,N:30:11 -"))
    x, y = corner(0)
    seen = board.crop((x + 15, y + 15, x + CELL - 15, y + CELL - 15)).getcolors()
    assert seen is not None
    assert len(seen) == 2  # cloth and thread


def test_assam_points_where_he_faces() -> None:
    ahead = dict(zip(Facing, [(0, -36), (36, 0), (0, 36), (-36, 0)], strict=True))
    for facing, tip in ahead.items():
        board = draw_board(STATE._replace(facing=facing))
        body = colour_at(board, "d5", *tip)
        others = [colour_at(board, "d5", *other) for other in ahead.values() if other != tip]
        assert body not in others


def test_lit_leds_shine_in_their_ink_and_dark_ones_do_not() -> None:
    shown = list(DARK)
    led = led_of(parse_square("b2"))
    shown[led] = Ink.BLUE
    shown[63] = Ink.ALARM
    board = draw_board(STATE)
    for is_mono, colour in ((False, RGB[Ink.BLUE]), (True, MONO)):
        image = shine(board, tuple(shown), is_mono=is_mono)
        x, y = centre(led % 8, led // 8)
        assert image.getpixel((x + 9, y)) == colour
        assert image.getpixel((x + CELL + 9, y)) not in (RGB[Ink.BLUE], MONO)
    x, y = centre(7, 7)
    image = shine(board, tuple(shown), is_mono=False)
    assert image.getpixel((x + 9, y)) == RGB[Ink.ALARM]


def test_each_led_lies_over_the_middle_of_its_square_and_the_rail_beyond_the_loops() -> None:
    x, y = corner(parse_square("c5"))
    assert centre(2, 4) == (x + CELL // 2, y + CELL // 2)
    assert centre(7, 0)[0] > corner(6)[0] + 2 * CELL
    assert centre(0, 7)[1] > corner(42)[1] + 2 * CELL


def test_a_preview_is_drawn_where_the_rules_lead() -> None:
    image = shine(draw_board(STATE), picture(orient_scene(STATE), 750), is_mono=True)
    for square in ("e5", "f5", "g5", "g4"):
        led = led_of(parse_square(square))
        x, y = centre(led % 8, led // 8)
        assert image.getpixel((x + 9, y)) == MONO
