"""Draws the LEDs of the virtual chip over the board, and the labels of the rail."""

from __future__ import annotations

from functools import cache

from rich.cells import cell_len, set_cell_size

from companion.adapters.virtual.spi import Light
from companion.games.marrakech.market import SIZE
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.simulator.board_view.board import Cardboard, disc_pixels
from companion.simulator.board_view.canvas import Canvas, Pixel, mix
from companion.simulator.board_view.layout import LABEL_WIDTH, BoardLayout
from companion.simulator.board_view.palette import DULL, INK, LIT_NAME
from companion.table.scenes.scene import MATRIX, led_at
from companion.table.scenes.stage_scenes import LINK, PENDING, SIMULATED, UNSAVED

_WHITE: Pixel = (255, 255, 255)
_BLACK: Pixel = (0, 0, 0)
_GLOW = 0.55
"""The share of an LED's colour on the pixels next to it."""

_STATUS_LABELS = {
    LINK: message("rail.pad"),
    UNSAVED: message("rail.disk"),
    SIMULATED: message("rail.simulated"),
    PENDING: message("rail.heard"),
}


def draw_leds(base: Canvas, layout: BoardLayout, light: Light) -> Canvas:
    """A copy of the drawn board with the lit LEDs on it."""
    canvas = base.copy()
    for led, colour in enumerate(light):
        if any(colour):
            y, x = divmod(led, MATRIX)
            _draw_glow(canvas, layout, layout.middle(x, y), colour)
    for led, colour in enumerate(light):
        if any(colour):
            y, x = divmod(led, MATRIX)
            _draw_led(canvas, layout, layout.middle(x, y), colour)
    return canvas


@cache
def _glow_pixels(pitch: int, radius: int) -> tuple[tuple[int, int, float], ...]:
    """Offsets of the pixels that an LED illuminates, with the share of its colour."""
    far = 0.75 * pitch
    span = range(-int(far), int(far) + 1)
    found = []
    for y in span:
        for x in span:
            distance = (x * x + y * y) ** 0.5
            if radius < distance < far:
                found.append((x, y, _GLOW * (1 - (distance - radius) / (far - radius)) ** 2))
    return tuple(found)


def _draw_glow(canvas: Canvas, layout: BoardLayout, middle: tuple[int, int], colour: Pixel) -> None:
    across, down = middle
    for x, y, share in _glow_pixels(layout.pitch, layout.radius):
        if 0 <= down + y < 2 * canvas.rows and 0 <= across + x < canvas.width:
            row = canvas.pixels[down + y]
            row[across + x] = mix(row[across + x], colour, share)


def _draw_led(canvas: Canvas, layout: BoardLayout, middle: tuple[int, int], colour: Pixel) -> None:
    """Draw the LED: white in the middle, with dark corners."""
    across, down = middle
    spots = set(disc_pixels(layout.radius))
    span = range(-layout.radius, layout.radius + 1)
    for y in span:
        for x in span:
            row = canvas.pixels[down + y]
            if (x, y) not in spots:
                row[across + x] = mix(mix(row[across + x], _BLACK, 0.7), colour, 0.4)
            elif x * x + y * y < layout.radius * layout.radius / 2:
                row[across + x] = mix(colour, _WHITE, 0.65)
            else:
                row[across + x] = colour


def draw_rail_labels(
    canvas: Canvas, layout: BoardLayout, cardboard: Cardboard, light: Light, renderer: TextRenderer
) -> None:
    """Write the meaning of each LED of the rail next to it, brighter if it is lit."""
    canvas.chars = dict(canvas.chars)
    for y, meaning in enumerate(cardboard.rail_labels):
        _draw_label(canvas, layout, (SIZE, y), renderer.render(meaning), light)
    for seat, colours in enumerate(cardboard.seats):
        x, _ = layout.middle(seat, SIZE)
        name = "+".join(colour.letter for colour in colours)
        if len(colours) == 1 and layout.pitch >= 6:
            name = renderer.render_value(colours[0])
        _write_under(canvas, layout, x, name, INK[colours[0]])
    for led, meaning in _STATUS_LABELS.items():
        _draw_label(canvas, layout, (led % MATRIX, led // MATRIX), renderer.render(meaning), light)


def _draw_label(
    canvas: Canvas, layout: BoardLayout, place: tuple[int, int], meaning: str, light: Light
) -> None:
    ink = LIT_NAME if any(light[led_at(*place)]) else DULL
    across, down = layout.middle(*place)
    if place[0] < SIZE:
        _write_under(canvas, layout, across, meaning, ink)
    elif layout.has_labels:
        meaning = _cut(meaning, LABEL_WIDTH)
        canvas.write(layout.label_column(cell_len(meaning)), down // 2, meaning, ink)


def _write_under(canvas: Canvas, layout: BoardLayout, across: int, text: str, ink: Pixel) -> None:
    text = _cut(text, layout.pitch if layout.pitch >= 6 else 3)
    canvas.write(across - (cell_len(text) - 1) // 2, layout.names_row, text, ink)


def _cut(text: str, cells: int) -> str:
    """Cut text to a number of cells; some characters take two."""
    return text if cell_len(text) <= cells else set_cell_size(text, cells).rstrip()
