"""Reads and checks pinout.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.header import (
    AHCT125_GATES,
    BCM,
    NANO_AVR,
    NANO_LEFT,
    NANO_RIGHT,
    POWER,
    POWER_BUTTON,
    RESERVED,
    SPI0,
)

SOURCE = Path(__file__).with_name("pinout.toml")
WIRES = {
    "black": "#222222",
    "brown": "#8b5a2b",
    "red": "#d62728",
    "orange": "#f58a1f",
    "yellow": "#e8c400",
    "green": "#2ca02c",
    "blue": "#1f66c1",
    "violet": "#8e44ad",
    "grey": "#8a8f94",
    "white": "#f7f7f7",
    "pink": "#f07ab5",
}


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """A used pin of the Pi's header. Power and ground have no BCM number."""

    name: str
    pin: int
    wire: str
    bcm: int | None = None


@dataclass(frozen=True, slots=True)
class Gate:
    """The pins of a gate of the level shifter."""

    enable: int
    input: int
    output: int


@dataclass(frozen=True, slots=True)
class PadPin:
    nano: str
    avr: str
    wire: str


@dataclass(frozen=True, slots=True)
class Pinout:
    spi: Mapping[str, HeaderPin]
    buttons: Mapping[str, HeaderPin]
    die_keys: Mapping[str, HeaderPin]
    power_button: Mapping[str, HeaderPin]
    power: Mapping[str, HeaderPin]
    kept_free: Mapping[int, str]
    shifter_vcc: int
    shifter_ground: int
    shifter_resistor: str
    output_resistors: tuple[str, ...]
    gates: Mapping[str, Gate]
    spare_enable: int
    spare_input: int
    max7219: Mapping[str, str]
    apa102: Mapping[str, str]
    pad_usb: str
    pad_ground: str
    pad_resistor: str
    pad_keys: Mapping[str, PadPin]
    pad_led: PadPin
    pad_open: str
    pad_adc: int
    current: Mapping[str, int]

    def header_pins(self) -> list[HeaderPin]:
        """All used pins of the header."""
        groups = (self.spi, self.buttons, self.die_keys, self.power_button, self.power)
        return [each for group in groups for each in group.values()]


def read_pinout(text: str | None = None) -> Pinout:
    table = tomllib.loads(SOURCE.read_text(encoding="utf-8") if text is None else text)
    pi, shifter, pad = table["pi"], table["shifter"], table["pad"]
    return Pinout(
        spi=_header_pins(pi["spi"]),
        buttons=_header_pins(pi["buttons"]),
        die_keys=_header_pins(pi["die_keys"]),
        power_button=_header_pins(pi["power_button"]),
        power=_header_pins(pi["power"]),
        kept_free={int(bcm): what for bcm, what in pi["kept_free"].items()},
        shifter_vcc=shifter["vcc"],
        shifter_ground=shifter["ground"],
        shifter_resistor=shifter["resistors"]["value"],
        output_resistors=tuple(shifter["resistors"]["outputs"]),
        gates={
            name: Gate(gate["enable"], gate["in"], gate["out"])
            for name, gate in shifter["gates"].items()
        },
        spare_enable=shifter["spare"]["enable"],
        spare_input=shifter["spare"]["in"],
        max7219=table["matrix"]["max7219"],
        apa102=table["matrix"]["apa102"],
        pad_usb=pad["usb"],
        pad_ground=pad["ground_keys"],
        pad_resistor=pad["led_resistor"],
        pad_keys={name: PadPin(**each) for name, each in pad["keys"].items()},
        pad_led=PadPin(**pad["led"]),
        pad_open=pad["open"]["nano"],
        pad_adc=pad["open"]["adc"],
        current=table["current"],
    )


def _header_pins(table: Mapping[str, Any]) -> dict[str, HeaderPin]:
    return {name: HeaderPin(name, **each) for name, each in table.items()}


# --- Checks -------------------------------------------------------------------------------


