"""BCM pins of the wiring guide.

Generated from hardware/pinout.toml by `python -m hardware.generate`: edit pinout.toml.
"""

from __future__ import annotations

# Buttons.
NORTH = 5
EAST = 6
SOUTH = 13
WEST = 19
BACK = 16
OK = 26

# Die keys 1, 2, 3 and 4.
DIE_KEYS = (17, 27, 22, 23)

# SPI0, for the matrix.
MOSI = 10
CE0 = 8
SCLK = 11
