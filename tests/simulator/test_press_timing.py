"""Fingers in time, and the faults that strike them, on virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.gpio_buttons import GpioContacts
from companion.adapters.hardware import VirtualHardware, pins_of
from companion.config.model import Config
from companion.i18n.renderer import TextRenderer
from companion.simulator.controls import ROLL_KEY, Controls, PadKey
from companion.simulator.faults import SLOW_S, Fault, Faults
from companion.simulator.press_timing import PressTiming
from companion.table.inputs import Button, Down, Input, Up, die_key
from companion.testing.moody_disk import MoodyDisk
from companion.testing.virtual_time import run

OK = Button.OK


class HandledPad:
    """A pad that only notes what is done to it, and when."""

    kind = "noting"

    def __init__(self, ms: Callable[[], int]) -> None:
        self._ms = ms
        self.path = "/dev/pad"
        self.moved: list[tuple[int, str]] = []

    def _note(self, what: str) -> None:
        self.moved.append((self._ms(), what))

    def ports(self, _: str = "") -> list[str]:
        return [self.path]

    def press(self, key: int) -> None:
        self._note(f"press {key}")

    def release(self, key: int) -> None:
        self._note(f"release {key}")

    def bounce(self, key: int, *, is_press: bool = True) -> None:
        self._note(f"bounce {key}" if is_press else f"bounce {key} up")

    def glitch(self, key: int) -> None:
        self._note(f"glitch {key}")

    def led(self) -> bool:
        return False

    def unplug(self) -> None:
        self._note("unplug")
        self.path = ""

    def plug_in(self) -> None:
        self._note("plug in")
        self.path = "/dev/pad"

    def reset(self) -> None:
        self._note("reset")

    def close(self) -> None: ...


class Bench:
    """Contacts on a bench, and what they were heard to do, with the time in milliseconds."""

    def __init__(self) -> None:
        config = Config()
        hardware = VirtualHardware(config)
        self.pad = hardware.pad = HandledPad(self.ms)
        self.spi, self.disk = hardware.spi, MoodyDisk()
        self.loop = asyncio.get_running_loop()
        self.heard: list[tuple[int, Down | Up | Input]] = []
        self.hands = Controls(hardware, tuple(pins_of(config)))
        self.faults = Faults(self.hands, hardware.spi, self.disk)
        self.fingers = PressTiming(self.loop, self.hands, self.faults)
        self.contacts = GpioContacts(
            self.loop,
            pins_of(config),
            lambda event: self.heard.append((self.ms(), event)),
            debounce_ms=12,
            pin_factory=hardware.open_pins(),
        )

    def ms(self) -> int:
        return round(self.loop.time() * 1000)


def on_bench(scene: Callable[[Bench], Coroutine[Any, Any, None]]) -> Bench:
    async def main() -> Bench:
        bench = Bench()
        try:
            await scene(bench)
        finally:
            bench.fingers.close()
            bench.contacts.close()
        return bench

    return run(main())


def test_tap_is_down_for_60_ms() -> None:
    async def scene(bench: Bench) -> None:
        bench.fingers.tap(OK)
        await asyncio.sleep(1)

    assert on_bench(scene).heard == [(12, Down(OK)), (72, Up(OK))]


def test_hold_is_down_as_long_as_it_is_told() -> None:
    async def scene(bench: Bench) -> None:
        bench.fingers.tap(OK, 2100)
        await asyncio.sleep(3)

    assert on_bench(scene).heard == [(12, Down(OK)), (2112, Up(OK))]


def test_key_that_repeats_stays_down() -> None:
    async def scene(bench: Bench) -> None:
        for _ in range(10):
            bench.fingers.tap(OK)
            await asyncio.sleep(0.03)
        await asyncio.sleep(1)

    assert on_bench(scene).heard == [(12, Down(OK)), (342, Up(OK))]


def test_tap_does_not_end_a_hold() -> None:
    async def scene(bench: Bench) -> None:
        bench.fingers.tap(OK, 2100)
        await asyncio.sleep(0.5)
        bench.fingers.tap(OK)
        await asyncio.sleep(3)

    assert on_bench(scene).heard == [(12, Down(OK)), (2112, Up(OK))]


def test_two_buttons_are_two_fingers() -> None:
    async def scene(bench: Bench) -> None:
        bench.fingers.tap(Button.EAST)
        bench.fingers.tap(3)
        await asyncio.sleep(1)

    heard = on_bench(scene).heard
    assert heard == [(12, Down(Button.EAST)), (12, die_key(3)), (72, Up(Button.EAST))]


def test_keys_of_the_die_are_on_the_pad_while_it_is_plugged_in_else_on_the_pi() -> None:
    async def scene(bench: Bench) -> None:
        assert [bench.hands.die(key) for key in (3, ROLL_KEY)] == [PadKey(3), PadKey(ROLL_KEY)]
        bench.pad.unplug()
        assert [bench.hands.die(key) for key in (3, ROLL_KEY)] == [3, None]

    on_bench(scene)


def test_without_keys_and_pad_there_is_nothing_to_press() -> None:
    assert Controls(VirtualHardware(Config()), (OK,)).die(3) is None


def test_tap_on_a_key_of_the_pad_moves_that_and_no_pin() -> None:
    async def scene(bench: Bench) -> None:
        bench.fingers.tap(PadKey(3))
        assert bench.hands.is_down(PadKey(3))
        await asyncio.sleep(1)
        assert not bench.hands.is_down(PadKey(3))

    bench = on_bench(scene)
    assert bench.heard == []
    assert bench.pad.moved == [(0, "press 3"), (60, "release 3")]


def test_fingers_come_off_at_the_end() -> None:
    async def scene(bench: Bench) -> None:
        bench.fingers.tap(OK, 2100)
        bench.fingers.close()
        assert not bench.hands.is_down(OK)
        await asyncio.sleep(3)

    assert on_bench(scene).heard == []


# --- Faults of contacts -------------------------------------------------------------------


def test_bounce_strikes_the_next_press_once_and_counts_once() -> None:
    async def scene(bench: Bench) -> None:
        bench.faults.toggle(Fault.BOUNCE)
        assert bench.faults.listed(TextRenderer()) == ["bounce: the next press"]
        bench.fingers.tap(OK)
        assert bench.faults.listed(TextRenderer()) == []
        await asyncio.sleep(1)
        bench.fingers.tap(OK)
        await asyncio.sleep(1)

    assert on_bench(scene).heard == [
        (24, Down(OK)),
        (84, Up(OK)),
        (1012, Down(OK)),
        (1072, Up(OK)),
    ]


def test_glitch_is_no_press() -> None:
    async def scene(bench: Bench) -> None:
        bench.faults.toggle(Fault.GLITCH)
        bench.fingers.tap(OK)
        await asyncio.sleep(1)

    assert on_bench(scene).heard == []


def test_stuck_button_stays_down_until_it_is_freed() -> None:
    async def scene(bench: Bench) -> None:
        bench.faults.toggle(Fault.STICK)
        bench.fingers.tap(OK)
        await asyncio.sleep(5)
        assert bench.faults.listed(TextRenderer()) == ["OK is stuck"]
        assert bench.hands.is_down(OK)
        bench.faults.toggle(Fault.STICK)
        bench.fingers.tap(OK)
        assert bench.faults.listed(TextRenderer()) == []
        await asyncio.sleep(1)

    assert on_bench(scene).heard == [(12, Down(OK)), (5012, Up(OK))]


def test_fault_that_waits_can_be_called_off() -> None:
    async def scene(bench: Bench) -> None:
        bench.faults.toggle(Fault.GLITCH)
        bench.faults.toggle(Fault.GLITCH)
        bench.fingers.tap(OK)
        await asyncio.sleep(1)

    assert on_bench(scene).heard == [(12, Down(OK)), (72, Up(OK))]


def test_key_of_the_pad_bounces_glitches_and_jams() -> None:
    async def scene(bench: Bench) -> None:
        for fault in (Fault.BOUNCE, Fault.GLITCH, Fault.STICK):
            bench.faults.toggle(fault)
            bench.fingers.tap(PadKey(ROLL_KEY))
            await asyncio.sleep(1)
        assert bench.faults.listed(TextRenderer()) == ["ROLL of the pad is stuck"]
        assert bench.hands.is_down(PadKey(ROLL_KEY))
        bench.faults.stick(PadKey(ROLL_KEY))

    assert on_bench(scene).pad.moved == [
        (0, "bounce 5"),
        (60, "bounce 5 up"),
        (1000, "glitch 5"),
        (1060, "release 5"),
        (2000, "press 5"),
        (2060, "press 5"),  # the finger is gone, and it stays closed
        (3000, "release 5"),
    ]


# --- Faults of the pad --------------------------------------------------------------------


def test_pad_is_unplugged_and_plugged_in_again() -> None:
    async def scene(bench: Bench) -> None:
        bench.faults.toggle(Fault.PAD)
        assert bench.faults.listed(TextRenderer()) == ["pad unplugged"]
        assert not bench.faults.is_possible(Fault.RESET)
        bench.faults.toggle(Fault.RESET)
        bench.faults.toggle(Fault.PAD)
        assert bench.faults.listed(TextRenderer()) == []
        bench.faults.toggle(Fault.RESET)
        assert bench.faults.listed(TextRenderer()) == []

    assert on_bench(scene).pad.moved == [(0, "unplug"), (0, "plug in"), (0, "reset")]


def test_pad_that_is_not_there_cannot_fail() -> None:
    hardware = VirtualHardware(Config())
    faults = Faults(Controls(hardware, ()), hardware.spi, MoodyDisk())
    for fault in (Fault.PAD, Fault.RESET):
        assert not faults.is_possible(fault)
        faults.toggle(fault)
    assert faults.listed(TextRenderer()) == []


# --- Faults of the matrix and the disk ----------------------------------------------------


def test_every_fault_that_is_on_is_listed() -> None:
    async def scene(bench: Bench) -> None:
        for fault in (Fault.MATRIX, Fault.FULL, Fault.SLOW):
            bench.faults.toggle(fault)
        assert bench.faults.listed(TextRenderer()) == ["matrix unplugged", "disk full", "disk slow"]
        assert bench.disk.is_full
        assert bench.disk.takes_ms == 1000 * SLOW_S
        with pytest.raises(OSError, match="Input/output error"):
            bench.spi.open(0, 0)
        for fault in (Fault.MATRIX, Fault.FULL, Fault.SLOW):
            bench.faults.toggle(fault)
        assert bench.faults.listed(TextRenderer()) == []
        bench.spi.open(0, 0)

    on_bench(scene)


def test_full_disk_refuses_to_grow_and_takes_it_when_there_is_room(tmp_path: Path) -> None:
    disk, path = MoodyDisk(), tmp_path / "game"
    file = disk.open(path, is_new=True)
    disk.is_full = True
    for refused in (
        lambda: disk.write(file, memoryview(b"told")),
        lambda: disk.fdatasync(file),
        lambda: disk.rename(path, tmp_path / "away"),
        lambda: disk.open(tmp_path / "new", is_new=True),
    ):
        with pytest.raises(OSError, match="No space left on device"):
            refused()
    disk.is_full = False
    assert disk.write(file, memoryview(b"told")) == 4
    disk.fdatasync(file)
    disk.cut(file, 2)
    disk.close(file)
    disk.rename(path, tmp_path / "away")
    disk.fsync_folder(tmp_path)
    assert (tmp_path / "away").read_bytes() == b"to"
    assert not (tmp_path / "new").exists()


def test_slow_disk_takes_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("companion.testing.moody_disk.time.sleep", slept.append)
    disk = MoodyDisk()
    file = disk.open(tmp_path / "game", is_new=True)
    disk.takes_ms = 300
    disk.fdatasync(file)
    disk.close(file)
    assert slept == [0.3]
