"""The hardware of a table: that of a Raspberry Pi, or virtual. The caller chooses which.

Both provide the same three things: pins for gpiozero, an SPI device for luma, a port for pyserial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.adapters.matrix import Matrix, SpiDevice, open_matrix
from companion.config.model import Config, MatrixConfig
from companion.table.inputs import Button, Input

if TYPE_CHECKING:  # slow to import, and the matrix is to be lit first
    import asyncio

    from companion.adapters.gpio.pin_factory import Pins
    from companion.adapters.pad_health import PadHealth
    from companion.adapters.serial_pad import SerialPad
    from companion.adapters.virtual.contacts import VirtualContacts
    from companion.adapters.virtual.pad_device import PadDevice

    Deliver = Callable[[Input], object]
    OnHealth = Callable[[PadHealth], None]
    MakePad = Callable[[asyncio.AbstractEventLoop], PadDevice]


class Hardware(Protocol):
    is_simulated: bool

    def open_spi(self, config: Config) -> SpiDevice: ...
    def open_pins(self) -> Pins: ...
    def open_pad(
        self, loop: asyncio.AbstractEventLoop, config: Config, deliver: Deliver, on_health: OnHealth
    ) -> SerialPad | None:
        """The die pad, not yet started; None if it is switched off."""


class PiHardware:
    """The devices of a Raspberry Pi. Raises `CompanionError` on other machines."""

    is_simulated = False

    def open_spi(self, config: Config) -> SpiDevice:
        from companion.adapters.kernel_spi import open_kernel_spi

        return open_kernel_spi(Path(f"/dev/spidev{config.matrix.bus}.{config.matrix.chip_select}"))

    def open_pins(self) -> Pins:
        from companion.adapters.gpio.pin_factory import open_pin_factory

        return open_pin_factory("lgpio")

    def open_pad(
        self, loop: asyncio.AbstractEventLoop, config: Config, deliver: Deliver, on_health: OnHealth
    ) -> SerialPad | None:
        if config.pad.port == "none":
            return None
        from companion.adapters.serial_pad import SerialPad

        port = "" if config.pad.port == "auto" else config.pad.port
        return SerialPad(loop, deliver, on_health, port=port, roll=config.pad.roll)


class VirtualHardware:
    """Mock pins with virtual contacts, and a virtual matrix chip on a virtual SPI bus."""

    is_simulated = True

    def __init__(self, config: Config, *, make_pad: MakePad | None = None) -> None:
        from companion.adapters.virtual.spi import VirtualSpi, virtual_chip

        self.chip = virtual_chip(config.matrix.kind)
        self.spi = VirtualSpi(self.chip)
        self._pins = pins_of(config)
        self.make_pad = make_pad
        self.pad: PadDevice | None = None
        """The virtual pad, after `open_pad`."""

    @cached_property
    def factory(self) -> Pins:
        from companion.adapters.gpio.pin_factory import open_pin_factory

        return open_pin_factory("mock")

    @cached_property
    def contacts(self) -> VirtualContacts:
        from companion.adapters.virtual.contacts import VirtualContacts

        return VirtualContacts(self.factory, self._pins)

    def open_spi(self, config: Config) -> SpiDevice:  # noqa: ARG002 - made for one config
        return self.spi

    def open_pad(
        self, loop: asyncio.AbstractEventLoop, config: Config, deliver: Deliver, on_health: OnHealth
    ) -> SerialPad | None:
        """None without `make_pad`."""
        if self.make_pad is None or config.pad.port == "none":
            return None
        from companion.adapters.serial_pad import SerialPad

        self.pad = self.make_pad(loop)
        return SerialPad(loop, deliver, on_health, find_ports=self.pad.ports, roll=config.pad.roll)

    def open_pins(self) -> Pins:
        assert self.contacts, "contacts exist before any pin is read"
        return self.factory


def pins_of(config: Config) -> Mapping[Button | int, int]:
    """The BCM pin of each button, and of each die key by its pips."""
    pins: dict[Button | int, int] = {
        button: getattr(config.buttons, button.value) for button in Button
    }
    if config.die.input != "electronic":
        pins |= dict(enumerate(config.die.keys, start=1))
    return pins


def open_configured_matrix(
    device: SpiDevice, config: MatrixConfig, *, brightness: int | None = None
) -> Matrix:
    """Open the configured matrix on an SPI device. Closes the device if that fails."""
    try:
        return open_matrix(
            config.kind,
            device,
            layout=config.layout(),
            brightness=config.brightness if brightness is None else brightness,
            most_ma=config.most_ma,
            bus=config.bus,
            chip_select=config.chip_select,
        )
    except BaseException:
        device.close()
        raise
