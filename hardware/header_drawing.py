"""Draws the header of the Pi, and computes where wires leave the board."""

from __future__ import annotations

from hardware.canvas import BOARD, Canvas, Point, text_colour
from hardware.header import BCM, PINS, POWER, RESERVED, SPI0
from hardware.pinout import WIRES, HeaderPin, Pinout

_TOP, _ROW = 200, 36
_ODD, _EVEN, _WEST, _EAST = 640.0, 680.0, 462.0, 858.0
"""The x of the two rows of pins, and of the edges where wires leave the board."""
_TAG = (152, 26)


def _row_y(pin: int) -> float:
    return _TOP + _ROW * ((pin - 1) // 2)


def draw_header(canvas: Canvas, pinout: Pinout) -> None:
    canvas.box((_WEST - 12, 150), (_EAST - _WEST + 24, 860), fill=BOARD, round_by=16)
    canvas.text(((_ODD + _EVEN) / 2, 172), "Raspberry Pi · SD card at this end", "light", "middle")
    used = {each.pin: each for each in pinout.header_pins()}
    canvas.box((_ODD - 18, _TOP - 18), (76, _ROW * 20), fill="#2b2b2b", round_by=4)
    for pin in PINS:
        is_odd = pin % 2 == 1
        each = used.get(pin)
        fill = WIRES[each.wire] if each else "#d9d9d9"
        if pin == 1:  # square on every Pi
            canvas.box((_ODD - 14, _TOP - 14), (28, 28), fill=fill, round_by=2)
        else:
            canvas.circle((_ODD if is_odd else _EVEN, _row_y(pin)), 14, fill=fill)
        style = f"small {text_colour(each.wire)}" if each else "small"
        canvas.text((_ODD if is_odd else _EVEN, _row_y(pin)), str(pin), style, "middle")
        _tag(canvas, pinout, pin, each)
    for x in (_WEST + 40, _EAST - 150):
        canvas.box((x, 945), (110, 80), fill="#c9ced3", round_by=4)
        canvas.text((x + 55, 985), "USB", "bold", "middle")


def _tag(canvas: Canvas, pinout: Pinout, pin: int, each: HeaderPin | None) -> None:
    x, y = (_WEST if pin % 2 else _EAST - _TAG[0]), _row_y(pin)
    bcm = BCM.get(pin)
    if each:
        canvas.box((x, y - 13), _TAG, fill=WIRES[each.wire], round_by=4)
        words = POWER[pin] if bcm is None else f"{_use(pinout, each)} · BCM {bcm}"
        style = f"bold {text_colour(each.wire)}"
    else:
        words, style = (
            POWER[pin] if bcm is None else f"BCM {bcm}{_unused_reason(pinout, bcm)}",
            "small light",
        )
    canvas.text((x + _TAG[0] / 2, y), words, style, "middle")


def _unused_reason(pinout: Pinout, bcm: int) -> str:
    if bcm in RESERVED:
        return " (reserved)"
    if bcm in pinout.kept_free:
        return " (kept free)"
    return " (taken by SPI0)" if bcm in SPI0.values() else ""


def _use(pinout: Pinout, each: HeaderPin) -> str:
    return f"die {each.name}" if each is pinout.die_keys.get(each.name) else each.name.upper()


def exit_points(each: HeaderPin, to_the_west: bool) -> list[Point]:
    """The path of a wire to the edge of the board: at its label, or between two rows."""
    y = _row_y(each.pin)
    if to_the_west == (each.pin % 2 == 1):
        return [(_WEST if to_the_west else _EAST, y)]
    between = y + _ROW / 2
    start = _ODD if each.pin % 2 else _EVEN
    return [(start, y + 14), (start, between), (_WEST if to_the_west else _EAST, between)]
