"""The header of the simulated Pi: contacts to close and open."""

from __future__ import annotations

from pathlib import Path

_DEVICE = Path("/sys/devices/platform/header")
_DRIVER = Path("/sys/bus/platform/drivers/gpio-sim")


class Header:
    """Pins have BCM numbers. A closed contact connects its pin to ground."""

    @property
    def chip(self) -> Path:
        """The chip in sysfs."""
        (chip,) = _DEVICE.glob("gpiochip*")
        return chip

    @property
    def is_present(self) -> bool:
        return any(_DEVICE.glob("gpiochip*"))

    def remove_chip(self) -> None:
        """The driver lets go of the chip, as after a fault of the bus."""
        (_DRIVER / "unbind").write_text(_DEVICE.name)

    def return_chip(self) -> None:
        """The chip is back, with all contacts open."""
        (_DRIVER / "bind").write_text(_DEVICE.name)
        self.open_all()

    def close_contact(self, pin: int) -> None:
        self._pull(pin, "pull-down")

    def open_contact(self, pin: int) -> None:
        self._pull(pin, "pull-up")

    def open_all(self) -> None:
        for line in self.chip.glob("sim_gpio*"):
            (line / "pull").write_text("pull-up")

    def _pull(self, pin: int, direction: str) -> None:
        (self.chip / f"sim_gpio{pin}/pull").write_text(direction)
