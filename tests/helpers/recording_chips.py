"""Chips that remember what they were sent, and a picture to send them."""

from __future__ import annotations

from companion.adapters.virtual.spi import Apa102Strip, Light, Max7219Chip
from companion.light.frame import DARK, Picture
from companion.table.scenes.scene import Ink


class Recorder(Max7219Chip):
    """A MAX7219 that remembers what it was sent, and each light that it gave."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []
        self.lights: list[Light] = []

    def transfer(self, data: bytes) -> None:
        super().transfer(data)
        self.sent.append(data.hex())
        self.lights.append(self.light())


class RecordingStrip(Apa102Strip):
    """APA102 that remember what they were sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []

    def transfer(self, data: bytes) -> None:
        super().transfer(data)
        self.sent.append(data)


def picture_with(**inks: Ink) -> Picture:
    leds = list(DARK)
    for name, ink in inks.items():
        leds[int(name.removeprefix("led"))] = ink
    return tuple(leds)


SOME = picture_with(led0=Ink.RED, led1=Ink.BLUE, led8=Ink.WHITE, led63=Ink.BROWN)
