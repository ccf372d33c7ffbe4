"""The pins of the wiring guide, by their BCM numbers.

Made from hardware/pinout.toml by `python -m hardware.generate`: change that.
"""

from __future__ import annotations

# The buttons.
NORTH = 5
EAST = 6
SOUTH = 13
WEST = 19
BACK = 16
OK = 26

# The keys for 1, 2, 3 and 4 of the die.
DIE_KEYS = (17, 27, 22, 23)

# SPI0, which the matrix is on.
MOSI = 10
CE0 = 8
SCLK = 11
