"""The udev rules are valid, and match the same pads as the companion."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.system.udev_rules import Assignments, Device, apply_rules, read_rules

from companion.adapters.known_pads import ANY, USB_IDS

RULES = Path(__file__).parents[2] / "systemd" / "60-marrakech.rules"

# Vendor and product.
PADS = [
    ("2341", "0043"),
    ("2a03", "0043"),
    ("1a86", "7523"),
    ("1a86", "7522"),
    ("1a86", "5523"),
    ("1a86", "55d3"),
    ("1a86", "55d4"),
    ("0403", "6001"),
    ("0403", "6015"),
    ("10c4", "ea60"),
]
OTHERS = {
    "a modem": ("2c7c", "0125"),
    "a hub by the maker of the CH340": ("1a86", "8091"),
    "a programmer by FTDI": ("0403", "6010"),
}


def assignments_for(device: Device) -> Assignments:
    return apply_rules(read_rules(RULES), device)


def usb(subsystem: str, ids: tuple[str, str], action: str = "add") -> Device:
    attributes = dict(zip(("idVendor", "idProduct"), ids, strict=True))
    return Device(subsystem, "ttyUSB0", action, attributes)


def test_rules_are_valid() -> None:
    """udevadm verify exists since udev 254; the parser of the tests covers older systems."""
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
def test_parser_rejects_invalid_rules(tmp_path: Path, line: str) -> None:
    (tmp_path / "rules").write_text(f"{line}\n")
    with pytest.raises(AssertionError):
        read_rules(tmp_path / "rules")


# --- The die pad --------------------------------------------------------------------------


@pytest.mark.parametrize("ids", PADS)
def test_device_that_may_be_a_pad_is_ignored_by_modem_manager_and_gets_no_name(
    ids: tuple[str, str],
) -> None:
    """A printer has the same chip as a pad, and must not get the pad's name."""
    pad = assignments_for(usb("tty", ids))
    assert pad.links == []
    assert pad.env["ID_MM_DEVICE_IGNORE"] == "1"


@pytest.mark.parametrize("ids", PADS)
def test_usb_device_is_ignored_by_modem_manager_and_gets_no_name(ids: tuple[str, str]) -> None:
    device = assignments_for(usb("usb", ids))
    assert device.links == []
    assert device.env["ID_MM_DEVICE_IGNORE"] == "1"


@pytest.mark.parametrize("ids", OTHERS.values(), ids=list(OTHERS))
def test_other_usb_devices_are_unchanged(ids: tuple[str, str]) -> None:
    assert assignments_for(usb("tty", ids)) == Assignments()
    assert assignments_for(usb("usb", ids)) == Assignments()


def test_removed_device_is_unchanged() -> None:
    assert assignments_for(usb("tty", ("2341", "0043"), "remove")) == Assignments()


def test_all_pads_of_the_rules_are_tested_here() -> None:
    named = set()
    for rule in read_rules(RULES):
        ids = {term.name: term.value.split("|") for term in rule if term.key == "ATTRS"}
        for vendor in ids.get("idVendor", []):
            named |= {(vendor, product) for product in ids.get("idProduct", ["0043"])}
    assert named == set(PADS)


def test_companion_has_the_same_devices() -> None:
    listed = {
        (f"{vendor:04x}", "0043" if products is ANY else f"{product:04x}")
        for vendor, products in USB_IDS.items()
        for product in products or (0,)
    }
    assert listed == set(PADS)


# --- The pins and the matrix --------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "group"),
    [
        (Device("gpio", "gpiochip0"), "gpio"),
        (Device("gpio", "gpiochip4"), "gpio"),
        (Device("spidev", "spidev0.0"), "spi"),
    ],
)
def test_pins_and_matrix_have_the_groups_of_the_unit(device: Device, group: str) -> None:
    assert assignments_for(device) == Assignments(group=group, mode="0660")
    unit = RULES.with_name("marrakech.service").read_text(encoding="utf-8")
    assert group in unit.partition("SupplementaryGroups=")[2].splitlines()[0].split()


def test_pins_of_the_sysfs_interface_are_unchanged() -> None:
    assert assignments_for(Device("gpio", "gpio17")) == Assignments()
