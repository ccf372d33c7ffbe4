"""The companion's rules in a running udev: the rights to devices, and the name of the pad."""

from __future__ import annotations

import grp
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from kernel.inside.header import Header
from kernel.inside.udev import properties, wait_for_port
from kernel.inside.usb_serial import UsbSerial

pytestmark = pytest.mark.usefixtures("udev")

BY_ID = Path("/dev/serial/by-id")
GPS = (0x1546, 0x01A8)


def rights(device: Path) -> tuple[str, str]:
    """Group and mode."""
    found = device.stat()
    return grp.getgrgid(found.st_gid).gr_name, f"{stat.S_IMODE(found.st_mode):04o}"


@pytest.fixture
def serial_port() -> Iterator[UsbSerial]:
    with closing(UsbSerial()) as device:
        yield device


def test_groups_may_use_the_pins_and_the_matrix(header: Header) -> None:
    assert rights(Path("/dev") / header.chip.name) == ("gpio", "0660")
    assert rights(Path("/dev/spidev0.0")) == ("spi", "0660")


def test_modem_manager_ignores_a_pad(serial_port: UsbSerial) -> None:
    serial_port.plug_in()
    wait_for_port()
    (by_id,) = BY_ID.iterdir()
    assert by_id.name.startswith("usb-Arduino__www.arduino.cc_")
    assert properties(by_id)["ID_MM_DEVICE_IGNORE"] == "1"
    assert rights(by_id) == ("dialout", "0660")
    serial_port.unplug()
    wait_for_port(is_present=False)
    assert not by_id.is_symlink()


def test_other_serial_device_is_left_to_modem_manager() -> None:
    with closing(UsbSerial(ids=GPS, manufacturer="u-blox AG")) as device:
        device.plug_in()
        wait_for_port()
        (by_id,) = BY_ID.iterdir()
        assert "ID_MM_DEVICE_IGNORE" not in properties(by_id)
