"""The LED matrix over SPI, through luma.led_matrix.

Two kinds: `max7219` (one colour) and `apa102` (RGB). Both take the bytes to anything that looks
like a spidev device: the kernel's on a Raspberry Pi, a virtual one elsewhere. Nothing is sent while
nothing changes.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from luma.core.interface.serial import noop, spi
from luma.led_matrix.device import apa102, max7219
from PIL import Image

from companion.light.frame import DARK, Picture
from companion.light.rgb import RGB
from companion.table.scene import MATRIX

KINDS = ("max7219", "apa102")
BUS_SPEED_HZ = 1_000_000
"""Slow enough for the wires of a frame around the board."""
_SIZE = (MATRIX, MATRIX)

LumaDevice: TypeAlias = Any
"""luma comes without types."""


class SpiDevice(Protocol):
    """What spidev.SpiDev is, as far as it is used here."""

    max_speed_hz: int

    def open(self, bus: int, device: int) -> None: ...
    def writebytes(self, data: list[int]) -> None: ...
    def close(self) -> None: ...


class Matrix(Protocol):
    """Whatever can show a picture; it blocks."""

    def show(self, shown: Picture) -> None: ...
    def renew(self) -> None:
        """Set the chip up again, after it may have lost its wits; the next picture is sent."""

    def close(self) -> None: ...


class _LumaMatrix:
    """What both kinds have in common: send what is new, go dark at the end."""

    def __init__(
        self, device: SpiDevice, *, brightness: int = 3, bus: int = 0, chip_select: int = 0
    ) -> None:
        # Always a noop for GPIO: luma's own choice is RPi.GPIO, which a Pi 5 does not have, and
        # these matrices have neither a reset nor a data/command line.
        self._serial = spi(
            spi=device,
            gpio=noop(),
            port=bus,
            device=chip_select,
            bus_speed_hz=BUS_SPEED_HZ,
            gpio_DC=None,
            gpio_RST=None,
        )
        self._brightness = brightness
        self._shown: Picture | None = None
        self._is_closed = False
        self.renew()

    def show(self, shown: Picture) -> None:
        if shown != self._shown:
            self._shown = None  # what a failed transfer has left behind is not known
            self._send(shown)
            self._shown = shown

    def close(self) -> None:
        """Darken the matrix and let go of the bus; closing twice is no trouble."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._send(DARK)
        finally:
            self._serial.cleanup()

    def renew(self) -> None:
        self._shown = None
        self._device = self._set_up()

    def _set_up(self) -> LumaDevice:
        raise NotImplementedError

    def _send(self, shown: Picture) -> None:
        raise NotImplementedError


class Max7219Matrix(_LumaMatrix):
    """One colour, one brightness for all. `brightness` is 0 to 15, as the chip has it."""

    def _set_up(self) -> LumaDevice:
        device = max7219(self._serial, contrast=self._brightness << 4)
        device.persist = True  # to go dark is for close(), not for luma's exit hook
        return device

    def _send(self, shown: Picture) -> None:
        image = Image.new("1", _SIZE)
        image.putdata([int(ink is not None) for ink in shown])
        self._device.display(image)


class Apa102Matrix(_LumaMatrix):
    """Colour. `brightness` is 0 to 15 of the 31 that the chip has: luma goes no higher, and the
    supply need not either."""

    def _set_up(self) -> LumaDevice:
        device = apa102(self._serial, width=MATRIX, height=MATRIX)
        device.persist = True
        device.contrast(self._brightness << 4)
        return device

    def _send(self, shown: Picture) -> None:
        image = Image.new("RGBA", _SIZE)
        image.putdata([(*RGB[ink], 255) if ink else (0, 0, 0, 255) for ink in shown])
        self._device.display(image)


def open_matrix(
    kind: str, device: SpiDevice, *, brightness: int = 3, bus: int = 0, chip_select: int = 0
) -> Matrix:
    """A matrix of one of the `KINDS` on an SPI device."""
    made = {"max7219": Max7219Matrix, "apa102": Apa102Matrix}[kind]
    return made(device, brightness=brightness, bus=bus, chip_select=chip_select)
