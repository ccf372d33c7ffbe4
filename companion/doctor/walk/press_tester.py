"""Asks for a press of each contact, and recognises swapped wires."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from companion.doctor.finding import Finding, failed, good
from companion.doctor.walk.person import Person

PRESS_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Contact:
    """A button or key, and the pin it should be on."""

    name: str
    pin: str
    setting: str = ""
    """The config key of its pin; empty if it cannot be configured."""
    pin_number: str = ""
    """The value of that key for this pin."""


class PressTester:
    """One finding for each contact. Call `deliver` on the event loop for every press."""

    def __init__(
        self,
        contacts: Mapping[Hashable, Contact],
        person: Person,
        *,
        timeout_s: float = PRESS_TIMEOUT_S,
    ) -> None:
        self._contacts = contacts
        self._person = person
        self._timeout_s = timeout_s
        self._pressed: asyncio.Queue[Hashable] = asyncio.Queue()

    def deliver(self, key: Hashable) -> None:
        self._pressed.put_nowait(key)

    async def check(self, key: Hashable) -> Finding:
        """Ask for a press. After a wrong contact, ask once more: it may have been a slip."""
        wanted = self._contacts[key]
        self._person.show_line(f"Press {wanted.name} ({self._timeout_s:.0f} s).")
        detected = await self._wait_for_press(key)
        if detected not in (None, key):
            other = self._contacts[detected]
            self._person.show_line(
                f"That was {other.name} on {other.pin}. Once more: {wanted.name}."
            )
            detected = await self._wait_for_press(key)
        if detected == key:
            self._person.show_line(f"Detected on {wanted.pin}.")
            return good(f"{wanted.name} works on {wanted.pin}")
        if detected is None:
            self._person.show_line("Nothing detected.")
            advice = f"check its two wires: one to {wanted.pin}, the other to GND"
            return failed(f"{wanted.name} was not detected", advice)
        other = self._contacts[detected]
        self._person.show_line(f"{other.pin} again: the wires are swapped.")
        return failed(
            f"{wanted.name} was detected on {other.pin} ({other.name})",
            _advice(wanted, other),
        )

    async def _wait_for_press(self, key: Hashable) -> Hashable | None:
        while not self._pressed.empty():  # presses from before the question
            self._pressed.get_nowait()
        self._person.request_press(key)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timeout_s):
                return await self._pressed.get()
        return None


def _advice(wanted: Contact, other: Contact) -> str:
    move = f"move its wire from {other.pin} to {wanted.pin}"
    if wanted.setting and other.pin_number:
        return f"{move}; or set {wanted.setting} = {other.pin_number} in the config"
    return move
