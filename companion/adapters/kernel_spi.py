"""Opens the SPI bus of the machine, or explains why it cannot.

The kernel lets several programs write to one bus, and the matrix would show a mixture of their
pictures. So the companion locks the device.
"""

from __future__ import annotations

import fcntl
import os
from importlib import import_module
from pathlib import Path

from companion.adapters.matrix import SpiDevice
from companion.errors import CompanionError

DEVICE = Path("/dev/spidev0.0")
_ELSEWHERE = "on a machine without a matrix, use --virtual"


def open_kernel_spi(device: Path = DEVICE) -> SpiDevice:
    """A spidev device, checked to exist, to be accessible and not to be in use."""
    lock = _lock(device)
    try:
        spidev = import_module("spidev")
    except ImportError:
        os.close(lock)
        raise CompanionError(
            "Python's spidev is missing: run 'sudo ./marrakech install', which also installs the "
            f"command 'marrakech'; {_ELSEWHERE}"
        ) from None
    return LockedSpi(spidev.SpiDev(), lock)


def _lock(device: Path) -> int:
    """Lock the device until the returned descriptor is closed, or this process ends."""
    try:
        opened = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise CompanionError(
            f"no SPI bus here ({device} is missing): on a Raspberry Pi, switch it on with "
            f"'sudo raspi-config nonint do_spi 0' and reboot; {_ELSEWHERE}"
        ) from None
    except PermissionError:
        raise CompanionError(
            f"{device} may not be used: run 'sudo adduser $USER spi' and log in again"
        ) from None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(opened)
        raise CompanionError(
            "another companion is using the matrix: if it is the service, run 'sudo systemctl "
            "stop marrakech' first and 'sudo systemctl start marrakech' afterwards"
        ) from None
    return opened


class LockedSpi:
    """An SPI device whose lock is released when it is closed."""

    def __init__(self, device: SpiDevice, lock: int) -> None:
        self._device = device
        self._lock: int | None = lock

    @property
    def max_speed_hz(self) -> int:
        return self._device.max_speed_hz

    @max_speed_hz.setter
    def max_speed_hz(self, value: int) -> None:
        self._device.max_speed_hz = value

    def open(self, bus: int, device: int) -> None:
        self._device.open(bus, device)

    def writebytes(self, data: list[int]) -> None:
        self._device.writebytes(data)

    def close(self) -> None:
        """Idempotent."""
        try:
            self._device.close()
        finally:
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None
