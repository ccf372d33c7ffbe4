"""Pins of the Raspberry Pi's 40-pin header, the Arduino Nano and the 74AHCT125."""

from __future__ import annotations

# Physical pin: BCM number.
BCM = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10,
    21: 9, 22: 25, 23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19,
    36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
POWER = {
    1: "3V3", 2: "5V", 4: "5V", 17: "3V3",
    6: "GND", 9: "GND", 14: "GND", 20: "GND", 25: "GND", 30: "GND", 34: "GND", 39: "GND",
}  # fmt: skip
PINS = range(1, 41)

RESERVED = {0: "the ID EEPROM of a HAT", 1: "the ID EEPROM of a HAT"}
"""BCM numbers that must not be used."""
POWER_BUTTON = 3
"""The BCM number that starts a Pi that is shut down, when it is connected to ground."""
SPI0 = {"mosi": 10, "miso": 9, "sclk": 11, "ce0": 8, "ce1": 7}

# From above with the USB socket at the top; from top to bottom.
NANO_LEFT = (
    "D13", "3V3", "REF", "A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "5V", "RST", "GND", "VIN",
)  # fmt: skip
NANO_RIGHT = (
    "D12", "D11", "D10", "D9", "D8", "D7", "D6", "D5", "D4", "D3", "D2", "GND", "RST", "RX0", "TX1",
)  # fmt: skip
# The pins of the chip for the digital pins of the Nano.
NANO_AVR = {
    **{f"D{n}": f"PD{n}" for n in range(8)},
    **{f"D{n}": f"PB{n - 8}" for n in range(8, 14)},
}

# 74AHCT125: enable, input and output of each gate.
AHCT125_GATES = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
AHCT125_NAMES = (
    "", "1OE", "1A", "1Y", "2OE", "2A", "2Y", "GND", "3Y", "3A", "3OE", "4Y", "4A", "4OE", "VCC",
)  # fmt: skip
