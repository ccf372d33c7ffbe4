"""Draws the level shifter and both kinds of matrix."""

from __future__ import annotations

from collections.abc import Mapping

from hardware.canvas import FAINT, PAPER, Canvas, Point, text_colour
from hardware.header import AHCT125_NAMES
from hardware.header_drawing import exit_points
from hardware.pinout import WIRES, Pinout

_CHIP_WEST, _CHIP_EAST, _MODULE = 1110.0, 1330.0, 1500.0
_GROUNDS, _FIVES, _STEP = _CHIP_WEST + 30, _CHIP_WEST + 172, 26
"""The x of the first ground and 5 V pins of the shifter, and their distance."""
_RESISTOR = 42
"""From the edge of the shifter to the middle of a resistor."""
_LEDS = 8


def draw_console(canvas: Canvas, pinout: Pinout) -> None:
    top = 120.0
    canvas.box((900, top), (860, 605), fill="none", line=FAINT)
    canvas.text((920, top + 26), "A · console: a MAX7219 module", "big")
    five, ground = pinout.power["5v"], pinout.power["ground_matrix"]
    start = exit_points(five, False)
    canvas.wire([*start, (_MODULE, start[-1][1])], five.wire)
    _chip(canvas, pinout, top, pinout.max7219)
    start = exit_points(ground, False)
    lane, bar = 886.0, top + 320
    canvas.wire([*start, (lane, start[-1][1]), (lane, bar), (_GROUNDS, bar)], ground.wire)
    for n, name in enumerate(pinout.gates):
        each = pinout.spi[name]
        start, y = exit_points(each, False), _gate_y(top, n)
        turn = 945.0 if y < start[-1][1] else 925.0
        canvas.wire([*start, (turn, start[-1][1]), (turn, y), (_CHIP_WEST, y)], each.wire)
        canvas.resistor((_CHIP_WEST - _RESISTOR, y), pinout.shifter_resistor)
    _module(canvas, top, "MAX7219 module", pinout.max7219)
    _leds(canvas, (_MODULE + 118, top + 84), is_chain=False)
    canvas.texts(
        (_MODULE, top + 300),
        [
            "Beside the board. ./marrakech light",
            "begins at the LED that is drawn red:",
            "turn the module until that one is in",
            "the north-west.",
        ],
        "small faint",
    )


def draw_frame(canvas: Canvas, pinout: Pinout) -> None:
    top = 750.0
    canvas.box((900, top), (860, 640), fill="none", line=FAINT)
    canvas.text((920, top + 26), "B · frame: 64 APA102, instead of A", "big")
    canvas.box((920, top + 52), (150, 100), fill="#eef1f4")
    canvas.text((934, top + 82), "5 V supply", "bold")
    canvas.text((934, top + 104), "3 A or more", "small")
    canvas.text((1056, top + 80), "+", "big", "middle")
    canvas.text((1056, top + 120), "−", "big", "middle")
    red, black = pinout.power["5v"].wire, pinout.power["ground_matrix"]
    canvas.wire([(1070, top + 80), (_MODULE, top + 80)], red)
    canvas.wire([(1070, top + 120), (_MODULE, top + 120)], black.wire)
    _chip(canvas, pinout, top, pinout.apa102)
    canvas.joint((_GROUNDS + 2 * _STEP, top + 120))
    canvas.wire([(1045, top + 320), (_GROUNDS, top + 320)], black.wire)
    _stub(canvas, (1046, top + 320), f"Pi {black.pin} (GND)", black.wire)
    for n, name in enumerate(pinout.gates):
        y, each = _gate_y(top, n), pinout.spi[name]
        canvas.wire([(1030, y), (_CHIP_WEST, y)], each.wire)
        _stub(canvas, (1032, y), f"Pi {each.pin} (BCM {each.bcm})", each.wire)
        canvas.resistor((_CHIP_WEST - _RESISTOR, y), pinout.shifter_resistor)
    _module(canvas, top, "APA102 strip", pinout.apa102)
    _leds(canvas, (_MODULE + 118, top + 84), is_chain=True)
    canvas.texts(
        (_MODULE, top + 300),
        [
            "Over the board, the first LED in the",
            "north-west. Every row runs from west",
            "to east: DO and CO of its end go back",
            "to DI and CI of the next row, at its",
            "western end. 5V and GND go to every",
            "row. 1000 µF from 5V to GND.",
        ],
        "small faint",
    )
    canvas.texts(
        (920, top + 618),
        [
            "The Pi keeps its own supply, and its 5V pin stays free: never join the two. GND is "
            "joined."
        ],
        "small bold",
    )


