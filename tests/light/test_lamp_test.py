"""The lamp test: its frames, and that its advice corrects every wrong setting."""

from __future__ import annotations

from itertools import product

import pytest

from companion.light.frame import duration_ms, frame_text, render_frame
from companion.light.lamp_test import POINTS, advice, lamp_test_scene, settings_to_write
from companion.light.layout import RAILS, ROTATIONS, Layout
from companion.table.scenes.scene import Scene

MOUNTINGS = list(product(ROTATIONS, (False, True)))


def shots(scene: Scene) -> list[str]:
    """The last frame of each shot."""
    end_ms, texts = 0, []
    for shot in scene.shots:
        end_ms += duration_ms(shot)
        texts.append(frame_text(render_frame(scene, end_ms - 1)))
    return texts


def test_the_rail_and_the_compass_look_like_this() -> None:
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
def test_the_leds_are_lit_in_reading_order(rail: str) -> None:
    layout = Layout(rail=rail)
    leds = lamp_test_scene(layout).shots[0].marks[0].leds
    assert [layout.places[led] for led in leds] == list(range(64))


# --- Turned and mirrored ------------------------------------------------------------------


def looks(mounted: Layout, configured: Layout) -> tuple[int, bool]:
    """How a matrix with these settings looks: the arrow's rotation, and whether it is mirrored.

    Derived from where the north-west and the north-east of the frame are seen.
    """
    seen = mounted.as_seen(configured.to_chip(range(64)))
    west, east = seen.index(0), seen.index(7)
    corners = {0: 0, 7: 1, 63: 2, 56: 3}  # clockwise
    is_mirrored = (corners[east] - corners[west]) % 4 == 3
    return (corners[east if is_mirrored else west] * 90) % 360, is_mirrored


def test_the_default_settings_show_how_a_module_is_mounted() -> None:
    for rotation, mirrored in MOUNTINGS:
        mounted = Layout(rotation=rotation, is_mirrored=mirrored)
        assert looks(mounted, Layout()) == (rotation, mirrored)


@pytest.mark.parametrize(("mounted", "configured"), list(product(MOUNTINGS, MOUNTINGS)))
def test_the_advice_corrects_every_wrong_setting(
    mounted: tuple[int, bool], configured: tuple[int, bool]
) -> None:
    """For every mounting, in one step."""
    real = Layout(rotation=mounted[0], is_mirrored=mounted[1])
    seen = looks(real, Layout(rotation=configured[0], is_mirrored=configured[1]))
    keys = settings_to_write(*configured, *seen)
    settings: dict[str, str] = {
        "rotation": str(configured[0]),
        "mirrored": str(configured[1]).lower(),
    }
    if keys != "correct":
        settings |= dict(key.split(" = ") for key in keys.split(", "))
    corrected = Layout(
        rotation=int(settings["rotation"]), is_mirrored=settings["mirrored"] == "true"
    )
    assert looks(real, corrected) == (0, False)
    assert (keys == "correct") == (mounted == configured)


# --- Words --------------------------------------------------------------------------------


def test_the_advice_for_a_chain() -> None:
    lines = advice(Layout(), rotation=0, is_mirrored=False, wiring="rows")
    assert list(lines) == [
        "Every LED in reading order, row by row from the north-west; then 64; then the rail,",
        "along the south and east; then an arrow to the north, and an E to the east of it.",
        "If it looks different, write in the section [matrix] of marrakech.toml:",
        '  every second row, or column, runs backwards: wiring = "zigzag", then test again',
        "  the arrow points  the E can be read    the E is mirrored",
        "  north             correct              mirrored = true",
        "  east              rotation = 90        rotation = 90, mirrored = true",
        "  south             rotation = 180       rotation = 180, mirrored = true",
        "  west              rotation = 270       rotation = 270, mirrored = true",
        "  the frame has its rail along other edges: "
        'rail = "south-west", "north-east" or "north-west"',
    ]


def test_the_advice_depends_on_the_current_settings() -> None:
    lines = list(
        advice(
            Layout(rotation=90, is_mirrored=True, is_zigzag=True, rail="north-west"),
            rotation=90,
            is_mirrored=True,
            wiring="zigzag",
        )
    )
    assert "along the north and west;" in lines[1]
    assert lines[3].endswith('backwards: wiring = "rows", then test again')
    assert lines[5:9] == [
        "  north             correct              rotation = 270, mirrored = false",
        "  east              rotation = 180       rotation = 0, mirrored = false",
        "  south             rotation = 270       mirrored = false",
        "  west              rotation = 0         rotation = 180, mirrored = false",
    ]


def test_without_a_chain_there_is_no_advice_on_wiring() -> None:
    lines = advice(Layout(), rotation=0, is_mirrored=False, wiring=None)
    assert not any("wiring" in line for line in lines)


def test_the_arrow_points_in_the_direction_of_the_rotation() -> None:
    assert POINTS == {0: "north", 90: "east", 180: "south", 270: "west"}