def faults(pinout: Pinout) -> list[str]:
    """One line for each error: pins that do not exist, conflict or must stay free."""
    return [*_header_faults(pinout), *_shifter_faults(pinout), *_pad_faults(pinout)]


def _header_faults(pinout: Pinout) -> Iterator[str]:
    users: dict[int, str] = {}
    for each in pinout.header_pins():
        if each.wire not in WIRES:
            yield f"{each.name}: there is no {each.wire} wire"
        if each.pin in users:
            yield f"pin {each.pin} is used by {users[each.pin]} and {each.name}"
        users[each.pin] = each.name
        if each.name in pinout.power:
            wanted = "GND" if each.name.startswith("ground") else "5V"
            if POWER.get(each.pin) != wanted:
                yield f"{each.name}: pin {each.pin} is not a {wanted} pin"
        elif each.bcm is None or BCM.get(each.pin) != each.bcm:
            yield f"{each.name}: BCM {each.bcm} is not at pin {each.pin}"
        elif each.bcm in RESERVED:
            yield f"{each.name}: BCM {each.bcm} is reserved for {RESERVED[each.bcm]}"
        elif each.name in pinout.power_button:
            if each.bcm != POWER_BUTTON:
                yield f"{each.name}: only BCM {POWER_BUTTON} starts a Pi that is shut down"
        elif each.bcm in pinout.kept_free:
            yield f"{each.name}: BCM {each.bcm} is kept free ({pinout.kept_free[each.bcm]})"
        elif each.name not in pinout.spi and each.bcm in SPI0.values():
            yield f"{each.name}: BCM {each.bcm} belongs to SPI0"
    for name, each in pinout.spi.items():
        if each.bcm != SPI0.get(name):
            yield f"{name}: BCM {each.bcm} is not SPI0's {name}"


def _shifter_faults(pinout: Pinout) -> Iterator[str]:
    if (pinout.shifter_vcc, pinout.shifter_ground) != (14, 7):
        yield "the shifter's supply is 14 and its ground 7"
    for name, gate in pinout.gates.items():
        if (gate.enable, gate.input, gate.output) not in AHCT125_GATES:
            yield f"{name}: {gate.enable}, {gate.input}, {gate.output} is not a gate of a 74AHCT125"
    used = [*(gate.enable for gate in pinout.gates.values()), pinout.spare_enable]
    if len(set(used)) != len(used):
        yield "a gate of the shifter is used twice"
    for name in pinout.output_resistors:
        if name not in pinout.gates:
            yield f"there is no gate {name} for a resistor"
    spare = (pinout.spare_enable, pinout.spare_input)
    if spare not in [gate[:2] for gate in AHCT125_GATES]:
        yield f"the spare gate: {spare[0]}, {spare[1]} is not a gate of a 74AHCT125"


def _pad_faults(pinout: Pinout) -> Iterator[str]:
    pins = {
        **{f"key {name}": each for name, each in pinout.pad_keys.items()},
        "LED": pinout.pad_led,
    }
    users: dict[str, str] = {pinout.pad_open: "noise"}
    for name, each in pins.items():
        if NANO_AVR.get(each.nano) != each.avr:
            yield f"the pad's {name}: {each.nano} is not {each.avr}"
        if each.wire not in WIRES:
            yield f"the pad's {name}: there is no {each.wire} wire"
        if each.nano in ("D0", "D1"):
            yield f"the pad's {name}: {each.nano} is the serial line"
        if each.nano in users:
            yield f"the pad's {each.nano} is used by {users[each.nano]} and {name}"
        users[each.nano] = name
    if pinout.pad_open != f"A{pinout.pad_adc}":
        yield f"the pad's noise: {pinout.pad_open} is not input {pinout.pad_adc}"
    for name in (*users, pinout.pad_ground):
        if name not in NANO_LEFT + NANO_RIGHT:
            yield f"a Nano has no pin {name}"
