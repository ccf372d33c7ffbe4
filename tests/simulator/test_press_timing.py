"""Timing of presses and faults of contacts, pad, matrix and disk, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from companion.adapters.gpio.contacts import GpioContacts
from companion.adapters.hardware import VirtualHardware, pins_of
from companion.config.model import Config
from companion.i18n.renderer import TextRenderer
from companion.simulator.controls import ROLL_KEY, Controls, PadKey
from companion.simulator.faults import SLOW_DISK_S, Fault, Faults
from companion.simulator.press_timing import PressTiming
from companion.table.inputs import Button, ButtonDown, ButtonUp, Input, die_key
from companion.testing.faulty_filesystem import FaultyFilesystem
from companion.testing.virtual_time import run

OK = Button.OK


class RecordingPad:
    """Records the calls and their times in milliseconds."""

    kind = "recording"

    def __init__(self, ms: Callable[[], int]) -> None:
        self._ms = ms
        self.path = "/dev/pad"
        self.calls: list[tuple[int, str]] = []

    def _record(self, what: str) -> None:
        self.calls.append((self._ms(), what))

    def ports(self, _: str = "") -> list[str]:
        return [self.path]

    def press(self, key: int) -> None:
        self._record(f"press {key}")

    def release(self, key: int) -> None:
        self._record(f"release {key}")

    def bounce(self, key: int, *, is_press: bool = True) -> None:
        self._record(f"bounce {key}" if is_press else f"bounce {key} up")

    def glitch(self, key: int) -> None:
        self._record(f"glitch {key}")

    def is_led_on(self) -> bool:
        return False

    def unplug(self) -> None:
        self._record("unplug")
        self.path = ""

    def plug_in(self) -> None:
        self._record("plug in")
        self.path = "/dev/pad"

    def reset(self) -> None:
        self._record("reset")

    def close(self) -> None: ...


class Harness:
    """Virtual contacts, and the button events with their times in milliseconds."""

    def __init__(self) -> None:
        config = Config()
        hardware = VirtualHardware(config)
        self.pad = hardware.pad = RecordingPad(self.ms)
        self.spi, self.filesystem = hardware.spi, FaultyFilesystem()
        self.loop = asyncio.get_running_loop()
        self.events: list[tuple[int, ButtonDown | ButtonUp | Input]] = []
        self.controls = Controls(hardware, tuple(pins_of(config)))
        self.faults = Faults(self.controls, hardware.spi, self.filesystem)
        self.timing = PressTiming(self.loop, self.controls, self.faults)
        self.contacts = GpioContacts(
            self.loop,
            pins_of(config),
            lambda event: self.events.append((self.ms(), event)),
            debounce_ms=12,
            pin_factory=hardware.open_pins(),
        )

    def ms(self) -> int:
        return round(self.loop.time() * 1000)


def run_harness(check: Callable[[Harness], Coroutine[Any, Any, None]]) -> Harness:
    async def main() -> Harness:
        harness = Harness()
        try:
            await check(harness)
        finally:
            harness.timing.close()
            harness.contacts.close()
        return harness

    return run(main())


def test_tap_is_down_for_60_ms() -> None:
    async def check(harness: Harness) -> None:
        harness.timing.tap(OK)
        await asyncio.sleep(1)

    assert run_harness(check).events == [(12, ButtonDown(OK)), (72, ButtonUp(OK))]


def test_hold_is_down_for_the_given_time() -> None:
    async def check(harness: Harness) -> None:
        harness.timing.tap(OK, 2100)
        await asyncio.sleep(3)

    assert run_harness(check).events == [(12, ButtonDown(OK)), (2112, ButtonUp(OK))]


def test_repeating_key_stays_down() -> None:
    async def check(harness: Harness) -> None:
        for _ in range(10):
            harness.timing.tap(OK)
            await asyncio.sleep(0.03)
        await asyncio.sleep(1)

    assert run_harness(check).events == [(12, ButtonDown(OK)), (342, ButtonUp(OK))]


def test_tap_does_not_end_a_hold() -> None:
    async def check(harness: Harness) -> None:
        harness.timing.tap(OK, 2100)
        await asyncio.sleep(0.5)
        harness.timing.tap(OK)
        await asyncio.sleep(3)

    assert run_harness(check).events == [(12, ButtonDown(OK)), (2112, ButtonUp(OK))]


def test_two_buttons_can_be_down_at_once() -> None:
    async def check(harness: Harness) -> None:
        harness.timing.tap(Button.EAST)
        harness.timing.tap(3)
        await asyncio.sleep(1)

    events = run_harness(check).events
    assert events == [(12, ButtonDown(Button.EAST)), (12, die_key(3)), (72, ButtonUp(Button.EAST))]


def test_die_keys_are_on_the_pad_while_it_is_plugged_in() -> None:
    async def check(harness: Harness) -> None:
        assert [harness.controls.contact_of(key) for key in (3, ROLL_KEY)] == [
            PadKey(3),
            PadKey(ROLL_KEY),
        ]
        harness.pad.unplug()
        assert [harness.controls.contact_of(key) for key in (3, ROLL_KEY)] == [3, None]

    run_harness(check)


def test_without_pad_and_pins_a_die_key_has_no_contact() -> None:
    assert Controls(VirtualHardware(Config()), (OK,)).contact_of(3) is None


def test_tap_on_a_pad_key_presses_no_pin() -> None:
    async def check(harness: Harness) -> None:
        harness.timing.tap(PadKey(3))
        assert harness.controls.is_down(PadKey(3))
        await asyncio.sleep(1)
        assert not harness.controls.is_down(PadKey(3))

    harness = run_harness(check)
    assert harness.events == []
    assert harness.pad.calls == [(0, "press 3"), (60, "release 3")]


def test_close_releases_contacts() -> None:
    async def check(harness: Harness) -> None:
        harness.timing.tap(OK, 2100)
        harness.timing.close()
        assert not harness.controls.is_down(OK)
        await asyncio.sleep(3)

    assert run_harness(check).events == []


# --- Faults of contacts -------------------------------------------------------------------


def test_bounce_affects_the_next_press_only_and_counts_once() -> None:
    async def check(harness: Harness) -> None:
        harness.faults.toggle(Fault.BOUNCE)
        assert harness.faults.descriptions(TextRenderer()) == ["bounce: the next press"]
        harness.timing.tap(OK)
        assert harness.faults.descriptions(TextRenderer()) == []
        await asyncio.sleep(1)
        harness.timing.tap(OK)
        await asyncio.sleep(1)

    assert run_harness(check).events == [
        (24, ButtonDown(OK)),
        (84, ButtonUp(OK)),
        (1012, ButtonDown(OK)),
        (1072, ButtonUp(OK)),
    ]


def test_glitch_is_not_a_press() -> None:
    async def check(harness: Harness) -> None:
        harness.faults.toggle(Fault.GLITCH)
        harness.timing.tap(OK)
        await asyncio.sleep(1)

    assert run_harness(check).events == []


def test_stuck_button_stays_down_until_it_is_freed() -> None:
    async def check(harness: Harness) -> None:
        harness.faults.toggle(Fault.STICK)
        harness.timing.tap(OK)
        await asyncio.sleep(5)
        assert harness.faults.descriptions(TextRenderer()) == ["OK is stuck"]
        assert harness.controls.is_down(OK)
        harness.faults.toggle(Fault.STICK)
        harness.timing.tap(OK)
        assert harness.faults.descriptions(TextRenderer()) == []
        await asyncio.sleep(1)

    assert run_harness(check).events == [(12, ButtonDown(OK)), (5012, ButtonUp(OK))]


def test_armed_fault_can_be_switched_off() -> None:
    async def check(harness: Harness) -> None:
        harness.faults.toggle(Fault.GLITCH)
        harness.faults.toggle(Fault.GLITCH)
        harness.timing.tap(OK)
        await asyncio.sleep(1)

    assert run_harness(check).events == [(12, ButtonDown(OK)), (72, ButtonUp(OK))]


def test_pad_key_bounces_glitches_and_jams() -> None:
    async def check(harness: Harness) -> None:
        for fault in (Fault.BOUNCE, Fault.GLITCH, Fault.STICK):
            harness.faults.toggle(fault)
            harness.timing.tap(PadKey(ROLL_KEY))
            await asyncio.sleep(1)
        assert harness.faults.descriptions(TextRenderer()) == ["ROLL of the pad is stuck"]
        assert harness.controls.is_down(PadKey(ROLL_KEY))
        harness.faults.stick(PadKey(ROLL_KEY))

    assert run_harness(check).pad.calls == [
        (0, "bounce 5"),
        (60, "bounce 5 up"),
        (1000, "glitch 5"),
        (1060, "release 5"),
        (2000, "press 5"),
        (2060, "press 5"),  # released, but it stays closed
        (3000, "release 5"),
    ]


# --- Faults of the pad --------------------------------------------------------------------


def test_pad_is_unplugged_and_plugged_in_again() -> None:
    async def check(harness: Harness) -> None:
        harness.faults.toggle(Fault.PAD)
        assert harness.faults.descriptions(TextRenderer()) == ["pad unplugged"]
        assert not harness.faults.is_possible(Fault.RESET)
        harness.faults.toggle(Fault.RESET)
        harness.faults.toggle(Fault.PAD)
        assert harness.faults.descriptions(TextRenderer()) == []
        harness.faults.toggle(Fault.RESET)
        assert harness.faults.descriptions(TextRenderer()) == []

    assert run_harness(check).pad.calls == [(0, "unplug"), (0, "plug in"), (0, "reset")]


def test_pad_faults_are_impossible_without_a_pad() -> None:
    hardware = VirtualHardware(Config())
    faults = Faults(Controls(hardware, ()), hardware.spi, FaultyFilesystem())
    for fault in (Fault.PAD, Fault.RESET):
        assert not faults.is_possible(fault)
        faults.toggle(fault)
    assert faults.descriptions(TextRenderer()) == []


# --- Faults of the matrix and the disk ----------------------------------------------------


def test_every_fault_that_is_on_is_listed() -> None:
    async def check(harness: Harness) -> None:
        for fault in (Fault.MATRIX, Fault.FULL, Fault.SLOW):
            harness.faults.toggle(fault)
        assert harness.faults.descriptions(TextRenderer()) == [
            "matrix unplugged",
            "disk full",
            "disk slow",
        ]
        assert harness.filesystem.is_full
        assert harness.filesystem.sync_delay_ms == 1000 * SLOW_DISK_S
        with pytest.raises(OSError, match="Input/output error"):
            harness.spi.open(0, 0)
        for fault in (Fault.MATRIX, Fault.FULL, Fault.SLOW):
            harness.faults.toggle(fault)
        assert harness.faults.descriptions(TextRenderer()) == []
        harness.spi.open(0, 0)

    run_harness(check)
