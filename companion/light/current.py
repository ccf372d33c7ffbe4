"""What APA102 draw, and how bright a picture may be so that the supply can carry it."""

from __future__ import annotations

from collections.abc import Iterable

# The datasheet has 20 mA for each colour at full, and the brightness scales them; the chip of a
# dark LED still draws about 1 mA. The builder's guide calculates with the same figures.
COLOUR_MA = 20
DARK_MA = 1
FULL = 255
STEPS = 31
"""Of the brightness that a LED is told beside its colours."""

MOST_MA = 2000
"""Two thirds of the guide's supply, 5 V 3 A; unless told otherwise."""
LEAST_MA = 200
"""64 white LEDs at the first step draw 188 mA: a lower cap could not be kept."""

Colour = tuple[int, int, int]


def estimate_ma(colours: Iterable[Colour], brightness: int) -> float:
    """What LEDs of these colours draw when they are so bright, of 31."""
    leds = list(colours)
    return _drawn_ma(len(leds), _colours_ma(leds), brightness)


def brightness_within(colours: Iterable[Colour], brightness: int, most_ma: float) -> int:
    """The brightness that keeps the estimate within `most_ma`: this one, or a lower one.

    What was not dark does not go dark.
    """
    leds = list(colours)
    count, colours_ma = len(leds), _colours_ma(leds)
    while brightness > 1 and _drawn_ma(count, colours_ma, brightness) > most_ma:
        brightness -= 1
    return brightness


def _colours_ma(colours: list[Colour]) -> float:
    return COLOUR_MA * sum(map(sum, colours)) / FULL


def _drawn_ma(count: int, colours_ma: float, brightness: int) -> float:
    return DARK_MA * count + colours_ma * brightness / STEPS
