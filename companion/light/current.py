"""The current that APA102 LEDs draw, and the brightness that keeps it within a limit."""

from __future__ import annotations

from collections.abc import Iterable

# Datasheet: 20 mA for each colour at full, scaled by the brightness. The chip of a dark LED draws
# about 1 mA. hardware/README.md uses the same figures.
COLOUR_MA = 20
DARK_MA = 1
FULL = 255
STEPS = 31
"""The highest value of the global brightness of an LED."""

DEFAULT_LIMIT_MA = 2000
"""Two thirds of the supply in hardware/README.md, 5 V 3 A."""
MIN_LIMIT_MA = 200
"""64 white LEDs at brightness 1 draw 188 mA: a lower limit cannot be met."""

Rgb = tuple[int, int, int]


def estimate_ma(colours: Iterable[Rgb], brightness: int) -> float:
    """The current of LEDs with these colours, at a brightness of 0 to 31."""
    leds = list(colours)
    return _total_ma(len(leds), _colours_ma(leds), brightness)


def brightness_within(colours: Iterable[Rgb], brightness: int, limit_ma: float) -> int:
    """The highest brightness, up to `brightness`, with an estimate within `limit_ma`.

    Never reduces the brightness to 0.
    """
    leds = list(colours)
    count, colours_ma = len(leds), _colours_ma(leds)
    while brightness > 1 and _total_ma(count, colours_ma, brightness) > limit_ma:
        brightness -= 1
    return brightness


def _colours_ma(colours: list[Rgb]) -> float:
    return COLOUR_MA * sum(map(sum, colours)) / FULL


def _total_ma(count: int, colours_ma: float, brightness: int) -> float:
    return DARK_MA * count + colours_ma * brightness / STEPS
