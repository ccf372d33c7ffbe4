"""The walk's test of the die pad's keys and LED."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from companion.adapters.hardware import Hardware
from companion.adapters.pad_health import PadState
from companion.config.model import Config
from companion.doctor.checks.pad import connect_pad, pad_finding
from companion.doctor.finding import Finding, failed, good
from companion.doctor.walk.person import Person
from companion.doctor.walk.press_tester import PRESS_TIMEOUT_S, Contact, PressTester
from companion.pad.messages import ROLL_KEY, Mode
from companion.table.inputs import Input, InputKind

# The pins of the keys on an Arduino Nano: hardware/pinout.toml.
NANO_PINS = {1: "D2", 2: "D3", 3: "D4", 4: "D5", ROLL_KEY: "D6"}
HAS_PAD = "Is the die pad plugged in?"


@dataclass(frozen=True, slots=True)
class WalkPadKey:
    """1 to 4, or 5 for ROLL."""

    number: int


async def walk_pad(
    config: Config, hardware: Hardware, person: Person, *, timeout_s: float = PRESS_TIMEOUT_S
) -> list[Finding]:
    """One finding for each key; none if there is no pad."""
    if config.pad.port == "none" or not await person.confirm(HAS_PAD):
        return []
    contacts: dict[Hashable, Contact] = {
        WalkPadKey(key): Contact(f"pad key {'ROLL' if key == ROLL_KEY else key}", pin)
        for key, pin in NANO_PINS.items()
    }
    tester = PressTester(contacts, person, timeout_s=timeout_s)

    def deliver(key_input: Input) -> None:
        tester.deliver(WalkPadKey(ROLL_KEY if key_input.kind is InputKind.ROLL else key_input.pips))

    async with connect_pad(hardware, config, deliver) as (pad, health):
        if pad is None:
            return []
        if health.state is not PadState.CONNECTED:
            return [pad_finding(health, is_virtual=hardware.is_simulated)]
        findings = [await tester.check(key) for key in contacts]
        pad.set_mode(Mode.NUMBER)
        findings.append(await _check_led(person))
        return findings


async def _check_led(person: Person) -> Finding:
    if await person.confirm_led("Does the pad's LED blink?"):
        return good("its LED blinks when it waits for a number")
    return failed("its LED does not blink", "check the LED and its resistor at D13 of the Nano")
