"""Virtual contacts: what gpiozero reads when they are pressed, bounce or fail."""

from __future__ import annotations

import asyncio

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory

from companion.adapters.virtual.contacts import VirtualContacts
from companion.table.inputs import Button
from companion.testing.virtual_time import run

PINS: dict[Button | int, int] = {Button.OK: 26, 3: 22}
OK = Button.OK


class Pin:
    """A gpiozero device on the pin of OK."""

    def __init__(self, factory: MockFactory) -> None:
        self.device = DigitalInputDevice(26, pull_up=True, pin_factory=factory)

    def is_low(self) -> bool:
        return bool(self.device.is_active)


@pytest.fixture
def factory() -> MockFactory:
    return MockFactory()


@pytest.fixture
def contacts(factory: MockFactory) -> VirtualContacts:
    return VirtualContacts(factory, PINS)


@pytest.fixture
def pin(factory: MockFactory, contacts: VirtualContacts) -> Pin:
    return Pin(factory)


def test_a_press_pulls_the_pin_low_until_the_release(contacts: VirtualContacts, pin: Pin) -> None:
    assert not pin.is_low()
    assert not contacts.is_down(OK)
    contacts.press(OK)
    assert pin.is_low()
    assert contacts.is_down(OK)
    assert not contacts.is_down(3)
    contacts.release(OK)
    assert not pin.is_low()
    assert not contacts.is_down(OK)


def test_contacts_can_be_created_after_the_device(factory: MockFactory) -> None:
    pin = Pin(factory)
    VirtualContacts(factory, PINS).press(OK)
    assert pin.is_low()


def test_a_closed_contact_overrides_the_pull_up(
    factory: MockFactory, contacts: VirtualContacts
) -> None:
    contacts.press(OK)
    assert Pin(factory).is_low()


def test_a_stuck_contact_stays_closed_until_it_is_freed(
    contacts: VirtualContacts, pin: Pin
) -> None:
    contacts.stick(OK)
    assert pin.is_low()
    contacts.press(OK)
    contacts.release(OK)
    assert pin.is_low()
    assert contacts.is_down(OK)
    contacts.free(OK)
    assert not pin.is_low()
    contacts.press(OK)
    assert pin.is_low()


def test_an_unplugged_contact_never_closes(contacts: VirtualContacts, pin: Pin) -> None:
    contacts.press(OK)
    contacts.unplug(OK)
    assert not pin.is_low()
    contacts.release(OK)
    contacts.press(OK)
    contacts.stick(OK)
    assert not pin.is_low()
    assert not contacts.is_down(OK)
    contacts.free(OK)
    contacts.plug_in(OK)
    assert pin.is_low(), "still pressed"


def edges(contacts: VirtualContacts, pin: Pin, *actions: str) -> list[tuple[float, bool]]:
    """When the pin went low or high, in milliseconds, with a second between the actions."""
    seen: list[tuple[float, bool]] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def record() -> None:
            seen.append((round(loop.time() * 1000, 6), pin.is_low()))

        pin.device.when_activated = pin.device.when_deactivated = record
        for action in actions:
            match action:
                case "bounce":
                    contacts.bounce(OK, loop, times=2, gap_ms=1.5)
                case "bounce back":
                    contacts.bounce(OK, loop, times=1, is_press=False)
                case "glitch":
                    contacts.glitch(OK, loop)
                case _:
                    getattr(contacts, action)(OK)
            await asyncio.sleep(1)

    run(main())
    return seen


def test_a_press_bounces_the_given_number_of_times(contacts: VirtualContacts, pin: Pin) -> None:
    assert edges(contacts, pin, "bounce", "bounce back") == [
        (0, True),
        (1.5, False),
        (3, True),
        (4.5, False),
        (6, True),
        (1000, False),
        (1001, True),
        (1002, False),
    ]


def test_a_glitch_inverts_the_level(contacts: VirtualContacts, pin: Pin) -> None:
    assert edges(contacts, pin, "glitch", "press", "glitch") == [
        (0, True),
        (8, False),
        (1000, True),
        (2000, False),
        (2008, True),
    ]


def test_a_pressed_contact_does_not_bounce_again(contacts: VirtualContacts, pin: Pin) -> None:
    assert edges(contacts, pin, "press", "bounce", "release", "bounce back") == [
        (0, True),
        (2000, False),
    ]


@pytest.mark.parametrize(("state", "seen"), [("stick", [(0, True)]), ("unplug", [])])
def test_stuck_and_unplugged_contacts_neither_bounce_nor_glitch(
    contacts: VirtualContacts, pin: Pin, state: str, seen: list[tuple[float, bool]]
) -> None:
    assert edges(contacts, pin, state, "bounce", "glitch", "bounce back") == seen


def test_contacts_are_marked_as_simulated(contacts: VirtualContacts) -> None:
    assert contacts.is_simulated
