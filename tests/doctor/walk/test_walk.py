"""The walk, with a person of virtual eyes and fingers, who does not always do as he is told."""

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
from companion.doctor.walk.light import arrow_and_letter, one_by_one, stripes, walk_light
from companion.doctor.walk.pad import NANO, PadKey, walk_pad
from companion.doctor.walk.person import LeftError
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
class Visit:
    """A virtual table, and somebody at it."""

    settings: str = NO_KEYS
    errs: dict[Hashable, Hashable] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.config = parse_config(self.settings, "marrakech.toml")
        self.hardware = VirtualHardware(
            self.config, make_pad=lambda loop: VirtualPad(loop, lambda: 3)
        )
        self.person = VirtualPerson(
            self.config, self.hardware, self.said.append, errs=self.errs, reaction_s=0.1
        )

    def buttons(self, **more: Any) -> list[Finding]:  # noqa: ANN401
        return run(walk_buttons(self.config, self.hardware, self.person, **more))

    def light(self) -> list[Finding]:
        return run(walk_light(self.config, self.hardware, self.person))


def levels(found: list[Finding]) -> list[Level]:
    return [one.level for one in found]


# --- Light --------------------------------------------------------------------------------


def test_every_led_is_lit_once_and_alone() -> None:
    lit = [[led for led, ink in enumerate(one) if ink] for one in one_by_one()]
    assert lit == [[led] for led in range(64)]


def test_the_picture_is_neither_symmetric_nor_the_same_when_turned() -> None:
    rows = [arrow_and_letter()[start : start + 8] for start in range(0, 64, 8)]
    seen = {tuple(map(tuple, rows))}
    for _ in range(4):
        rows = [row[::-1] for row in zip(*rows, strict=True)]
        seen |= {tuple(map(tuple, rows)), tuple(tuple(row[::-1]) for row in rows)}
    assert len(seen) == 8


def test_the_stripes_are_the_four_colours_from_west_to_east() -> None:
    assert stripes()[:8] == (
        *(Ink.RED, Ink.RED, Ink.YELLOW, Ink.YELLOW),
        *(Ink.BLUE, Ink.BLUE, Ink.BROWN, Ink.BROWN),
    )


@pytest.mark.parametrize(("settings", "questions"), [(NO_KEYS, 2), (RGB_TURNED, 3)])
def test_whoever_sees_what_is_meant_says_yes_however_the_matrix_is_mounted(
    settings: str, questions: int
) -> None:
    visit = Visit(settings)
    assert levels(visit.light()) == [Level.GOOD] * questions
    assert visit.said[1] == (
        "Did all 64 light up, row by row from the north-west? [y/n] y (SIMULATED)"
    )
    assert not any(map(any, visit.hardware.chip.light())), "dark again"
    assert not visit.hardware.spi.is_open


def test_a_matrix_that_is_turned_otherwise_than_set_is_found() -> None:
    visit = Visit()
    visit.person._config = parse_config("[matrix]\nrotation = 180\n", "what is so")
    found = visit.light()
    assert levels(found) == [Level.FAILED] * 2
    assert found[1].said == "not so: it is turned as the config says"
    assert found[1].todo == (
        "turn the module, or set [matrix] rotation (90, 180, 270) until the arrow points north; "
        "a mirrored R: mirrored = true"
    )


def test_a_led_that_stays_dark_is_found() -> None:
    visit = Visit()

    class OneIsDead:
        def light(self) -> Light:
            light = list(chip.light())
            light[60] = (0, 0, 0)
            return tuple(light)

    chip = visit.hardware.chip
    visit.hardware.chip = OneIsDead()  # type: ignore[assignment]
    assert levels(visit.light()) == [Level.FAILED, Level.GOOD]


def test_a_strip_with_its_colours_in_another_order_is_found() -> None:
    visit = Visit(RGB_TURNED)

    class BlueIsRed:
        def light(self) -> Light:
            return tuple((blue, green, red) for red, green, blue in chip.light())

    chip = visit.hardware.chip
    visit.hardware.chip = BlueIsRed()  # type: ignore[assignment]
    found = visit.light()
    assert found[2].level is Level.FAILED
    assert found[2].said == "not so: its colours are right"


# --- Buttons ------------------------------------------------------------------------------


def test_every_button_is_seen_on_its_own_pin() -> None:
    visit = Visit()
    found = visit.buttons()
    assert levels(found) == [Level.GOOD] * 6
    assert [one.said for one in found] == [
        f"button {button.name} is seen on {place}" for button, place in BUTTONS.items()
    ]
    assert visit.said[:2] == ["Press button NORTH (20 s).", "Seen on pin 29 (BCM 5)."]


