"""The chip of the 40-pin header is found by the device tree, not by its number."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest
from helpers.system.gpio_chips import BCM2711, BCM2835, GPIO_CHIPS, RP1, place_gpio_chips

from companion.adapters.gpio.header_chip import (
    GpioChip,
    header_chip,
    list_chips,
    no_header_text,
)

HEADERS = {
    "Pi 3": GpioChip(0, (BCM2835,)),
    "Zero 2 W": GpioChip(0, (BCM2835,)),
    "Pi 4": GpioChip(0, (BCM2711,)),
    "Pi 5, Linux 6.1": GpioChip(4, (RP1,)),
    "Pi 5, Linux 6.6.45": GpioChip(0, (RP1,)),
    "Pi 5, Linux 6.12.96": GpioChip(15, (RP1,)),
}


def test_every_layout_has_an_expected_header() -> None:
    assert HEADERS.keys() == GPIO_CHIPS.keys()


@pytest.mark.parametrize("layout", GPIO_CHIPS)
def test_the_header_is_found_on_every_board_and_kernel(layout: str, tmp_path: Path) -> None:
    place_gpio_chips(tmp_path, GPIO_CHIPS[layout])
    assert header_chip(list_chips(tmp_path)) == HEADERS[layout]


def test_a_link_to_another_number_is_not_a_chip(tmp_path: Path) -> None:
    """Raspberry Pi OS has /dev/gpiochip4 as a link for programs that expect the old number."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip0").touch()
    (tmp_path / "dev/gpiochip4").symlink_to("gpiochip0")
    assert [chip.number for chip in list_chips(tmp_path)] == [0]


def test_chips_are_listed_by_number_not_by_name(tmp_path: Path) -> None:
    place_gpio_chips(tmp_path, {10: BCM2711, 2: "other,gpio"})
    assert [chip.number for chip in list_chips(tmp_path)] == [2, 10]


def test_a_chip_may_have_several_compatible_names() -> None:
    chip = GpioChip(3, ("vendor,special-gpio", BCM2835))
    assert chip.is_header
    assert str(chip) == "/dev/gpiochip3 (brcm,bcm2835-gpio)"


def test_a_machine_without_gpio_has_no_chips(tmp_path: Path) -> None:
    assert list_chips(tmp_path) == []
    assert header_chip([]) is None


def test_other_files_named_like_a_chip_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip0.old").touch()
    assert list_chips(tmp_path) == []


# --- Without a device tree: the label -------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "is_header"),
    [("pinctrl-rp1", True), ("pinctrl-bcm2835", True), ("raspberrypi-exp-gpio", False)],
)
def test_without_a_device_tree_the_kernels_label_decides(
    label: str, is_header: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ioctl(_: int, request: int, info: bytearray) -> int:
        assert request == 0x8044B401
        info[:] = b"gpiochip0".ljust(32, b"\0") + label.encode().ljust(32, b"\0") + bytes(4)
        return 0

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip0").touch()
    (chip,) = list_chips(tmp_path)
    assert (chip.names, chip.is_header) == ((label,), is_header)


def test_a_file_that_is_not_a_chip_has_no_name(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip0").touch()
    assert list_chips(tmp_path) == [GpioChip(0)]


def test_the_error_names_every_chip_that_was_found() -> None:
    assert no_header_text([GpioChip(0, ("intel,gpio",)), GpioChip(1)]) == (
        "none of its GPIO chips is a Raspberry Pi's header: /dev/gpiochip0 (intel,gpio) and "
        "/dev/gpiochip1 (unknown)"
    )
