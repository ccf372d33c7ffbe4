"""Pads without hardware keep one promise: the virtual one, and the real image in a chip."""

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
from companion.table.inputs import Input, Key, die_key

__all__ = ["chip"]  # a fixture

STILL_S = 0.15
"""Longer than a key takes, with its bounces."""


class Desk:
    def __init__(self, pad: PadDevice) -> None:
        self.loop = asyncio.get_running_loop()
        self.pad = pad
        self.inputs: list[Input] = []
        self.host = SerialPad(self.loop, self.inputs.append, lambda _: None, find_ports=pad.ports)
        self.host.start()

    async def until(self, is_so: Callable[[], bool], what: str) -> None:
        began = monotonic()
        while not is_so():
            assert monotonic() < began + PATIENCE_S, (what, self.host.health, self.inputs)
            await asyncio.sleep(0.002)

    async def connected(self) -> None:
        await self.until(lambda: self.host.health.is_connected, "connected")

    async def hear(self, count: int) -> None:
        await self.until(lambda: len(self.inputs) >= count, f"{count} inputs")
        await asyncio.sleep(STILL_S)


Play = Callable[[Callable[[Desk], Coroutine[Any, Any, None]]], Desk]


def make_virtual(loop: asyncio.AbstractEventLoop) -> PadDevice:
    return VirtualPad(loop, lambda: 2)


@pytest.fixture(params=["virtual", pytest.param("simavr", marks=pytest.mark.firmware)])
def play(request: pytest.FixtureRequest) -> Play:
    """Plays a scene with either."""
    make: Callable[[asyncio.AbstractEventLoop], PadDevice] = make_virtual
    if request.param == "simavr":
        make = request.getfixturevalue("chip")

    def played(scene: Callable[[Desk], Coroutine[Any, Any, None]]) -> Desk:
        async def main() -> Desk:
            pad = make(asyncio.get_running_loop())
            assert pad.kind == request.param
            desk = Desk(pad)
            desk.loop.set_exception_handler(lambda _, about: faults.append(about))
            try:
                await desk.connected()
                await scene(desk)
            finally:
                desk.host.close()
                pad.close()
                pad.close()
            assert (pad.ports(), pad.led()) == ([], False)
            return desk

        faults: list[dict[str, Any]] = []
        desk = asyncio.run(main())
        assert faults == []
        return desk

    return played


def test_each_key_is_one_input_and_letting_go_is_none(play: Play) -> None:
    async def scene(desk: Desk) -> None:
        for number, key in enumerate((4, 2, 1, 3, 5), start=1):
            desk.pad.press(key)
            await desk.hear(number)
            desk.pad.release(key)
            await asyncio.sleep(0.03)

    inputs = play(scene).inputs
    assert inputs[:4] == [die_key(4), die_key(2), die_key(1), die_key(3)]
    assert [told.key for told in inputs[4:]] == [Key.ROLL]
    assert inputs[4].pips in (1, 2, 3, 4)


def test_bouncing_key_is_one_input_at_its_press_and_none_at_its_release(play: Play) -> None:
    async def scene(desk: Desk) -> None:
        desk.pad.bounce(3)
        await desk.hear(1)
        desk.pad.bounce(3, is_press=False)
        await asyncio.sleep(STILL_S)
        desk.pad.press(1)
        await desk.hear(2)

    assert play(scene).inputs == [die_key(3), die_key(1)]


def test_glitch_is_no_input(play: Play) -> None:
    async def scene(desk: Desk) -> None:
        for _ in range(5):
            desk.pad.glitch(2)
            await asyncio.sleep(0.03)
        desk.pad.press(1)
        await desk.hear(1)

    assert play(scene).inputs == [die_key(1)]


def test_led_shows_what_the_host_says(play: Play) -> None:
    async def scene(desk: Desk) -> None:
        assert not desk.pad.led()
        desk.host.show(Mode.NUMBER)
        await desk.until(desk.pad.led, "blinking")
        await desk.until(lambda: not desk.pad.led(), "blinking")
        desk.host.show(Mode.NOTHING)
        await asyncio.sleep(0.7)
        assert not desk.pad.led()
        desk.host.flash(Flash.REFUSED)
        await desk.until(desk.pad.led, "a flash")
        await desk.until(lambda: not desk.pad.led(), "a flash")

    play(scene)


def test_unplugged_it_is_gone_and_plugged_in_it_is_another_start(play: Play) -> None:
    async def scene(desk: Desk) -> None:
        before = desk.host.health.identity
        assert before is not None
        desk.pad.unplug()
        desk.pad.unplug()
        assert (desk.pad.path, desk.pad.ports(), desk.pad.led()) == ("", [], False)
        await desk.until(lambda: desk.host.health.state is PadState.LOST, "lost")
        desk.pad.press(4)  # without power
        desk.pad.release(4)
        desk.pad.plug_in()
        await desk.connected()
        after = desk.host.health.identity
        assert after is not None
        assert (after.board, after.boots > before.boots) == (before.board, True)
        desk.pad.press(2)
        await desk.hear(1)

    assert play(scene).inputs == [die_key(2)]


def test_reset_costs_the_session_and_nothing_more(play: Play) -> None:
    async def scene(desk: Desk) -> None:
        desk.pad.reset()
        await desk.until(lambda: desk.host.health.link.resets == 1, "noticed")
        await desk.until(lambda: desk.host._link.identity is not None, "connected again")
        desk.pad.press(3)
        await desk.hear(1)

    assert play(scene).inputs == [die_key(3)]
