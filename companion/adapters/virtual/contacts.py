"""Virtual contacts on mock pins: press, release, bounce, jam and unplug them.

    factory = open_pin_factory("mock")
    contacts = VirtualContacts(factory, pins)
    buttons = GpioContacts(loop, pins, ..., pin_factory=factory)
    contacts.press(Button.OK)

Create the virtual contacts first: then one can already be stuck when the pins are opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from gpiozero.pins.mock import MockFactory, MockPin

from companion.table.inputs import Button


class ContactPin(MockPin):  # type: ignore[misc]  # gpiozero has no type hints
    """A mock pin with a contact to ground, which overrides the pull-up while it is closed.

    A plain MockPin goes high when its pull-up is enabled.
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
    """The contacts of all buttons and, by pips, of the die keys. The caller does the timing."""

    is_simulated = True

    def __init__(self, factory: MockFactory, pins: Mapping[Button | int, int]) -> None:
        self._contacts = {
            key: _Contact(factory.pin(pin, pin_class=ContactPin)) for key, pin in pins.items()
        }

    def is_down(self, button: Button | int) -> bool:
        """Whether the contact is closed, apart from bouncing."""
        return self._contacts[button].is_closed

    # --- Presses ----------------------------------------------------------------------

    def press(self, button: Button | int) -> None:
        self._change(button, is_pressed=True)

    def release(self, button: Button | int) -> None:
        self._change(button, is_pressed=False)

    # --- Faults -----------------------------------------------------------------------

    def bounce(
        self,
        button: Button | int,
        loop: asyncio.AbstractEventLoop,
        *,
        times: int = 6,
        gap_ms: float = 1,
        is_press: bool = True,
    ) -> None:
        """Press (or release) with bouncing: back and forth `times` times.

        The first change is immediate; the contact is stable after `2 * times * gap_ms`.
        """
        contact = self._contacts[button]
        was_closed = contact.is_closed
        contact.is_pressed = is_press
        if contact.is_closed == was_closed:
            return  # stuck, unplugged, or already in this state
        contact.drive(contact.is_closed)
        for number in range(2 * times):
            is_inverted = number % 2 == 0
            loop.call_later((number + 1) * gap_ms / 1000, self._drive_bounce, contact, is_inverted)

    def glitch(self, button: Button | int, loop: asyncio.AbstractEventLoop, ms: float = 8) -> None:
        """The contact closes (or opens, if it is closed) briefly without a press."""
        contact = self._contacts[button]
        self._drive_bounce(contact, is_inverted=True)
        loop.call_later(ms / 1000, self._drive_bounce, contact, False)

    def stick(self, button: Button | int) -> None:
        """Jam the contact: closed from now on."""
        self._change(button, is_stuck=True)

    def free(self, button: Button | int) -> None:
        """Repair a stuck contact: closed only while pressed."""
        self._change(button, is_stuck=False)

    def unplug(self, button: Button | int) -> None:
        """Disconnect the wire: the contact never closes."""
        self._change(button, is_unplugged=True)

    def plug_in(self, button: Button | int) -> None:
        self._change(button, is_unplugged=False)

    def _change(self, button: Button | int, **change: bool) -> None:
        contact = self._contacts[button]
        for name, value in change.items():
            setattr(contact, name, value)
        contact.drive(contact.is_closed)

    @staticmethod
    def _drive_bounce(contact: _Contact, is_inverted: bool) -> None:
        """Invert the level, or restore it. Stuck and unplugged contacts do not change."""
        inverts = is_inverted and not (contact.is_stuck or contact.is_unplugged)
        contact.drive(contact.is_closed != inverts)
