"""The baseline of `marrakech bench table`: a minimal gpiozero and luma script.

A press writes a line, calls fdatasync and draws a frame. No game, debounce, loop or threads.
"""

from __future__ import annotations

import os

from gpiozero import DigitalInputDevice, Factory
from luma.core.interface.serial import noop, spi
from luma.core.render import canvas
from luma.led_matrix.device import max7219

from companion.adapters.matrix import SpiDevice


def run_bare(path: str, device: SpiDevice, pin_factory: Factory) -> list[DigitalInputDevice]:
    matrix = max7219(spi(spi=device, gpio=noop(), gpio_DC=None, gpio_RST=None))
    journal = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    presses = 0

    def pressed() -> None:
        nonlocal presses
        presses += 1
        os.write(journal, b'{"presses":%d}\n' % presses)
        os.fdatasync(journal)
        with canvas(matrix) as draw:
            draw.point((presses % 8, 3), fill="white")

    buttons = []
    for pin in (5, 6, 13, 19, 26, 16):
        button = DigitalInputDevice(pin, pull_up=True, pin_factory=pin_factory)
        button.when_activated = pressed
        buttons.append(button)
    with canvas(matrix) as draw:
        draw.point((0, 3), fill="white")
    return buttons
