"""The LED matrix over SPI, through luma.led_matrix.

Two kinds: `max7219` (one colour) and `apa102` (RGB). Both take the bytes to anything that looks
like a spidev device: the kernel's on a Raspberry Pi, a virtual one elsewhere. Nothing is sent while
nothing changes. How the matrix was mounted is said by a `Layout`, for both kinds in the same way:
luma would turn the one and not the other.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from luma.core.interface.serial import noop, spi
from luma.led_matrix.const import max7219 as max7219_registers
from luma.led_matrix.device import apa102, max7219
from PIL import Image

from companion.light.current import MOST_MA, brightness_within
from companion.light.frame import DARK, Picture
from companion.light.layout import Layout
from companion.light.rgb import RGB
from companion.table.scenes.scene import MATRIX

KINDS = ("max7219", "apa102")
BUS_SPEED_HZ = 1_000_000
"""Slow enough for the wires of a frame around the board."""
_SIZE = (MATRIX, MATRIX)
_BLACK = (0, 0, 0)
_ZERO_BITS = (0, 0, 0, 0)

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
    def renew(self, brightness: int | None = None) -> None:
        """Set the chip up again, after it may have lost its wits; the next picture is sent.

        It is as bright as before, unless told otherwise.
        """

    def close(self) -> None: ...


class _LumaMatrix:
    """What both kinds have in common: send what is new, go dark at the end."""

    def __init__(
        self,
        device: SpiDevice,
        *,
        layout: Layout | None = None,
        brightness: int = 3,
        most_ma: int = MOST_MA,
        bus: int = 0,
        chip_select: int = 0,
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
        self._layout = layout or Layout()
        self._brightness = brightness
        self._most_ma = most_ma
        self._shown: Picture | None = None
        self._is_closed = False
        self._device = self._set_up()
        self._device.persist = True  # to go dark is for close(), not for luma's exit hook

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

    def renew(self, brightness: int | None = None) -> None:
        self._shown = None
        if brightness is not None:
            self._brightness = brightness
        self._set_up_again()

    def _set_up(self) -> LumaDevice:
        raise NotImplementedError

    def _set_up_again(self) -> None:
        """Without luma: a device of its own each time would never be let go of."""
        raise NotImplementedError

    def _send(self, shown: Picture) -> None:
        raise NotImplementedError


class Max7219Matrix(_LumaMatrix):
    """One colour, one brightness for all. `brightness` is 0 to 15, as the chip has it."""

    def _set_up(self) -> LumaDevice:
        return max7219(self._serial, contrast=self._brightness << 4)

    def _set_up_again(self) -> None:
        """All that luma sends at first, but for the clearing: nobody sees it happen."""
        registers = max7219_registers
        for address, value in (
            (registers.DISPLAYTEST, 0),
            (registers.DECODEMODE, 0),
            (registers.SCANLIMIT, MATRIX - 1),
            (registers.INTENSITY, self._brightness),
            (registers.SHUTDOWN, 1),  # which means: awake
        ):
            self._serial.data([address, value])

    def _send(self, shown: Picture) -> None:
        image = Image.new("1", _SIZE)
        image.putdata([int(ink is not None) for ink in self._layout.wire(shown)])
        self._device.display(image)


class Apa102Matrix(_LumaMatrix):
    """Colour. `brightness` is 0 to 15 of the 31 that the chip has: luma goes no higher, and the
    supply need not either. A picture that would draw more than `most_ma` is less bright."""

    def _set_up(self) -> LumaDevice:
        return apa102(_LatchingSerial(self._serial), width=MATRIX, height=MATRIX)

    def _set_up_again(self) -> None:
        """There is nothing to set up: every picture tells the LEDs all they know."""

    def _send(self, shown: Picture) -> None:
        colours = [RGB[ink] if ink else _BLACK for ink in self._layout.wire(shown)]
        # luma takes the upper half of a LED's alpha for its brightness; only 255 means another.
        alpha = brightness_within(colours, self._brightness, self._most_ma) << 4
        image = Image.new("RGBA", _SIZE)
        image.putdata([(*colour, alpha) for colour in colours])
        self._device.display(image)


class _LatchingSerial:
    """Sends 32 zero bits after what luma has for a strip.

    Many a strip sold as APA102 is made of SK9822, which take a picture over only at the next 32
    zero bits; without them they are always one picture behind. luma's own zeros do no more than
    clock the picture to the last of 64 LEDs. APA102 do not mind.
    https://cpldcpu.wordpress.com/2016/12/13/sk9822-a-clone-of-the-apa102/
    """

    def __init__(self, serial: LumaDevice) -> None:
        self._serial = serial

    def data(self, data: list[int]) -> None:
        self._serial.data([*data, *_ZERO_BITS])

    def cleanup(self) -> None:
        self._serial.cleanup()


def open_matrix(
    kind: str,
    device: SpiDevice,
    *,
    layout: Layout | None = None,
    brightness: int = 3,
    most_ma: int = MOST_MA,
    bus: int = 0,
    chip_select: int = 0,
) -> Matrix:
    """A matrix of one of the `KINDS` on an SPI device."""
    made = {"max7219": Max7219Matrix, "apa102": Apa102Matrix}[kind]
    return made(
        device,
        layout=layout,
        brightness=brightness,
        most_ma=most_ma,
        bus=bus,
        chip_select=chip_select,
    )
