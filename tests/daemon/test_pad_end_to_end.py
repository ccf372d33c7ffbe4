"""From a key of the die pad to the light: a real port, the real daemon, bytes that are decoded.

Once with the virtual pad, and once with the real image in a simulated chip.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any

from helpers.pad.chip import MakeChip, chip
from helpers.patience import PATIENCE_S
from helpers.table.virtual_table import sitting_config

from companion.adapters.hardware import VirtualHardware
from companion.adapters.virtual.pad import VirtualPad
from companion.adapters.virtual.pad_device import PadDevice
from companion.daemon.wiring import open_table
from companion.i18n.message import Message, message
from companion.pad.messages import Flash
from companion.pad.padside import ACCEPTED_MS, REFUSED_MS
from companion.table.conversation import Stage
from companion.table.inputs import Button
from companion.table.scenes.scene import led_at
from companion.table.scenes.stage_scenes import LINK, Link

__all__ = ["chip"]  # a fixture

TAP_S = 0.04
ROLL = 5
ORIENT_LED, LAY_LED = led_at(7, 0), led_at(7, 4)
WALK = [led_at(3, 4), led_at(3, 5), led_at(3, 6)]
"""Three squares south from the middle."""


class Place:
    """A table with a pad, on a real loop, with real threads and a real disk."""

    def __init__(
        self, folder: Path, make_pad: Callable[[asyncio.AbstractEventLoop], PadDevice]
    ) -> None:
        self.loop = asyncio.get_running_loop()
        config = sitting_config()
        self.hardware = VirtualHardware(config, make_pad=make_pad)
        self.table = open_table(self.loop, config, self.hardware, folder)
        pad = self.hardware.pad
        assert pad is not None
        self.pad = pad

    def close(self) -> None:
        self.table.close()
        self.pad.close()

    # --- Hands ------------------------------------------------------------------------

    async def tap(self, key: int) -> None:
        """A key of the pad."""
        self.pad.press(key)
        await asyncio.sleep(TAP_S)
        self.pad.release(key)
        await asyncio.sleep(TAP_S)

    async def push(self, contact: Button | int) -> None:
        """A button, or a key of the die on the Pi."""
        self.hardware.hands.press(contact)
        await asyncio.sleep(TAP_S)
        self.hardware.hands.release(contact)
        await asyncio.sleep(TAP_S)

    async def begin(self) -> None:
        await self.until(lambda: self.link is Link.UP, "connected")
        for stage in (Stage.BOOKLET, Stage.COLOURS, Stage.SETTING, Stage.ORIENT):
            await self.push(Button.OK)
            await self.at(stage)

    # --- What there is to see ---------------------------------------------------------

    @property
    def stage(self) -> Stage:
        return self.table.daemon.view.conversation.stage

    @property
    def link(self) -> Link:
        return self.table.daemon.view.status.link

    def said(self) -> tuple[Message, ...]:
        """Trouble, and why the last input was refused."""
        view = self.table.daemon.view
        return view.trouble if view.refused is None else (*view.trouble, view.refused)

    def is_lit(self, *leds: int) -> bool:
        """All of them, at once: read from the chip, which was sent bytes."""
        light = self.hardware.chip.light()
        return all(any(light[led]) for led in leds)

    async def until(self, is_so: Callable[[], bool], what: str) -> None:
        began = monotonic()
        while not is_so():
            assert monotonic() < began + PATIENCE_S, f"never: {what}; {self.table.daemon.view}"
            await asyncio.sleep(0.002)

    async def at(self, stage: Stage) -> None:
        await self.until(lambda: self.stage is stage, str(stage))


def play(
    folder: Path,
    make_pad: Callable[[asyncio.AbstractEventLoop], PadDevice],
    scene: Callable[[Place], Coroutine[Any, Any, None]],
) -> None:
    async def main() -> None:
        place = Place(folder, make_pad)
        place.loop.set_exception_handler(lambda _, about: faults.append(about))
        try:
            await scene(place)
        finally:
            place.close()

    faults: list[dict[str, Any]] = []
    asyncio.run(main())
    assert faults == []


def virtual(loop: asyncio.AbstractEventLoop) -> VirtualPad:
    return VirtualPad(loop, lambda: 3)


def logic_of(place: Place) -> VirtualPad:
    assert isinstance(place.pad, VirtualPad)
    return place.pad


def led_over(place: Place, span_ms: int, step_ms: int) -> list[bool]:
    """The LED from the last flash on, as it will be if nothing more is said."""
    logic = logic_of(place).logic
    return [logic.led(logic._flash_ms + ms) for ms in range(0, span_ms, step_ms)]


# --- The virtual pad ----------------------------------------------------------------------


def test_key_of_the_pad_becomes_light(tmp_path: Path) -> None:
    async def scene(place: Place) -> None:
        await place.begin()
        await place.until(lambda: place.is_lit(LINK, ORIENT_LED), "the rail")
        await place.tap(3)
        await place.until(lambda: place.is_lit(*WALK, LAY_LED, LINK), "the path")
        assert not place.is_lit(ORIENT_LED)
        assert '"pips":3' in (tmp_path / "game.jsonl").read_text()

    play(tmp_path, virtual, scene)


def test_roll_becomes_light_with_what_the_pad_rolled(tmp_path: Path) -> None:
    async def scene(place: Place) -> None:
        await place.begin()
        await place.tap(ROLL)
        await place.until(lambda: place.is_lit(*WALK, LAY_LED), "the path")
        logic = logic_of(place).logic
        await place.until(lambda: logic._flash == Flash.ACCEPTED, "accepted")
        assert led_over(place, ACCEPTED_MS + 100, 100) == [True] * 4 + [False]

    play(tmp_path, virtual, scene)


def test_key_at_the_wrong_time_is_three_flashes_on_the_pad_and_words(tmp_path: Path) -> None:
    async def scene(place: Place) -> None:
        await place.begin()
        await place.tap(3)
        await place.at(Stage.LAY)
        logic = logic_of(place).logic
        await place.until(lambda: logic._flash == Flash.ACCEPTED, "accepted")
        await place.tap(2)
        await place.until(lambda: logic._flash == Flash.REFUSED, "refused")
        assert len(place.said()) == 1
        assert place.stage is Stage.LAY
        flashes = [True, False, True, False, True, False]
        assert led_over(place, 6 * REFUSED_MS, REFUSED_MS) == flashes

    play(tmp_path, virtual, scene)


def test_game_goes_on_with_the_keys_of_the_pi_while_the_pad_is_gone(tmp_path: Path) -> None:
    async def scene(place: Place) -> None:
        await place.begin()
        place.pad.unplug()
        await place.until(lambda: place.link is Link.DOWN, "lost")
        assert place.said() == (message("pad.lost"),)
        for _ in range(2):
            await place.until(lambda: not place.is_lit(LINK), "blinking")
            await place.until(lambda: place.is_lit(LINK), "blinking")

        await place.tap(1)  # it has no power
        await place.push(3)
        await place.until(lambda: place.is_lit(*WALK, LAY_LED), "the path")
        await place.push(Button.OK)
        await place.at(Stage.ORIENT)

        place.pad.plug_in()
        await place.until(lambda: place.link is Link.UP, "connected again")
        assert place.said() == ()
        game = place.table.daemon.view.conversation.game
        await place.tap(ROLL)
        await place.until(
            lambda: place.table.daemon.view.conversation.game is not game, "rolled on the pad"
        )
        assert (tmp_path / "game.jsonl").read_text().count('"pips":3') == 2
        assert '"pips":1' not in (tmp_path / "game.jsonl").read_text()

    play(tmp_path, virtual, scene)


# --- The real image -----------------------------------------------------------------------


def test_pin_of_the_simulated_chip_becomes_light(tmp_path: Path, chip: MakeChip) -> None:
    """Firmware, wire, host, daemon, journal and matrix: nothing of it is a fake."""

    async def scene(place: Place) -> None:
        await place.begin()
        await place.until(place.pad.led, "a number is wanted")
        place.pad.bounce(3)
        await place.until(lambda: place.is_lit(*WALK, LAY_LED, LINK), "the path")
        place.pad.bounce(3, is_press=False)
        await asyncio.sleep(2 * TAP_S)
        assert place.said() == ()

        await place.until(lambda: not place.pad.led(), "accepted, and dark")
        await place.tap(1)
        await place.until(place.pad.led, "refused")
        assert len(place.said()) == 1

        place.pad.unplug()
        await place.until(lambda: place.link is Link.DOWN, "lost")
        await place.push(Button.OK)
        await place.at(Stage.ORIENT)
        place.pad.plug_in()
        await place.until(lambda: place.link is Link.UP, "connected again")
        game = place.table.daemon.view.conversation.game
        await place.tap(ROLL)
        await place.until(
            lambda: place.table.daemon.view.conversation.game is not game, "rolled on the pad"
        )

    play(tmp_path, chip, scene)
