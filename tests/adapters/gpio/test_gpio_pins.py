"""Errors of pins: each names the problem and the remedy."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from gpiozero.pins.mock import MockFactory

from companion.adapters.gpio.contacts import GpioContacts, contact_name
from companion.adapters.virtual.contacts import VirtualContacts
from companion.table.inputs import Button, ButtonDown
from companion.testing.virtual_time import VirtualLoop, run


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
