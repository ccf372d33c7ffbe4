"""The lamp test: every LED once, then shapes that show whether the matrix is turned or mirrored.

The advice says which settings to change, depending on what the person sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import listed
from companion.light.layout import RAILS, ROTATIONS, Layout
from companion.table.scenes.scene import RAIL, Ink, Mark, Meaning, Scene, Shot, led_at

_COMPASS = """\
.......
.#..###
###.#..
.#..##.
.#..#..
.#..###
......."""
"""An arrow to the north, and an E to the east of it."""

POINTS = dict(zip(ROTATIONS, ("north", "east", "south", "west"), strict=True))
"""By rotation of the module: where the arrow points."""


def lamp_test_scene(layout: Layout) -> Scene:
    """Every LED in reading order, the number of LEDs, the rail, then the compass alone."""
    leds = layout.reading_order
    compass = tuple(
        led_at(x, y)
        for y, row in enumerate(_COMPASS.splitlines())
        for x, dot in enumerate(row)
        if dot == "#"
    )
    return Scene(
        (
            Shot((Mark(Meaning.COUNT, leds),)),
            Shot((Mark(Meaning.NUMBER, number=len(leds)),)),
            Shot((Mark(Meaning.COUNT, tuple(sorted(RAIL)), (Ink.BLUE,)),)),
            Shot((Mark(Meaning.TRAIL, compass),)),
        )
    )


def settings_to_write(rotation: int, is_mirrored: bool, seen: int, looks_mirrored: bool) -> str:
    """The settings to write if the arrow is seen turned by `seen`, and the E mirrored or not.

    `rotation` and `is_mirrored` are the current settings.
    """
    # Mirroring reverses the direction of the rotation before it.
    correct = (seen - rotation if looks_mirrored else seen + rotation) % 360
    keys = [f"rotation = {correct}"] if correct != rotation else []
    if looks_mirrored:
        keys.append(f"mirrored = {'false' if is_mirrored else 'true'}")
    return ", ".join(keys) or "correct"


def advice(
    layout: Layout, *, rotation: int, is_mirrored: bool, wiring: str | None
) -> Iterator[str]:
    """What the lamp test shows, and which keys of [matrix] to change if it looks different.

    `wiring` is None for matrices that are not a chain of LEDs.
    """
    edges = " and ".join(layout.rail.split("-"))
    yield "Every LED in reading order, row by row from the north-west; then 64; then the rail,"
    yield f"along the {edges}; then an arrow to the north, and an E to the east of it."
    yield "If it looks different, write in the section [matrix] of marrakech.toml:"
    if wiring is not None:
        other = "rows" if wiring == "zigzag" else "zigzag"
        yield f'  every second row, or column, runs backwards: wiring = "{other}", then test again'
    yield f"  {'the arrow points':<18}{'the E can be read':<21}the E is mirrored"
    for seen, point in POINTS.items():
        straight, mirrored = (
            settings_to_write(rotation, is_mirrored, seen, m) for m in (False, True)
        )
        yield f"  {point:<18}{straight:<21}{mirrored}"
    others = listed([f'"{rail}"' for rail in RAILS if rail != layout.rail])
    yield f"  the frame has its rail along other edges: rail = {others}"
