"""Pins that cannot be had, and where pins come from: each refusal says what to do."""

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
from companion.table.inputs import Button, Down
from companion.testing.virtual_time import VirtualLoop, run

# --- Pins that cannot be had --------------------------------------------------------------


@contextmanager
def contacts(pins: dict[Button | int, int], factory: MockFactory) -> Iterator[GpioContacts]:
    loop = VirtualLoop()
    made = GpioContacts(loop, pins, print, debounce_ms=12, pin_factory=factory)
    yield made
    made.close()
    loop.close()


def refused(pins: dict[Button | int, int], factory: MockFactory) -> dict[Button | int, str]:
    with contacts(pins, factory) as made:
        return made.refused


def test_a_pin_that_does_not_exist_is_refused_by_name() -> None:
    assert refused({Button.OK: 26, Button.EAST: 99}, MockFactory()) == {
        Button.EAST: "pin 99 for button east is no GPIO pin of this Pi: "
        "give it another pin in the config"
    }


def test_a_pin_used_twice_is_refused_by_name() -> None:
    assert refused({Button.OK: 26, 3: 26}, MockFactory()) == {
        3: "pin 26 for die key 3 is in use already: "
        "give each button and key a pin of its own in the config"
    }


def test_the_other_contacts_are_heard_and_the_pins_are_free_at_the_end() -> None:
    factory, told = MockFactory(), list[object]()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        pins: dict[Button | int, int] = {Button.EAST: 99, Button.OK: 26}
        made = GpioContacts(loop, pins, told.append, debounce_ms=12, pin_factory=factory)
        VirtualContacts(factory, {Button.OK: 26}).press(Button.OK)
        await asyncio.sleep(1)
        made.close()

    run(main())
    assert told == [Down(Button.OK)]
    assert refused({3: 26}, factory) == {}


def test_a_pin_that_another_program_has_let_go_can_be_had_later() -> None:
    class Busy(MockFactory):  # type: ignore[misc]  # gpiozero comes without types
        is_busy = True

        def pin(self, name: object) -> object:
            if self.is_busy and name == 26:
                raise OSError(16, "Device or resource busy")
            return super().pin(name)

    factory = Busy()
    with contacts({Button.OK: 26, Button.BACK: 16}, factory) as made:
        assert list(made.refused) == [Button.OK]
        made.try_pins()
        assert list(made.refused) == [Button.OK]
        factory.is_busy = False
        made.try_pins()
        assert made.refused == {}
        factory.is_busy = True
        made.try_pins()  # what it has it keeps
        assert made.refused == {}


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            PermissionError(13, "Permission denied"),
            "pin 26 for button ok may not be used: run 'sudo adduser $USER gpio' and log in again",
        ),
        (
            OSError(16, "Device or resource busy"),
            "pin 26 for button ok cannot be used ([Errno 16] Device or resource busy): "
            "stop what else uses it, or give it another pin",
        ),
        (
            Exception(),  # lgpio's own error is no OSError
            "pin 26 for button ok cannot be used (Exception): "
            "stop what else uses it, or give it another pin",
        ),
    ],
)
def test_a_pin_that_the_system_refuses_is_named(error: Exception, told: str) -> None:
    class Refusing(MockFactory):  # type: ignore[misc]  # gpiozero comes without types
        def pin(self, *_: object, **__: object) -> None:
            raise error

    assert refused({Button.OK: 26}, Refusing()) == {Button.OK: told}


def test_contacts_have_names() -> None:
    assert [contact_name(key) for key in (Button.BACK, 1)] == ["button back", "die key 1"]


# --- Where the pins come from -------------------------------------------------------------


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    (tmp_path / "gpiochip0").touch()
    return tmp_path


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """gpiozero's module for a machine that has lgpio."""
    module = ModuleType("gpiozero.pins.lgpio")
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)
    return module


def factory_refused(devices: Path, kind: str = "lgpio") -> str:
    with pytest.raises(CompanionError) as refusal:
        open_pin_factory(kind, devices=devices)
    return str(refusal.value)


def test_a_machine_without_gpio_is_sent_to_play(tmp_path: Path) -> None:
    assert factory_refused(tmp_path) == (
        "this machine has no GPIO: on a laptop use 'marrakech play'"
    )


def test_chips_that_may_not_be_used_are_refused_with_the_group(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert factory_refused(devices) == (
        f"{devices}/gpiochip0 may not be used: run 'sudo adduser $USER gpio' and log in again"
    )


def test_missing_lgpio_is_refused_with_what_brings_it(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert factory_refused(devices) == (
        "Python's lgpio is missing: 'sudo ./marrakech install' brings it, and the table runs as "
        "a service from then on"
    )


def test_a_folder_that_lgpio_cannot_write_into_is_named(
    devices: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lgpio.py").write_text("open('nowhere/.lgd-nfy0')")
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert factory_refused(devices) == (
        f"lgpio cannot write into {tmp_path} ([Errno 2] No such file or directory: "
        "'nowhere/.lgd-nfy0'): start the companion from a folder that you may write into"
    )


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            PinUnknownPi("no revision"),
            "this machine is no Raspberry Pi: on a laptop use 'marrakech play'",
        ),
        (
            Exception("can not open gpiochip"),
            "the GPIO cannot be opened (can not open gpiochip): "
            "run 'sudo adduser $USER gpio' and log in again",
        ),
    ],
)
def test_a_chip_that_does_not_open_is_refused(
    devices: Path, lgpio: ModuleType, error: Exception, told: str
) -> None:
    def open_chip() -> None:
        raise error

    lgpio.LGPIOFactory = open_chip  # type: ignore[attr-defined]
    assert factory_refused(devices) == told


def test_lgpio_is_used_where_it_is(devices: Path, lgpio: ModuleType) -> None:
    lgpio.LGPIOFactory = MockFactory  # type: ignore[attr-defined]
    assert type(open_pin_factory("lgpio", devices=devices)) is MockFactory


def test_mock_pins_need_no_device(tmp_path: Path) -> None:
    assert type(open_pin_factory("mock", devices=tmp_path)) is MockFactory


def test_another_kind_is_refused_with_the_nearest(tmp_path: Path) -> None:
    assert factory_refused(tmp_path, "lpgio") == (
        "unknown pin factory 'lpgio': use lgpio or mock; did you mean 'lgpio'?"
    )
