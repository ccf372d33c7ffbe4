"""Pin factories: which chip is opened, and what each error says."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import PinUnknownPi
from gpiozero.pins.mock import MockFactory
from helpers.system.gpio_chips import GPIO_CHIPS, place_gpio_chips

from companion.adapters.gpio.pin_factory import describe_pins, open_pin_factory
from companion.errors import CompanionError

NEW_PI_5 = "Pi 5, Linux 6.12.96"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The files of a Pi 5 with a current kernel."""
    place_gpio_chips(tmp_path, GPIO_CHIPS[NEW_PI_5])
    return tmp_path


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A fake of gpiozero's module for lgpio. Its factory records the number of the chip."""
    module = ModuleType("gpiozero.pins.lgpio")
    module.LGPIOFactory = ChipFactory  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)
    return module


class ChipFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no type hints
    def __init__(self, chip: int | None = None) -> None:
        super().__init__()
        self.chip = chip


def factory_error(root: Path, kind: str = "lgpio") -> str:
    with pytest.raises(CompanionError) as error:
        open_pin_factory(kind, root=root)
    return str(error.value)


@pytest.mark.usefixtures("lgpio")
@pytest.mark.parametrize(
    ("layout", "number"),
    [
        ("Pi 3", 0),
        ("Zero 2 W", 0),
        ("Pi 4", 0),
        ("Pi 5, Linux 6.1", 4),
        ("Pi 5, Linux 6.6.45", 0),
        (NEW_PI_5, 15),
    ],
)
def test_the_chip_of_the_header_is_opened(layout: str, number: int, tmp_path: Path) -> None:
    place_gpio_chips(tmp_path, GPIO_CHIPS[layout])
    pins: Any = open_pin_factory("lgpio", root=tmp_path)
    assert pins.chip == number


@pytest.mark.usefixtures("lgpio")
def test_the_description_says_which_chip_is_used_and_why(root: Path) -> None:
    assert describe_pins(open_pin_factory("lgpio", root=root)) == (
        "buttons: /dev/gpiochip15 (raspberrypi,rp1-gpio), the chip of the 40-pin header"
    )


def test_mock_pins_and_missing_pins_have_no_description(tmp_path: Path) -> None:
    assert describe_pins(open_pin_factory("mock", root=tmp_path)) == ""
    assert describe_pins(None) == ""


def test_the_error_on_a_machine_without_gpio_recommends_play(tmp_path: Path) -> None:
    assert factory_error(tmp_path) == ("this machine has no GPIO: on a laptop use 'marrakech play'")


def test_the_error_on_another_board_names_its_chips(tmp_path: Path) -> None:
    place_gpio_chips(tmp_path, {0: "rockchip,gpio-bank", 1: "rockchip,gpio-bank"})
    assert factory_error(tmp_path) == (
        "none of its GPIO chips is a Raspberry Pi's header: /dev/gpiochip0 (rockchip,gpio-bank) "
        "and /dev/gpiochip1 (rockchip,gpio-bank): on a Raspberry Pi run 'marrakech doctor'; on a "
        "laptop use 'marrakech play'"
    )


def test_the_error_without_a_device_node_says_how_to_create_it(root: Path) -> None:
    (root / "dev/gpiochip15").unlink()
    assert factory_error(root) == (
        "/dev/gpiochip15 (raspberrypi,rp1-gpio) is missing in /dev: run 'sudo udevadm trigger', "
        "or reboot"
    )


def test_the_error_without_permission_names_the_group(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: path != root / "dev/gpiochip15")
    assert factory_error(root) == (
        "/dev/gpiochip15 (raspberrypi,rp1-gpio) may not be used: "
        "run 'sudo adduser $USER gpio' and log in again"
    )


def test_the_error_without_lgpio_recommends_install(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert factory_error(root) == (
        "Python's lgpio is missing: run 'sudo ./marrakech install', which also runs the table as "
        "a service"
    )


def test_the_error_in_a_read_only_folder_names_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lgpio.py").write_text("open('nowhere/.lgd-nfy0')")
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert factory_error(root) == (
        f"lgpio cannot write into {tmp_path} ([Errno 2] No such file or directory: "
        "'nowhere/.lgd-nfy0'): start the companion from a folder that you may write into"
    )


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            PinUnknownPi("no revision"),
            "gpiozero does not know this model of Raspberry Pi: update the system with "
            "'sudo apt full-upgrade'",
        ),
        (
            Exception("can not open gpiochip"),
            "/dev/gpiochip15 (raspberrypi,rp1-gpio) cannot be opened (can not open gpiochip): "
            "run 'marrakech doctor'",
        ),
    ],
)
def test_an_error_while_opening_the_chip(
    root: Path, lgpio: ModuleType, error: Exception, text: str
) -> None:
    def open_chip(**_: object) -> None:
        raise error

    lgpio.LGPIOFactory = open_chip  # type: ignore[attr-defined]
    assert factory_error(root) == text


def test_mock_pins_need_no_gpio_chip(tmp_path: Path) -> None:
    assert type(open_pin_factory("mock", root=tmp_path)) is MockFactory


def test_an_unknown_kind_is_an_error_with_a_suggestion(tmp_path: Path) -> None:
    assert factory_error(tmp_path, "lpgio") == (
        "unknown pin factory 'lpgio': use lgpio or mock; did you mean 'lgpio'?"
    )
