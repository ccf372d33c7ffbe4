"""Opens the SPI bus of the machine, or explains why it cannot."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from companion.adapters.matrix import SpiDevice
from companion.errors import CompanionError

DEVICE = Path("/dev/spidev0.0")
_ELSEWHERE = "on a machine without a matrix, use --virtual"


def open_kernel_spi(device: Path = DEVICE) -> SpiDevice:
    """A spidev device, checked to exist and to be accessible."""
    if not device.exists():
        raise CompanionError(
            f"no SPI bus here ({device} is missing): on a Raspberry Pi, switch it on with "
            f"'sudo raspi-config nonint do_spi 0' and reboot; {_ELSEWHERE}"
        )
    try:
        with device.open("rb"):
            pass
    except PermissionError:
        raise CompanionError(
            f"{device} may not be used: run 'sudo adduser $USER spi' and log in again"
        ) from None
    try:
        spidev = import_module("spidev")
    except ImportError:
        raise CompanionError(
            "Python's spidev is missing: run 'sudo ./marrakech install', which also installs the "
            f"command 'marrakech'; {_ELSEWHERE}"
        ) from None
    opened: SpiDevice = spidev.SpiDev()
    return opened
