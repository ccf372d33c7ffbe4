"""The walk's test of the buttons and of the die keys on the Pi's pins."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Hashable
from contextlib import ExitStack

from companion.adapters.gpio.contacts import GpioContacts
from companion.adapters.hardware import Hardware, pins_of
from companion.config.model import Config
from companion.doctor.finding import Finding, failed, finding_from_error
from companion.doctor.header import contact_label, pin_label
from companion.doctor.walk.person import Person
from companion.doctor.walk.press_tester import PRESS_TIMEOUT_S, Contact, PressTester
from companion.table.inputs import Button, ButtonDown, ButtonUp, Input

DIE_KEYS = "Are there four keys for the die on the Pi's own pins (not on the die pad)?"


async def walk_buttons(
    config: Config,
    hardware: Hardware,
    person: Person,
    *,
    spare: Collection[int] = (),
    timeout_s: float = PRESS_TIMEOUT_S,
) -> list[Finding]:
    """One finding for each contact. Also watches the `spare` pins, for wires on a wrong pin.

    The key of a spare pin is its BCM number, which is never 1 to 4 like that of a die key.
    """
    pins = dict(pins_of(config))
    contacts: dict[Hashable, Contact] = {
        key: Contact(contact_label(key), pin_label(pin), _setting(key), str(pin))
        for key, pin in pins.items()
    }
    contacts |= {
        pin: Contact("an unused pin", pin_label(pin), pin_number=str(pin)) for pin in spare
    }
    tester = PressTester(contacts, person, timeout_s=timeout_s)

    def deliver(event: ButtonDown | ButtonUp | Input) -> None:
        if isinstance(event, ButtonDown):
            tester.deliver(event.button)
        elif isinstance(event, Input):
            tester.deliver(event.pips)

    with ExitStack() as stack:
        factory = hardware.open_pins()
        stack.callback(factory.close)
        gpio_contacts = GpioContacts(
            asyncio.get_running_loop(),
            pins | {pin: pin for pin in spare},
            deliver,
            debounce_ms=config.buttons.debounce_ms,
            pin_factory=factory,
        )
        stack.callback(gpio_contacts.close)
        has_die_keys = any(isinstance(key, int) for key in pins) and await person.confirm(DIE_KEYS)
        findings = []
        for key in pins:
            if not (isinstance(key, Button) or has_die_keys):
                continue
            if key in gpio_contacts.pin_errors:
                findings.append(finding_from_error(gpio_contacts.pin_errors[key]))
            elif key in gpio_contacts.stuck_at_start:
                findings.append(_stuck(contacts[key]))
            else:
                findings.append(await tester.check(key))
        return findings


def _setting(key: Button | int) -> str:
    return f"[buttons] {key.value}" if isinstance(key, Button) else ""


def _stuck(contact: Contact) -> Finding:
    advice = "use two diagonal legs of a four-legged button, or look for a short circuit"
    return failed(f"{contact.name} on {contact.pin} is always closed", advice)
