"""The generated texts: wiring.md, pad-wiring.md, and the pins that the companion knows."""

from __future__ import annotations

from collections.abc import Iterable

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
_GENERATED = "<!-- Made from pinout.toml by `python -m hardware.generate`: change that. -->\n"

SECTIONS = {
    "both": "Every build",
    "console": "Console: a MAX7219 module",
    "frame": "Frame: APA102, on a supply of its own",
    "die keys": "Four die keys on the Pi (optional, instead of the pad)",
    "pad": "Keys",
    "pad LED": "An LED of your own (optional: D13 also lights the one on the board)",
}

NOTES = {
    "frame": "The Pi keeps its own supply and its 5V pin stays free: never join two supplies.\n\n",
}


def wiring_page(pinout: Pinout) -> str:
    free = "; ".join(f"BCM {bcm} ({what})" for bcm, what in pinout.kept_free.items())
    return (
        f"{_GENERATED}# Wiring of the table\n\n"
        "Drawn in [wiring.svg](wiring.svg), explained in [README.md](README.md). Pins of the Pi\n"
        "are those of its 40-pin header, with the BCM number that `marrakech.toml` uses in\n"
        "brackets. Colours are those of the drawing; any wire will do.\n"
        f"{_sections(table_wires(pinout))}\n"
        "The die pad needs no wire to the header: it is on USB, see\n"
        "[pad-wiring.md](pad-wiring.md).\n"
        f"\nKept free: {free}.\n\n{_supply(pinout)}"
    )


def pad_page(pinout: Pinout) -> str:
    return (
        f"{_GENERATED}# Wiring of the die pad\n\n"
        "Drawn in [pad-wiring.svg](pad-wiring.svg). An Arduino Nano, powered over its USB cable,\n"
        f"which goes to {pinout.pad_usb}.\n"
        f"{_sections(pad_wires(pinout))}\n"
        f"Nothing at all is wired to {pinout.pad_open}: its noise is for the die.\n"
    )


def _sections(wires: list[Wire]) -> str:
    builds = dict.fromkeys(wire.build for wire in wires)
    tables = {build: _table(wire for wire in wires if wire.build == build) for build in builds}
    return "".join(
        f"\n## {SECTIONS[build]}\n\n{NOTES.get(build, '')}{table}"
        for build, table in tables.items()
    )


def _table(wires: Iterable[Wire]) -> str:
    rows = "".join(
        f"| {wire.start[0]} | {wire.start[1]} | {wire.end[0]} | {wire.end[1]} | {wire.colour} |\n"
        for wire in wires
    )
    return f"| from | pin | to | pin | wire |\n|---|---|---|---|---|\n{rows}"


def _supply(pinout: Pinout) -> str:
    white, dark = pinout.current["apa102_white"], pinout.current["apa102_dark"]
    steps, full = pinout.current["apa102_steps"], pinout.current["max7219_full"]
    rows = "".join(
        f"| {n} | {amperes(apa102_ma(pinout, n))} | {amperes(max7219_ma(pinout, n))} |\n"
        for n in BRIGHTNESSES
    )
    return (
        "## What the matrix draws at most\n\n"
        f"All {LEDS} LEDs white, which a refusal comes close to. An APA102 draws {white} mA at\n"
        f"full white and {dark} mA when dark; `brightness` is so many of its {steps} steps:\n"
        f"{LEDS} × ({white} mA × brightness / {steps} + {dark} mA). At all {steps} steps it would\n"
        f"be {amperes(apa102_full_ma(pinout))}, but the companion goes no higher than 15. A\n"
        f"MAX7219 draws {full} mA × (2 × brightness + 1) / 32.\n\n"
        f"| `brightness` | {LEDS} APA102 | MAX7219 |\n|---|---|---|\n{rows}"
    )


def amperes(milliamperes: int) -> str:
    return f"{milliamperes / 1000:.2f} A"


def pinout_module(pinout: Pinout) -> str:
    """companion/config/pinout.py: the BCM numbers by name."""
    buttons = "".join(f"{name.upper()} = {each.bcm}\n" for name, each in pinout.buttons.items())
    keys = ", ".join(str(each.bcm) for each in pinout.die_keys.values())
    spi = "".join(f"{name.upper()} = {each.bcm}\n" for name, each in pinout.spi.items())
    return (
        '"""The pins of the wiring guide, by their BCM numbers.\n\n'
        "Made from hardware/pinout.toml by `python -m hardware.generate`: change that.\n"
        '"""\n\n'
        "from __future__ import annotations\n\n"
        f"# The buttons.\n{buttons}\n"
        f"# The keys for 1, 2, 3 and 4 of the die.\nDIE_KEYS = ({keys})\n\n"
        f"# SPI0, which the matrix is on.\n{spi}"
    )
