"""Asking for one contact after another, and noticing when another one answers: mixed-up wires."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from companion.doctor.finding import Finding, failed, good
from companion.doctor.walk.person import Person

PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True)
class Contact:
    """Something to be pressed, and where its wire should go."""

    name: str
    place: str
    setting: str = ""
    """How the config would have it on another pin; empty where that cannot be set."""
    value: str = ""
    """What another contact's setting would be, to use this place."""


class Presses:
    """One finding for each contact that is asked for. `deliver` is called on the loop."""

    def __init__(
        self,
        contacts: Mapping[Hashable, Contact],
        person: Person,
        *,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._contacts = contacts
        self._person = person
        self._patience_s = patience_s
        self._seen: asyncio.Queue[Hashable] = asyncio.Queue()

    def deliver(self, key: Hashable) -> None:
        self._seen.put_nowait(key)

    async def ask_for(self, key: Hashable) -> Finding:
        """A wrong one is asked for once more: a finger errs sooner than a wire."""
        wanted = self._contacts[key]
        self._person.hear(f"Press {wanted.name} ({self._patience_s:.0f} s).")
        seen = await self._press(key)
        if seen not in (None, key):
            other = self._contacts[seen]
            self._person.hear(f"{other.place}, {other.name}, saw that. Once more: {wanted.name}.")
            seen = await self._press(key)
        if seen == key:
            self._person.hear(f"Seen on {wanted.place}.")
            return good(f"{wanted.name} is seen on {wanted.place}")
        if seen is None:
            self._person.hear("Nothing was seen.")
            todo = f"check its two wires: one to {wanted.place}, the other to GND"
            return failed(f"nothing was seen when {wanted.name} was pressed", todo)
        other = self._contacts[seen]
        self._person.hear(f"{other.place} again: the wires are mixed up.")
        return failed(
            f"when {wanted.name} was pressed, {other.place} saw it ({other.name})",
            _cure(wanted, other),
        )

    async def _press(self, key: Hashable) -> Hashable | None:
        while not self._seen.empty():  # from before
            self._seen.get_nowait()
        self._person.press(key)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience_s):
                return await self._seen.get()
        return None


def _cure(wanted: Contact, other: Contact) -> str:
    move = f"move its wire from {other.place} to {wanted.place}"
    if wanted.setting and other.value:
        return f"{move}; or set {wanted.setting} = {other.value} in the config"
    return move
