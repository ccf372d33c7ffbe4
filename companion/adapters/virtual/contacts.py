"""Hands for mock pins: they press, bounce, jam and unplug what a `GpioContacts` reads.

    factory = open_pin_factory("mock")
    hands = VirtualHands(factory, pins)
    contacts = GpioContacts(loop, pins, ..., pin_factory=factory)
    hands.press(Button.OK)

Make the hands first, so that a contact can be stuck before anybody reads it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from gpiozero.pins.mock import MockFactory, MockPin

from companion.table.inputs import Button


class ContactPin(MockPin):  # type: ignore[misc]  # gpiozero comes without types
    """A mock pin with a contact to ground, which wins over the pull-up when it is closed.

    A plain MockPin goes high when its pull-up is switched on, whatever is wired to it.
    """

    is_closed = False

    def drive_high(self) -> None:
        if not self.is_closed:
            super().drive_high()


@dataclass(slots=True)
class _Contact:
    pin: MockPin
    is_pressed: bool = False
    is_stuck: bool = False
    is_unplugged: bool = False

    @property
    def is_closed(self) -> bool:
        return (self.is_pressed or self.is_stuck) and not self.is_unplugged

    def drive(self, is_closed: bool) -> None:
        self.pin.is_closed = is_closed
        if is_closed:
            self.pin.drive_low()
        else:
            self.pin.drive_high()


class VirtualContacts:
    """A finger for each button and each key of the die (by its pips). Timing is the caller's."""

    is_simulated = True

    def __init__(self, factory: MockFactory, pins: Mapping[Button | int, int]) -> None:
        self._contacts = {
            key: _Contact(factory.pin(pin, pin_class=ContactPin)) for key, pin in pins.items()
        }

    def is_down(self, button: Button | int) -> bool:
        """Whether its contact is closed, bouncing aside."""
        return self._contacts[button].is_closed

    # --- What fingers do --------------------------------------------------------------

    def press(self, button: Button | int) -> None:
        self._move(button, is_pressed=True)

    def release(self, button: Button | int) -> None:
        self._move(button, is_pressed=False)

    # --- What contacts do -------------------------------------------------------------

    def bounce(
        self,
        button: Button | int,
        loop: asyncio.AbstractEventLoop,
        *,
        times: int = 6,
        gap_ms: float = 1,
        is_press: bool = True,
    ) -> None:
        """Press (or release) it as springs do: back and forth `times` times, then it stays.

        It first moves at once, and has come to rest `2 * times * gap_ms` later.
        """
        contact = self._contacts[button]
        was_closed = contact.is_closed
        contact.is_pressed = is_press
        if contact.is_closed == was_closed:
            return  # stuck, unplugged, or there already
        contact.drive(contact.is_closed)
        for number in range(2 * times):
            is_away = number % 2 == 0
            loop.call_later((number + 1) * gap_ms / 1000, self._shake, contact, is_away)

    def glitch(self, button: Button | int, loop: asyncio.AbstractEventLoop, ms: float = 8) -> None:
        """The contact closes (or opens, if it is closed) for a moment by itself."""
        contact = self._contacts[button]
        self._shake(contact, is_away=True)
        loop.call_later(ms / 1000, self._shake, contact, False)

    def stick(self, button: Button | int) -> None:
        """It jams: closed from now on, whatever the finger does."""
        self._move(button, is_stuck=True)

    def free(self, button: Button | int) -> None:
        """It is mended: closed if a finger is on it, else open."""
        self._move(button, is_stuck=False)

    def unplug(self, button: Button | int) -> None:
        """Its wire comes off: the contact never closes."""
        self._move(button, is_unplugged=True)

    def plug_in(self, button: Button | int) -> None:
        self._move(button, is_unplugged=False)

    def _move(self, button: Button | int, **change: bool) -> None:
        contact = self._contacts[button]
        for name, value in change.items():
            setattr(contact, name, value)
        contact.drive(contact.is_closed)

    @staticmethod
    def _shake(contact: _Contact, is_away: bool) -> None:
        """Away from where it belongs, or back there; what jammed or came off does not move."""
        moves = is_away and not (contact.is_stuck or contact.is_unplugged)
        contact.drive(contact.is_closed != moves)
