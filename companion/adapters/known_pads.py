"""Which USB device is the die pad: a list that `marrakech firmware` writes and `auto` reads.

Opening a port resets most Arduinos, and the boards of many 3D printers. A Nano looks like other
devices with the same USB chip, until somebody opens its port and asks. So `[pad] port = "auto"`
opens only a device that somebody has flashed, or named, as the pad.

A device with a serial number of its own is recognised in any socket. Others (most Nanos) are
recognised by chip and socket.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from serial.tools import list_ports

from companion.config.file import SYSTEM_FILE
from companion.errors import CompanionError, one_line

BY_PATH = Path("/dev/serial/by-path")
"""udev's names of serial ports by USB socket."""
FILE_NAME = "pads.json"
MAX_PADS = 8
MAX_FILE_BYTES = 16_000
MIN_SERIAL_LENGTH = 6
"""Shorter serial numbers are not unique: all CP2102 come with `0001`."""

ANY = None
USB_IDS: dict[int, tuple[int, ...] | None] = {
    0x2341: ANY,  # Arduino
    0x2A03: ANY,  # Arduino, once arduino.org
    0x1A86: (0x5523, 0x7522, 0x7523, 0x55D3, 0x55D4),  # CH340, CH341, CH343, CH9102
    0x0403: (0x6001, 0x6015),  # FT232R, FT231X
    0x10C4: (0xEA60,),  # CP2102
}
"""Vendors and products of USB serial chips on Arduinos. systemd/60-marrakech.rules has the same."""


@dataclass(frozen=True, slots=True)
class UsbPort:
    """A serial port with one of `USB_IDS`. Found without opening it."""

    device: str
    """`/dev/ttyUSB0`; changes when devices are plugged in."""
    socket: str
    """udev's name of it by USB socket, or the device without udev."""
    vendor: int
    product: int
    serial: str = ""
    name: str = ""

    def __str__(self) -> str:
        return f"{self.device} ({self.name or f'{self.vendor:04x}:{self.product:04x}'})"


@dataclass(frozen=True, slots=True)
class KnownPad:
    """How a pad is recognised."""

    vendor: int
    product: int
    serial: str
    socket: str

    def matches(self, port: UsbPort) -> bool:
        if (self.vendor, self.product, self.serial) != (port.vendor, port.product, port.serial):
            return False
        return len(self.serial) >= MIN_SERIAL_LENGTH or self.socket == port.socket


# --- Devices ------------------------------------------------------------------------------


def usb_ports(*, by_path: Path = BY_PATH) -> list[UsbPort]:
    """The plugged in devices that may be pads."""
    sockets = _sockets(by_path)
    return [
        UsbPort(
            info.device,
            sockets.get(os.path.realpath(info.device), info.device),
            info.vid,
            info.pid,
            info.serial_number or "",
            one_line(info.product or "", 60),
        )
        for info in sorted(list_ports.comports(), key=lambda info: str(info.device))
        if info.vid in USB_IDS and _has_product(info.vid, info.pid)
    ]


def _has_product(vendor: int, product: int) -> bool:
    products = USB_IDS[vendor]
    return products is ANY or product in products


def _sockets(by_path: Path) -> dict[str, str]:
    """The link of each device, the first in order if it has several."""
    links = sorted(by_path.glob("*"), reverse=True)
    return {os.path.realpath(link): str(link) for link in links}


# --- The list -----------------------------------------------------------------------------


def pad_files(environ: Mapping[str, str]) -> list[Path]:
    """The list of the user, and that of the system, which the service reads."""
    return [file for file in (_user_file(environ), SYSTEM_FILE.parent / FILE_NAME) if file]


def _user_file(environ: Mapping[str, str]) -> Path | None:
    configs = Path(environ.get("XDG_CONFIG_HOME", ""))
    if configs.is_absolute():
        return configs / "marrakech" / FILE_NAME
    home = environ.get("HOME")
    return Path(home) / ".config" / "marrakech" / FILE_NAME if home else None


def known_pads(files: Sequence[Path] | None = None) -> list[KnownPad]:
    """All pads of the lists. A missing or damaged list has none."""
    files = pad_files(os.environ) if files is None else files
    return [pad for file in files for pad in _read(file)]


def _read(file: Path) -> Iterator[KnownPad]:
    with suppress(OSError, ValueError, RecursionError):
        with file.open("rb") as opened:
            raw = json.loads(opened.read(MAX_FILE_BYTES))
        for item in raw if isinstance(raw, list) else []:
            match item:
                case {
                    "vendor": int(vendor),
                    "product": int(product),
                    "serial": str(serial),
                    "socket": str(socket),
                }:
                    yield KnownPad(vendor, product, serial, socket)


def remember_pad(port: UsbPort, *, file: Path | None = None) -> Path:
    """Add a device to the list, and return the list's file.

    root writes the system's list, others their own. Raises `CompanionError`.
    """
    if port.socket == port.device:
        raise CompanionError(
            f"udev has no name for the USB socket of {port.device}: "
            f'set [pad] port = "{port.device}" in the config'
        )
    if file is None:
        files = pad_files(os.environ)
        file = files[-1] if os.geteuid() == 0 else files[0]
    pad = KnownPad(port.vendor, port.product, port.serial, port.socket)
    others = [other for other in _read(file) if other != pad]
    text = json.dumps([asdict(one) for one in [pad, *others][:MAX_PADS]], indent=2)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".new")
        fresh.write_text(f"{text}\n", encoding="utf-8")
        fresh.chmod(0o644)  # the service reads it, as another user
        fresh.replace(file)
    except OSError as error:
        raise CompanionError(f"cannot write {file}: {error.strerror}") from None
    return file
