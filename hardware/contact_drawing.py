"""Draws buttons and die keys: a wire to each, and a common ground."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.canvas import Canvas
from hardware.header_drawing import exit_points
from hardware.pinout import HeaderPin, Pinout

_BUS, _CONTACT_WEST, _CONTACT_EAST = 95.0, 145.0, 275.0


def draw_contacts(canvas: Canvas, pinout: Pinout) -> None:
    canvas.box((60, 130), (270, 92), is_optional=True)
    canvas.text((195, 146), "power button (optional)", "bold", "middle")
    ground = pinout.power["ground_power_button"]
    _contact_group(canvas, pinout.power_button.values(), ground, [194], 166)

    canvas.box((60, 246), (270, 286), is_optional=True)
    canvas.text((195, 268), "four die keys (optional)", "bold", "middle")
    ground = pinout.power["ground_die_keys"]
    _contact_group(canvas, pinout.die_keys.values(), ground, [338 + 48 * n for n in range(4)], 312)
    canvas.text((195, 517), "instead of the pad", "small faint", "middle")

    canvas.box((60, 545), (270, 490))
    canvas.text((195, 567), "six buttons", "bold", "middle")
    ground = pinout.power["ground_buttons"]
    _contact_group(canvas, pinout.buttons.values(), ground, [614 + 66 * n for n in range(6)], 1005)
    canvas.texts(
        (60, 1062),
        [
            "Each contact joins its wire to GND when it is",
            "pressed; the pull-ups are inside the Pi.",
        ],
        "small faint",
    )


def _contact_group(
    canvas: Canvas,
    pins: Iterable[HeaderPin],
    ground: HeaderPin,
    heights: list[int],
    ground_y: float,
) -> None:
    """Draw contacts in the order of their wires. Each wire has its own vertical lane."""
    ordered = sorted(pins, key=lambda each: exit_points(each, True)[-1][1])
    starts = [exit_points(each, True) for each in ordered]
    rising = [n for n, start in enumerate(starts) if heights[n] <= start[-1][1]]
    is_first = ground_y < heights[0]
    lanes = {n: 440.0 - 18 * (i + is_first) for i, n in enumerate(rising)}
    falling = [n for n in range(len(ordered)) if n not in lanes]
    lanes |= {n: 440.0 - 18 * (i + 1) for i, n in enumerate(reversed(falling))}
    start = exit_points(ground, True)
    furthest = heights[-1] if is_first else heights[0]
    bus = [(440.0, start[-1][1]), (440.0, ground_y), (_BUS, ground_y), (_BUS, furthest)]
    canvas.wire([*start, *bus], ground.wire)
    for n, each in enumerate(ordered):
        y = heights[n]
        canvas.wire([(_BUS, y), (_CONTACT_WEST, y)], ground.wire)
        if y != furthest:
            canvas.joint((_BUS, y))
        turn = lanes[n]
        points = [*starts[n], (turn, starts[n][-1][1]), (turn, y), (_CONTACT_EAST, y)]
        canvas.wire(points, each.wire)
        canvas.box((_CONTACT_WEST, y - 21), (130, 42), fill="#eef1f4", round_by=10)
        canvas.circle((_CONTACT_WEST + 22, y), 12, fill="#ffffff")
        name = f"key {each.name}" if each.name.isdigit() else each.name.upper()
        canvas.text((_CONTACT_WEST + 80, y), name, "bold", "middle")
