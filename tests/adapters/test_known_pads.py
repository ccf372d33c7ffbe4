"""The list of known pads: written by `marrakech firmware`, read by `auto`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from serial.tools import list_ports

from companion.adapters.known_pads import KnownPad, UsbPort, known_pads, remember_pad, usb_ports
from companion.errors import CompanionError

NANO = UsbPort("/dev/ttyUSB0", "/dev/serial/by-path/usb-0:1", 0x1A86, 0x7523)
PAD = KnownPad(0x1A86, 0x7523, "", NANO.socket)


def test_a_remembered_device_is_known_afterwards(tmp_path: Path) -> None:
    file = tmp_path / "new" / "pads.json"
    assert known_pads([file]) == []
    assert remember_pad(NANO, file=file) == file
    assert known_pads([file]) == [PAD]
    assert file.stat().st_mode & 0o777 == 0o644


def test_the_last_remembered_comes_first_and_each_once(tmp_path: Path) -> None:
    file = tmp_path / "pads.json"
    other = UsbPort("/dev/ttyUSB1", "/dev/serial/by-path/usb-0:2", 0x1A86, 0x7523)
    for device in (NANO, other, NANO):
        remember_pad(device, file=file)
    assert [pad.socket for pad in known_pads([file])] == [NANO.socket, other.socket]


def test_the_list_does_not_grow_without_end(tmp_path: Path) -> None:
    for number in range(20):
        socket = f"/dev/serial/by-path/{number}"
        remember_pad(UsbPort("/dev/ttyUSB0", socket, 1, 2), file=tmp_path / "pads.json")
    assert len(known_pads([tmp_path / "pads.json"])) == 8


@pytest.mark.parametrize(
    "text", ["", "{}", "[1, {}]", "[" * 5000, '[{"vendor": "x", "product": 1}]', "\x00\xff"]
)
def test_a_damaged_list_has_no_pads_and_can_be_written_again(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pads.json"
    file.write_text(text, encoding="latin-1")
    assert known_pads([file]) == []
    remember_pad(NANO, file=file)
    assert known_pads([file]) == [PAD]


def test_a_device_without_a_socket_is_not_remembered(tmp_path: Path) -> None:
    """Its number may be that of another device tomorrow."""
    nameless = UsbPort("/dev/ttyUSB0", "/dev/ttyUSB0", 0x1A86, 0x7523)
    with pytest.raises(CompanionError, match=r'set \[pad\] port = "/dev/ttyUSB0" in the config'):
        remember_pad(nameless, file=tmp_path / "pads.json")


def test_an_unwritable_list_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CompanionError, match="cannot write"):
        remember_pad(NANO, file=tmp_path / "file" / "pads.json")


@dataclass
class PortInfo:
    """As pyserial lists it."""

    device: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    product: str | None = None


def test_devices_are_listed_with_their_sockets_without_opening_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nano, printer, modem = (str(tmp_path / name) for name in ("ttyUSB0", "ttyUSB1", "ttyUSB2"))
    by_path = tmp_path / "by-path"
    by_path.mkdir()
    for name in ("pci-usb-0:1", "pci-usbv2-0:1"):
        (by_path / name).symlink_to(nano)
    ports = [
        PortInfo(printer, 0x0403, 0x6001, "A50285BI", "FT232R"),
        PortInfo(nano, 0x1A86, 0x7523),
        PortInfo(modem, 0x2C7C, 0x0125),
        PortInfo("/dev/ttyAMA0"),
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    found = usb_ports(by_path=by_path)
    assert found == [
        UsbPort(nano, str(by_path / "pci-usb-0:1"), 0x1A86, 0x7523),
        UsbPort(printer, printer, 0x0403, 0x6001, "A50285BI", "FT232R"),
    ]
    assert [str(one).partition(" ")[2] for one in found] == ["(1a86:7523)", "(FT232R)"]
