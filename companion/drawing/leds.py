"""Draws the LEDs over a picture of the market."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

from companion.drawing.market import led_centre
from companion.light.frame import LedFrame
from companion.light.rgb import RGB
from companion.table.scenes.scene import MATRIX

MONO_RGB = (255, 60, 40)
"""Most MAX7219 modules are red."""
_RADIUS = 13
_GLOW = 34
_OFF_RGB = (70, 62, 58)
_OUTLINE_RGB = (30, 24, 20)
_BOARD_BRIGHTNESS = 0.72
"""The board is darkened so that LEDs are visible on light squares."""


def draw_leds(board: Image.Image, frame: LedFrame, *, is_mono: bool) -> Image.Image:
    """The board with the LEDs of a frame over it."""
    light = Image.new("RGB", board.size)
    glow = ImageDraw.Draw(light)
    colours = [ink and (MONO_RGB if is_mono else RGB[ink]) for ink in frame]
    for led, colour in enumerate(colours):
        if colour:
            x, y = led_centre(led % MATRIX, led // MATRIX)
            glow.ellipse((x - _GLOW, y - _GLOW, x + _GLOW, y + _GLOW), colour)
    dimmed = ImageEnhance.Brightness(board).enhance(_BOARD_BRIGHTNESS)
    image = ImageChops.screen(dimmed, light.filter(ImageFilter.GaussianBlur(14)))
    draw = ImageDraw.Draw(image)
    for led, colour in enumerate(colours):
        x, y = led_centre(led % MATRIX, led // MATRIX)
        if not colour:
            draw.ellipse((x - 6, y - 6, x + 6, y + 6), _OFF_RGB)
            continue
        box = (x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS)
        draw.ellipse(box, colour, _OUTLINE_RGB, 2)
        draw.ellipse((x - 5, y - 5, x + 5, y + 5), tuple((255 + part) // 2 for part in colour))
    return image
