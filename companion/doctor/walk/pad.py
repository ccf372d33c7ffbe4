"""Every key of the die pad pressed once, and a look at its LED."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from companion.adapters.hardware import Hardware
from companion.adapters.pad_health import PadState
from companion.config.model import Config
from companion.doctor.checks.pad import judge_pad, meeting
from companion.doctor.finding import Finding, failed, good
from companion.doctor.walk.person import Person
from companion.doctor.walk.presses import PATIENCE_S, Contact, Presses
from companion.pad.messages import ROLL_KEY, Mode
from companion.table.inputs import Input, Key

# Where its keys are on an Arduino Nano: hardware/pinout.toml.
NANO = {1: "D2", 2: "D3", 3: "D4", 4: "D5", ROLL_KEY: "D6"}
HAS_PAD = "Is the die pad plugged in?"


@dataclass(frozen=True, slots=True)
class PadKey:
    """1 to 4, or 5 for ROLL."""

    number: int


async def walk_pad(
    config: Config, hardware: Hardware, person: Person, *, patience_s: float = PATIENCE_S
) -> list[Finding]:
    """Nothing at all where there is no pad."""
    if config.pad.port == "none" or not await person.has(HAS_PAD):
        return []
    contacts: dict[Hashable, Contact] = {
        PadKey(key): Contact(f"pad key {'ROLL' if key == ROLL_KEY else key}", pin)
        for key, pin in NANO.items()
    }
    presses = Presses(contacts, person, patience_s=patience_s)

    def deliver(told: Input) -> None:
        presses.deliver(PadKey(ROLL_KEY if told.key is Key.ROLL else told.pips))

    async with meeting(hardware, config, deliver) as (pad, health):
        if pad is None:
            return []
        if health.state is not PadState.CONNECTED:
            return [judge_pad(health, is_virtual=hardware.is_simulated)]
        found = [await presses.ask_for(key) for key in contacts]
        pad.show(Mode.NUMBER)
        found.append(await _look_at_led(person))
        return found


async def _look_at_led(person: Person) -> Finding:
    if await person.sees_led("Does the pad's LED blink?"):
        return good("its LED blinks when a number is wanted")
    return failed("its LED does not blink", "check the LED and its resistor at D13 of the Nano")
