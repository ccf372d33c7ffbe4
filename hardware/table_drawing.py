"""Draws wiring.svg: the header in the middle, contacts on the left, both matrices on the right."""

from __future__ import annotations

from hardware.canvas import Canvas
from hardware.contact_drawing import draw_contacts
from hardware.header_drawing import draw_header
from hardware.matrix_drawing import draw_chip_from_above, draw_console, draw_frame
from hardware.pinout import Pinout


def draw_table(pinout: Pinout) -> str:
    canvas = Canvas(1790, 1410, "Wiring of the Marrakech table")
    canvas.text((60, 50), "Wiring of the table", "title")
    canvas.texts(
        (60, 84),
        [
            "Circles are the Pi's header as seen from above: the number in a circle is the "
            "physical pin, the label beside it names its use and its BCM number.",
            "Unplug everything before you wire. 5 V never touches a pin that has a BCM number. A "
            "dot joins wires; wires that only cross are not joined.",
        ],
        "faint",
    )
    draw_header(canvas, pinout)
    draw_contacts(canvas, pinout)
    draw_console(canvas, pinout)
    draw_frame(canvas, pinout)
    _nano(canvas)
    draw_chip_from_above(canvas, pinout)
    return canvas.svg()


def _nano(canvas: Canvas) -> None:
    x, y = 505.0, 1170.0
    canvas.wire([(557, 1025), (557, y)], "grey")
    canvas.text((575, 1100), "USB cable", "small")
    canvas.box((x, y), (310, 120), is_optional=True)
    canvas.box((x + 32, y - 10), (40, 22), fill="#c9ced3", round_by=3)
    canvas.text((x + 155, y + 34), "die pad: Arduino Nano", "bold", "middle")
    canvas.texts(
        (x + 155, y + 62),
        ["(optional) five keys and an LED,", "see pad-wiring.svg"],
        "small",
        "middle",
    )
