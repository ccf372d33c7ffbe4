"""The LEDs over the cardboard: what the virtual chip shows, as light, in the order of a scene."""

from __future__ import annotations

from functools import cache

from rich.cells import cell_len, set_cell_size

from companion.adapters.virtual.spi import Light
from companion.games.marrakech.market import SIZE
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.simulator.board import Cardboard, disc
from companion.simulator.canvas import Canvas, Pixel, mix
from companion.simulator.layout import LABEL, BoardLayout
from companion.simulator.palette import DULL, INK, LIT_NAME
from companion.table.scenes.scene import MATRIX, led_at
from companion.table.scenes.stage_scenes import HEARD, LINK, SIMULATED, UNSAVED

_WHITE: Pixel = (255, 255, 255)
_BLACK: Pixel = (0, 0, 0)
_GLOW = 0.55
"""How much of the light falls right beside a LED."""

_MARKS = {
    LINK: message("rail.pad"),
    UNSAVED: message("rail.disk"),
    SIMULATED: message("rail.simulated"),
    HEARD: message("rail.heard"),
}


def shine(base: Canvas, plan: BoardLayout, light: Light) -> Canvas:
    """The drawn cardboard with the light over it."""
    canvas = base.copy()
    for led, colour in enumerate(light):
        if any(colour):
            y, x = divmod(led, MATRIX)
            _glow(canvas, plan, plan.middle(x, y), colour)
    for led, colour in enumerate(light):
        if any(colour):
            y, x = divmod(led, MATRIX)
            _burn(canvas, plan, plan.middle(x, y), colour)
    return canvas


@cache
def _halo(pitch: int, radius: int) -> tuple[tuple[int, int, float], ...]:
    """Where the light of a LED falls, and how much of it."""
    far = 0.75 * pitch
    span = range(-int(far), int(far) + 1)
    found = []
    for y in span:
        for x in span:
            distance = (x * x + y * y) ** 0.5
            if radius < distance < far:
                found.append((x, y, _GLOW * (1 - (distance - radius) / (far - radius)) ** 2))
    return tuple(found)


def _glow(canvas: Canvas, plan: BoardLayout, middle: tuple[int, int], colour: Pixel) -> None:
    across, down = middle
    for x, y, share in _halo(plan.pitch, plan.radius):
        if 0 <= down + y < 2 * canvas.rows and 0 <= across + x < canvas.width:
            row = canvas.pixels[down + y]
            row[across + x] = mix(row[across + x], colour, share)


def _burn(canvas: Canvas, plan: BoardLayout, middle: tuple[int, int], colour: Pixel) -> None:
    """The LED itself: white-hot in the middle, in a dark socket."""
    across, down = middle
    spots = set(disc(plan.radius))
    span = range(-plan.radius, plan.radius + 1)
    for y in span:
        for x in span:
            row = canvas.pixels[down + y]
            if (x, y) not in spots:
                row[across + x] = mix(mix(row[across + x], _BLACK, 0.7), colour, 0.4)
            elif x * x + y * y < plan.radius * plan.radius / 2:
                row[across + x] = mix(colour, _WHITE, 0.65)
            else:
                row[across + x] = colour


def name_lamps(
    canvas: Canvas, plan: BoardLayout, cardboard: Cardboard, light: Light, speech: TextRenderer
) -> None:
    """What each LED of the rail means, beside it; what is lit is named brightly."""
    canvas.signs = dict(canvas.signs)
    for y, meaning in enumerate(cardboard.meanings):
        _name(canvas, plan, (SIZE, y), speech.say(meaning), light)
    for seat, colours in enumerate(cardboard.seats):
        x, _ = plan.middle(seat, SIZE)
        name = "+".join(colour.letter for colour in colours)
        if len(colours) == 1 and plan.pitch >= 6:
            name = speech.word(colours[0])
        _write_under(canvas, plan, x, name, INK[colours[0]])
    for led, meaning in _MARKS.items():
        _name(canvas, plan, (led % MATRIX, led // MATRIX), speech.say(meaning), light)


def _name(
    canvas: Canvas, plan: BoardLayout, place: tuple[int, int], meaning: str, light: Light
) -> None:
    ink = LIT_NAME if any(light[led_at(*place)]) else DULL
    across, down = plan.middle(*place)
    if place[0] < SIZE:
        _write_under(canvas, plan, across, meaning, ink)
    elif plan.has_labels:
        meaning = _cut(meaning, LABEL)
        canvas.write(plan.label_column(cell_len(meaning)), down // 2, meaning, ink)


def _write_under(canvas: Canvas, plan: BoardLayout, across: int, text: str, ink: Pixel) -> None:
    text = _cut(text, plan.pitch if plan.pitch >= 6 else 3)
    canvas.write(across - (cell_len(text) - 1) // 2, plan.names_row, text, ink)


def _cut(text: str, cells: int) -> str:
    """As much of it as there is room for; some letters take two places."""
    return text if cell_len(text) <= cells else set_cell_size(text, cells).rstrip()
