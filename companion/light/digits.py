"""Numbers on the market's 7 x 7 LEDs: two digits of 3 x 5, and a dot on top for each hundred."""

from __future__ import annotations

from companion.table.scene import led_at

_FONT = (
    "### #.# #.# #.# ###",
    ".#. ##. .#. .#. ###",
    "### ..# ### #.. ###",
    "### ..# ### ..# ###",
    "#.# #.# ### ..# ..#",
    "### #.. ### ..# ###",
    "### #.. ### #.# ###",
    "### ..# ..# .#. .#.",
    "### #.# ### #.# ###",
    "### #.# ### ..# ###",
)
_TOP = 1
_TENS, _ONES, _ALONE = 0, 4, 2
HIGHEST = 799


def number_leds(number: int) -> tuple[int, ...]:
    """The LEDs that say a number.

    Below ten, one digit stands in the middle. A hundred or more has both digits (07 is 7) and one
    LED in the northern row for each hundred.
    """
    if not 0 <= number <= HIGHEST:
        raise ValueError(f"{number} cannot be shown: 0 to {HIGHEST} can")
    hundreds, rest = divmod(number, 100)
    leds = [led_at(x, 0) for x in range(hundreds)]
    if number < 10:
        return tuple(_glyph(number, _ALONE))
    tens, ones = divmod(rest, 10)
    return (*leds, *_glyph(tens, _TENS), *_glyph(ones, _ONES))


def _glyph(digit: int, left: int) -> list[int]:
    rows = _FONT[digit].split()
    return [
        led_at(left + x, _TOP + y)
        for y, row in enumerate(rows)
        for x, dot in enumerate(row)
        if dot == "#"
    ]
