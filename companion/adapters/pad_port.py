"""The serial port of the die pad: finding it, opening it, and messages for errors.

These functions block and are run in a thread.
"""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from glob import has_magic
from pathlib import Path
from typing import Protocol, runtime_checkable

import serial

from companion.adapters.known_pads import KnownPad, UsbPort, known_pads, usb_ports
from companion.errors import one_line
from companion.i18n.message import Message, message

BAUD = 57_600
LOCKS = Path("/run/lock")
"""Lock files of programs that use serial ports: LCK..ttyUSB0, with a process id."""
PROCESSES = Path("/proc")

OPEN_ERRORS = (OSError, ValueError, termios.error)
"""Raised when a port is opened; pyserial does not wrap all errors of termios."""


@runtime_checkable
class Port(Protocol):
    """An open, non-blocking port: pyserial's, or a substitute in tests."""

    def fileno(self) -> int: ...
    def close(self) -> None: ...


class UnknownDeviceError(OSError):
    """There are devices that may be pads, and none is known to be one. They were not opened."""

    def __init__(self, ports: Sequence[UsbPort]) -> None:
        super().__init__(f"not known as a die pad: {', '.join(map(str, ports))}")
        self.ports = list(ports)


# --- Finding ------------------------------------------------------------------------------


def find_ports(
    port: str,
    *,
    devices: Callable[[], Sequence[UsbPort]] = usb_ports,
    pads: Callable[[], Sequence[KnownPad]] = known_pads,
) -> list[str]:
    """Ports to open: the given path, the matches of a pattern, or for "" those of known pads.

    The most recently plugged in comes first. Raises `UnknownDeviceError` instead of opening a
    device that may not be a pad.
    """
    if port and not has_magic(port):
        return [port]
    if port:
        root = Path(port).anchor
        return _newest_first(Path(root).glob(port.removeprefix(root)))
    known, others = sort_devices(devices(), pads())
    if others and not known:
        raise UnknownDeviceError(others)
    return _newest_first(Path(one.socket) for one in known)


def sort_devices(
    devices: Iterable[UsbPort], pads: Sequence[KnownPad]
) -> tuple[list[UsbPort], list[UsbPort]]:
    """The devices that are known pads, and the others."""
    known: list[UsbPort] = []
    others: list[UsbPort] = []
    for device in devices:
        (known if any(pad.matches(device) for pad in pads) else others).append(device)
    return known, others


def _newest_first(paths: Iterable[Path]) -> list[str]:
    """udev creates its links when a device is plugged in."""

    def age(path: Path) -> tuple[float, Path]:
        try:
            return -path.lstat().st_mtime, path
        except OSError:  # just unplugged
            return 0.0, path

    return [str(path) for path in sorted(paths, key=age)]


# --- Opening ------------------------------------------------------------------------------


def open_port(path: str) -> Port:
    """Open a port exclusively, if no other program has it open. This resets most Arduinos."""
    check_is_free(path)
    port: Port = serial.Serial(path, BAUD, timeout=0, write_timeout=0, exclusive=True)
    return port


def check_is_free(path: str, *, locks: Path = LOCKS, processes: Path = PROCESSES) -> None:
    """Raise `BlockingIOError` if another program is known to have the port open.

    pyserial's lock is respected by some programs only, and root may open any port.
    """
    device = os.path.realpath(path)
    if not device.startswith(("/dev/tty", "/dev/pts/")):
        return  # not a serial port, as opening it will show
    user = _lock_owner(locks / f"LCK..{Path(device).name}", processes)
    if user := user or _process_with(device, processes):
        raise BlockingIOError(errno.EBUSY, f"{user} has it open")


def _lock_owner(lock: Path, processes: Path) -> str:
    with suppress(OSError, ValueError):
        number = int(lock.read_text().split()[0])
        if number != os.getpid() and (processes / str(number)).exists():
            return _process_name(processes / str(number))
    return ""


def _process_with(device: str, processes: Path) -> str:
    """Only root sees the files of all processes."""
    for process in processes.glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        with suppress(OSError):
            for file in (process / "fd").iterdir():
                with suppress(OSError):
                    if str(file.readlink()) == device:
                        return _process_name(process)
    return ""


def _process_name(process: Path) -> str:
    with suppress(OSError):
        return f"{one_line((process / 'comm').read_text().strip())} (process {process.name})"
    return f"process {process.name}"


def close_port(port: Port) -> None:
    """Close the port and discard unsent data; the kernel would wait up to 30 s for it."""
    with suppress(*OPEN_ERRORS):
        termios.tcflush(port.fileno(), termios.TCOFLUSH)
    with suppress(*OPEN_ERRORS):
        port.close()


def open_error_message(path: str, error: Exception) -> Message:
    """Why a port cannot be opened, with advice."""
    if isinstance(error, UnknownDeviceError):
        return message("pad.silent", port=error.ports[0].device)
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EACCES, errno.EPERM):
        return message("pad.denied", port=path)
    if number in (errno.EWOULDBLOCK, errno.EBUSY):
        return message("pad.busy", port=path)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return message("pad.missing", port=path)
    return message("pad.unusable", port=path, why=one_line(str(error) or type(error).__name__))
