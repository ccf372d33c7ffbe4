"""The LEDs over the market, dark and shining."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

from companion.drawing.market import centre
from companion.light.frame import Picture
from companion.light.rgb import RGB
from companion.table.scenes.scene import MATRIX

MONO = (255, 60, 40)
"""The usual MAX7219 module shines red."""
_RADIUS = 13
_GLOW = 34
_OFF = (70, 62, 58)
_EVENING = 0.72
"""How bright the room is, so that light can be seen on light squares."""


def shine(board: Image.Image, shown: Picture, *, is_mono: bool) -> Image.Image:
    """The board with the matrix over it."""
    light = Image.new("RGB", board.size)
    glow = ImageDraw.Draw(light)
    colours = [ink and (MONO if is_mono else RGB[ink]) for ink in shown]
    for led, colour in enumerate(colours):
        if colour:
            x, y = centre(led % MATRIX, led // MATRIX)
            glow.ellipse((x - _GLOW, y - _GLOW, x + _GLOW, y + _GLOW), colour)
    evening = ImageEnhance.Brightness(board).enhance(_EVENING)
    image = ImageChops.screen(evening, light.filter(ImageFilter.GaussianBlur(14)))
    draw = ImageDraw.Draw(image)
    for led, colour in enumerate(colours):
        x, y = centre(led % MATRIX, led // MATRIX)
        if not colour:
            draw.ellipse((x - 6, y - 6, x + 6, y + 6), _OFF)
            continue
        box = (x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS)
        draw.ellipse(box, colour, (30, 24, 20), 2)
        draw.ellipse((x - 5, y - 5, x + 5, y + 5), tuple((255 + part) // 2 for part in colour))
    return image
