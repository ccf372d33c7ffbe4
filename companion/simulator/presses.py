"""Presses of keyboard and mouse, applied to the contacts of the virtual hardware."""

from __future__ import annotations

from companion.i18n.message import Message, message
from companion.simulator.controls import ROLL_KEY, ButtonId, Contact, Controls
from companion.simulator.press_timing import PressTiming


class Presses:
    """Finds the contact of a button and presses it.

    `tap` and `press` return why nothing was pressed, or None. A mouse button stays on the contact
    that it pressed, even if the die pad is unplugged meanwhile.
    """

    def __init__(self, controls: Controls, timing: PressTiming) -> None:
        self._controls = controls
        self._timing = timing
        self._under_mouse: dict[ButtonId, Contact] = {}

    def tap(self, button_id: ButtonId, ms: float) -> Message | None:
        contact = self._controls.contact_of(button_id)
        if contact is None:
            return self._why_nothing(button_id)
        self._timing.tap(contact, ms)
        return None

    def press(self, button_id: ButtonId) -> Message | None:
        """The mouse button goes down."""
        contact = self._controls.contact_of(button_id)
        if contact is None:
            return self._why_nothing(button_id)
        self._under_mouse[button_id] = contact
        self._timing.press(contact)
        return None

    def release(self, button_id: ButtonId) -> None:
        """The mouse button goes up. Does nothing if it pressed nothing."""
        if (contact := self._under_mouse.pop(button_id, None)) is not None:
            self._timing.lift(contact)

    def contact_of(self, button_id: ButtonId) -> Contact | None:
        """The contact that the mouse holds, or that a press would close."""
        return self._under_mouse.get(button_id, self._controls.contact_of(button_id))

    def is_down(self, button_id: ButtonId) -> bool:
        contact = self.contact_of(button_id)
        return contact is not None and self._controls.is_down(contact)

    def close(self) -> None:
        self._timing.close()

    def _why_nothing(self, button_id: ButtonId) -> Message:
        if self._controls.pad is None:
            return message("sim.roll_nowhere" if button_id == ROLL_KEY else "sim.die_nowhere")
        return message("sim.roll_unplugged" if button_id == ROLL_KEY else "sim.die_unplugged")
