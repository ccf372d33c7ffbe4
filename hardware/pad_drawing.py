"""Draws pad-wiring.svg: the Nano, its keys on the right and its LED on the left."""

from __future__ import annotations

from hardware.canvas import Canvas, text_colour
from hardware.header import NANO_LEFT, NANO_RIGHT
from hardware.pinout import WIRES, Pinout

_TOP, _ROW = 200, 36
_LEFT, _RIGHT = 420.0, 660.0
_KEY, _BUS = 880.0, 1100.0


def draw_pad(pinout: Pinout) -> str:
    canvas = Canvas(1160, 860, "Wiring of the die pad")
    canvas.text((50, 50), "Wiring of the die pad", "title")
    canvas.text(
        (50, 84),
        "An Arduino Nano from above, its USB socket at the top. Keys connect to GND; the pull-ups "
        "are in the Nano.",
        "faint",
    )
    _nano(canvas, pinout)
    _keys(canvas, pinout)
    _led(canvas, pinout)
    canvas.text((50, 820), f"Leave {pinout.pad_open} open: its noise is used for the die.", "bold")
    canvas.text((50, 795), f"The USB cable goes to {pinout.pad_usb}, and powers the pad.")
    return canvas.svg()


def _row_y(pins: tuple[str, ...], name: str) -> float:
    return _TOP + _ROW * pins.index(name)


def _nano(canvas: Canvas, pinout: Pinout) -> None:
    canvas.box((_LEFT - 26, 150), (_RIGHT - _LEFT + 52, 592), fill="#1f5c8b", round_by=10)
    canvas.box((505, 130), (70, 50), fill="#c9ced3", round_by=3)
    canvas.text((540, 152), "USB", "bold", "middle")
    canvas.text((540, 300), "Arduino Nano", "light bold", "middle")
    canvas.text((540, 324), "(ATmega328P)", "light", "middle")
    used = {each.nano: each.wire for each in pinout.pad_keys.values()}
    used |= {pinout.pad_led.nano: pinout.pad_led.wire, pinout.pad_ground: "black"}
    for pins, x, inward, anchor in (
        (NANO_LEFT, _LEFT, 20, "start"),
        (NANO_RIGHT, _RIGHT, -20, "end"),
    ):
        for name in pins:
            y = _row_y(pins, name)
            canvas.circle((x, y), 11, fill=WIRES[used[name]] if name in used else "#d9d9d9")
            style = "light bold" if name in used or name == pinout.pad_open else "small light"
            canvas.text((x + inward, y), name, style, anchor)
    open_y = _row_y(NANO_LEFT, pinout.pad_open)
    canvas.text((_LEFT - 40, open_y), "leave open", "bold", "end")


def _keys(canvas: Canvas, pinout: Pinout) -> None:
    """In the order of the pins, so that wires do not cross."""
    ordered = sorted(pinout.pad_keys.items(), key=lambda item: _row_y(NANO_RIGHT, item[1].nano))
    heights = [240 + 84 * n for n in range(len(ordered))]
    lane = 752.0
    for n, (name, each) in enumerate(ordered):
        start, y = _row_y(NANO_RIGHT, each.nano), heights[n]
        turn = lane + 22 * n
        canvas.wire([(_RIGHT + 11, start), (turn, start), (turn, y), (_KEY, y)], each.wire)
        canvas.wire([(_KEY + 140, y), (_BUS, y)], "black")
        if n:
            canvas.joint((_BUS, y))
        canvas.box((_KEY, y - 24), (140, 48), fill="#eef1f4", round_by=10)
        canvas.circle((_KEY + 26, y), 14, fill="#ffffff")
        label = "ROLL" if name == "roll" else f"key {name}"
        canvas.text((_KEY + 86, y), label, "bold", "middle")
        canvas.box((_RIGHT + 30, start - 12), (46, 24), fill=WIRES[each.wire], round_by=4)
        style = f"small {text_colour(each.wire)}"
        canvas.text((_RIGHT + 53, start), each.nano, style, "middle")
    ground = _row_y(NANO_RIGHT, pinout.pad_ground)
    canvas.wire(
        [(_RIGHT + 11, ground), (752, ground), (752, 700), (_BUS, 700), (_BUS, heights[0])], "black"
    )


def _led(canvas: Canvas, pinout: Pinout) -> None:
    y, ground = _row_y(NANO_LEFT, pinout.pad_led.nano), _row_y(NANO_LEFT, pinout.pad_ground)
    canvas.box((40, 150), (310, 120), is_optional=True)
    canvas.text((195, 252), "an external LED (optional)", "small", "middle")
    canvas.wire([(_LEFT - 11, y), (130, y)], pinout.pad_led.wire)
    canvas.resistor((270, y), pinout.pad_resistor)
    canvas.wire([(100, y), (64, y), (64, ground), (_LEFT - 11, ground)], "black")
    canvas.shape([(130, y - 18), (130, y + 18), (100, y)], fill="#ff6b5e")
    canvas.line([(100, y - 18), (100, y + 18)])
    canvas.text((142, y - 26), "+ long leg", "small")
    canvas.text((378, y - 20), pinout.pad_led.nano, "small bold", "middle")
