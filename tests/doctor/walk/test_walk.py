"""The walk with a simulated person, also with swapped wires and broken parts."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from gpiozero import DigitalInputDevice

from companion.adapters.hardware import VirtualHardware
from companion.adapters.virtual.contacts import VirtualContacts
from companion.adapters.virtual.pad import VirtualPad
from companion.adapters.virtual.spi import Light
from companion.config.file import parse_config
from companion.doctor.finding import Finding, Level
from companion.doctor.walk.buttons import walk_buttons
from companion.doctor.walk.light import (
    orientation_frame,
    single_led_frames,
    stripes_frame,
    walk_light,
)
from companion.doctor.walk.pad import NANO_PINS, WalkPadKey, walk_pad
from companion.doctor.walk.person import WalkAbortedError
from companion.doctor.walk.run import walk
from companion.doctor.walk.virtual_person import VirtualPerson
from companion.errors import CompanionError
from companion.table.inputs import Button
from companion.table.scenes.scene import Ink
from companion.testing.virtual_time import run

PINOUT = Path(__file__).parents[3] / "hardware" / "pinout.toml"
BUTTONS = {
    Button.NORTH: "pin 29 (BCM 5)",
    Button.EAST: "pin 31 (BCM 6)",
    Button.SOUTH: "pin 33 (BCM 13)",
    Button.WEST: "pin 35 (BCM 19)",
    Button.OK: "pin 37 (BCM 26)",
    Button.BACK: "pin 36 (BCM 16)",
}
NO_KEYS = '[die]\ninput = "electronic"\n'
RGB_TURNED = (
    '[matrix]\nkind = "apa102"\nrotation = 90\nmirrored = true\nwiring = "zigzag"\n'
    'rail = "north-west"\n'
)


@dataclass
class WalkSetup:
    """A virtual table, a simulated person, and the lines that were printed."""

    settings: str = NO_KEYS
    swapped: dict[Hashable, Hashable] = field(default_factory=dict)
    printed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.config = parse_config(self.settings, "marrakech.toml")
        self.hardware = VirtualHardware(
            self.config, make_pad=lambda loop: VirtualPad(loop, lambda: 3)
        )
        self.person = VirtualPerson(
            self.config, self.hardware, self.printed.append, swapped=self.swapped, reaction_s=0.1
        )

    def buttons(self, **more: Any) -> list[Finding]:  # noqa: ANN401
        return run(walk_buttons(self.config, self.hardware, self.person, **more))

    def light(self) -> list[Finding]:
        return run(walk_light(self.config, self.hardware, self.person))


def levels(found: list[Finding]) -> list[Level]:
    return [one.level for one in found]


# --- Light --------------------------------------------------------------------------------


def test_each_led_is_lit_once_and_alone() -> None:
    lit = [[led for led, ink in enumerate(one) if ink] for one in single_led_frames()]
    assert lit == [[led] for led in range(64)]


def test_orientation_frame_has_no_symmetry() -> None:
    rows = [orientation_frame()[start : start + 8] for start in range(0, 64, 8)]
    seen = {tuple(map(tuple, rows))}
    for _ in range(4):
        rows = [row[::-1] for row in zip(*rows, strict=True)]
        seen |= {tuple(map(tuple, rows)), tuple(tuple(row[::-1]) for row in rows)}
    assert len(seen) == 8


def test_stripes_are_four_colours_from_west_to_east() -> None:
    assert stripes_frame()[:8] == (
        *(Ink.RED, Ink.RED, Ink.YELLOW, Ink.YELLOW),
        *(Ink.BLUE, Ink.BLUE, Ink.BROWN, Ink.BROWN),
    )


@pytest.mark.parametrize(("settings", "questions"), [(NO_KEYS, 2), (RGB_TURNED, 3)])
def test_walk_of_the_matrix_is_good_for_any_mounting(settings: str, questions: int) -> None:
    table = WalkSetup(settings)
    assert levels(table.light()) == [Level.GOOD] * questions
    assert table.printed[1] == (
        "Did all 64 light up, row by row from the north-west? [y/n] y (SIMULATED)"
    )
    assert not any(map(any, table.hardware.chip.light())), "dark again"
    assert not table.hardware.spi.is_open


def test_wrong_orientation_fails() -> None:
    table = WalkSetup()
    table.person._config = parse_config("[matrix]\nrotation = 180\n", "actual.toml")
    found = table.light()
    assert levels(found) == [Level.FAILED] * 2
    assert found[1].text == "not confirmed: its orientation is as in the config"
    assert found[1].advice == (
        "turn the module, or set [matrix] rotation (90, 180, 270) until the arrow points north; "
        "a mirrored R: mirrored = true"
    )


def test_dead_led_fails() -> None:
    table = WalkSetup()

    class ChipWithDeadLed:
        def light(self) -> Light:
            light = list(chip.light())
            light[60] = (0, 0, 0)
            return tuple(light)

    chip = table.hardware.chip
    table.hardware.chip = ChipWithDeadLed()  # type: ignore[assignment]
    assert levels(table.light()) == [Level.FAILED, Level.GOOD]


def test_wrong_colour_order_fails() -> None:
    table = WalkSetup(RGB_TURNED)

    class ChipWithSwappedColours:
        def light(self) -> Light:
            return tuple((blue, green, red) for red, green, blue in chip.light())

    chip = table.hardware.chip
    table.hardware.chip = ChipWithSwappedColours()  # type: ignore[assignment]
    found = table.light()
    assert found[2].level is Level.FAILED
    assert found[2].text == "not confirmed: its colours are correct"


# --- Buttons ------------------------------------------------------------------------------


def test_all_buttons_work_on_their_pins() -> None:
    table = WalkSetup()
    found = table.buttons()
    assert levels(found) == [Level.GOOD] * 6
    assert [one.text for one in found] == [
        f"button {button.name} works on {place}" for button, place in BUTTONS.items()
    ]
    assert table.printed[:2] == ["Press button NORTH (20 s).", "Detected on pin 29 (BCM 5)."]


def test_die_keys_are_tested_only_if_there_are_some() -> None:
    table = WalkSetup("")
    found = table.buttons()
    assert [one.text for one in found[6:]] == [
        "die key 1 works on pin 11 (BCM 17)",
        "die key 2 works on pin 13 (BCM 27)",
        "die key 3 works on pin 15 (BCM 22)",
        "die key 4 works on pin 16 (BCM 23)",
    ]

    class PersonWithoutDieKeys(VirtualPerson):
        async def confirm(self, question: str) -> bool:  # noqa: ARG002
            return False

    table = WalkSetup("")
    table.person = PersonWithoutDieKeys(table.config, table.hardware, table.printed.append)
    assert len(table.buttons()) == 6


def test_swapped_wires_fail_with_advice() -> None:
    table = WalkSetup(swapped={Button.NORTH: Button.EAST, Button.EAST: Button.NORTH})
    found = table.buttons()
    assert levels(found) == [Level.FAILED, Level.FAILED, *[Level.GOOD] * 4]
    assert found[0].text == "button NORTH was detected on pin 31 (BCM 6) (button EAST)"
    assert found[0].advice == (
        "move its wire from pin 31 (BCM 6) to pin 29 (BCM 5); or set [buttons] north = 6 in the "
        "config"
    )
    assert table.printed[:3] == [
        "Press button NORTH (20 s).",
        "That was button EAST on pin 31 (BCM 6). Once more: button NORTH.",
        "pin 31 (BCM 6) again: the wires are swapped.",
    ]


def test_swapped_die_keys_cannot_be_fixed_in_the_config() -> None:
    found = WalkSetup("", swapped={1: 2}).buttons()
    assert found[6].advice == "move its wire from pin 13 (BCM 27) to pin 11 (BCM 17)"


def test_one_wrong_press_is_not_a_wrong_wire() -> None:
    table = WalkSetup()

    class PersonWithOneSlip(VirtualPerson):
        def request_press(self, contact: Hashable) -> None:
            self._swapped = {Button.NORTH: Button.OK} if not table.printed[1:] else {}
            super().request_press(contact)

    table.person = PersonWithOneSlip(table.config, table.hardware, table.printed.append)
    assert levels(table.buttons()) == [Level.GOOD] * 6
    assert table.printed[1] == "That was button OK on pin 37 (BCM 26). Once more: button NORTH."


def test_presses_before_the_question_are_ignored() -> None:
    class PersonWhoPressesEarly(VirtualPerson):
        async def confirm(self, question: str) -> bool:
            await self._tap(Button.OK)
            return await super().confirm(question)

    table = WalkSetup("")
    table.person = PersonWhoPressesEarly(table.config, table.hardware, table.printed.append)
    assert levels(table.buttons()) == [Level.GOOD] * 10
    assert not any("Once more" in line for line in table.printed)


def test_wire_on_an_unused_pin_is_found() -> None:
    table = WalkSetup()
    contacts = VirtualContacts(table.hardware.factory, {12: 12})

    class PersonWiredToPin12(VirtualPerson):
        def _touch(self, contact: Hashable, is_press: bool) -> None:
            if contact is Button.SOUTH:
                (contacts.press if is_press else contacts.release)(12)
            else:
                super()._touch(contact, is_press)

    table.person = PersonWiredToPin12(table.config, table.hardware, table.printed.append)
    found = table.buttons(spare=[12, 20])
    assert levels(found).count(Level.FAILED) == 1
    assert (found[2].text, found[2].advice) == (
        "button SOUTH was detected on pin 32 (BCM 12) (an unused pin)",
        "move its wire from pin 32 (BCM 12) to pin 33 (BCM 13); or set [buttons] south = 12 in "
        "the config",
    )


def test_pin_in_use_fails_and_a_spare_pin_in_use_is_ignored() -> None:
    table = WalkSetup()
    others = [
        DigitalInputDevice(pin, pull_up=True, pin_factory=table.hardware.factory) for pin in (6, 12)
    ]
    found = table.buttons(spare=[12])
    for other in others:
        other.close()
    assert levels(found).count(Level.FAILED) == 1
    assert (found[1].text, found[1].advice) == (
        "pin 6 for button east is already in use",
        "give each button and key its own pin in the config",
    )


def test_unwired_button_fails_after_the_timeout() -> None:
    table = WalkSetup()
    table.hardware.contacts.unplug(Button.WEST)
    began_and_ended: list[float] = []

    async def main() -> list[Finding]:
        loop = asyncio.get_running_loop()
        found = await walk_buttons(table.config, table.hardware, table.person)
        began_and_ended.append(loop.time())
        return found

    found = run(main())
    assert 20 < began_and_ended[0] < 21
    assert levels(found).count(Level.FAILED) == 1
    assert (found[3].text, found[3].advice) == (
        "button WEST was not detected",
        "check its two wires: one to pin 35 (BCM 19), the other to GND",
    )


def test_stuck_button_fails_without_a_question() -> None:
    table = WalkSetup()
    table.hardware.contacts.stick(Button.OK)
    found = table.buttons()
    assert (found[4].level, found[4].text) == (
        Level.FAILED,
        "button OK on pin 37 (BCM 26) is always closed",
    )
    assert "Press button OK (20 s)." not in table.printed


# --- The die pad --------------------------------------------------------------------------


def test_all_keys_and_the_led_of_the_pad_are_tested() -> None:
    table = WalkSetup()
    found = asyncio.run(walk_pad(table.config, table.hardware, table.person))
    assert [one.text for one in found] == [
        "pad key 1 works on D2",
        "pad key 2 works on D3",
        "pad key 3 works on D4",
        "pad key 4 works on D5",
        "pad key ROLL works on D6",
        "its LED blinks when it waits for a number",
    ]
    assert table.hardware.pad is not None
    assert table.hardware.pad.path == ""


def test_swapped_keys_of_the_pad_fail() -> None:
    table = WalkSetup(swapped={WalkPadKey(2): WalkPadKey(5)})
    found = asyncio.run(walk_pad(table.config, table.hardware, table.person))
    assert levels(found).count(Level.FAILED) == 1
    assert (found[1].text, found[1].advice) == (
        "pad key 2 was detected on D6 (pad key ROLL)",
        "move its wire from D6 to D3",
    )


def test_missing_pad_is_a_note() -> None:
    table = WalkSetup()

    def unplugged(loop: asyncio.AbstractEventLoop) -> VirtualPad:
        pad = VirtualPad(loop, lambda: 1)
        pad.unplug()
        return pad

    table.hardware.make_pad = unplugged
    (found,) = asyncio.run(walk_pad(table.config, table.hardware, table.person))
    assert (found.level, found.text) == (Level.NOTE, "none is plugged in")


def test_unused_pad_is_not_tested() -> None:
    table = WalkSetup('[pad]\nport = "none"\n')
    assert asyncio.run(walk_pad(table.config, table.hardware, table.person)) == []
    assert table.printed == []


def test_keys_are_on_the_pins_of_the_pinout() -> None:
    keys = tomllib.loads(PINOUT.read_text())["pad"]["keys"]
    assert list(NANO_PINS.values()) == [keys[name]["nano"] for name in ("1", "2", "3", "4", "roll")]


# --- The whole walk -----------------------------------------------------------------------


def test_findings_of_the_walk_are_named_by_part() -> None:
    table = WalkSetup()
    found = asyncio.run(walk(table.config, table.hardware, table.person, led_ms=0))
    assert [one.name for one in found] == ["light"] * 2 + ["button"] * 6 + ["padkey"] * 6
    assert set(levels(found)) == {Level.GOOD}


def test_part_that_cannot_be_opened_is_a_finding_and_the_walk_goes_on() -> None:
    table = WalkSetup()
    table.hardware.spi.unplug()
    found = asyncio.run(walk(table.config, table.hardware, table.person, led_ms=0))
    assert (found[0].name, found[0].level) == ("light", Level.FAILED)
    assert found[0].advice == "check its wires and its power supply"
    assert set(levels(found[1:])) == {Level.GOOD}


def test_spi_bus_that_fails_at_the_first_byte_is_closed() -> None:
    class Broken:
        def transfer(self, data: bytes) -> None:  # noqa: ARG002
            raise OSError(5, "Input/output error")

        def light(self) -> Light:
            return ()

    table = WalkSetup()
    table.hardware.spi.chip = Broken()
    with pytest.raises(CompanionError, match=r"failed \(Input/output error\): check its wires"):
        table.light()
    assert not table.hardware.spi.is_open


def test_walk_that_was_ended_early_is_unknown() -> None:
    class PersonWhoLeaves(VirtualPerson):
        async def confirm(self, question: str) -> bool:  # noqa: ARG002
            raise WalkAbortedError("gone")

    table = WalkSetup("")
    person = PersonWhoLeaves(table.config, table.hardware, table.printed.append)
    found = asyncio.run(walk(table.config, table.hardware, person, led_ms=0))
    assert [(one.name, one.level) for one in found[2:]] == [("button", Level.UNKNOWN)]
    assert found[2].advice == "marrakech doctor --walk"