def test_keys_of_the_die_are_asked_for_where_there_are_some() -> None:
    visit = Visit("")
    found = visit.buttons()
    assert [one.said for one in found[6:]] == [
        "die key 1 is seen on pin 11 (BCM 17)",
        "die key 2 is seen on pin 13 (BCM 27)",
        "die key 3 is seen on pin 15 (BCM 22)",
        "die key 4 is seen on pin 16 (BCM 23)",
    ]

    class HasNone(VirtualPerson):
        async def has(self, question: str) -> bool:  # noqa: ARG002
            return False

    visit = Visit("")
    visit.person = HasNone(visit.config, visit.hardware, visit.said.append)
    assert len(visit.buttons()) == 6


def test_wires_that_are_mixed_up_are_found_and_how_to_mend_them_is_said() -> None:
    visit = Visit(errs={Button.NORTH: Button.EAST, Button.EAST: Button.NORTH})
    found = visit.buttons()
    assert levels(found) == [Level.FAILED, Level.FAILED, *[Level.GOOD] * 4]
    assert found[0].said == ("when button NORTH was pressed, pin 31 (BCM 6) saw it (button EAST)")
    assert found[0].todo == (
        "move its wire from pin 31 (BCM 6) to pin 29 (BCM 5); or set [buttons] north = 6 in the "
        "config"
    )
    assert visit.said[:3] == [
        "Press button NORTH (20 s).",
        "pin 31 (BCM 6), button EAST, saw that. Once more: button NORTH.",
        "pin 31 (BCM 6) again: the wires are mixed up.",
    ]


def test_mixed_up_keys_of_the_die_are_moved_and_not_set_one_by_one() -> None:
    found = Visit("", errs={1: 2}).buttons()
    assert found[6].todo == "move its wire from pin 13 (BCM 27) to pin 11 (BCM 17)"


def test_a_wrong_finger_is_no_wrong_wire() -> None:
    visit = Visit()

    class Clumsy(VirtualPerson):
        def press(self, contact: Hashable) -> None:
            self._errs = {Button.NORTH: Button.OK} if not visit.said[1:] else {}
            super().press(contact)

    visit.person = Clumsy(visit.config, visit.hardware, visit.said.append)
    assert levels(visit.buttons()) == [Level.GOOD] * 6
    assert visit.said[1] == "pin 37 (BCM 26), button OK, saw that. Once more: button NORTH."


def test_what_was_pressed_before_anything_was_asked_for_means_nothing() -> None:
    class Impatient(VirtualPerson):
        async def has(self, question: str) -> bool:
            await self._tap(Button.OK)
            return await super().has(question)

    visit = Visit("")
    visit.person = Impatient(visit.config, visit.hardware, visit.said.append)
    assert levels(visit.buttons()) == [Level.GOOD] * 10
    assert not any("Once more" in line for line in visit.said)


def test_a_wire_on_a_pin_that_nobody_uses_is_found_there() -> None:
    visit = Visit()
    hands = VirtualContacts(visit.hardware.factory, {12: 12})

    class WiredToTwelve(VirtualPerson):
        def _touch(self, contact: Hashable, is_press: bool) -> None:
            if contact is Button.SOUTH:
                (hands.press if is_press else hands.release)(12)
            else:
                super()._touch(contact, is_press)

    visit.person = WiredToTwelve(visit.config, visit.hardware, visit.said.append)
    found = visit.buttons(spare=[12, 20])
    assert levels(found).count(Level.FAILED) == 1
    assert (found[2].said, found[2].todo) == (
        "when button SOUTH was pressed, pin 32 (BCM 12) saw it (a pin that nobody uses)",
        "move its wire from pin 32 (BCM 12) to pin 33 (BCM 13); or set [buttons] south = 12 in "
        "the config",
    )


def test_a_pin_that_somebody_else_has_is_told_and_a_spare_one_is_left_to_him() -> None:
    visit = Visit()
    others = [
        DigitalInputDevice(pin, pull_up=True, pin_factory=visit.hardware.factory) for pin in (6, 12)
    ]
    found = visit.buttons(spare=[12])
    for other in others:
        other.close()
    assert levels(found).count(Level.FAILED) == 1
    assert (found[1].said, found[1].todo) == (
        "pin 6 for button east is in use already",
        "give each button and key a pin of its own in the config",
    )


def test_a_button_that_is_not_wired_is_waited_for_and_then_told() -> None:
    visit = Visit()
    visit.hardware.hands.unplug(Button.WEST)
    began_and_ended: list[float] = []

    async def main() -> list[Finding]:
        loop = asyncio.get_running_loop()
        found = await walk_buttons(visit.config, visit.hardware, visit.person)
        began_and_ended.append(loop.time())
        return found

    found = run(main())
    assert 20 < began_and_ended[0] < 21
    assert levels(found).count(Level.FAILED) == 1
    assert (found[3].said, found[3].todo) == (
        "nothing was seen when button WEST was pressed",
        "check its two wires: one to pin 35 (BCM 19), the other to GND",
    )


