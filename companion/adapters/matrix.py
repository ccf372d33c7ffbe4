"""The LED matrix over SPI, through luma.led_matrix.

Two kinds: `max7219` (one colour) and `apa102` (RGB). Both write to a spidev device: the kernel's on
a Raspberry Pi, a virtual one elsewhere. Nothing is sent while nothing changes. A `Layout` describes
how the matrix is mounted; luma's own rotation works for one of the kinds only.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from luma.core.interface.serial import noop, spi
from luma.led_matrix.const import max7219 as max7219_registers
from luma.led_matrix.device import apa102, max7219
from PIL import Image

from companion.light.current import DEFAULT_LIMIT_MA, brightness_within
from companion.light.frame import DARK, LedFrame
from companion.light.layout import Layout
from companion.light.rgb import RGB
from companion.table.scenes.scene import MATRIX

KINDS = ("max7219", "apa102")
BUS_SPEED_HZ = 1_000_000
"""Slow enough for long wires around the board."""
_SIZE = (MATRIX, MATRIX)
_BLACK = (0, 0, 0)
_ZERO_BITS = (0, 0, 0, 0)

LumaDevice: TypeAlias = Any
"""luma has no type hints."""


class SpiDevice(Protocol):
    """The part of `spidev.SpiDev` that is used."""

    max_speed_hz: int

    def open(self, bus: int, device: int) -> None: ...
    def writebytes(self, data: list[int]) -> None: ...
    def close(self) -> None: ...


class Matrix(Protocol):
    """Shows frames. All methods block."""

    def show(self, frame: LedFrame) -> None: ...
    def reinitialize(self, brightness: int | None = None) -> None:
        """Initialize the chip again, in case it lost its registers. The next frame is sent.

        Keeps the brightness unless another is given.
        """

    def close(self) -> None: ...


class _LumaMatrix:
    """Common to both kinds: sends changed frames, and a dark frame at the end."""

    def __init__(
        self,
        device: SpiDevice,
        *,
        layout: Layout | None = None,
        brightness: int = 3,
        most_ma: int = DEFAULT_LIMIT_MA,
        bus: int = 0,
        chip_select: int = 0,
    ) -> None:
        # No GPIO: luma's default is RPi.GPIO, which does not run on a Pi 5, and these matrices
        # have neither a reset nor a data/command line.
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
        self._last_frame: LedFrame | None = None
        self._is_closed = False
        self._device = self._initialize()
        self._device.persist = True  # close() darkens the matrix, not luma's exit hook

    def show(self, frame: LedFrame) -> None:
        if frame != self._last_frame:
            self._last_frame = None  # unknown if the transfer fails
            self._send(frame)
            self._last_frame = frame

    def close(self) -> None:
        """Darken the matrix and release the bus. Idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._send(DARK)
        finally:
            self._serial.cleanup()

    def reinitialize(self, brightness: int | None = None) -> None:
        self._last_frame = None
        if brightness is not None:
            self._brightness = brightness
        self._reinitialize()

    def _initialize(self) -> LumaDevice:
        raise NotImplementedError

    def _reinitialize(self) -> None:
        """Without luma: it would never release its previous device object."""
        raise NotImplementedError

    def _send(self, frame: LedFrame) -> None:
        raise NotImplementedError


class Max7219Matrix(_LumaMatrix):
    """One colour, one brightness for all LEDs: 0 to 15, as in the chip."""

    def _initialize(self) -> LumaDevice:
        return max7219(self._serial, contrast=self._brightness << 4)

    def _reinitialize(self) -> None:
        """Send what luma sends at first, without clearing, so that it is not visible."""
        registers = max7219_registers
        for address, value in (
            (registers.DISPLAYTEST, 0),
            (registers.DECODEMODE, 0),
            (registers.SCANLIMIT, MATRIX - 1),
            (registers.INTENSITY, self._brightness),
            (registers.SHUTDOWN, 1),  # normal operation
        ):
            self._serial.data([address, value])

    def _send(self, frame: LedFrame) -> None:
        image = Image.new("1", _SIZE)
        image.putdata([int(ink is not None) for ink in self._layout.to_chip(frame)])
        self._device.display(image)


class Apa102Matrix(_LumaMatrix):
    """RGB. `brightness` is 0 to 15 of the chip's 31, the range of luma. A frame that would draw
    more than `most_ma` is dimmed."""

    def _initialize(self) -> LumaDevice:
        return apa102(_LatchingSerial(self._serial), width=MATRIX, height=MATRIX)

    def _reinitialize(self) -> None:
        """Nothing to do: the LEDs have no state apart from the frame."""

    def _send(self, frame: LedFrame) -> None:
        colours = [RGB[ink] if ink else _BLACK for ink in self._layout.to_chip(frame)]
        # luma uses the upper four bits of alpha as brightness, except for 255.
        alpha = brightness_within(colours, self._brightness, self._most_ma) << 4
        image = Image.new("RGBA", _SIZE)
        image.putdata([(*colour, alpha) for colour in colours])
        self._device.display(image)


class _LatchingSerial:
    """Sends 32 zero bits after the data of luma.

    Many strips sold as APA102 are SK9822, which show a frame only after the next 32 zero bits;
    without these they are always one frame behind. luma's own trailing zeros only clock the data
    to the last of 64 LEDs. APA102 ignore the extra bits.
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
    most_ma: int = DEFAULT_LIMIT_MA,
    bus: int = 0,
    chip_select: int = 0,
) -> Matrix:
    """Open a matrix of one of the `KINDS` on an SPI device."""
    matrix_class = {"max7219": Max7219Matrix, "apa102": Apa102Matrix}[kind]
    return matrix_class(
        device,
        layout=layout,
        brightness=brightness,
        most_ma=most_ma,
        bus=bus,
        chip_select=chip_select,
    )
