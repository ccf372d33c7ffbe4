"""Every button, and every key of the die on the Pi, pressed once."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Hashable
from contextlib import ExitStack

from companion.adapters.gpio_buttons import GpioContacts
from companion.adapters.hardware import Hardware, pins_of
from companion.config.model import Config
from companion.doctor.finding import Finding, failed, refused
from companion.doctor.header import contact_label, place
from companion.doctor.walk.person import Person
from companion.doctor.walk.presses import PATIENCE_S, Contact, Presses
from companion.table.inputs import Button, Down, Input, Up

DIE_KEYS = "Are there four keys for the die on the Pi's own pins (not those of the die pad)?"


async def walk_buttons(
    config: Config,
    hardware: Hardware,
    person: Person,
    *,
    spare: Collection[int] = (),
    patience_s: float = PATIENCE_S,
) -> list[Finding]:
    """`spare` are free pins that are watched as well: a wire may have gone there.

    A spare pin is known by its BCM number, which no key of the die has: those are 1 to 4.
    """
    pins = dict(pins_of(config))
    contacts: dict[Hashable, Contact] = {
        key: Contact(contact_label(key), place(pin), _setting(key), str(pin))
        for key, pin in pins.items()
    }
    contacts |= {
        pin: Contact("a pin that nobody uses", place(pin), value=str(pin)) for pin in spare
    }
    presses = Presses(contacts, person, patience_s=patience_s)

    def deliver(told: Down | Up | Input) -> None:
        if isinstance(told, Down):
            presses.deliver(told.button)
        elif isinstance(told, Input):
            presses.deliver(told.pips)

    with ExitStack() as opened:
        factory = hardware.open_pins()
        opened.callback(factory.close)
        watched = GpioContacts(
            asyncio.get_running_loop(),
            pins | {pin: pin for pin in spare},
            deliver,
            debounce_ms=config.buttons.debounce_ms,
            pin_factory=factory,
        )
        opened.callback(watched.close)
        has_die_keys = any(isinstance(key, int) for key in pins) and await person.has(DIE_KEYS)
        found = []
        for key in pins:
            if not (isinstance(key, Button) or has_die_keys):
                continue
            if key in watched.refused:  # a spare one may be, too: then nothing is heard of it
                found.append(refused(watched.refused[key]))
            elif key in watched.stuck_at_start:
                found.append(_stuck(contacts[key]))
            else:
                found.append(await presses.ask_for(key))
        return found


def _setting(key: Button | int) -> str:
    return f"[buttons] {key.value}" if isinstance(key, Button) else ""


def _stuck(contact: Contact) -> Finding:
    todo = "a button of four legs: use two that lie diagonally; else look for a short"
    return failed(f"{contact.name} on {contact.place} is closed all the time", todo)
