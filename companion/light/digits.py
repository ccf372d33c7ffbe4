"""Glyphs of 3 x 5 LEDs on the 7 x 7 LEDs of the market: numbers, codes, colour letters."""

from __future__ import annotations

from companion.table.scenes.scene import led_at

_DIGITS = (
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
MAX_NUMBER = 799


def number_leds(number: int) -> tuple[int, ...]:
    """The LEDs of a number.

    Below 10: one digit in the middle. From 100: two digits (07 is 7) and one LED in the northern
    row for each hundred.
    """
    if not 0 <= number <= MAX_NUMBER:
        raise ValueError(f"{number} cannot be shown: use 0 to {MAX_NUMBER}")
    hundreds, rest = divmod(number, 100)
    leds = [led_at(x, 0) for x in range(hundreds)]
    if number < 10:
        return tuple(_glyph(_DIGITS[number], _ALONE))
    tens, ones = divmod(rest, 10)
    return (*leds, *_glyph(_DIGITS[tens], _TENS), *_glyph(_DIGITS[ones], _ONES))


_DOTS = ((), (led_at(3, 0),), (led_at(2, 0), led_at(4, 0)))


def code_leds(code: str, pair: int) -> tuple[int, ...]:
    """The LEDs of two digits of a code: pair 1, pair 2, or 0 for the dark pause.

    One dot in the northern row marks the first pair, two dots the second. The digits are one row
    lower than those of a number, so that no score looks like a code.
    """
    if not pair:
        return ()
    tens, ones = divmod(int(code[2 * pair - 2 : 2 * pair]), 10)
    return (
        *_DOTS[pair],
        *_glyph(_DIGITS[tens], _TENS, _BELOW_DOTS),
        *_glyph(_DIGITS[ones], _ONES, _BELOW_DOTS),
    )


def letter_leds(letters: str) -> list[list[int]]:
    """The LEDs of each letter: one letter in the middle, two side by side."""
    columns = (_ALONE,) if len(letters) == 1 else (_TENS, _ONES)
    return [_glyph(_LETTERS[letter], left) for letter, left in zip(letters, columns, strict=True)]


def _glyph(shape: str, left: int, top: int = _TOP) -> list[int]:
    rows = shape.split()
    return [
        led_at(left + x, top + y)
        for y, row in enumerate(rows)
        for x, dot in enumerate(row)
        if dot == "#"
    ]
