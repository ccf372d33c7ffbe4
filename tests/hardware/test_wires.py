"""Wires: every pin has one, and tables and drawings show all of them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from companion.adapters.matrix import open_matrix
from companion.light.frame import LedFrame
from companion.table.scenes.scene import Ink
from hardware.canvas import RESISTOR
from hardware.pinout import WIRES, read_pinout
from hardware.wires import (
    APA102,
    MAX7219,
    PI,
    SHIFTER,
    SUPPLY,
    Wire,
    apa102_full_ma,
    apa102_ma,
    jumper_counts,
    max7219_ma,
    pad_wires,
    table_wires,
)

HARDWARE = Path(__file__).parents[2] / "hardware"
PINOUT = read_pinout()
BUILDS = {
    "console": ("both", "console", "die keys", "power button"),
    "frame": ("both", "frame", "die keys", "power button"),
    "pad": ("pad", "pad LED"),
}
SVG = "{http://www.w3.org/2000/svg}"


def wires_of(build: str) -> list[Wire]:
    return [
        wire for wire in (*table_wires(PINOUT), *pad_wires(PINOUT)) if wire.build in BUILDS[build]
    ]


# --- Wires --------------------------------------------------------------------------------


@pytest.mark.parametrize("build", BUILDS)
def test_only_power_and_ground_wires_share_pins(build: str) -> None:
    wires = wires_of(build)
    ends = Counter(end for wire in wires for end in wire.ends)
    power = {end for wire in wires if wire.is_power for end in wire.ends}
    assert [end for end, count in ends.items() if count > 1 and end not in power] == []
    signals = {end for wire in wires if not wire.is_power for end in wire.ends}
    assert signals & power == set()


@pytest.mark.parametrize("build", BUILDS)
def test_power_is_red_or_black_and_signals_are_neither(build: str) -> None:
    for wire in wires_of(build):
        assert (wire.colour in ("red", "black")) == wire.is_power


@pytest.mark.parametrize("build", ["console", "frame"])
def test_every_pin_of_the_pinout_has_a_wire(build: str) -> None:
    wired = {end[1].split()[0] for wire in wires_of(build) for end in wire.ends if end[0] == PI}
    wanted = {str(each.pin) for each in PINOUT.header_pins()}
    assert wired == (wanted if build == "console" else wanted - {str(PINOUT.power["5v"].pin)})


@pytest.mark.parametrize("build", ["console", "frame"])
def test_5_v_and_ground_are_never_connected(build: str) -> None:
    wires = [wire for wire in wires_of(build) if wire.is_power]
    red = {end for wire in wires if wire.colour == "red" for end in wire.ends}
    black = {end for wire in wires if wire.colour == "black" for end in wire.ends}
    assert red & black == set()


@pytest.mark.parametrize("build", ["console", "frame"])
def test_a_row_of_the_breadboard_has_enough_holes(build: str) -> None:
    """It has five: one is for the pin of the shifter, one at 7 and 14 for the capacitor."""
    ends = Counter(end for wire in wires_of(build) for end in wire.ends if end[0] == SHIFTER)
    ends.update([(SHIFTER, "7 (GND)"), (SHIFTER, "14 (VCC)")])
    assert [end for end, count in ends.items() if count > 4] == []


def test_the_two_supplies_of_the_frame_are_not_connected() -> None:
    ends = {end for wire in wires_of("frame") for end in wire.ends}
    assert (SUPPLY, "+") in ends
    assert not [end for end in ends if end[0] == PI and "5V" in end[1]]
    assert not [end for wire in wires_of("console") for end in wire.ends if end[0] == SUPPLY]


@pytest.mark.parametrize(
    ("build", "matrix", "pins"),
    [
        ("console", MAX7219, {"DIN": "mosi", "CS": "ce0", "CLK": "sclk"}),
        ("frame", APA102, {"DI": "mosi", "CI": "sclk"}),
    ],
)
def test_the_bus_reaches_the_matrix_through_a_gate(
    build: str, matrix: str, pins: dict[str, str]
) -> None:
    signals = [wire for wire in wires_of(build) if not wire.is_power]
    into = {wire.end: wire.start for wire in signals}
    for pin, name in pins.items():
        gate, spi = PINOUT.gates[name], PINOUT.spi[name]
        chip, output = into[matrix, pin]
        assert output.startswith(f"{gate.output} ")
        (source,) = [
            into[end] for end in into if end[0] == chip and end[1].startswith(f"{gate.input} ")
        ]
        assert source == (PI, f"{spi.pin} (BCM {spi.bcm})")


def test_the_tables_list_every_wire_once() -> None:
    for page, wires in (
        ("wiring.md", table_wires(PINOUT)),
        ("pad-wiring.md", pad_wires(PINOUT)),
    ):
        text = (HARDWARE / page).read_text(encoding="utf-8")
        rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
        cells = [[cell.strip() for cell in row] for row in rows]
        listed = [(*row[:5], "".join(row[5:])) for row in cells if len(row) > 4 and row[4] in WIRES]
        assert sorted(listed) == sorted(
            (*wire.start, *wire.end, wire.colour, wire.resistor) for wire in wires
        )


def test_every_input_of_the_shifter_and_its_fast_outputs_have_a_resistor() -> None:
    """Inputs: a pin of the Pi never feeds LEDs without power. Outputs: CLK and data of both."""
    for wire in table_wires(PINOUT):
        is_input = wire.end[0] == SHIFTER and not wire.is_power
        is_fast = wire.end in {
            (matrix, pins[name])
            for matrix, pins in ((MAX7219, PINOUT.max7219), (APA102, PINOUT.apa102))
            for name in ("mosi", "sclk")
        }
        assert wire.resistor == ("330 Ω" if is_input or is_fast else "")
    assert len([wire for wire in table_wires(PINOUT) if wire.resistor]) == 3 + 2 + 2


@pytest.mark.parametrize(
    ("build", "counts"),
    [
        (("both", "console"), {"female to male": 17, "male to male": 10}),
        (("die keys",), {"female to male": 5, "male to male": 3}),
        (("power button",), {"female to male": 2}),
        (("pad",), {"female to male": 6, "male to male": 4}),
    ],
)
def test_jumper_wires_have_the_ends_of_their_pins(
    build: tuple[str, ...], counts: dict[str, int]
) -> None:
    wires = [wire for wire in (*table_wires(PINOUT), *pad_wires(PINOUT)) if wire.build in build]
    assert jumper_counts(wires) == counts


# --- The drawings -------------------------------------------------------------------------


def drawing(name: str) -> ET.Element:
    return ET.fromstring((HARDWARE / name).read_text(encoding="utf-8"))


def texts(name: str) -> list[str]:
    return [element.text or "" for element in drawing(name).iter(f"{SVG}text")]


def test_the_drawing_labels_every_pin_with_its_use_and_number() -> None:
    labels = texts("wiring.svg")
    for name, each in {**PINOUT.buttons, **PINOUT.power_button, **PINOUT.spi}.items():
        assert f"{name.upper()} · BCM {each.bcm}" in labels
    for name, each in PINOUT.die_keys.items():
        assert f"die {name} · BCM {each.bcm}" in labels
    assert [str(pin) for pin in range(1, 41) if str(pin) not in labels] == []


def test_the_drawing_of_the_pad_labels_every_used_pin_twice() -> None:
    labels = Counter(texts("pad-wiring.svg"))
    for each in (*PINOUT.pad_keys.values(), PINOUT.pad_led):
        assert labels[each.nano] == 2
    assert labels[PINOUT.pad_open] == 1


@pytest.mark.parametrize("name", ["wiring.svg", "pad-wiring.svg"])
def test_the_drawings_are_well_formed_and_nothing_is_outside(name: str) -> None:
    root = drawing(name)
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    assert root.attrib["viewBox"] == f"0 0 {width} {height}"
    places = [
        (float(each.attrib[x]), float(each.attrib[y]))
        for each in root.iter()
        for x, y in (("x", "y"), ("cx", "cy"))
        if x in each.attrib
    ]
    for line in root.iter(f"{SVG}polyline"):
        places += [
            (float(x), float(y))
            for x, y in (point.split(",") for point in line.attrib["points"].split())
        ]
    assert len(places) > 100
    assert [at for at in places if not (0 <= at[0] <= width and 0 <= at[1] <= height)] == []


@pytest.mark.parametrize(
    ("name", "wires"),
    [("wiring.svg", table_wires(PINOUT)), ("pad-wiring.svg", pad_wires(PINOUT))],
)
def test_every_wire_colour_is_drawn(name: str, wires: list[Wire]) -> None:
    drawn = {line.attrib["stroke"] for line in drawing(name).iter(f"{SVG}polyline")}
    assert {WIRES[wire.colour] for wire in wires} <= drawn


def drawn_lines(name: str, colour: str) -> list[list[tuple[float, float]]]:
    return [
        [(float(x), float(y)) for x, y in (point.split(",") for point in points.split())]
        for line in drawing(name).iter(f"{SVG}polyline")
        if line.attrib["stroke"] == colour
        for points in [line.attrib["points"]]
    ]


def is_on(at: tuple[float, float], line: list[tuple[float, float]]) -> bool:
    """Whether a point is on a horizontal piece of a line."""
    return any(
        start[1] == end[1] == at[1] and min(start[0], end[0]) < at[0] < max(start[0], end[0])
        for start, end in pairwise(line)
    )


@pytest.mark.parametrize("name", ["wiring.svg", "pad-wiring.svg"])
def test_the_drawing_has_each_resistor_on_its_wire(name: str) -> None:
    """The wires of `both` are drawn twice: to the shifter of each matrix."""
    wires = table_wires(PINOUT) if name == "wiring.svg" else pad_wires(PINOUT)
    wanted = Counter(
        (wire.colour, wire.resistor)
        for wire in wires
        for _ in range(2 if wire.build == "both" else 1)
        if wire.resistor
    )
    boxes = [box for box in drawing(name).iter(f"{SVG}rect") if box.attrib["fill"] == RESISTOR]
    drawn = Counter(
        (colour, label.text)
        for box in boxes
        for x, y, width, height in [[float(box.attrib[k]) for k in ("x", "y", "width", "height")]]
        for at in [(x + width / 2, y + height / 2)]
        for colour in WIRES
        if any(is_on(at, line) for line in drawn_lines(name, WIRES[colour]))
        for label in drawing(name).iter(f"{SVG}text")
        if abs(float(label.attrib["x"]) - at[0]) < 1 and abs(float(label.attrib["y"]) - at[1]) < 9
    )
    assert drawn == wanted


# --- Current and LEDs ---------------------------------------------------------------------


def test_the_current_depends_on_the_brightness() -> None:
    assert apa102_full_ma(PINOUT) == 3840
    assert [apa102_ma(PINOUT, brightness) for brightness in (0, 3, 8, 15)] == [64, 436, 1055, 1922]
    assert [max7219_ma(PINOUT, brightness) for brightness in (0, 3, 15)] == [10, 72, 320]


class RecordingSpi:
    """An SPI device that keeps the last transfer."""

    max_speed_hz = 0

    def open(self, bus: int, device: int) -> None: ...
    def close(self) -> None: ...
    def writebytes(self, data: list[int]) -> None:
        self.last = list(data)


def leds_sent(frame: LedFrame, brightness: int) -> list[list[int]]:
    """The bytes for each LED of the chain: brightness, blue, green, red."""
    bus = RecordingSpi()
    matrix = open_matrix("apa102", bus, brightness=brightness)
    matrix.show(frame)
    return [bus.last[4 + 4 * led : 8 + 4 * led] for led in range(64)]


@pytest.mark.parametrize("brightness", [0, 3, 15])
def test_white_is_sent_with_the_brightness_as_one_of_31_steps(brightness: int) -> None:
    sent = leds_sent((Ink.WHITE,) * 64, brightness)
    assert sent == [[0xE0 | brightness, 255, 255, 255]] * 64
    assert brightness / PINOUT.current["apa102_steps"] <= 15 / 31


def test_the_chain_starts_in_the_north_west_and_rows_run_east() -> None:
    for led in (0, 7, 8, 63):
        frame = tuple(Ink.WHITE if each == led else None for each in range(64))
        assert [at for at, sent in enumerate(leds_sent(frame, 3)) if sent[1]] == [led]