def _stub(canvas: Canvas, end: Point, words: str, wire: str) -> None:
    canvas.box((end[0] - 126, end[1] - 13), (126, 26), fill=WIRES[wire], round_by=4)
    canvas.text((end[0] - 63, end[1]), words, f"small {text_colour(wire)}", "middle")


def _gate_y(top: float, n: int) -> float:
    return top + 405 + 62 * n


def _chip(canvas: Canvas, pinout: Pinout, top: float, matrix: Mapping[str, str]) -> None:
    """The shifter, with power pins at its top and gates from west to east."""
    bar, upper = top + 320, top + 352
    red, black = pinout.power["5v"].wire, pinout.power["ground_matrix"].wire
    grounded = _grounded(pinout)
    east_end = _GROUNDS + _STEP * (len(grounded) - 1)
    to_module = _GROUNDS + 2 * _STEP
    canvas.wire([(_GROUNDS, bar), (east_end, bar)], black)
    canvas.wire([(to_module, bar), (to_module, top + 120), (_MODULE, top + 120)], black)
    canvas.joint((to_module, bar))
    canvas.wire([(_FIVES, top + 80), (_FIVES, bar), (_FIVES + _STEP, bar)], red)
    canvas.joint((_FIVES, top + 80), red)
    canvas.box((_CHIP_WEST, upper), (_CHIP_EAST - _CHIP_WEST, 216), fill="#39424d", round_by=8)
    for n, pin in enumerate(grounded):
        _power_pin(canvas, pin, (_GROUNDS + _STEP * n, bar), upper, black)
    for n, pin in enumerate((pinout.spare_enable, pinout.shifter_vcc)):
        _power_pin(canvas, pin, (_FIVES + _STEP * n, bar), upper, red)
    for n, (name, gate) in enumerate(pinout.gates.items()):
        y, middle = _gate_y(top, n), (_CHIP_WEST + _CHIP_EAST) / 2
        canvas.shape([(middle - 22, y - 20), (middle - 22, y + 20), (middle + 22, y)], fill="#fff")
        for pin, x, anchor in (
            (gate.input, _CHIP_WEST + 10, "start"),
            (gate.output, _CHIP_EAST - 10, "end"),
        ):
            canvas.text((x, y), f"{pin} ({AHCT125_NAMES[pin]})", "light", anchor)
        if name in matrix:
            turn, end = _CHIP_EAST + 92 + 24 * n, top + 160 + 40 * _signals(matrix).index(name)
            points = [(_CHIP_EAST, y), (turn, y), (turn, end), (_MODULE, end)]
            canvas.wire(points, pinout.spi[name].wire)
            if name in pinout.output_resistors:
                canvas.resistor((_CHIP_EAST + _RESISTOR, y), pinout.shifter_resistor)
        else:
            canvas.text((_CHIP_EAST + 8, y), "not used", "small faint")
    canvas.text(
        ((_CHIP_WEST + _CHIP_EAST) / 2, top + 586),
        "74AHCT125, not HCT · 100 nF from 14 to 7",
        "small",
        "middle",
    )


