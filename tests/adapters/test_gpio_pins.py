"""Errors of pins and pin factories: each names the problem and the remedy."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from gpiozero import PinUnknownPi
from gpiozero.pins.mock import MockFactory

from companion.adapters.gpio_buttons import GpioContacts, contact_name, open_pin_factory
from companion.adapters.virtual.contacts import VirtualContacts
from companion.errors import CompanionError
from companion.table.inputs import Button, ButtonDown
from companion.testing.virtual_time import VirtualLoop, run

# --- Pins ---------------------------------------------------------------------------------


@contextmanager
def contacts(pins: dict[Button | int, int], factory: MockFactory) -> Iterator[GpioContacts]:
    loop = VirtualLoop()
    made = GpioContacts(loop, pins, print, debounce_ms=12, pin_factory=factory)
    yield made
    made.close()
    loop.close()


def pin_errors(pins: dict[Button | int, int], factory: MockFactory) -> dict[Button | int, str]:
    with contacts(pins, factory) as made:
        return made.pin_errors


def test_a_pin_that_does_not_exist_is_an_error() -> None:
    assert pin_errors({Button.OK: 26, Button.EAST: 99}, MockFactory()) == {
        Button.EAST: "pin 99 for button east is not a GPIO pin of this Pi: "
        "give it another pin in the config"
    }


def test_a_pin_used_twice_is_an_error() -> None:
    assert pin_errors({Button.OK: 26, 3: 26}, MockFactory()) == {
        3: "pin 26 for die key 3 is already in use: "
        "give each button and key its own pin in the config"
    }


def test_other_contacts_work_and_pins_are_released_by_close() -> None:
    factory, delivered = MockFactory(), list[object]()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        pins: dict[Button | int, int] = {Button.EAST: 99, Button.OK: 26}
        made = GpioContacts(loop, pins, delivered.append, debounce_ms=12, pin_factory=factory)
        VirtualContacts(factory, {Button.OK: 26}).press(Button.OK)
        await asyncio.sleep(1)
        made.close()

    run(main())
    assert delivered == [ButtonDown(Button.OK)]
    assert pin_errors({3: 26}, factory) == {}


def test_a_pin_released_by_another_program_can_be_opened_later() -> None:
    class Busy(MockFactory):  # type: ignore[misc]  # gpiozero has no type hints
        is_busy = True

        def pin(self, name: object) -> object:
            if self.is_busy and name == 26:
                raise OSError(16, "Device or resource busy")
            return super().pin(name)

    factory = Busy()
    with contacts({Button.OK: 26, Button.BACK: 16}, factory) as made:
        assert list(made.pin_errors) == [Button.OK]
        made.open_missing_pins()
        assert list(made.pin_errors) == [Button.OK]
        factory.is_busy = False
        made.open_missing_pins()
        assert made.pin_errors == {}
        factory.is_busy = True
        made.open_missing_pins()  # open pins stay open
        assert made.pin_errors == {}


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            PermissionError(13, "Permission denied"),
            "pin 26 for button ok may not be used: run 'sudo adduser $USER gpio' and log in again",
        ),
        (
            OSError(16, "Device or resource busy"),
            "pin 26 for button ok cannot be used ([Errno 16] Device or resource busy): "
            "stop the program that uses it, or use another pin",
        ),
        (
            Exception(),  # lgpio's error class is not an OSError
            "pin 26 for button ok cannot be used (Exception): "
            "stop the program that uses it, or use another pin",
        ),
    ],
)
def test_an_error_of_the_system_names_the_pin(error: Exception, text: str) -> None:
    class Refusing(MockFactory):  # type: ignore[misc]  # gpiozero has no type hints
        def pin(self, *_: object, **__: object) -> None:
            raise error

    assert pin_errors({Button.OK: 26}, Refusing()) == {Button.OK: text}


def test_contacts_have_names() -> None:
    assert [contact_name(key) for key in (Button.BACK, 1)] == ["button back", "die key 1"]


# --- Pin factories ------------------------------------------------------------------------


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    (tmp_path / "gpiochip0").touch()
    return tmp_path


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A fake of gpiozero's module for lgpio."""
    module = ModuleType("gpiozero.pins.lgpio")
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)
    return module


def factory_error(devices: Path, kind: str = "lgpio") -> str:
    with pytest.raises(CompanionError) as error:
        open_pin_factory(kind, devices=devices)
    return str(error.value)


def test_the_error_on_a_machine_without_gpio_recommends_play(tmp_path: Path) -> None:
    assert factory_error(tmp_path) == ("this machine has no GPIO: on a laptop use 'marrakech play'")


def test_the_error_without_permission_names_the_group(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert factory_error(devices) == (
        f"{devices}/gpiochip0 may not be used: run 'sudo adduser $USER gpio' and log in again"
    )


def test_the_error_without_lgpio_recommends_install(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert factory_error(devices) == (
        "Python's lgpio is missing: run 'sudo ./marrakech install', which also runs the table as "
        "a service"
    )


def test_the_error_in_a_read_only_folder_names_it(
    devices: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lgpio.py").write_text("open('nowhere/.lgd-nfy0')")
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert factory_error(devices) == (
        f"lgpio cannot write into {tmp_path} ([Errno 2] No such file or directory: "
        "'nowhere/.lgd-nfy0'): start the companion from a folder that you may write into"
    )


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            PinUnknownPi("no revision"),
            "this machine is not a Raspberry Pi: on a laptop use 'marrakech play'",
        ),
        (
            Exception("can not open gpiochip"),
            "the GPIO cannot be opened (can not open gpiochip): "
            "run 'sudo adduser $USER gpio' and log in again",
        ),
    ],
)
def test_an_error_while_opening_the_chip(
    devices: Path, lgpio: ModuleType, error: Exception, text: str
) -> None:
    def open_chip() -> None:
        raise error

    lgpio.LGPIOFactory = open_chip  # type: ignore[attr-defined]
    assert factory_error(devices) == text


def test_lgpio_is_used_if_installed(devices: Path, lgpio: ModuleType) -> None:
    lgpio.LGPIOFactory = MockFactory  # type: ignore[attr-defined]
    assert type(open_pin_factory("lgpio", devices=devices)) is MockFactory


def test_mock_pins_need_no_gpio_chip(tmp_path: Path) -> None:
    assert type(open_pin_factory("mock", devices=tmp_path)) is MockFactory


def test_an_unknown_kind_is_an_error_with_a_suggestion(tmp_path: Path) -> None:
    assert factory_error(tmp_path, "lpgio") == (
        "unknown pin factory 'lpgio': use lgpio or mock; did you mean 'lgpio'?"
    )
