"""Finds the GPIO chip of the 40-pin header.

A Pi has several GPIO chips, and their numbers depend on the kernel. On a Pi 5 the header was
gpiochip4, then gpiochip0, and is gpiochip15 since mid-2026. The device tree says which chip it is.
"""

from __future__ import annotations

import fcntl
import os
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.errors import listed

# The header's chip in the device tree (`compatible`), and its label by the kernel's driver.
HEADER_CHIPS = {
    "raspberrypi,rp1-gpio": "pinctrl-rp1",  # Pi 5
    "brcm,bcm2711-gpio": "pinctrl-bcm2711",  # Pi 4
    "brcm,bcm2835-gpio": "pinctrl-bcm2835",  # Pi 1 to 3, Zero, Zero 2 W
}
SYSFS = Path("sys/bus/gpio/devices")
_NAME = re.compile(r"gpiochip(\d+)")
_GET_CHIPINFO = 0x8044B401
"""The ioctl `GPIO_GET_CHIPINFO_IOCTL`: fills a `struct gpiochip_info` (linux/gpio.h)."""
_CHIPINFO = struct.Struct("=32s32sI")


@dataclass(frozen=True, slots=True)
class GpioChip:
    number: int
    names: tuple[str, ...] = ()
    """`compatible` of the device tree, most specific first; without a device tree, the label."""

    @property
    def is_header(self) -> bool:
        return bool(self._header_names())

    def __str__(self) -> str:
        """`/dev/gpiochip15 (raspberrypi,rp1-gpio)`."""
        why = (*self._header_names(), *self.names, "unknown")[0]
        return f"/dev/gpiochip{self.number} ({why})"

    def _header_names(self) -> tuple[str, ...]:
        known = {*HEADER_CHIPS, *HEADER_CHIPS.values()}
        return tuple(name for name in self.names if name in known)


def list_chips(root: Path = Path("/")) -> list[GpioChip]:
    """All GPIO chips of the machine whose files are below `root`, by number."""
    chips = _numbers(root / SYSFS) or _numbers(root / "dev")
    return [GpioChip(number, _names(root, number)) for number in chips]


def header_chip(chips: Sequence[GpioChip]) -> GpioChip | None:
    """The chip of the 40-pin header; None if there is no such chip."""
    return next((chip for chip in chips if chip.is_header), None)


def no_header_text(chips: Sequence[GpioChip]) -> str:
    """An error for a machine whose chips are all others."""
    return (
        f"none of its GPIO chips is a Raspberry Pi's header: {listed(list(map(str, chips)), 'and')}"
    )


def _numbers(folder: Path) -> list[int]:
    """Links are skipped in /dev: Raspberry Pi OS has links for old numbers."""
    is_dev = folder.name == "dev"
    return sorted(
        int(found[1])
        for path in folder.glob("gpiochip*")
        if (found := _NAME.fullmatch(path.name)) and not (is_dev and path.is_symlink())
    )


def _names(root: Path, number: int) -> tuple[str, ...]:
    file = root / SYSFS / f"gpiochip{number}" / "of_node" / "compatible"
    try:
        names = file.read_bytes().decode(errors="replace").split("\0")
    except OSError:
        names = [_label(root / "dev" / f"gpiochip{number}")]
    return tuple(name for name in names if name)


def _label(device: Path) -> str:
    """The label that the kernel's driver gave the chip; empty if it cannot be read."""
    info = bytearray(_CHIPINFO.size)
    try:
        opened = os.open(device, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            fcntl.ioctl(opened, _GET_CHIPINFO, info)
        finally:
            os.close(opened)
    except OSError:  # not allowed, or not a GPIO chip
        return ""
    label: bytes = _CHIPINFO.unpack(info)[1]
    return label.rstrip(b"\0").decode(errors="replace")
