"""Hands on everything there is to press: what is wired to the Pi's pins, and the die pad's keys."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass

from companion.adapters.hardware import VirtualHardware
from companion.adapters.virtual.pad_device import PadDevice
from companion.table.inputs import Button

ROLL_KEY = 5
"""The pad's own number for it; the others are those of the die."""


@dataclass(frozen=True, slots=True)
class PadKey:
    """A key of the die pad."""

    number: int


Contact = Button | int | PadKey
"""A button, a key of the die on the Pi by its pips, or one of the pad."""


class Controls:
    """What the pad's keys do is kept here: a key that jams stays closed whatever fingers do."""

    def __init__(self, hardware: VirtualHardware, wired: Collection[Button | int]) -> None:
        self._hardware = hardware
        self._pins = hardware.hands
        self._wired = wired
        self._pressed: set[PadKey] = set()
        self._stuck: set[PadKey] = set()

    @property
    def pad(self) -> PadDevice | None:
        """There is none before the table is open, nor where there is to be none."""
        return self._hardware.pad

    @property
    def is_pad_plugged_in(self) -> bool:
        return self.pad is not None and bool(self.pad.path)

    def die(self, number: int) -> Contact | None:
        """Where a key of the die is now: on the pad while that is plugged in, else on the Pi."""
        if self.is_pad_plugged_in:
            return PadKey(number)
        return number if number in self._wired else None

    def is_down(self, contact: Contact) -> bool:
        if isinstance(contact, PadKey):
            return contact in self._pressed | self._stuck
        return self._pins.is_down(contact)

    # --- What fingers do --------------------------------------------------------------

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

    # --- What contacts do -------------------------------------------------------------

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
