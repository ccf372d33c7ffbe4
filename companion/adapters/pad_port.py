"""The serial port of the die pad: finding it, opening it, and messages for errors.

These functions block and are run in a thread.
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
"""udev's stable names of USB serial ports."""
PAD_NAMES = ("arduino", "1a86", "ch340", "wch", "ftdi", "cp210", "silicon_labs")
"""Parts of the names of Arduinos, and of USB serial chips on clones."""

OPEN_ERRORS = (OSError, ValueError, termios.error)
"""Raised when a port is opened; pyserial does not wrap all errors of termios."""


@runtime_checkable
class Port(Protocol):
    """An open, non-blocking port: pyserial's, or a substitute in tests."""

    def fileno(self) -> int: ...
    def close(self) -> None: ...


def find_ports(port: str, *, folder: Path = BY_ID) -> list[str]:
    """Candidate ports: the given path, the matches of a pattern, or for "" those of pads.

    The most recently plugged in comes first.
    """
    if port and not has_magic(port):
        return [port]
    if port:
        root = Path(port).anchor
        return _newest_first(Path(root).glob(port.removeprefix(root)))
    return _newest_first(path for path in folder.glob("*") if _is_pad_name(path.name))


def _is_pad_name(name: str) -> bool:
    return any(vendor in name.lower() for vendor in PAD_NAMES)


def _newest_first(paths: Iterable[Path]) -> list[str]:
    """udev creates its links when a device is plugged in."""

    def age(path: Path) -> tuple[float, Path]:
        try:
            return -path.lstat().st_mtime, path
        except OSError:  # just unplugged
            return 0.0, path

    return [str(path) for path in sorted(paths, key=age)]


def open_port(path: str) -> Port:
    """Open a port exclusively. This resets most Arduinos."""
    port: Port = serial.Serial(path, BAUD, timeout=0, write_timeout=0, exclusive=True)
    return port


def close_port(port: Port) -> None:
    """Close the port and discard unsent data; the kernel would wait up to 30 s for it."""
    with suppress(*OPEN_ERRORS):
        termios.tcflush(port.fileno(), termios.TCOFLUSH)
    with suppress(*OPEN_ERRORS):
        port.close()


def open_error_message(path: str, error: Exception) -> Message:
    """Why a port cannot be opened, with advice."""
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EACCES, errno.EPERM):
        return message("pad.denied", port=path)
    if number in (errno.EWOULDBLOCK, errno.EBUSY):
        return message("pad.busy", port=path)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return message("pad.missing", port=path)
    return message("pad.unusable", port=path, why=one_line(str(error) or type(error).__name__))
