"""Opens the pins of this machine, or mock pins, for gpiozero."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from gpiozero import Factory, PinUnknownPi

from companion.adapters.gpio.header_chip import (
    GpioChip,
    header_chip,
    list_chips,
    no_header_text,
)
from companion.errors import CompanionError, SettingError, one_line, unknown

Pins: TypeAlias = Factory
"""A gpiozero pin factory."""
PIN_FACTORIES = ("lgpio", "mock")
JOIN_GPIO = "run 'sudo adduser $USER gpio' and log in again"
_LAPTOP = "on a laptop use 'marrakech play'"
_DOCTOR = "run 'marrakech doctor'"


class NoHeaderError(CompanionError):
    """This machine has no GPIO chip of a 40-pin header."""


def open_pin_factory(kind: str, *, root: Path = Path("/")) -> Pins:
    """Open the pins of the header (`lgpio`) or mock pins (`mock`), without a fallback."""
    if kind not in PIN_FACTORIES:
        raise SettingError(unknown("pin factory", kind, PIN_FACTORIES))
    if kind == "mock":
        return import_module("gpiozero.pins.mock").MockFactory()
    chip = _find_header(root)
    try:
        module = import_module("gpiozero.pins.lgpio")
    except ImportError:
        raise CompanionError(
            "Python's lgpio is missing: run 'sudo ./marrakech install', which also runs the table "
            "as a service"
        ) from None
    except OSError as error:  # at import it creates a pipe in the working directory
        raise CompanionError(
            f"lgpio cannot write into {Path.cwd()} ({one_line(str(error))}): start the companion "
            "from a folder that you may write into"
        ) from error
    try:
        # gpiozero itself would guess the number of the chip.
        pins = module.LGPIOFactory(chip=chip.number)
    except PinUnknownPi:
        raise CompanionError(
            "gpiozero does not know this model of Raspberry Pi: update the system with "
            "'sudo apt full-upgrade'"
        ) from None
    except Exception as error:  # lgpio has its own error class
        reason = one_line(str(error))
        raise CompanionError(f"{chip} cannot be opened ({reason}): {_DOCTOR}") from error
    pins.header_chip = chip
    pins.header_node = _HeaderNode(root / f"dev/gpiochip{chip.number}")
    return pins


def close_pin_factory(pins: Pins) -> None:
    """Close the pins and the chip. If the chip is gone, pins raise errors that hide the chip."""
    try:
        pins.close()
    except Exception:  # lgpio has its own error class
        pins.pins.clear()
        with suppress(Exception):
            pins.close()


class _HeaderNode:
    """The device node of an open chip. A chip that was removed and is back has a new node."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity = self._read_identity()

    @property
    def is_present(self) -> bool:
        return self._identity is not None and self._read_identity() == self._identity

    def _read_identity(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino, found.st_rdev


def is_watchable(pins: Pins | None) -> bool:
    """Whether the chip of these pins can disappear; mock pins have none."""
    return getattr(pins, "header_node", None) is not None


def removed_chip_error(pins: Pins | None) -> str | None:
    """An error if the chip of these open pins has disappeared; None for mock pins."""
    node: _HeaderNode | None = getattr(pins, "header_node", None)
    if pins is None or node is None or node.is_present:
        return None
    return (
        f"the system has removed {pins.header_chip}: if the buttons do not work again within a "
        "minute, reboot the Pi"
    )


def describe_pins(pins: Pins | None) -> str:
    """Which chip is used; empty for mock pins, or before the pins are open."""
    chip = getattr(pins, "header_chip", None)
    return "" if chip is None else f"buttons: {chip}, the chip of the 40-pin header"


def _find_header(root: Path) -> GpioChip:
    chips = list_chips(root)
    if not chips:
        raise NoHeaderError(f"this machine has no GPIO: {_LAPTOP}")
    chip = header_chip(chips)
    if chip is None:
        raise NoHeaderError(f"{no_header_text(chips)}: on a Raspberry Pi {_DOCTOR}; {_LAPTOP}")
    device = root / f"dev/gpiochip{chip.number}"
    if not device.exists():
        raise CompanionError(f"{chip} is missing in /dev: run 'sudo udevadm trigger', or reboot")
    if not os.access(device, os.R_OK | os.W_OK):
        raise CompanionError(f"{chip} may not be used: {JOIN_GPIO}")
    return chip
