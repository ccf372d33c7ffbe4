"""The rules for udev: understood, and of one mind with the companion about what a pad is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.system.udev_rules import Device, Outcome, follow, read_rules

from companion.adapters.pad_port import PAD_NAMES, find_ports

RULES = Path(__file__).parents[2] / "systemd" / "60-marrakech.rules"

# Vendor and product, and what udev then calls the port in /dev/serial/by-id.
PADS = {
    ("2341", "0043"): "usb-Arduino__www.arduino.cc__0043_8573331303635140F0A0-if00",
    ("2a03", "0043"): "usb-Arduino_Srl_Arduino_Uno_754393137373514170F1-if00",
    ("1a86", "7523"): "usb-1a86_USB_Serial-if00-port0",
    ("1a86", "7522"): "usb-1a86_USB2.0-Ser_-if00-port0",
    ("1a86", "5523"): "usb-wch.cn_USB-SERIAL_CH340-if00-port0",
    ("1a86", "55d3"): "usb-1a86_USB_Single_Serial_5435006783-if00",
    ("1a86", "55d4"): "usb-1a86_USB_Single_Serial_5436031526-if00",
    ("0403", "6001"): "usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0",
    ("0403", "6015"): "usb-FTDI_FT231X_USB_UART_DK0CEN7F-if00-port0",
    ("10c4", "ea60"): "usb-Silicon_Labs_CP2102_USB_to_UART_Bridge_Controller_0001-if00-port0",
}
OTHERS = {
    "a modem": ("2c7c", "0125"),
    "a hub by the maker of the CH340": ("1a86", "8091"),
    "a programmer by FTDI": ("0403", "6010"),
}


def made_of(device: Device) -> Outcome:
    return follow(read_rules(RULES), device)


def usb(subsystem: str, ids: tuple[str, str], action: str = "add") -> Device:
    attributes = dict(zip(("idVendor", "idProduct"), ids, strict=True))
    return Device(subsystem, "ttyUSB0", action, attributes)


def test_udev_understands_them() -> None:
    """udevadm says so itself from udev 254 on; what is read here holds for older ones."""
    assert read_rules(RULES)
    udevadm = shutil.which("udevadm") or "/no/udevadm"
    can_verify = (
        Path(udevadm).exists()
        and not subprocess.run([udevadm, "verify", "--help"], capture_output=True).returncode
    )
    if can_verify:
        done = subprocess.run(
            [udevadm, "verify", "--resolve-names=never", "--no-summary", str(RULES)],
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "line",
    [
        'SUBSYSTEM="tty", SYMLINK+="pad"',
        'SUBSYSTEM=="tty" SYMLINK+="pad"',
        'SUBSYSTEM=="tty", SYMLINKS+="pad"',
        'ATTRS=="1a86", SYMLINK+="pad"',
        'SUBSYSTEM=="tty", GOTO="nowhere"',
    ],
)
def test_a_rule_that_udev_would_not_understand_is_noticed(tmp_path: Path, line: str) -> None:
    (tmp_path / "rules").write_text(f"{line}\n")
    with pytest.raises(AssertionError):
        read_rules(tmp_path / "rules")


# --- The die pad --------------------------------------------------------------------------


@pytest.mark.parametrize("ids", PADS)
def test_a_pad_has_a_name_that_stays_and_no_modem_manager(ids: tuple[str, str]) -> None:
    pad = made_of(usb("tty", ids))
    assert pad.links == ["marrakech-pad"]
    assert pad.env["ID_MM_DEVICE_IGNORE"] == "1"


@pytest.mark.parametrize("ids", PADS)
def test_the_usb_device_is_kept_from_modem_manager_and_gets_no_name(ids: tuple[str, str]) -> None:
    device = made_of(usb("usb", ids))
    assert device.links == []
    assert device.env["ID_MM_DEVICE_IGNORE"] == "1"


@pytest.mark.parametrize("ids", OTHERS.values(), ids=list(OTHERS))
def test_other_things_on_usb_are_left_alone(ids: tuple[str, str]) -> None:
    assert made_of(usb("tty", ids)) == Outcome()
    assert made_of(usb("usb", ids)) == Outcome()


def test_what_is_unplugged_is_left_alone() -> None:
    assert made_of(usb("tty", ("2341", "0043"), "remove")) == Outcome()


def test_every_pad_of_the_rules_is_tried_here() -> None:
    named = set()
    for rule in read_rules(RULES):
        ids = {term.name: term.value.split("|") for term in rule if term.key == "ATTRS"}
        for vendor in ids.get("idVendor", []):
            named |= {(vendor, product) for product in ids.get("idProduct", ["0043"])}
    assert named == set(PADS)


def test_the_companion_looks_for_the_same_pads(tmp_path: Path) -> None:
    """Each that udev names is found by the companion, and the other way round."""
    for name in PADS.values():
        (tmp_path / name).symlink_to("../../ttyUSB0")
    assert sorted(find_ports("", folder=tmp_path)) == sorted(
        str(tmp_path / name) for name in PADS.values()
    )
    names = " ".join(PADS.values()).lower()
    assert [word for word in PAD_NAMES if word not in names] == []


# --- The pins and the matrix --------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "group"),
    [
        (Device("gpio", "gpiochip0"), "gpio"),
        (Device("gpio", "gpiochip4"), "gpio"),
        (Device("spidev", "spidev0.0"), "spi"),
    ],
)
def test_pins_and_matrix_belong_to_the_groups_of_the_unit(device: Device, group: str) -> None:
    assert made_of(device) == Outcome(group=group, mode="0660")
    unit = RULES.with_name("marrakech.service").read_text(encoding="utf-8")
    assert group in unit.partition("SupplementaryGroups=")[2].splitlines()[0].split()


def test_a_single_pin_of_the_old_interface_is_left_alone() -> None:
    assert made_of(Device("gpio", "gpio17")) == Outcome()
