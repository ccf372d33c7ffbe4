"""Where the die pad is plugged in: finding its port, opening it, and saying why it does not open.

All of this may block, and runs in a thread.
"""

from __future__ import annotations

import errno
import termios
from collections.abc import Iterable
from contextlib import suppress
from glob import has_magic
from pathlib import Path
from typing import Protocol, runtime_checkable

import serial

from companion.errors import one_line
from companion.i18n.message import Message, message

BAUD = 57_600
BY_ID = Path("/dev/serial/by-id")
"""What udev calls USB serial ports, whatever number they got."""
PAD_NAMES = ("arduino", "1a86", "ch340", "wch", "ftdi", "cp210", "silicon_labs")
"""What the ports of Arduinos, and of the adapters on their copies, are called."""

OPEN_ERRORS = (OSError, ValueError, termios.error)
"""What opening a port can raise; pyserial lets some of the terminal's own errors through."""


@runtime_checkable
class Port(Protocol):
    """An open port: pyserial's, or anything else that is non-blocking."""

    def fileno(self) -> int: ...
    def close(self) -> None: ...


def find_ports(port: str, *, folder: Path = BY_ID) -> list[str]:
    """Where a pad may be: as told, by path or pattern; else what looks like one, newest first."""
    if port and not has_magic(port):
        return [port]
    if port:
        root = Path(port).anchor
        return _newest_first(Path(root).glob(port.removeprefix(root)))
    return _newest_first(path for path in folder.glob("*") if _looks_like_a_pad(path.name))


def _looks_like_a_pad(name: str) -> bool:
    return any(vendor in name.lower() for vendor in PAD_NAMES)


def _newest_first(paths: Iterable[Path]) -> list[str]:
    """A link of udev's is as old as its plugging in."""

    def age(path: Path) -> tuple[float, Path]:
        try:
            return -path.lstat().st_mtime, path
        except OSError:  # unplugged just now
            return 0.0, path

    return [str(path) for path in sorted(paths, key=age)]


def open_port(path: str) -> Port:
    """Open a port for one host alone. On most Arduinos this is a reset."""
    port: Port = serial.Serial(path, BAUD, timeout=0, write_timeout=0, exclusive=True)
    return port


def close_port(port: Port) -> None:
    """Close it. What was not sent is thrown away: the kernel would wait up to 30 s for it."""
    with suppress(*OPEN_ERRORS):
        termios.tcflush(port.fileno(), termios.TCOFLUSH)
    with suppress(*OPEN_ERRORS):
        port.close()


def why_not(path: str, error: Exception) -> Message:
    """Why a port cannot be opened, and what to do about it."""
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EACCES, errno.EPERM):
        return message("pad.denied", port=path)
    if number in (errno.EWOULDBLOCK, errno.EBUSY):
        return message("pad.busy", port=path)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return message("pad.missing", port=path)
    return message("pad.unusable", port=path, why=one_line(str(error) or type(error).__name__))
