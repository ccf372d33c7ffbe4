"""The hardware of a table: the Pi's own, or its virtual twin. Which one is said, never found out.

Both end at the same two things: pins for gpiozero, and a SPI device for luma.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.adapters.matrix import SpiDevice
from companion.daemon.config import Config
from companion.table.inputs import Button

if TYPE_CHECKING:  # gpiozero takes its time, and the matrix is to be lit before
    from companion.adapters.gpio_buttons import Pins
    from companion.adapters.virtual_hands import VirtualHands


class Hardware(Protocol):
    is_simulated: bool

    def open_spi(self, config: Config) -> SpiDevice: ...
    def open_pins(self) -> Pins: ...


class PiHardware:
    """The bus and the pins of a Raspberry Pi. On another machine it refuses, and says so."""

    is_simulated = False

    def open_spi(self, config: Config) -> SpiDevice:
        from companion.adapters.kernel_spi import open_kernel_spi

        return open_kernel_spi(Path(f"/dev/spidev{config.matrix.bus}.{config.matrix.chip_select}"))

    def open_pins(self) -> Pins:
        from companion.adapters.gpio_buttons import open_pin_factory

        return open_pin_factory("lgpio")


class VirtualHardware:
    """Mock pins with hands on them, and a chip that reads the bytes of a virtual bus."""

    is_simulated = True

    def __init__(self, config: Config) -> None:
        from companion.adapters.virtual_spi import Apa102Strip, Max7219Chip, VirtualSpi

        self.chip = Apa102Strip() if config.matrix.kind == "apa102" else Max7219Chip()
        self.spi = VirtualSpi(self.chip)
        self._pins = pins_of(config)

    @cached_property
    def factory(self) -> Pins:
        from companion.adapters.gpio_buttons import open_pin_factory

        return open_pin_factory("mock")

    @cached_property
    def hands(self) -> VirtualHands:
        from companion.adapters.virtual_hands import VirtualHands

        return VirtualHands(self.factory, self._pins)

    def open_spi(self, config: Config) -> SpiDevice:  # noqa: ARG002 - it is made for one config
        return self.spi

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
