"""Finding the port of the pad, opening it, and the errors."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from companion.adapters.pad_port import close_port, find_ports, open_error_message, open_port
from companion.i18n.renderer import TextRenderer


def plug(folder: Path, name: str, at_s: int) -> str:
    """A link as udev creates it, with its time. Its target does not exist."""
    link = folder / name
    link.symlink_to("../../ttyUSB7")
    os.utime(link, (at_s, at_s), follow_symlinks=False)
    return str(link)


# --- Finding ------------------------------------------------------------------------------


def test_ports_with_names_of_pads_are_found_newest_first(tmp_path: Path) -> None:
    old = plug(tmp_path, "usb-Arduino__www.arduino.cc__0043_85-if00", 100)
    new = plug(tmp_path, "usb-1a86_USB_Serial-if00-port0", 300)
    middle = plug(tmp_path, "usb-FTDI_FT232R_USB_UART_A5-if00-port0", 200)
    other = plug(tmp_path, "usb-Silicon_Labs_CP2102_USB_to_UART_0001-if00-port0", 50)
    plug(tmp_path, "usb-Quectel_Modem-if02", 400)
    assert find_ports("", folder=tmp_path) == [new, middle, old, other]


def test_without_serial_ports_nothing_is_found(tmp_path: Path) -> None:
    assert find_ports("", folder=tmp_path / "by-id") == []


def test_a_configured_path_is_used_even_if_it_does_not_exist(tmp_path: Path) -> None:
    assert find_ports("/dev/ttyACM9", folder=tmp_path) == ["/dev/ttyACM9"]


def test_a_pattern_finds_the_matching_ports(tmp_path: Path) -> None:
    one = plug(tmp_path, "usb-Quectel_Modem-if02", 1)
    plug(tmp_path, "usb-1a86_USB_Serial-if00-port0", 2)
    assert find_ports(f"{tmp_path}/*Modem*") == [one]
    assert find_ports(f"{tmp_path}/*Arduino*") == []


# --- Opening ------------------------------------------------------------------------------


@pytest.fixture
def path() -> Iterator[str]:
    """A pty, open at both ends."""
    ends = os.openpty()
    yield os.ttyname(ends[1])
    for end in ends:
        os.close(end)


def test_a_port_is_opened_non_blocking_at_57600_baud(path: str) -> None:
    port = open_port(path)
    speed = termios.tcgetattr(port.fileno())[5]
    assert speed == termios.B57600
    assert os.get_blocking(port.fileno()) is False
    close_port(port)
    close_port(port)


def open_error(path: str) -> str:
    with pytest.raises(Exception) as error:  # noqa: PT011 - see OPEN_ERRORS
        open_port(path)
    return TextRenderer().render(open_error_message(path, error.value))


def test_the_error_of_a_port_that_does_not_exist(tmp_path: Path) -> None:
    path = str(tmp_path / "ttyUSB0")
    assert open_error(path) == (
        f"There is no port {path}: plug the die pad in, or change [pad] port in the config."
    )


def test_a_port_cannot_be_opened_twice(path: str) -> None:
    port = open_port(path)
    assert open_error(path) == (
        f"Another program uses {path}: close it, and the die pad is found by itself."
    )
    close_port(port)
    close_port(open_port(path))


def test_the_error_of_a_file_that_is_not_a_serial_port() -> None:
    assert open_error("/dev/null").startswith(
        "/dev/null cannot be used as a serial port (Could not configure port: (25, "
    )


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            serial.SerialException(errno.EACCES, "could not open port"),
            "/dev/ttyUSB0 may not be used: run 'sudo adduser $USER dialout' and log in again.",
        ),
        (
            serial.SerialException(errno.EBUSY, "could not open port"),
            "Another program uses /dev/ttyUSB0: close it, and the die pad is found by itself.",
        ),
        (
            serial.SerialException(errno.EIO, "gone\nwith the wind"),
            "/dev/ttyUSB0 cannot be used as a serial port ([Errno 5] gone\\nwith the wind): "
            "plug the die pad in again, or change [pad] port in the config.",
        ),
        (
            ValueError(),
            "/dev/ttyUSB0 cannot be used as a serial port (ValueError): "
            "plug the die pad in again, or change [pad] port in the config.",
        ),
    ],
)
def test_errors_are_one_line_with_advice(error: Exception, text: str) -> None:
    assert TextRenderer().render(open_error_message("/dev/ttyUSB0", error)) == text


def test_the_error_of_a_port_without_permission(tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch(mode=0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # root may open anything
    try:
        assert open_error(str(port)).startswith(f"{port} may not be used: run 'sudo adduser")
    finally:
        os.seteuid(user)
