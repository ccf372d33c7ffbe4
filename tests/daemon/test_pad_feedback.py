"""Feedback of the die pad: its LED, its mark on the rail, and its messages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, cast

import pytest
from helpers.table.virtual_table import VirtualTable

from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.serial_pad import SerialPad
from companion.daemon.pad_feedback import PadFeedback
from companion.i18n.message import message
from companion.pad.messages import Flash, Mode
from companion.table.conversation import Stage
from companion.table.inputs import die_key, pad_roll
from companion.table.scenes.stage_scenes import LINK, LinkState
from companion.testing.virtual_time import run

BEGIN = "ok ok ok ok"


class RecordingPad:
    """Records the last mode, and all flashes."""

    def __init__(self) -> None:
        self.mode: Mode | None = None
        self.flashes: list[Flash] = []

    def set_mode(self, mode: Mode) -> None:
        self.mode = mode

    def flash(self, flash: Flash) -> None:
        self.flashes.append(flash)


class Harness:
    """A virtual table with a recording pad."""

    def __init__(self, virtual_table: VirtualTable) -> None:
        self.virtual_table = virtual_table
        self.pad = RecordingPad()
        self.feedback = PadFeedback(virtual_table.table.controller)
        self.feedback.start(cast("SerialPad", self.pad))
        self.deliver = virtual_table.table.controller.deliver


def run_scenario(folder: Path, scenario: Callable[[Harness], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        with VirtualTable(folder) as virtual_table:
            await scenario(Harness(virtual_table))

    run(main())


# --- The LED's mode -----------------------------------------------------------------------


def test_the_led_is_on_while_the_table_waits_for_the_die(tmp_path: Path) -> None:
    async def scenario(harness: Harness) -> None:
        modes = {harness.virtual_table.stage: harness.pad.mode}
        for word in f"{BEGIN} 2 ok back audit ok".split():
            await harness.virtual_table.press(word)
            modes[harness.virtual_table.stage] = harness.pad.mode
        assert modes == {
            Stage.PLAYERS: Mode.NOTHING,
            Stage.BOOKLET: Mode.NOTHING,
            Stage.COLOURS: Mode.NOTHING,
            Stage.SETTING: Mode.NUMBER,  # the first roll begins the game
            Stage.ORIENT: Mode.NUMBER,
            Stage.LAY: Mode.NOTHING,
            Stage.PUT_BACK: Mode.NOTHING,
            Stage.AUDIT_ASSAM: Mode.NOTHING,
            Stage.AUDIT_FACING: Mode.NOTHING,
        }

    run_scenario(tmp_path, scenario)


# --- The LED's flashes --------------------------------------------------------------------


def test_an_accepted_number_and_a_refused_number_flash_differently(tmp_path: Path) -> None:
    async def scenario(harness: Harness) -> None:
        await harness.virtual_table.press(BEGIN)
        for table_input in (die_key(2), die_key(2), pad_roll(3)):
            harness.deliver(table_input)
            await asyncio.sleep(0.1)
        assert harness.pad.flashes == [Flash.ACCEPTED, Flash.REFUSED, Flash.REFUSED]
        await harness.virtual_table.press("ok")
        harness.deliver(pad_roll(3))
        await asyncio.sleep(0.1)
        assert harness.pad.flashes[3:] == [Flash.ACCEPTED]

    run_scenario(tmp_path, scenario)


def test_a_number_is_accepted_once_it_is_on_the_disk(tmp_path: Path) -> None:
    async def scenario(harness: Harness) -> None:
        await harness.virtual_table.press(BEGIN)
        harness.virtual_table.workers["writer"].takes_ms = 300
        harness.deliver(die_key(2))
        await asyncio.sleep(0.29)
        assert (harness.pad.flashes, harness.pad.mode) == ([], Mode.NUMBER)
        await asyncio.sleep(0.02)
        assert (harness.pad.flashes, harness.pad.mode) == ([Flash.ACCEPTED], Mode.NOTHING)

    run_scenario(tmp_path, scenario)


def test_buttons_do_not_flash_the_pad(tmp_path: Path) -> None:
    async def scenario(harness: Harness) -> None:
        await harness.virtual_table.press(f"{BEGIN} north east")  # one is refused, one is not
        assert harness.virtual_table.view.refusal is None
        assert harness.pad.flashes == []

    run_scenario(tmp_path, scenario)


# --- The rail and the messages ------------------------------------------------------------

LOST = message("pad.lost")
DENIED = message("pad.denied", port="/dev/a")
OLD = message("pad.version_old", theirs=0, ours=1)


@pytest.mark.parametrize(
    ("health", "link", "trouble"),
    [
        (PadHealth(PadState.SEARCHING, message=message("pad.searching")), LinkState.NONE, ()),
        (PadHealth(PadState.SEARCHING, message=message("pad.absent")), LinkState.NONE, ()),
        (
            PadHealth(PadState.SEARCHING, message=message("pad.silent", port="a")),
            LinkState.NONE,
            (),
        ),
        (PadHealth(PadState.SEARCHING, message=DENIED), LinkState.NONE, (DENIED,)),
        (PadHealth(PadState.CONNECTED), LinkState.UP, ()),
        (PadHealth(PadState.QUIET, message=LOST), LinkState.DOWN, (LOST,)),
        (PadHealth(PadState.LOST, message=LOST), LinkState.DOWN, (LOST,)),
        (PadHealth(PadState.WRONG_VERSION, message=OLD), LinkState.DOWN, (OLD,)),
    ],
)
def test_the_pads_state_is_on_the_rail_and_a_problem_is_a_message(
    tmp_path: Path, health: PadHealth, link: LinkState, trouble: tuple[object, ...]
) -> None:
    async def scenario(harness: Harness) -> None:
        harness.feedback.handle_health(health)
        await asyncio.sleep(0)
        view = harness.virtual_table.view
        assert (view.status.link, view.trouble) == (link, trouble)
        assert harness.virtual_table.views[-1:] == (
            [view] if (link, trouble) != (LinkState.NONE, ()) else []
        )

    run_scenario(tmp_path, scenario)


def test_the_rail_is_lit_then_blinks_then_is_lit_again(tmp_path: Path) -> None:
    async def scenario(harness: Harness) -> None:
        recorder = harness.virtual_table.recorder

        async def states() -> set[bool]:
            await asyncio.sleep(0.02)
            lit = set()
            for _ in range(40):
                lit.add(recorder.is_lit(LINK))
                await asyncio.sleep(0.05)
            return lit

        assert await states() == {False}
        harness.feedback.handle_health(PadHealth(PadState.CONNECTED))
        assert await states() == {True}
        harness.feedback.handle_health(PadHealth(PadState.LOST, message=LOST))
        assert await states() == {True, False}
        harness.feedback.handle_health(PadHealth(PadState.CONNECTED))
        assert await states() == {True}
        assert harness.virtual_table.view.trouble == ()

    run_scenario(tmp_path, scenario)
