"""A canvas of half-block characters with two pixels each, and text over them."""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Pixel = tuple[int, int, int]
"""Red, green, blue."""

_WIDE_CELLS = 2
_BLACK: Pixel = (12, 10, 10)
_WHITE: Pixel = (255, 252, 240)


def mix(one: Pixel, other: Pixel, share: float) -> Pixel:
    """Blend two colours; `share` is the part of `other`, from 0 to 1."""
    return (
        round(one[0] + (other[0] - one[0]) * share),
        round(one[1] + (other[1] - one[1]) * share),
        round(one[2] + (other[2] - one[2]) * share),
    )


def brightness(colour: Pixel) -> float:
    """Perceived brightness, 0 to 255."""
    red, green, blue = colour
    return 0.3 * red + 0.59 * green + 0.11 * blue


def readable(ink: Pixel, ground: Pixel, contrast: int = 60) -> Pixel:
    """The ink, or black or white if its contrast with the ground is too low."""
    if abs(brightness(ink) - brightness(ground)) >= contrast:
        return ink
    return _BLACK if brightness(ground) > 110 else _WHITE


@lru_cache(maxsize=1 << 13)
def style_of(ink: Pixel, ground: Pixel) -> Style:
    return Style(color=Color.from_rgb(*ink), bgcolor=Color.from_rgb(*ground))


class Canvas:
    """`width` characters by `rows` lines, which is `width` by `2 * rows` pixels."""

    def __init__(self, width: int, rows: int, ground: Pixel) -> None:
        self.width = width
        self.rows = rows
        self.pixels = [[ground] * width for _ in range(2 * rows)]
        self.chars: dict[tuple[int, int], tuple[str, Pixel]] = {}

    def copy(self) -> Canvas:
        copy = Canvas(0, 0, _BLACK)
        copy.width, copy.rows = self.width, self.rows
        copy.pixels = [row.copy() for row in self.pixels]
        copy.chars = self.chars  # shared: nobody writes on a copy
        return copy

    def fill(self, left: int, top: int, width: int, height: int, colour: Pixel) -> None:
        for row in self.pixels[top : top + height]:
            row[left : left + width] = [colour] * width

    def write(self, column: int, row: int, text: str, ink: Pixel) -> None:
        """Write text; wide characters take two cells, combining marks join the one before."""
        at = column
        for char in text:
            cells = cell_len(char)
            if 0 <= at <= self.width - cells and 0 <= row < self.rows:
                if cells:
                    self.chars[at, row] = (char, ink)
                elif (before := self.chars.get((at - 1, row))) is not None:
                    self.chars[at - 1, row] = (before[0] + char, ink)
                if cells == _WIDE_CELLS:
                    self.chars[at + 1, row] = ("", ink)
            at += cells

    def strip(self, row: int) -> Strip:
        """A line as Textual segments of equal style."""
        upper, lower = self.pixels[2 * row], self.pixels[2 * row + 1]
        segments: list[Segment] = []
        run, style = "", style_of(_WHITE, _BLACK)
        for column, (top, bottom) in enumerate(zip(upper, lower, strict=True)):
            written = self.chars.get((column, row))
            if written is not None:
                ground = top if top == bottom else mix(top, bottom, 0.5)
                text, its_style = written[0], style_of(readable(written[1], ground), ground)
            elif top == bottom:
                text, its_style = " ", style_of(top, top)
            else:
                text, its_style = "▀", style_of(top, bottom)
            if its_style is not style:
                if run:
                    segments.append(Segment(run, style))
                run, style = "", its_style
            run += text
        segments.append(Segment(run, style))
        return Strip(segments, self.width)
