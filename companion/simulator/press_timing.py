"""Timing of presses: when contacts close and open for keyboard and mouse.

A terminal reports key presses but not key releases. So a key press is a tap of fixed length, and
the contact stays closed while the keyboard repeats the key.
"""

from __future__ import annotations

import asyncio

from companion.simulator.controls import Contact, Controls
from companion.simulator.faults import Fault, Faults

TAP_MS = 60


class PressTiming:
    """Presses contacts, with the faults that are switched on. Runs on the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, controls: Controls, faults: Faults) -> None:
        self._loop = loop
        self._controls = controls
        self._faults = faults
        self._bouncing: set[Contact] = set()
        self._release_timers: dict[Contact, asyncio.TimerHandle] = {}

    def press(self, contact: Contact) -> None:
        """Close a contact, or apply the fault that is armed for the next press."""
        match self._faults.take_armed():
            case Fault.STICK:
                self._faults.stick(contact)
            case Fault.GLITCH:
                self._controls.glitch(contact, self._loop)
            case Fault.BOUNCE:
                self._bouncing.add(contact)
                self._controls.bounce(contact, self._loop)
            case _:
                self._controls.press(contact)

    def lift(self, contact: Contact) -> None:
        """Open a contact. Does nothing if it is open."""
        if timer := self._release_timers.pop(contact, None):
            timer.cancel()
        if contact in self._bouncing:
            self._bouncing.remove(contact)
            self._controls.bounce(contact, self._loop, is_press=False)
        else:
            self._controls.release(contact)

    def tap(self, contact: Contact, ms: float = TAP_MS) -> None:
        """Close a contact for a time. If it is closed already, extend that time."""
        releases_at = self._loop.time() + ms / 1000
        if timer := self._release_timers.get(contact):
            timer.cancel()
            releases_at = max(releases_at, timer.when())
        else:
            self.press(contact)
        self._release_timers[contact] = self._loop.call_at(releases_at, self.lift, contact)

    def close(self) -> None:
        """Open all contacts. Idempotent."""
        for contact in list(self._release_timers):
            self.lift(contact)