def _power_pin(canvas: Canvas, pin: int, at: Point, upper: float, wire: str) -> None:
    canvas.wire([at, (at[0], upper)], wire)
    canvas.text((at[0], upper + 14), str(pin), "small light", "middle")


def _signals(matrix: Mapping[str, str]) -> list[str]:
    return [name for name in matrix if name not in ("vcc", "ground")]


def _module(canvas: Canvas, top: float, name: str, matrix: Mapping[str, str]) -> None:
    canvas.box((_MODULE, top + 44), (250, 226), fill="#eef1f4")
    pins = [matrix["vcc"], matrix["ground"], *(matrix[each] for each in _signals(matrix))]
    for n, pin in enumerate(pins):
        canvas.text((_MODULE + 12, top + 80 + 40 * n), pin, "bold")
    canvas.text((_MODULE + 170, top + 62), name, "bold", "middle")


def _leds(canvas: Canvas, corner: Point, *, is_chain: bool) -> None:
    """The LEDs of the matrix; for a chain, with the path of the data."""
    step = 17
    canvas.text((corner[0] - 36, corner[1] + 16), "NW", "small bold")
    for y in range(_LEDS):
        row = corner[1] + 16 + 22 * y if is_chain else corner[1] + 16 + step * y
        if is_chain:
            ends = [(corner[0] - 6, row), (corner[0] + 7 * step, row)]
            if y < _LEDS - 1:
                ends += [(corner[0] + 7 * step + 4, row + 11), (corner[0] - 8, row + 11)]
                ends += [(corner[0] - 10, row + 22)]
            canvas.line(ends)
        for x in range(_LEDS):
            fill = "#d62728" if x == y == 0 else "#ffffff"
            canvas.circle((corner[0] + step * x, row), 5.5, fill=fill)


def draw_chip_from_above(canvas: Canvas, pinout: Pinout) -> None:
    """The case of the shifter, to find its pins on the breadboard."""
    canvas.box((60, 1110), (390, 264), fill="none", line=FAINT)
    canvas.text((76, 1134), "74AHCT125 from above", "bold")
    canvas.box((185, 1152), (145, 208), fill="#39424d", round_by=6)
    canvas.circle((257, 1154), 9, fill=PAPER)
    wires = dict.fromkeys(_grounded(pinout), pinout.power["ground_matrix"].wire)
    wires |= dict.fromkeys((pinout.shifter_vcc, pinout.spare_enable), pinout.power["5v"].wire)
    for name, gate in pinout.gates.items():
        wires |= {gate.input: pinout.spi[name].wire, gate.output: pinout.spi[name].wire}
    for pin in range(1, 15):
        is_west = pin <= 7
        y = 1174 + 28 * (pin - 1 if is_west else 14 - pin)
        if pin in wires:
            canvas.wire([(155, y), (185, y)] if is_west else [(330, y), (360, y)], wires[pin])
        words = f"{pin} {AHCT125_NAMES[pin]}" if is_west else f"{AHCT125_NAMES[pin]} {pin}"
        canvas.text((193 if is_west else 322, y), words, "light", "start" if is_west else "end")
        if use := _chip_use(pinout, pin):
            canvas.text((148 if is_west else 367, y), use, "small", "end" if is_west else "start")


def _chip_use(pinout: Pinout, pin: int) -> str:
    for name, gate in pinout.gates.items():
        if pin == gate.input or (pin == gate.output and name in pinout.output_resistors):
            return f"{name.upper()}, {pinout.shifter_resistor}"
        if pin == gate.output:
            return name.upper()
    if pin in (pinout.shifter_vcc, pinout.spare_enable):
        return "5V"
    return "GND" if pin in _grounded(pinout) else "open"


def _grounded(pinout: Pinout) -> list[int]:
    """The pins of the shifter that are connected to ground."""
    enables = [gate.enable for gate in pinout.gates.values()]
    return sorted([*enables, pinout.spare_input, pinout.shifter_ground])
