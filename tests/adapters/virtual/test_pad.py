"""The virtual pad and the host on a real pty, with pyserial and a real loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any

import pytest
from helpers.patience import PATIENCE_S

from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.serial_pad import SerialPad
from companion.adapters.virtual.pad import VirtualPad
from companion.i18n.renderer import TextRenderer
from companion.pad.messages import Flash, Mode
from companion.table.inputs import Input, die_key, pad_roll


class Table:
    def __init__(self, *, version: int = 1) -> None:
        self.loop = asyncio.get_running_loop()
        self.pad = VirtualPad(self.loop, lambda: 4, version=version)
        self.inputs: list[Input] = []
        self.reported: list[PadHealth] = []
        self.host = self.make_host()
        self.host.start()

    def make_host(self) -> SerialPad:
        return SerialPad(
            self.loop, self.inputs.append, self.reported.append, find_ports=self.pad.ports
        )

    async def until(self, condition: Callable[[], bool]) -> None:
        began = monotonic()
        while not condition():
            assert monotonic() < began + PATIENCE_S, (self.host.health, self.inputs)
            await asyncio.sleep(0.002)

    async def connected(self) -> None:
        await self.until(lambda: self.host.health.is_connected)

    async def tapped(self, *keys: int) -> None:
        """Tap each key and wait until one more input is delivered."""
        for key in keys:
            before = len(self.inputs)
            self.pad.tap(key)
            await self.until(lambda: len(self.inputs) > before)  # noqa: B023 - at once
            await asyncio.sleep(0.05)

    def states(self) -> list[PadState]:
        return [health.state for health in self.reported]

    def message(self) -> str:
        message = self.host.health.message
        return TextRenderer().render(message) if message else ""


def play(script: Callable[[Table], Coroutine[Any, Any, None]], *, version: int = 1) -> Table:
    async def main() -> Table:
        table = Table(version=version)
        table.loop.set_exception_handler(lambda _, context: faults.append(context))
        try:
            await script(table)
        finally:
            table.host.close()
            table.pad.close()
            table.pad.close()
        return table

    faults: list[dict[str, Any]] = []
    table = asyncio.run(main())
    assert faults == []
    return table


def test_a_press_is_delivered_once() -> None:
    async def script(table: Table) -> None:
        await table.connected()
        assert table.pad.is_simulated
        await table.tapped(1, 2, 3, 4, 5)
        await table.until(lambda: table.pad.logic.waiting == 0)
        table.pad.press(2)  # holding does not repeat
        await asyncio.sleep(0.3)
        table.pad.release(2)

    table = play(script)
    assert table.inputs == [*map(die_key, (1, 2, 3, 4)), pad_roll(4), die_key(2)]
    assert table.states() == [PadState.SEARCHING, PadState.CONNECTED]


def test_a_glitch_is_ignored_on_a_slow_machine() -> None:
    """An ALIVE is due during the glitch, and both are processed long after it."""

    async def script(table: Table) -> None:
        await table.connected()
        while table.pad.logic.due_ms() - table.loop.time() * 1000 > 3:
            await asyncio.sleep(0)
        table.pad.glitch(1)
        time.sleep(0.03)
        await asyncio.sleep(0.1)

    assert play(script).inputs == []


def test_a_glitch_is_ignored_if_bytes_arrive_before_its_end_is_processed() -> None:
    """A late loop handles ports before timers."""

    async def script(table: Table) -> None:
        await table.connected()
        for _ in range(5):
            table.host.set_mode(Mode.NUMBER)
            table.pad.glitch(1)
            time.sleep(0.05)
            await asyncio.sleep(0.1)

    assert play(script).inputs == []


def test_the_roll_key_and_the_led() -> None:
    async def script(table: Table) -> None:
        await table.connected()
        table.pad.roll()
        await table.until(lambda: table.inputs == [pad_roll(4)])
        assert not table.pad.is_led_on()
        table.host.set_mode(Mode.NUMBER)
        table.host.flash(Flash.ACCEPTED)
        await table.until(table.pad.is_led_on)

    play(script)


def test_after_replugging_the_pad_has_another_port_and_no_old_keys() -> None:
    async def script(table: Table) -> None:
        await table.connected()
        before = table.pad.path
        table.pad.unplug()
        table.pad.unplug()
        table.pad.tap(3)  # without power
        assert (table.pad.ports(), table.pad.is_led_on()) == ([], False)
        await table.until(lambda: table.host.health.state is PadState.LOST)
        assert "check its cable" in table.message()
        table.pad.plug_in()
        table.pad.plug_in()
        assert table.pad.path != before
        await table.connected()
        assert table.host.health.port == table.pad.path
        await table.tapped(1)

    table = play(script)
    assert table.inputs == [die_key(1)]
    assert table.pad.logic.boots == 2


def test_a_reset_is_detected_and_the_pad_reconnected() -> None:
    async def script(table: Table) -> None:
        await table.connected()
        session = table.pad.logic.session
        table.pad.reset()
        await table.until(lambda: table.pad.logic.session not in (0, session))
        await table.tapped(4)
        assert table.host.health.link.resets == 1

    assert play(script).inputs == [die_key(4)]


def test_a_restarted_host_drops_pending_keys() -> None:
    async def script(table: Table) -> None:
        await table.connected()
        table.host.close()
        table.pad.tap(2)
        await table.until(lambda: table.pad.logic.waiting == 1)
        table.host = table.make_host()
        table.host.start()
        await table.connected()
        assert table.pad.logic.waiting == 0
        await table.tapped(3)

    assert play(script).inputs == [die_key(3)]


def test_two_hosts_cannot_share_a_pad() -> None:
    async def script(table: Table) -> None:
        await table.connected()
        first, table.host = table.host, table.make_host()
        table.host.start()
        await table.until(lambda: "Another program uses" in table.message())
        first.close()
        await table.connected()

    play(script)


@pytest.mark.parametrize("version", [0, 2])
def test_another_version_has_a_message(version: int) -> None:
    async def script(table: Table) -> None:
        await table.until(lambda: table.host.health.state is PadState.WRONG_VERSION)
        assert table.message().startswith(
            f"The die pad speaks version {version} and the companion 1:"
        )

    play(script, version=version)


def test_a_pad_without_a_host_keeps_running() -> None:
    """Its bytes are lost; later ones arrive."""

    async def main() -> None:
        pad = VirtualPad(asyncio.get_running_loop(), lambda: 1)
        for _ in range(3000):
            pad.logic._send(pad.logic._identity(0))
            pad._send()
        assert pad.logic.data_to_send() == b""
        host = SerialPad(asyncio.get_running_loop(), print, lambda _: None, find_ports=pad.ports)
        host.start()
        began = monotonic()
        while not host.health.is_connected:
            assert monotonic() < began + PATIENCE_S
            await asyncio.sleep(0.002)
        host.close()
        pad.close()

    asyncio.run(main())
