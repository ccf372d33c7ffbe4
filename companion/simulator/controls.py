"""The contacts of the virtual hardware: buttons and die keys on the Pi's pins, and pad keys."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass

from companion.adapters.hardware import VirtualHardware
from companion.adapters.virtual.pad_device import PadDevice
from companion.table.inputs import Button

ROLL_KEY = 5
"""The pad's number for ROLL; keys 1 to 4 are the faces of the die."""


@dataclass(frozen=True, slots=True)
class PadKey:
    """A key of the die pad."""

    number: int


ButtonId = Button | int
"""A button, or a die key by its number, wherever it is."""
Contact = Button | int | PadKey
"""A button, a die key on the Pi's pins by its number, or a key of the pad."""


class Controls:
    """Presses, releases and jams contacts. Keeps the state of the pad's keys."""

    def __init__(self, hardware: VirtualHardware, wired: Collection[Button | int]) -> None:
        self._hardware = hardware
        self._pins = hardware.contacts
        self._wired = wired
        self._pressed: set[PadKey] = set()
        self._stuck: set[PadKey] = set()

    @property
    def pad(self) -> PadDevice | None:
        """None before the table is open, or if there is no pad."""
        return self._hardware.pad

    @property
    def is_pad_plugged_in(self) -> bool:
        return self.pad is not None and bool(self.pad.path)

    def contact_of(self, button_id: ButtonId) -> Contact | None:
        """The contact of a button or die key. Die keys are on the pad while it is plugged in."""
        if isinstance(button_id, Button):
            return button_id
        if self.is_pad_plugged_in:
            return PadKey(button_id)
        return button_id if button_id in self._wired else None

    def is_down(self, contact: Contact) -> bool:
        if isinstance(contact, PadKey):
            return contact in self._pressed | self._stuck
        return self._pins.is_down(contact)

    # --- Presses ----------------------------------------------------------------------

    def press(self, contact: Contact) -> None:
        if isinstance(contact, PadKey):
            self._pressed.add(contact)
            self._move(contact)
        else:
            self._pins.press(contact)

    def release(self, contact: Contact) -> None:
        if isinstance(contact, PadKey):
            self._pressed.discard(contact)
            self._move(contact)
        else:
            self._pins.release(contact)

    # --- Contact faults ---------------------------------------------------------------

    def bounce(
        self, contact: Contact, loop: asyncio.AbstractEventLoop, *, is_press: bool = True
    ) -> None:
        if not isinstance(contact, PadKey):
            self._pins.bounce(contact, loop, is_press=is_press)
            return
        was_down = self.is_down(contact)
        (self._pressed.add if is_press else self._pressed.discard)(contact)
        if self.pad is not None and self.is_down(contact) != was_down:
            self.pad.bounce(contact.number, is_press=is_press)

    def glitch(self, contact: Contact, loop: asyncio.AbstractEventLoop) -> None:
        if not isinstance(contact, PadKey):
            self._pins.glitch(contact, loop)
        elif self.pad is not None and not self.is_down(contact):
            self.pad.glitch(contact.number)

    def stick(self, contact: Contact) -> None:
        if isinstance(contact, PadKey):
            self._stuck.add(contact)
            self._move(contact)
        else:
            self._pins.stick(contact)

    def free(self, contact: Contact) -> None:
        if isinstance(contact, PadKey):
            self._stuck.discard(contact)
            self._move(contact)
        else:
            self._pins.free(contact)

    def _move(self, key: PadKey) -> None:
        if self.pad is not None:
            (self.pad.press if self.is_down(key) else self.pad.release)(key.number)
