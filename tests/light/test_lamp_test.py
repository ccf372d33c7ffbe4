"""The lamp test: whoever follows its advice once ends with a matrix that is right."""

from __future__ import annotations

from itertools import product

import pytest

from companion.light.frame import duration_ms, picture, picture_text
from companion.light.lamp_test import POINTS, advice, lamp_test_scene, mend_turned
from companion.light.layout import RAILS, ROTATIONS, Layout
from companion.table.scenes.scene import Scene

WAYS = list(product(ROTATIONS, (False, True)))


def shots(scene: Scene) -> list[str]:
    """The last picture of each shot."""
    begins, texts = 0, []
    for shot in scene.shots:
        begins += duration_ms(shot)
        texts.append(picture_text(picture(scene, begins - 1)))
    return texts


def test_the_rail_and_the_compass_look_so() -> None:
    full, _, rail, compass = shots(lamp_test_scene(Layout()))
    assert full == "\n".join(["W" * 8] * 8)
    assert rail == "\n".join([".......B"] * 7 + ["B" * 8])
    assert compass.splitlines() == [
        "........",
        ".W..WWW.",
        "WWW.W...",
        ".W..WW..",
        ".W..W...",
        ".W..WWW.",
        "........",
        "........",
    ]


@pytest.mark.parametrize("rail", RAILS)
def test_the_leds_are_lit_in_the_order_in_which_a_person_reads(rail: str) -> None:
    layout = Layout(rail=rail)
    leds = lamp_test_scene(layout).shots[0].marks[0].leds
    assert [layout.places[led] for led in leds] == list(range(64))


# --- Turned and mirrored ------------------------------------------------------------------


def looks(mounted: Layout, told: Layout) -> tuple[int, bool]:
    """How a matrix that is mounted so looks if the settings say otherwise: the arrow, the E.

    Told by where the north-west and the north-east of the picture are seen.
    """
    seen = mounted.see(told.wire(range(64)))
    west, east = seen.index(0), seen.index(7)
    corners = {0: 0, 7: 1, 63: 2, 56: 3}  # clockwise
    is_mirrored = (corners[east] - corners[west]) % 4 == 3
    return (corners[east if is_mirrored else west] * 90) % 360, is_mirrored


def test_the_onlooker_sees_a_module_that_nobody_told_of() -> None:
    for rotation, mirrored in WAYS:
        mounted = Layout(rotation=rotation, is_mirrored=mirrored)
        assert looks(mounted, Layout()) == (rotation, mirrored)


@pytest.mark.parametrize(("mounted", "told"), list(product(WAYS, WAYS)))
def test_who_does_what_the_advice_says_sees_it_right(
    mounted: tuple[int, bool], told: tuple[int, bool]
) -> None:
    """From every wrong setting to every mounting, in one step."""
    real = Layout(rotation=mounted[0], is_mirrored=mounted[1])
    seen = looks(real, Layout(rotation=told[0], is_mirrored=told[1]))
    keys = mend_turned(*told, *seen)
    settings: dict[str, str] = {"rotation": str(told[0]), "mirrored": str(told[1]).lower()}
    if keys != "all is well":
        settings |= dict(key.split(" = ") for key in keys.split(", "))
    mended = Layout(rotation=int(settings["rotation"]), is_mirrored=settings["mirrored"] == "true")
    assert looks(real, mended) == (0, False)
    assert (keys == "all is well") == (mounted == told)


# --- Words --------------------------------------------------------------------------------


def test_the_advice_for_a_chain_is_this() -> None:
    told = advice(Layout(), rotation=0, is_mirrored=False, wiring="rows")
    assert list(told) == [
        "Every LED in reading order, row by row from the north-west; then 64; then the rail,",
        "along the south and east; then an arrow to the north, and an E in the east of it.",
        "If you see it otherwise, write below [matrix] in marrakech.toml:",
        '  every second row, or column, runs backwards: wiring = "zigzag", and look again',
        "  the arrow points  the E can be read    the E is mirrored",
        "  north             all is well          mirrored = true",
        "  east              rotation = 90        rotation = 90, mirrored = true",
        "  south             rotation = 180       rotation = 180, mirrored = true",
        "  west              rotation = 270       rotation = 270, mirrored = true",
        "  the frame has its rail along other edges: "
        'rail = "south-west", "north-east" or "north-west"',
    ]


def test_the_advice_starts_from_the_settings_in_use() -> None:
    told = list(
        advice(
            Layout(rotation=90, is_mirrored=True, is_zigzag=True, rail="north-west"),
            rotation=90,
            is_mirrored=True,
            wiring="zigzag",
        )
    )
    assert "along the north and west;" in told[1]
    assert told[3].endswith('backwards: wiring = "rows", and look again')
    assert told[5:9] == [
        "  north             all is well          rotation = 270, mirrored = false",
        "  east              rotation = 180       rotation = 0, mirrored = false",
        "  south             rotation = 270       mirrored = false",
        "  west              rotation = 0         rotation = 180, mirrored = false",
    ]


def test_who_has_no_chain_is_told_nothing_of_its_wiring() -> None:
    told = advice(Layout(), rotation=0, is_mirrored=False, wiring=None)
    assert not any("wiring" in line for line in told)


def test_the_arrow_points_where_the_module_is_turned_to() -> None:
    assert POINTS == {0: "north", 90: "east", 180: "south", 270: "west"}
