"""The positions of the GPIO pins on the Pi's 40-pin header."""

from __future__ import annotations

from companion.adapters.hardware import pins_of
from companion.config import pinout
from companion.config.model import Config
from companion.table.inputs import Button

# BCM number: pin of the header.
HEADER_PINS = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32,
    13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18,
    25: 22, 26: 37, 27: 13,
}  # fmt: skip
_SPI0 = {"MOSI": pinout.MOSI, "SCLK": pinout.SCLK, "CE0": pinout.CE0}


def pin_label(bcm: int) -> str:
    """`pin 29 (BCM 5)`, as in the building guide."""
    return f"pin {HEADER_PINS[bcm]} (BCM {bcm})"


def contact_label(key: Button | int) -> str:
    """`button NORTH`, `die key 3`."""
    return f"button {key.name}" if isinstance(key, Button) else f"die key {key}"


def pinout_text(config: Config) -> str:
    """Which pin is used for what, according to the config."""
    lines = [f"{contact_label(key):13} {pin_label(bcm)}" for key, bcm in pins_of(config).items()]
    if config.matrix.bus == 0:
        lines += [f"{f'matrix {line}':13} {pin_label(bcm)}" for line, bcm in _SPI0.items()]
    else:
        lines.append(f"{'matrix':13} SPI{config.matrix.bus}")
    return "\n".join(lines) + "\n"
