"""The generated texts: wiring.md, pad-wiring.md and companion/config/pinout.py."""

from __future__ import annotations

from hardware.pinout import Pinout
from hardware.wires import (
    LEDS,
    Wire,
    apa102_full_ma,
    apa102_ma,
    max7219_ma,
    pad_wires,
    table_wires,
)

BRIGHTNESSES = (1, 3, 5, 8, 10, 15)
_GENERATED = (
    "<!-- Generated from pinout.toml by `python -m hardware.generate`: edit pinout.toml. -->\n"
)

SECTIONS = {
    "both": "Every build",
    "console": "Console: a MAX7219 module",
    "frame": "Frame: APA102, with a separate supply",
    "die keys": "Four die keys on the Pi (optional, instead of the pad)",
    "power button": "Power button (optional, not for a Pi 5)",
    "pad": "Keys",
    "pad LED": "External LED (optional: D13 also drives the LED on the board)",
}

NOTES = {
    "power button": "See *A power button* in [README.md](README.md): it needs one setting.\n\n",
    "frame": "The Pi keeps its own supply. Its 5V pin stays free: never connect two supplies.\n\n",
}


def wiring_page(pinout: Pinout) -> str:
    free = "; ".join(f"BCM {bcm} ({what})" for bcm, what in pinout.kept_free.items())
    return (
        f"{_GENERATED}# Wiring of the table\n\n"
        "The drawing is [wiring.svg](wiring.svg), the guide is [README.md](README.md). Pins of\n"
        "the Pi are those of its 40-pin header; the BCM number, which `marrakech.toml` uses, is\n"
        "in brackets. Colours are those of the drawing; any colour will do. A resistor is in\n"
        "series with its wire: plug it from the pin of the shifter to a free row of the\n"
        "breadboard, and the wire into that row.\n"
        f"{_sections(table_wires(pinout))}\n"
        "The die pad is connected over USB: see [pad-wiring.md](pad-wiring.md).\n"
        f"\nKept free: {free}.\n\n{_supply(pinout)}"
    )


def pad_page(pinout: Pinout) -> str:
    return (
        f"{_GENERATED}# Wiring of the die pad\n\n"
        "The drawing is [pad-wiring.svg](pad-wiring.svg). The Arduino Nano is powered over its\n"
        f"USB cable, which goes to {pinout.pad_usb}.\n"
        f"{_sections(pad_wires(pinout))}\n"
        f"Leave {pinout.pad_open} open: its noise is used for the die.\n"
    )


def _sections(wires: list[Wire]) -> str:
    builds = dict.fromkeys(wire.build for wire in wires)
    tables = {build: _table([wire for wire in wires if wire.build == build]) for build in builds}
    return "".join(
        f"\n## {SECTIONS[build]}\n\n{NOTES.get(build, '')}{table}"
        for build, table in tables.items()
    )


def _table(wires: list[Wire]) -> str:
    """With a column for resistors if there are any."""
    names = ["from", "pin", "to", "pin", "wire"]
    rows = [[*wire.start, *wire.end, wire.colour] for wire in wires]
    if any(wire.resistor for wire in wires):
        names.append("resistor")
        rows = [[*row, wire.resistor] for row, wire in zip(rows, wires, strict=True)]
    lines = [names, ["---"] * len(names), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _supply(pinout: Pinout) -> str:
    white, dark = pinout.current["apa102_white"], pinout.current["apa102_dark"]
    steps, full = pinout.current["apa102_steps"], pinout.current["max7219_full"]
    rows = "".join(
        f"| {n} | {amperes(apa102_ma(pinout, n))} | {amperes(max7219_ma(pinout, n))} |\n"
        for n in BRIGHTNESSES
    )
    return (
        "## Maximum current of the matrix\n\n"
        f"With all {LEDS} LEDs white (a refusal comes close). An APA102 draws {white} mA at\n"
        f"full white and {dark} mA when dark, and has {steps} steps of brightness:\n"
        f"{LEDS} × ({white} mA × brightness / {steps} + {dark} mA). At step {steps} that would be\n"
        f"{amperes(apa102_full_ma(pinout))}, but the companion uses 15 at most. A MAX7219 draws\n"
        f"{full} mA × (2 × brightness + 1) / 32.\n\n"
        f"| `brightness` | {LEDS} APA102 | MAX7219 |\n|---|---|---|\n{rows}"
    )


def amperes(milliamperes: int) -> str:
    return f"{milliamperes / 1000:.2f} A"


def pinout_module(pinout: Pinout) -> str:
    """The text of companion/config/pinout.py."""
    buttons = "".join(f"{name.upper()} = {each.bcm}\n" for name, each in pinout.buttons.items())
    keys = ", ".join(str(each.bcm) for each in pinout.die_keys.values())
    spi = "".join(f"{name.upper()} = {each.bcm}\n" for name, each in pinout.spi.items())
    return (
        '"""BCM pins of the wiring guide.\n\n'
        "Generated from hardware/pinout.toml by `python -m hardware.generate`: edit pinout.toml.\n"
        '"""\n\n'
        "from __future__ import annotations\n\n"
        f"# Buttons.\n{buttons}\n"
        f"# Die keys 1, 2, 3 and 4.\nDIE_KEYS = ({keys})\n\n"
        f"# SPI0, for the matrix.\n{spi}"
    )
