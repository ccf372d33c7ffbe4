"""Fingers on the contacts: what keyboard and mouse do to them, in time.

A terminal tells when a key is pressed and never when it is let go. So a key is a tap; where the
keyboard repeats, the finger stays down.
"""

from __future__ import annotations

import asyncio

from companion.simulator.controls import Contact, Controls
from companion.simulator.faults import Fault, Faults

TAP_MS = 60


class PressTiming:
    """All on the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, hands: Controls, faults: Faults) -> None:
        self._loop = loop
        self._hands = hands
        self._faults = faults
        self._bouncing: set[Contact] = set()
        self._lifts: dict[Contact, asyncio.TimerHandle] = {}

    def press(self, contact: Contact) -> None:
        """Put a finger on it. A fault that waits for the next press strikes now."""
        match self._faults.strike():
            case Fault.STICK:
                self._faults.stick(contact)
            case Fault.GLITCH:
                self._hands.glitch(contact, self._loop)
            case Fault.BOUNCE:
                self._bouncing.add(contact)
                self._hands.bounce(contact, self._loop)
            case _:
                self._hands.press(contact)

    def lift(self, contact: Contact) -> None:
        """Take the finger off it; where none is, nothing happens."""
        if timer := self._lifts.pop(contact, None):
            timer.cancel()
        if contact in self._bouncing:
            self._bouncing.remove(contact)
            self._hands.bounce(contact, self._loop, is_press=False)
        else:
            self._hands.release(contact)

    def tap(self, contact: Contact, ms: float = TAP_MS) -> None:
        """Press it for a while. If a finger is on it already, it stays as long as either says."""
        lifts_at = self._loop.time() + ms / 1000
        if timer := self._lifts.get(contact):
            timer.cancel()
            lifts_at = max(lifts_at, timer.when())
        else:
            self.press(contact)
        self._lifts[contact] = self._loop.call_at(lifts_at, self.lift, contact)

    def close(self) -> None:
        """Hands off."""
        for contact in list(self._lifts):
            self.lift(contact)
