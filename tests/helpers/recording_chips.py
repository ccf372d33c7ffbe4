"""Simulated LED chips that record what they receive, and a frame to send them."""

from __future__ import annotations

from companion.adapters.virtual.spi import Apa102Strip, Light, Max7219Chip
from companion.light.frame import DARK, LedFrame
from companion.table.scenes.scene import Ink


class RecordingMax7219(Max7219Chip):
    """A MAX7219 that records the bytes it receives, and its LEDs after each transfer."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []
        self.lights: list[Light] = []

    def transfer(self, data: bytes) -> None:
        super().transfer(data)
        self.sent.append(data.hex())
        self.lights.append(self.light())


class RecordingStrip(Apa102Strip):
    """An APA102 strip that records the bytes it receives."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []

    def transfer(self, data: bytes) -> None:
        super().transfer(data)
        self.sent.append(data)


def frame_with(**inks: Ink) -> LedFrame:
    leds = list(DARK)
    for name, ink in inks.items():
        leds[int(name.removeprefix("led"))] = ink
    return tuple(leds)


SAMPLE_FRAME = frame_with(led0=Ink.RED, led1=Ink.BLUE, led8=Ink.WHITE, led63=Ink.BROWN)
