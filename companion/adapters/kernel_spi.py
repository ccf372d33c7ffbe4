"""The SPI bus of the machine, or a clear word on why there is none."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from companion.adapters.matrix import SpiDevice
from companion.errors import CompanionError

DEVICE = Path("/dev/spidev0.0")
_ELSEWHERE = "on a machine without a matrix, say --virtual"


def open_kernel_spi(device: Path = DEVICE) -> SpiDevice:
    """A spidev device that can be opened, never a silent stand-in for it."""
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
            "Python's spidev is missing: 'sudo ./marrakech install' brings it, and 'marrakech' is "
            f"a command of the whole Pi from then on; {_ELSEWHERE}"
        ) from None
    opened: SpiDevice = spidev.SpiDev()
    return opened
