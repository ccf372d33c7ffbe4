"""Where the pad may be plugged in, and why a port does not open."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from companion.adapters.pad_port import close_port, find_ports, open_port, why_not
from companion.i18n.renderer import TextRenderer


def plug(folder: Path, name: str, at_s: int) -> str:
    """A link as udev makes it, with its time; where it leads may be nowhere."""
    link = folder / name
    link.symlink_to("../../ttyUSB7")
    os.utime(link, (at_s, at_s), follow_symlinks=False)
    return str(link)


# --- Finding ------------------------------------------------------------------------------


def test_what_looks_like_a_pad_is_found_newest_first_and_nothing_else(tmp_path: Path) -> None:
    old = plug(tmp_path, "usb-Arduino__www.arduino.cc__0043_85-if00", 100)
    new = plug(tmp_path, "usb-1a86_USB_Serial-if00-port0", 300)
    middle = plug(tmp_path, "usb-FTDI_FT232R_USB_UART_A5-if00-port0", 200)
    other = plug(tmp_path, "usb-Silicon_Labs_CP2102_USB_to_UART_0001-if00-port0", 50)
    plug(tmp_path, "usb-Quectel_Modem-if02", 400)
    assert find_ports("", folder=tmp_path) == [new, middle, old, other]


def test_where_nothing_was_ever_plugged_in_nothing_is_found(tmp_path: Path) -> None:
    assert find_ports("", folder=tmp_path / "by-id") == []


def test_a_port_that_is_told_is_taken_whether_it_exists_or_not(tmp_path: Path) -> None:
    assert find_ports("/dev/ttyACM9", folder=tmp_path) == ["/dev/ttyACM9"]


def test_a_pattern_finds_what_it_fits(tmp_path: Path) -> None:
    one = plug(tmp_path, "usb-Quectel_Modem-if02", 1)
    plug(tmp_path, "usb-1a86_USB_Serial-if00-port0", 2)
    assert find_ports(f"{tmp_path}/*Modem*") == [one]
    assert find_ports(f"{tmp_path}/*Arduino*") == []


# --- Opening ------------------------------------------------------------------------------


@pytest.fixture
def path() -> Iterator[str]:
    """A terminal whose other end is held."""
    ends = os.openpty()
    yield os.ttyname(ends[1])
    for end in ends:
        os.close(end)


def test_a_port_is_opened_at_57600_baud_and_never_blocks(path: str) -> None:
    port = open_port(path)
    speed = termios.tcgetattr(port.fileno())[5]
    assert speed == termios.B57600
    assert os.get_blocking(port.fileno()) is False
    close_port(port)
    close_port(port)


def refusal(path: str) -> str:
    with pytest.raises(Exception) as error:  # noqa: PT011 - which ones is what why_not knows
        open_port(path)
    return TextRenderer().say(why_not(path, error.value))


def test_a_port_that_does_not_exist(tmp_path: Path) -> None:
    path = str(tmp_path / "ttyUSB0")
    assert refusal(path) == (
        f"There is no port {path}: plug the die pad in, or change [pad] port in the config."
    )


def test_two_hosts_cannot_have_the_same_port(path: str) -> None:
    port = open_port(path)
    assert refusal(path) == (
        f"Another program uses {path}: close it, and the die pad is found by itself."
    )
    close_port(port)
    close_port(open_port(path))


def test_what_is_no_serial_port() -> None:
    assert refusal("/dev/null").startswith(
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
def test_why_it_does_not_open_is_said_in_one_line(error: Exception, text: str) -> None:
    assert TextRenderer().say(why_not("/dev/ttyUSB0", error)) == text


def test_a_port_without_permission_is_refused_by_the_system_itself(tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch(mode=0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # root may open anything
    try:
        assert refusal(str(port)).startswith(f"{port} may not be used: run 'sudo adduser")
    finally:
        os.seteuid(user)