def test_a_button_that_is_closed_all_the_time_is_not_asked_for() -> None:
    visit = Visit()
    visit.hardware.hands.stick(Button.OK)
    found = visit.buttons()
    assert (found[4].level, found[4].said) == (
        Level.FAILED,
        "button OK on pin 37 (BCM 26) is closed all the time",
    )
    assert "Press button OK (20 s)." not in visit.said


# --- The die pad --------------------------------------------------------------------------


def test_every_key_of_the_pad_is_seen_and_its_led_is_looked_at() -> None:
    visit = Visit()
    found = asyncio.run(walk_pad(visit.config, visit.hardware, visit.person))
    assert [one.said for one in found] == [
        "pad key 1 is seen on D2",
        "pad key 2 is seen on D3",
        "pad key 3 is seen on D4",
        "pad key 4 is seen on D5",
        "pad key ROLL is seen on D6",
        "its LED blinks when a number is wanted",
    ]
    assert visit.hardware.pad is not None
    assert visit.hardware.pad.path == ""


def test_mixed_up_keys_of_the_pad_are_found() -> None:
    visit = Visit(errs={PadKey(2): PadKey(5)})
    found = asyncio.run(walk_pad(visit.config, visit.hardware, visit.person))
    assert levels(found).count(Level.FAILED) == 1
    assert (found[1].said, found[1].todo) == (
        "when pad key 2 was pressed, D6 saw it (pad key ROLL)",
        "move its wire from D6 to D3",
    )


def test_a_pad_that_is_not_there_is_judged_and_not_pressed() -> None:
    visit = Visit()

    def unplugged(loop: asyncio.AbstractEventLoop) -> VirtualPad:
        pad = VirtualPad(loop, lambda: 1)
        pad.unplug()
        return pad

    visit.hardware.make_pad = unplugged
    (found,) = asyncio.run(walk_pad(visit.config, visit.hardware, visit.person))
    assert (found.level, found.said) == (Level.NOTE, "none is plugged in")


def test_where_no_pad_is_wanted_nothing_is_asked() -> None:
    visit = Visit('[pad]\nport = "none"\n')
    assert asyncio.run(walk_pad(visit.config, visit.hardware, visit.person)) == []
    assert visit.said == []


def test_the_keys_are_where_the_pinout_has_them() -> None:
    keys = tomllib.loads(PINOUT.read_text())["pad"]["keys"]
    assert list(NANO.values()) == [keys[name]["nano"] for name in ("1", "2", "3", "4", "roll")]


# --- All of it ----------------------------------------------------------------------------


def test_a_whole_walk_is_told_part_by_part() -> None:
    visit = Visit()
    found = asyncio.run(walk(visit.config, visit.hardware, visit.person, led_ms=0))
    assert [one.name for one in found] == ["light"] * 2 + ["button"] * 6 + ["padkey"] * 6
    assert set(levels(found)) == {Level.GOOD}


def test_what_cannot_be_opened_is_a_finding_and_the_walk_goes_on() -> None:
    visit = Visit()
    visit.hardware.spi.unplug()
    found = asyncio.run(walk(visit.config, visit.hardware, visit.person, led_ms=0))
    assert (found[0].name, found[0].level) == ("light", Level.FAILED)
    assert found[0].todo == "check its wires and its supply"
    assert set(levels(found[1:])) == {Level.GOOD}


def test_a_bus_that_breaks_at_the_first_byte_is_let_go() -> None:
    class Broken:
        def transfer(self, data: bytes) -> None:  # noqa: ARG002
            raise OSError(5, "Input/output error")

        def light(self) -> Light:
            return ()

    visit = Visit()
    visit.hardware.spi.chip = Broken()
    with pytest.raises(CompanionError, match=r"written to \(Input/output error\): check its wires"):
        visit.light()
    assert not visit.hardware.spi.is_open


def test_who_leaves_ends_the_walk_and_that_is_said() -> None:
    class Leaves(VirtualPerson):
        async def has(self, question: str) -> bool:  # noqa: ARG002
            raise LeftError("gone")

    visit = Visit("")
    person = Leaves(visit.config, visit.hardware, visit.said.append)
    found = asyncio.run(walk(visit.config, visit.hardware, person, led_ms=0))
    assert [(one.name, one.level) for one in found[2:]] == [("button", Level.UNKNOWN)]
    assert found[2].todo == "marrakech doctor --walk"
