"""The die pad on a USB port of the kernel: plugged in, unplugged, plugged in again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from helpers.patience import PATIENCE_S
from kernel.inside.table_buttons import LONG_S
from kernel.inside.usb_serial import UsbPad, UsbSerial

from companion.adapters.hardware import PiHardware
from companion.adapters.pad_health import PadHealth, PadState
from companion.config.model import Config, PadConfig
from companion.table.inputs import Input, die_key, pad_roll

pytestmark = pytest.mark.usefixtures("udev")

ROLLED = 3
CONFIG = Config(pad=PadConfig(port="/dev/serial/by-id/*"))


class PadTable:
    """The companion's end of the link, as `marrakech serve` opens it, and the pad's end."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.delivered: list[Input] = []
        self.states: list[PadHealth] = []
        self._changed = asyncio.Event()
        self.usb = UsbSerial()
        pad = PiHardware().open_pad(self.loop, CONFIG, self.delivered.append, self._record)
        assert pad is not None
        self.host = pad
        self.host.start()

    def plug_in(self) -> UsbPad:
        return UsbPad(self.loop, lambda: ROLLED, self.usb)

    def close(self) -> None:
        self.host.close()
        self.usb.close()

    def _record(self, health: PadHealth) -> None:
        self.states.append(health)
        self._changed.set()

    async def wait_for(self, state: PadState) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.host.health.state is not state:
                self._changed.clear()
                await self._changed.wait()


def play(script: Callable[[PadTable], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        with closing(PadTable()) as table:
            await script(table)

    asyncio.run(main())


async def tap(pad: UsbPad, key: int) -> None:
    pad.tap(key)
    await asyncio.sleep(LONG_S)


def test_pad_is_found_at_udevs_name_and_its_keys_arrive_once() -> None:
    async def script(table: PadTable) -> None:
        with closing(table.plug_in()) as pad:
            await table.wait_for(PadState.CONNECTED)
            assert Path(table.host.health.port).parent == Path("/dev/serial/by-id")
            for key in (1, 2, 3, 4):
                await tap(pad, key)
            pad.roll()
            await asyncio.sleep(LONG_S)
            assert table.delivered == [*map(die_key, (1, 2, 3, 4)), pad_roll(ROLLED)]

    play(script)


def test_pad_works_again_after_it_was_unplugged() -> None:
    async def script(table: PadTable) -> None:
        with closing(table.plug_in()) as pad:
            await table.wait_for(PadState.CONNECTED)
            await tap(pad, 1)
            for number in (2, 3):
                pad.unplug()
                await table.wait_for(PadState.LOST)
                pad.plug_in()
                await table.wait_for(PadState.CONNECTED)
                await tap(pad, number)
            assert table.delivered == [die_key(1), die_key(2), die_key(3)]

    play(script)


def test_pad_unplugged_during_a_press_delivers_it_at_most_once() -> None:
    async def script(table: PadTable) -> None:
        with closing(table.plug_in()) as pad:
            await table.wait_for(PadState.CONNECTED)
            pad.press(4)
            await asyncio.sleep(0.009)  # debounced, and on its way
            pad.unplug()
            pad.release(4)
            await table.wait_for(PadState.LOST)
            pad.plug_in()
            await table.wait_for(PadState.CONNECTED)
            await asyncio.sleep(LONG_S)
            assert table.delivered in ([], [die_key(4)])
            await tap(pad, 1)
            assert table.delivered[-1] == die_key(1)

    play(script)


def test_pad_gets_another_port_if_its_port_is_still_open() -> None:
    """A program keeps the old port open, so the kernel gives the pad a new number."""

    async def script(table: PadTable) -> None:
        with closing(table.plug_in()) as pad:
            await table.wait_for(PadState.CONNECTED)
            first = Path(table.host.health.port).resolve()
            kept = os.open(first, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                pad.unplug()
                await table.wait_for(PadState.LOST)
                pad.plug_in()
                await table.wait_for(PadState.CONNECTED)
                assert Path(table.host.health.port).resolve() != first
                await tap(pad, 2)
                assert table.delivered == [die_key(2)]
            finally:
                os.close(kept)

    play(script)


def test_silent_arduino_does_not_hide_the_pad() -> None:
    """Another Arduino, which is not a pad, is plugged in later and tried first."""

    async def script(table: PadTable) -> None:
        with closing(UsbSerial(1, serial="other")) as other, closing(table.plug_in()) as pad:
            await asyncio.sleep(LONG_S)
            other.plug_in()
            await table.wait_for(PadState.CONNECTED)
            await tap(pad, 1)
            assert table.delivered == [die_key(1)]

    play(script)
