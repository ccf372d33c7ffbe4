"""The hardware of a table: the Pi's own, or its virtual twin. Which one is said, never found out.

Both end at the same three things: pins for gpiozero, a SPI device for luma, a port for pyserial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.adapters.matrix import Matrix, SpiDevice, open_matrix
from companion.config.model import Config, MatrixConfig
from companion.table.inputs import Button, Input

if TYPE_CHECKING:  # they take their time, and the matrix is to be lit before
    import asyncio

    from companion.adapters.gpio_buttons import Pins
    from companion.adapters.pad_health import PadHealth
    from companion.adapters.serial_pad import SerialPad
    from companion.adapters.virtual.contacts import VirtualContacts
    from companion.adapters.virtual.pad_device import PadDevice

    Deliver = Callable[[Input], None]
    Tell = Callable[[PadHealth], None]
    MakePad = Callable[[asyncio.AbstractEventLoop], PadDevice]


class Hardware(Protocol):
    is_simulated: bool

    def open_spi(self, config: Config) -> SpiDevice: ...
    def open_pins(self) -> Pins: ...
    def open_pad(
        self, loop: asyncio.AbstractEventLoop, config: Config, deliver: Deliver, tell: Tell
    ) -> SerialPad | None:
        """The die pad, which is looked for from now on; None if there is to be none."""


class PiHardware:
    """The bus and the pins of a Raspberry Pi. On another machine it refuses, and says so."""

    is_simulated = False

    def open_spi(self, config: Config) -> SpiDevice:
        from companion.adapters.kernel_spi import open_kernel_spi

        return open_kernel_spi(Path(f"/dev/spidev{config.matrix.bus}.{config.matrix.chip_select}"))

    def open_pins(self) -> Pins:
        from companion.adapters.gpio_buttons import open_pin_factory

        return open_pin_factory("lgpio")

    def open_pad(
        self, loop: asyncio.AbstractEventLoop, config: Config, deliver: Deliver, tell: Tell
    ) -> SerialPad | None:
        if config.pad.port == "none":
            return None
        from companion.adapters.serial_pad import SerialPad

        port = "" if config.pad.port == "auto" else config.pad.port
        return SerialPad(loop, deliver, tell, port=port, roll=config.pad.roll)


class VirtualHardware:
    """Mock pins with hands on them, and a chip that reads the bytes of a virtual bus."""

    is_simulated = True

    def __init__(self, config: Config, *, make_pad: MakePad | None = None) -> None:
        from companion.adapters.virtual.spi import VirtualSpi, virtual_chip

        self.chip = virtual_chip(config.matrix.kind)
        self.spi = VirtualSpi(self.chip)
        self._pins = pins_of(config)
        self.make_pad = make_pad
        self.pad: PadDevice | None = None
        """The virtual pad, once there is one."""

    @cached_property
    def factory(self) -> Pins:
        from companion.adapters.gpio_buttons import open_pin_factory

        return open_pin_factory("mock")

    @cached_property
    def hands(self) -> VirtualContacts:
        from companion.adapters.virtual.contacts import VirtualContacts

        return VirtualContacts(self.factory, self._pins)

    def open_spi(self, config: Config) -> SpiDevice:  # noqa: ARG002 - it is made for one config
        return self.spi

    def open_pad(
        self, loop: asyncio.AbstractEventLoop, config: Config, deliver: Deliver, tell: Tell
    ) -> SerialPad | None:
        """Only where somebody has made a virtual pad: its pty is on the loop, as a port is."""
        if self.make_pad is None or config.pad.port == "none":
            return None
        from companion.adapters.serial_pad import SerialPad

        self.pad = self.make_pad(loop)
        return SerialPad(loop, deliver, tell, find_ports=self.pad.ports, roll=config.pad.roll)

    def open_pins(self) -> Pins:
        assert self.hands, "there are hands before anybody reads a pin"
        return self.factory


def pins_of(config: Config) -> Mapping[Button | int, int]:
    """Where each button, and each key of the die by its pips, is wired."""
    pins: dict[Button | int, int] = {
        button: getattr(config.buttons, button.value) for button in Button
    }
    if config.die.input != "electronic":
        pins |= dict(enumerate(config.die.keys, start=1))
    return pins


def matrix_on(device: SpiDevice, about: MatrixConfig, *, brightness: int | None = None) -> Matrix:
    """The matrix of a config on a bus, which is let go of again if that fails."""
    try:
        return open_matrix(
            about.kind,
            device,
            layout=about.layout(),
            brightness=about.brightness if brightness is None else brightness,
            most_ma=about.most_ma,
            bus=about.bus,
            chip_select=about.chip_select,
        )
    except BaseException:
        device.close()
        raise
