"""From a key of the die pad to the LEDs: a real port, real threads, and a chip that decodes bytes.

With the virtual pad, and with the real firmware in a simulated chip.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any

from helpers.pad.chip import MakeChip, chip
from helpers.patience import PATIENCE_S
from helpers.table.virtual_table import virtual_table_config

from companion.adapters.hardware import VirtualHardware
from companion.adapters.virtual.pad import VirtualPad
from companion.adapters.virtual.pad_device import PadDevice
from companion.daemon.wiring import open_table
from companion.i18n.message import Message, message
from companion.pad.messages import Flash
from companion.pad.virtual_pad import ACCEPTED_MS, REFUSED_MS
from companion.table.conversation import Stage
from companion.table.inputs import Button
from companion.table.scenes.scene import led_at
from companion.table.scenes.stage_scenes import LINK, LinkState

__all__ = ["chip"]  # a fixture

TAP_S = 0.04
ROLL = 5
ORIENT_LED, LAY_LED = led_at(7, 0), led_at(7, 4)
WALK = [led_at(3, 4), led_at(3, 5), led_at(3, 6)]
"""Three squares south from the middle."""


class PadTable:
    """A table with a pad, on a real loop, with real threads and a real disk."""

    def __init__(
        self, folder: Path, make_pad: Callable[[asyncio.AbstractEventLoop], PadDevice]
    ) -> None:
        self.loop = asyncio.get_running_loop()
        config = virtual_table_config()
        self.hardware = VirtualHardware(config, make_pad=make_pad)
        self.table = open_table(self.loop, config, self.hardware, folder)
        pad = self.hardware.pad
        assert pad is not None
        self.pad = pad

    def close(self) -> None:
        self.table.close()
        self.pad.close()

    # --- Presses ----------------------------------------------------------------------

    async def tap(self, key: int) -> None:
        """Press and release a key of the pad."""
        self.pad.press(key)
        await asyncio.sleep(TAP_S)
        self.pad.release(key)
        await asyncio.sleep(TAP_S)

    async def press(self, contact: Button | int) -> None:
        """Press and release a button, or a die key on the Pi."""
        self.hardware.contacts.press(contact)
        await asyncio.sleep(TAP_S)
        self.hardware.contacts.release(contact)
        await asyncio.sleep(TAP_S)

    async def begin(self) -> None:
        await self.wait_until(lambda: self.link is LinkState.UP, "connected")
        for stage in (Stage.BOOKLET, Stage.COLOURS, Stage.SETTING, Stage.ORIENT):
            await self.press(Button.OK)
            await self.wait_for(stage)

    # --- State ------------------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        return self.table.controller.view.conversation.stage

    @property
    def link(self) -> LinkState:
        return self.table.controller.view.status.link

    def messages(self) -> tuple[Message, ...]:
        """Problems, and why the last input was refused."""
        view = self.table.controller.view
        return view.trouble if view.refusal is None else (*view.trouble, view.refusal)

    def is_lit(self, *leds: int) -> bool:
        """Whether all of them are lit, read from the chip."""
        light = self.hardware.chip.light()
        return all(any(light[led]) for led in leds)

    async def wait_until(self, condition: Callable[[], bool], what: str) -> None:
        began = monotonic()
        while not condition():
            assert monotonic() < began + PATIENCE_S, f"never: {what}; {self.table.controller.view}"
            await asyncio.sleep(0.002)

    async def wait_for(self, stage: Stage) -> None:
        await self.wait_until(lambda: self.stage is stage, str(stage))


def run_scenario(
    folder: Path,
    make_pad: Callable[[asyncio.AbstractEventLoop], PadDevice],
    scenario: Callable[[PadTable], Coroutine[Any, Any, None]],
) -> None:
    async def main() -> None:
        pad_table = PadTable(folder, make_pad)
        pad_table.loop.set_exception_handler(lambda _, context: faults.append(context))
        try:
            await scenario(pad_table)
        finally:
            pad_table.close()

    faults: list[dict[str, Any]] = []
    asyncio.run(main())
    assert faults == []


def make_virtual_pad(loop: asyncio.AbstractEventLoop) -> VirtualPad:
    return VirtualPad(loop, lambda: 3)


def virtual_pad_of(pad_table: PadTable) -> VirtualPad:
    assert isinstance(pad_table.pad, VirtualPad)
    return pad_table.pad


def led_over(pad_table: PadTable, span_ms: int, step_ms: int) -> list[bool]:
    """The LED after the last flash, if nothing else happens."""
    logic = virtual_pad_of(pad_table).logic
    return [logic.is_led_on(logic._flash_ms + ms) for ms in range(0, span_ms, step_ms)]


# --- The virtual pad ----------------------------------------------------------------------


def test_a_key_of_the_pad_moves_assam_on_the_matrix(tmp_path: Path) -> None:
    async def scenario(pad_table: PadTable) -> None:
        await pad_table.begin()
        await pad_table.wait_until(lambda: pad_table.is_lit(LINK, ORIENT_LED), "the rail")
        await pad_table.tap(3)
        await pad_table.wait_until(lambda: pad_table.is_lit(*WALK, LAY_LED, LINK), "the path")
        assert not pad_table.is_lit(ORIENT_LED)
        assert '"pips":3' in (tmp_path / "game.jsonl").read_text()

    run_scenario(tmp_path, make_virtual_pad, scenario)


def test_a_roll_of_the_pad_moves_assam_by_its_number(tmp_path: Path) -> None:
    async def scenario(pad_table: PadTable) -> None:
        await pad_table.begin()
        await pad_table.tap(ROLL)
        await pad_table.wait_until(lambda: pad_table.is_lit(*WALK, LAY_LED), "the path")
        logic = virtual_pad_of(pad_table).logic
        await pad_table.wait_until(lambda: logic._flash == Flash.ACCEPTED, "accepted")
        assert led_over(pad_table, ACCEPTED_MS + 100, 100) == [True] * 4 + [False]

    run_scenario(tmp_path, make_virtual_pad, scenario)


def test_a_refused_key_flashes_the_pad_three_times_and_has_a_message(tmp_path: Path) -> None:
    async def scenario(pad_table: PadTable) -> None:
        await pad_table.begin()
        await pad_table.tap(3)
        await pad_table.wait_for(Stage.LAY)
        logic = virtual_pad_of(pad_table).logic
        await pad_table.wait_until(lambda: logic._flash == Flash.ACCEPTED, "accepted")
        await pad_table.tap(2)
        await pad_table.wait_until(lambda: logic._flash == Flash.REFUSED, "refused")
        assert len(pad_table.messages()) == 1
        assert pad_table.stage is Stage.LAY
        flashes = [True, False, True, False, True, False]
        assert led_over(pad_table, 6 * REFUSED_MS, REFUSED_MS) == flashes

    run_scenario(tmp_path, make_virtual_pad, scenario)


def test_the_keys_on_the_pi_work_while_the_pad_is_unplugged(tmp_path: Path) -> None:
    async def scenario(pad_table: PadTable) -> None:
        await pad_table.begin()
        pad_table.pad.unplug()
        await pad_table.wait_until(lambda: pad_table.link is LinkState.DOWN, "lost")
        assert pad_table.messages() == (message("pad.lost"),)
        for _ in range(2):
            await pad_table.wait_until(lambda: not pad_table.is_lit(LINK), "blinking")
            await pad_table.wait_until(lambda: pad_table.is_lit(LINK), "blinking")

        await pad_table.tap(1)  # it has no power
        await pad_table.press(3)
        await pad_table.wait_until(lambda: pad_table.is_lit(*WALK, LAY_LED), "the path")
        await pad_table.press(Button.OK)
        await pad_table.wait_for(Stage.ORIENT)

        pad_table.pad.plug_in()
        await pad_table.wait_until(lambda: pad_table.link is LinkState.UP, "connected again")
        assert pad_table.messages() == ()
        game = pad_table.table.controller.view.conversation.game
        await pad_table.tap(ROLL)
        await pad_table.wait_until(
            lambda: pad_table.table.controller.view.conversation.game is not game,
            "rolled on the pad",
        )
        assert (tmp_path / "game.jsonl").read_text().count('"pips":3') == 2
        assert '"pips":1' not in (tmp_path / "game.jsonl").read_text()

    run_scenario(tmp_path, make_virtual_pad, scenario)


# --- The real firmware --------------------------------------------------------------------


def test_a_pin_of_the_simulated_chip_moves_assam_on_the_matrix(
    tmp_path: Path, chip: MakeChip
) -> None:
    """Firmware, serial port, controller, journal and matrix are the real ones."""

    async def scenario(pad_table: PadTable) -> None:
        await pad_table.begin()
        await pad_table.wait_until(pad_table.pad.is_led_on, "a number is wanted")
        pad_table.pad.bounce(3)
        await pad_table.wait_until(lambda: pad_table.is_lit(*WALK, LAY_LED, LINK), "the path")
        pad_table.pad.bounce(3, is_press=False)
        await asyncio.sleep(2 * TAP_S)
        assert pad_table.messages() == ()

        await pad_table.wait_until(lambda: not pad_table.pad.is_led_on(), "accepted, and dark")
        await pad_table.tap(1)
        await pad_table.wait_until(pad_table.pad.is_led_on, "refused")
        assert len(pad_table.messages()) == 1

        pad_table.pad.unplug()
        await pad_table.wait_until(lambda: pad_table.link is LinkState.DOWN, "lost")
        await pad_table.press(Button.OK)
        await pad_table.wait_for(Stage.ORIENT)
        pad_table.pad.plug_in()
        await pad_table.wait_until(lambda: pad_table.link is LinkState.UP, "connected again")
        game = pad_table.table.controller.view.conversation.game
        await pad_table.tap(ROLL)
        await pad_table.wait_until(
            lambda: pad_table.table.controller.view.conversation.game is not game,
            "rolled on the pad",
        )

    run_scenario(tmp_path, chip, scenario)
