"""Finding the port of the pad, opening it, and the errors."""

from __future__ import annotations

import errno
import os
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from helpers.patience import PATIENCE_S

from companion.adapters.known_pads import KnownPad, UsbPort
from companion.adapters.pad_port import (
    UnknownDeviceError,
    check_is_free,
    close_port,
    find_ports,
    open_error_message,
    open_port,
)
from companion.i18n.renderer import TextRenderer


def plug(folder: Path, name: str, at_s: int) -> str:
    """A link as udev creates it, with its time. Its target does not exist."""
    link = folder / name
    link.symlink_to("../../ttyUSB7")
    os.utime(link, (at_s, at_s), follow_symlinks=False)
    return str(link)


CH340 = (0x1A86, 0x7523)
FTDI = (0x0403, 0x6001)


def device(socket: str, ids: tuple[int, int] = CH340, serial: str = "") -> UsbPort:
    return UsbPort(f"/dev/tty-{Path(socket).name}", socket, *ids, serial)


def find_auto(devices: list[UsbPort], pads: list[KnownPad]) -> list[str]:
    return find_ports("", devices=lambda: devices, pads=lambda: pads)


# --- Finding ------------------------------------------------------------------------------


def test_only_known_pads_are_found_newest_first(tmp_path: Path) -> None:
    """The others may be 3D printers, which opening would reset."""
    old, new = plug(tmp_path, "usb-0:1", 100), plug(tmp_path, "usb-0:2", 300)
    printer = plug(tmp_path, "usb-0:3", 400)
    pads = [KnownPad(*CH340, "", old), KnownPad(*CH340, "", new)]
    assert find_auto([device(one) for one in (old, printer, new)], pads) == [new, old]


@pytest.mark.parametrize("count", [1, 2])
def test_devices_that_nobody_named_are_not_opened(count: int) -> None:
    devices = [device(f"/by-path/usb-0:{number}") for number in range(count)]
    with pytest.raises(UnknownDeviceError) as error:
        find_auto(devices, [])
    assert error.value.ports == devices
    assert (
        TextRenderer()
        .render(open_error_message("", error.value))
        .startswith(
            "/dev/tty-usb-0:0 does not answer as a die pad does: load the pad's firmware onto it"
        )
    )


@pytest.mark.parametrize(
    ("found", "is_pad"),
    [
        (device("/by-path/1"), True),
        (device("/by-path/2"), False),
        (device("/by-path/1", FTDI), False),
        (device("/by-path/1", CH340, "5435006783"), False),
    ],
    ids=["same", "other socket", "other chip", "other serial number"],
)
def test_device_without_serial_number_is_known_by_chip_and_socket(
    found: UsbPort, is_pad: bool
) -> None:
    assert KnownPad(*CH340, "", "/by-path/1").matches(found) is is_pad


def test_device_with_its_own_serial_number_is_known_in_any_socket() -> None:
    pad = KnownPad(*FTDI, "A50285BI", "/by-path/1")
    assert pad.matches(device("/by-path/2", FTDI, "A50285BI"))
    assert not pad.matches(device("/by-path/1", FTDI, "A50285XX"))


def test_serial_number_that_many_devices_share_is_not_enough() -> None:
    pad = KnownPad(0x10C4, 0xEA60, "0001", "/by-path/1")
    assert pad.matches(device("/by-path/1", (0x10C4, 0xEA60), "0001"))
    assert not pad.matches(device("/by-path/2", (0x10C4, 0xEA60), "0001"))


def test_without_serial_ports_nothing_is_found() -> None:
    assert find_auto([], []) == []
    assert find_auto([], [KnownPad(*CH340, "", "/by-path/1")]) == []


def test_a_configured_path_is_used_even_if_it_does_not_exist() -> None:
    assert find_ports("/dev/ttyACM9") == ["/dev/ttyACM9"]


def test_a_pattern_finds_the_matching_ports(tmp_path: Path) -> None:
    one = plug(tmp_path, "usb-Quectel_Modem-if02", 1)
    plug(tmp_path, "usb-1a86_USB_Serial-if00-port0", 2)
    assert find_ports(f"{tmp_path}/*Modem*") == [one]
    assert find_ports(f"{tmp_path}/*Arduino*") == []


# --- Held by another program --------------------------------------------------------------


def test_port_with_a_lock_file_of_a_running_program_is_busy(tmp_path: Path) -> None:
    (tmp_path / "LCK..ttyUSB0").write_text("      4711\n")
    check_is_free("/dev/ttyUSB0", locks=tmp_path, processes=tmp_path / "none")
    process = tmp_path / "4711"
    process.mkdir()
    (process / "comm").write_text("minicom\n")
    with pytest.raises(BlockingIOError, match=r"minicom \(process 4711\) has it open"):
        check_is_free("/dev/ttyUSB0", locks=tmp_path, processes=tmp_path)


def test_port_that_another_process_has_open_is_busy(tmp_path: Path) -> None:
    files = tmp_path / "815" / "fd"
    files.mkdir(parents=True)
    (files / "3").symlink_to("/dev/ttyUSB1")
    (files.parent / "comm").write_text("klippy\n")
    check_is_free("/dev/ttyUSB0", locks=tmp_path, processes=tmp_path)
    with pytest.raises(BlockingIOError, match=r"klippy \(process 815\) has it open") as error:
        check_is_free("/dev/ttyUSB1", locks=tmp_path, processes=tmp_path)
    assert open_error_message("/dev/ttyUSB1", error.value).key == "pad.busy"


def test_held_port_is_not_opened(path: str) -> None:
    """By a program without any lock, in another process."""
    with subprocess.Popen(
        ["cat", path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as holder:
        end = time.monotonic() + PATIENCE_S
        while not is_held(path) and time.monotonic() < end:
            time.sleep(0.01)
        assert "Another program uses" in open_error(path)
        holder.kill()
    close_port(open_port(path))


def is_held(path: str) -> bool:
    try:
        check_is_free(path)
    except BlockingIOError:
        return True
    return False


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
