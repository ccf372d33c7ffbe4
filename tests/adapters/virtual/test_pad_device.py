"""Tests for both simulated pads: the virtual pad, and the firmware image in simavr."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any

import pytest
from helpers.pad.chip import chip
from helpers.patience import PATIENCE_S

from companion.adapters.pad_health import PadState
from companion.adapters.serial_pad import SerialPad
from companion.adapters.virtual.pad import VirtualPad
from companion.adapters.virtual.pad_device import PadDevice
from companion.pad.messages import Flash, Mode
from companion.table.inputs import Input, InputKind, die_key

__all__ = ["chip"]  # a fixture

SETTLE_S = 0.15
"""Longer than a key press with its bounces."""


class Harness:
    def __init__(self, pad: PadDevice) -> None:
        self.loop = asyncio.get_running_loop()
        self.pad = pad
        self.inputs: list[Input] = []
        self.host = SerialPad(self.loop, self.inputs.append, lambda _: None, find_ports=pad.ports)
        self.host.start()

    async def until(self, condition: Callable[[], bool], what: str) -> None:
        began = monotonic()
        while not condition():
            assert monotonic() < began + PATIENCE_S, (what, self.host.health, self.inputs)
            await asyncio.sleep(0.002)

    async def connected(self) -> None:
        await self.until(lambda: self.host.health.is_connected, "connected")

    async def receive(self, count: int) -> None:
        await self.until(lambda: len(self.inputs) >= count, f"{count} inputs")
        await asyncio.sleep(SETTLE_S)


Play = Callable[[Callable[[Harness], Coroutine[Any, Any, None]]], Harness]


def make_virtual(loop: asyncio.AbstractEventLoop) -> PadDevice:
    return VirtualPad(loop, lambda: 2)


@pytest.fixture(params=["virtual", pytest.param("simavr", marks=pytest.mark.firmware)])
def play(request: pytest.FixtureRequest) -> Play:
    """Runs a script with one of the pads."""
    make: Callable[[asyncio.AbstractEventLoop], PadDevice] = make_virtual
    if request.param == "simavr":
        make = request.getfixturevalue("chip")

    def played(script: Callable[[Harness], Coroutine[Any, Any, None]]) -> Harness:
        async def main() -> Harness:
            pad = make(asyncio.get_running_loop())
            assert pad.kind == request.param
            harness = Harness(pad)
            harness.loop.set_exception_handler(lambda _, context: faults.append(context))
            try:
                await harness.connected()
                await script(harness)
            finally:
                harness.host.close()
                pad.close()
                pad.close()
            assert (pad.ports(), pad.is_led_on()) == ([], False)
            return harness

        faults: list[dict[str, Any]] = []
        harness = asyncio.run(main())
        assert faults == []
        return harness

    return played


def test_each_press_is_one_input_and_a_release_is_none(play: Play) -> None:
    async def script(harness: Harness) -> None:
        for number, key in enumerate((4, 2, 1, 3, 5), start=1):
            harness.pad.press(key)
            await harness.receive(number)
            harness.pad.release(key)
            await asyncio.sleep(0.03)

    inputs = play(script).inputs
    assert inputs[:4] == [die_key(4), die_key(2), die_key(1), die_key(3)]
    assert [one.kind for one in inputs[4:]] == [InputKind.ROLL]
    assert inputs[4].pips in (1, 2, 3, 4)


def test_a_bouncing_key_is_one_input_at_its_press_and_none_at_its_release(play: Play) -> None:
    async def script(harness: Harness) -> None:
        harness.pad.bounce(3)
        await harness.receive(1)
        harness.pad.bounce(3, is_press=False)
        await asyncio.sleep(SETTLE_S)
        harness.pad.press(1)
        await harness.receive(2)

    assert play(script).inputs == [die_key(3), die_key(1)]


def test_a_glitch_is_not_an_input(play: Play) -> None:
    async def script(harness: Harness) -> None:
        for _ in range(5):
            harness.pad.glitch(2)
            await asyncio.sleep(0.03)
        harness.pad.press(1)
        await harness.receive(1)

    assert play(script).inputs == [die_key(1)]


def test_the_led_shows_the_mode_and_flashes(play: Play) -> None:
    async def script(harness: Harness) -> None:
        assert not harness.pad.is_led_on()
        harness.host.set_mode(Mode.NUMBER)
        await harness.until(harness.pad.is_led_on, "blinking")
        await harness.until(lambda: not harness.pad.is_led_on(), "blinking")
        harness.host.set_mode(Mode.NOTHING)
        await asyncio.sleep(0.7)
        assert not harness.pad.is_led_on()
        harness.host.flash(Flash.REFUSED)
        await harness.until(harness.pad.is_led_on, "a flash")
        await harness.until(lambda: not harness.pad.is_led_on(), "a flash")

    play(script)


def test_replugging_restarts_the_pad(play: Play) -> None:
    async def script(harness: Harness) -> None:
        before = harness.host.health.identity
        assert before is not None
        harness.pad.unplug()
        harness.pad.unplug()
        assert (harness.pad.path, harness.pad.ports(), harness.pad.is_led_on()) == ("", [], False)
        await harness.until(lambda: harness.host.health.state is PadState.LOST, "lost")
        harness.pad.press(4)  # without power
        harness.pad.release(4)
        harness.pad.plug_in()
        await harness.connected()
        after = harness.host.health.identity
        assert after is not None
        assert (after.board, after.boots > before.boots) == (before.board, True)
        harness.pad.press(2)
        await harness.receive(1)

    assert play(script).inputs == [die_key(2)]


def test_a_reset_starts_a_new_session(play: Play) -> None:
    async def script(harness: Harness) -> None:
        harness.pad.reset()
        await harness.until(lambda: harness.host.health.link.resets == 1, "noticed")
        await harness.until(lambda: harness.host._link.identity is not None, "connected again")
        harness.pad.press(3)
        await harness.receive(1)

    assert play(script).inputs == [die_key(3)]
