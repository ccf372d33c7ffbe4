"""The lamp test: every LED, and signs that look wrong if the matrix is turned or mirrored.

What a person sees says what to write into the settings, whatever they are now.
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
"""An arrow to the north, and an E in the east of it."""

POINTS = dict(zip(ROTATIONS, ("north", "east", "south", "west"), strict=True))
"""Where the arrow points on a module that is turned so far."""


def lamp_test_scene(layout: Layout) -> Scene:
    """Every LED once, in the order in which a person reads, and how many there are; then the rail,
    and the compass alone, so that nothing touches it."""
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


def mend_turned(rotation: int, is_mirrored: bool, seen: int, looks_mirrored: bool) -> str:
    """The keys to write when the arrow is seen turned by `seen`, and the E in mirror image or not.

    `rotation` and `is_mirrored` are the settings with which it is seen so.
    """
    # A mirror turns what was turned before it the other way round.
    right = (seen - rotation if looks_mirrored else seen + rotation) % 360
    keys = [f"rotation = {right}"] if right != rotation else []
    if looks_mirrored:
        keys.append(f"mirrored = {'false' if is_mirrored else 'true'}")
    return ", ".join(keys) or "all is well"


def advice(
    layout: Layout, *, rotation: int, is_mirrored: bool, wiring: str | None
) -> Iterator[str]:
    """What there is to see, and which keys of [matrix] to change if it is otherwise.

    `wiring` is None where there is no chain of LEDs.
    """
    edges = " and ".join(layout.rail.split("-"))
    yield "Every LED in reading order, row by row from the north-west; then 64; then the rail,"
    yield f"along the {edges}; then an arrow to the north, and an E in the east of it."
    yield "If you see it otherwise, write below [matrix] in marrakech.toml:"
    if wiring is not None:
        other = "rows" if wiring == "zigzag" else "zigzag"
        yield f'  every second row, or column, runs backwards: wiring = "{other}", and look again'
    yield f"  {'the arrow points':<18}{'the E can be read':<21}the E is mirrored"
    for seen, point in POINTS.items():
        straight, mirrored = (mend_turned(rotation, is_mirrored, seen, m) for m in (False, True))
        yield f"  {point:<18}{straight:<21}{mirrored}"
    others = listed([f'"{rail}"' for rail in RAILS if rail != layout.rail])
    yield f"  the frame has its rail along other edges: rail = {others}"
