"""Hands on mock pins: what gpiozero sees when they press, and when a contact fails."""

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
    """A device on OK's pin, as the contacts have it, and the edges it saw."""

    def __init__(self, factory: MockFactory) -> None:
        self.device = DigitalInputDevice(26, pull_up=True, pin_factory=factory)

    def is_low(self) -> bool:
        return bool(self.device.is_active)


@pytest.fixture
def factory() -> MockFactory:
    return MockFactory()


@pytest.fixture
def hands(factory: MockFactory) -> VirtualContacts:
    return VirtualContacts(factory, PINS)


@pytest.fixture
def pin(factory: MockFactory, hands: VirtualContacts) -> Pin:
    return Pin(factory)


def test_a_press_draws_the_pin_low_until_the_release(hands: VirtualContacts, pin: Pin) -> None:
    assert not pin.is_low()
    assert not hands.is_down(OK)
    hands.press(OK)
    assert pin.is_low()
    assert hands.is_down(OK)
    assert not hands.is_down(3)
    hands.release(OK)
    assert not pin.is_low()
    assert not hands.is_down(OK)


def test_hands_can_come_after_the_device(factory: MockFactory) -> None:
    pin = Pin(factory)
    VirtualContacts(factory, PINS).press(OK)
    assert pin.is_low()


def test_a_contact_that_is_closed_wins_over_the_pull_up(
    factory: MockFactory, hands: VirtualContacts
) -> None:
    hands.press(OK)
    assert Pin(factory).is_low()


def test_a_stuck_contact_stays_closed_until_it_is_freed(hands: VirtualContacts, pin: Pin) -> None:
    hands.stick(OK)
    assert pin.is_low()
    hands.press(OK)
    hands.release(OK)
    assert pin.is_low()
    assert hands.is_down(OK)
    hands.free(OK)
    assert not pin.is_low()
    hands.press(OK)
    assert pin.is_low()


def test_an_unplugged_contact_never_closes(hands: VirtualContacts, pin: Pin) -> None:
    hands.press(OK)
    hands.unplug(OK)
    assert not pin.is_low()
    hands.release(OK)
    hands.press(OK)
    hands.stick(OK)
    assert not pin.is_low()
    assert not hands.is_down(OK)
    hands.free(OK)
    hands.plug_in(OK)
    assert pin.is_low(), "the finger is still on it"


def edges(hands: VirtualContacts, pin: Pin, *moves: str) -> list[tuple[float, bool]]:
    """When the pin went low or high, in milliseconds, with a second between the moves."""
    seen: list[tuple[float, bool]] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def note() -> None:
            seen.append((round(loop.time() * 1000, 6), pin.is_low()))

        pin.device.when_activated = pin.device.when_deactivated = note
        for move in moves:
            match move:
                case "bounce":
                    hands.bounce(OK, loop, times=2, gap_ms=1.5)
                case "bounce back":
                    hands.bounce(OK, loop, times=1, is_press=False)
                case "glitch":
                    hands.glitch(OK, loop)
                case _:
                    getattr(hands, move)(OK)
            await asyncio.sleep(1)

    run(main())
    return seen


def test_a_bouncing_press_opens_as_often_as_it_is_told_and_stays(
    hands: VirtualContacts, pin: Pin
) -> None:
    assert edges(hands, pin, "bounce", "bounce back") == [
        (0, True),
        (1.5, False),
        (3, True),
        (4.5, False),
        (6, True),
        (1000, False),
        (1001, True),
        (1002, False),
    ]


def test_a_glitch_goes_away_from_where_the_contact_is(hands: VirtualContacts, pin: Pin) -> None:
    assert edges(hands, pin, "glitch", "press", "glitch") == [
        (0, True),
        (8, False),
        (1000, True),
        (2000, False),
        (2008, True),
    ]


def test_a_finger_that_is_there_already_does_not_bounce(hands: VirtualContacts, pin: Pin) -> None:
    assert edges(hands, pin, "press", "bounce", "release", "bounce back") == [
        (0, True),
        (2000, False),
    ]


@pytest.mark.parametrize(("state", "seen"), [("stick", [(0, True)]), ("unplug", [])])
def test_what_is_stuck_or_unplugged_neither_bounces_nor_glitches(
    hands: VirtualContacts, pin: Pin, state: str, seen: list[tuple[float, bool]]
) -> None:
    assert edges(hands, pin, state, "bounce", "glitch", "bounce back") == seen


def test_hands_say_that_they_are_not_real(hands: VirtualContacts) -> None:
    assert hands.is_simulated
