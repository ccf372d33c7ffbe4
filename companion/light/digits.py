"""Signs on the market's 7 x 7 LEDs, 3 x 5 each: numbers, a code, and the letters of the colours."""

from __future__ import annotations

from companion.table.scenes.scene import led_at

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
_LETTERS = {
    "R": "##. #.# ##. #.# #.#",
    "Y": "#.# #.# .#. .#. .#.",
    "B": "##. #.# ##. #.# ##.",
    "N": "### #.# #.# #.# #.#",
    "-": "... ... ### ... ...",
}
_TOP, _BELOW_DOTS = 1, 2
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
        return tuple(_glyph(_FONT[number], _ALONE))
    tens, ones = divmod(rest, 10)
    return (*leds, *_glyph(_FONT[tens], _TENS), *_glyph(_FONT[ones], _ONES))


_DOTS = ((), (led_at(3, 0),), (led_at(2, 0), led_at(4, 0)))


def code_leds(code: str, pair: int) -> tuple[int, ...]:
    """The LEDs of two digits of a code: pair 1, pair 2, or 0 for the pause before it begins again.

    One dot in the northern row says that they are the first two, two dots that they are the last.
    They stand a row lower than a number, so that no score has dots like these.
    """
    if not pair:
        return ()
    tens, ones = divmod(int(code[2 * pair - 2 : 2 * pair]), 10)
    return (
        *_DOTS[pair],
        *_glyph(_FONT[tens], _TENS, _BELOW_DOTS),
        *_glyph(_FONT[ones], _ONES, _BELOW_DOTS),
    )


def letter_leds(letters: str) -> list[list[int]]:
    """The LEDs of each letter: one stands in the middle, two side by side."""
    places = (_ALONE,) if len(letters) == 1 else (_TENS, _ONES)
    return [_glyph(_LETTERS[one], left) for one, left in zip(letters, places, strict=True)]


def _glyph(shape: str, left: int, top: int = _TOP) -> list[int]:
    rows = shape.split()
    return [
        led_at(left + x, top + y)
        for y, row in enumerate(rows)
        for x, dot in enumerate(row)
        if dot == "#"
    ]
