"""The controller: inputs in order, confirmed once written, and problems that are reported."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers.table.faults import FaultListener, FaultyWrites
from helpers.table.virtual_table import (
    DEBOUNCE_MS,
    HOLD_MS,
    VirtualTable,
    bits,
    virtual_table_config,
)

from companion.daemon import controller as controller_module
from companion.daemon.controller import PENDING_LED_DELAY_S
from companion.i18n.message import message
from companion.light.frame import render_frame
from companion.table.conversation import Stage
from companion.table.inputs import OK, Button, ButtonDown, ButtonUp, die_key
from companion.table.scenes.stage_scenes import PENDING, RailStatus, scene_of, with_status
from companion.table.view import TableView
from companion.testing.faulty_filesystem import FaultyFilesystem
from companion.testing.virtual_time import run

BEGIN = "ok ok ok ok"
UNPLUGGED = (message("trouble.matrix", reason="Input/output error"),)


def first_frame_bits(virtual_table: VirtualTable, *, is_pending: bool = False) -> int:
    """The first frame of the confirmed conversation."""
    status = RailStatus(is_pending=is_pending, is_simulated=True)
    return bits(render_frame(with_status(scene_of(virtual_table.conversation), status), 0))


# --- Inputs -------------------------------------------------------------------------------


def test_a_game_is_set_up_and_played_with_mock_pins(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            stages = [virtual_table.stage]
            for word in f"{BEGIN} east 2 ok".split():
                await virtual_table.press(word)
                stages.append(virtual_table.stage)
            assert [stage.name for stage in stages] == [
                "PLAYERS", "BOOKLET", "COLOURS", "SETTING", "ORIENT", "ORIENT", "LAY", "ORIENT",
            ]  # fmt: skip
            assert virtual_table.entry_count() == 3

    run(scenario())


def test_buttons_that_go_down_together_are_handled_in_order(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(BEGIN)
            virtual_table.views.clear()
            for button in (Button.EAST, Button.SOUTH, Button.WEST):
                virtual_table.contacts.press(button)
            await asyncio.sleep(0.1)
            seen = list(
                dict.fromkeys(view.conversation.active_game.now for view in virtual_table.views)
            )
            assert [now.facing.name for now in seen] == ["EAST", "SOUTH", "WEST"]

    run(scenario())


@pytest.mark.parametrize(("button", "stage"), [("ok", "AUDIT_ASSAM"), ("back", "RESUME")])
def test_a_hold_acts_after_its_time_and_not_before(tmp_path: Path, button: str, stage: str) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(f"{BEGIN} 2")
            pressed = virtual_table.loop.time()
            virtual_table.contacts.press(Button(button))
            await asyncio.sleep((DEBOUNCE_MS + HOLD_MS) / 1000 - 0.001)
            assert virtual_table.stage is Stage.LAY
            await asyncio.sleep(0.001)
            await asyncio.sleep(0)
            assert virtual_table.stage.name == stage
            assert virtual_table.loop.time() == pytest.approx(
                pressed + (DEBOUNCE_MS + HOLD_MS) / 1000
            )
            virtual_table.contacts.release(Button(button))
            await asyncio.sleep(0.1)
            assert virtual_table.stage.name == stage, "the release is not a tap"

    run(scenario())


def test_inputs_can_be_delivered_without_buttons(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            for _ in range(4):
                virtual_table.table.controller.deliver(OK)
            virtual_table.table.controller.deliver(die_key(2))
            await asyncio.sleep(0.01)
            assert virtual_table.stage is Stage.LAY

    run(scenario())


# --- Heard and done -----------------------------------------------------------------------


def test_after_a_quick_write_there_is_no_frame_with_the_pending_led(tmp_path: Path) -> None:
    """The only frame after the press is the one that confirms it."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(BEGIN)
            frames = len(virtual_table.recorder.frames)
            virtual_table.contacts.press(2)
            await asyncio.sleep((DEBOUNCE_MS + 1) / 1000)
            assert virtual_table.recorder.frames[frames:] == [
                (round(virtual_table.loop.time() - 0.001, 6), first_frame_bits(virtual_table))
            ]

    run(scenario())


def test_the_pending_led_is_lit_while_a_direction_is_down(tmp_path: Path) -> None:
    """The input is confirmed already; the LED shows that the button is still down."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(BEGIN)
            frames = len(virtual_table.recorder.frames)
            virtual_table.contacts.press(Button.EAST)
            await asyncio.sleep(0.1)
            virtual_table.contacts.release(Button.EAST)
            await asyncio.sleep(0.03)
            frames_after = [frame for _, frame in virtual_table.recorder.frames[frames:]]
            assert frames_after == [
                first_frame_bits(virtual_table, is_pending=True),
                first_frame_bits(virtual_table),
            ]

    run(scenario())


@pytest.mark.parametrize("button", [Button.OK, Button.BACK])
def test_ok_and_back_are_handled_when_they_go_down_and_act_when_released(
    tmp_path: Path, button: Button
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press("ok")
            virtual_table.contacts.press(button)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert virtual_table.recorder.is_lit(PENDING)
            assert virtual_table.stage is Stage.BOOKLET
            virtual_table.contacts.release(button)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert not virtual_table.recorder.is_lit(PENDING)
            assert virtual_table.stage is not Stage.BOOKLET

    run(scenario())


@pytest.mark.parametrize(("takes_ms", "is_pending"), [(9, False), (12, True), (90, True)])
def test_the_pending_led_is_lit_when_a_write_takes_longer(
    tmp_path: Path, takes_ms: float, is_pending: bool
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(BEGIN)
            virtual_table.workers["writer"].takes_ms = takes_ms
            pressed = virtual_table.loop.time()
            virtual_table.contacts.press(2)
            await asyncio.sleep(0.2)
            at = virtual_table.recorder.first_lit(PENDING, pressed)
            due = pressed + DEBOUNCE_MS / 1000 + PENDING_LED_DELAY_S
            assert at == (pytest.approx(due) if is_pending else None)
            assert not virtual_table.recorder.is_lit(PENDING)
            assert virtual_table.view.status == RailStatus(is_simulated=True)

    run(scenario())


def test_a_refusal_is_in_the_view_until_the_next_input(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(f"{BEGIN} north")
            refused = virtual_table.view.refusal
            assert refused is not None
            assert refused.key == "no.behind"
            assert virtual_table.view is virtual_table.views[-1]
            await virtual_table.press("east")
            assert virtual_table.view.refusal is None

    run(scenario())


# --- Stopping -----------------------------------------------------------------------------


def test_a_closed_controller_ignores_inputs_and_closing_is_idempotent(tmp_path: Path) -> None:
    async def scenario() -> None:
        virtual_table = VirtualTable(tmp_path)
        await virtual_table.press(f"{BEGIN} 2")
        virtual_table.contacts.press(Button.OK)
        await asyncio.sleep(0.1)
        virtual_table.table.controller.close()
        virtual_table.table.close()
        virtual_table.table.close()
        virtual_table.views.clear()
        virtual_table.table.controller.deliver(ButtonUp(Button.OK))
        virtual_table.table.controller.deliver(die_key(2))
        await asyncio.sleep(2 * HOLD_MS / 1000)
        assert virtual_table.views == []
        assert virtual_table.entry_count() == 1
        assert virtual_table.recorder.bits() == 0

    run(scenario())


def test_closing_writes_the_inputs_that_were_queued(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(BEGIN)
            virtual_table.workers["writer"].takes_ms = 300
            for event in (ButtonDown(Button.EAST), die_key(2), OK, die_key(3)):
                virtual_table.table.controller.deliver(event)
        assert virtual_table.entry_count() == 4

    run(scenario())


# --- The matrix ---------------------------------------------------------------------------


def test_the_game_continues_while_the_matrix_is_unplugged_and_is_shown_when_it_is_back(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(BEGIN)
            virtual_table.hardware.spi.unplug()
            await virtual_table.press("east 2")
            assert virtual_table.view.trouble == UNPLUGGED
            assert virtual_table.views[-1].trouble == UNPLUGGED
            assert virtual_table.entry_count() == 2
            virtual_table.recorder.registers[:] = bytes(16)  # it had no power
            virtual_table.hardware.spi.plug_in()
            await asyncio.sleep(4)
            assert list(virtual_table.view.trouble) == []
            assert virtual_table.recorder.bits() == bits(virtual_table.table.display.shown) != 0
            await virtual_table.press("ok")
            assert virtual_table.recorder.bits() == first_frame_bits(virtual_table)

    run(scenario())


def test_problems_of_disk_and_matrix_are_both_reported(tmp_path: Path) -> None:
    async def scenario() -> None:
        filesystem = FaultyFilesystem()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            await virtual_table.press(BEGIN)
            filesystem.is_full = True
            virtual_table.hardware.spi.unplug()
            await virtual_table.press("east")
            assert virtual_table.view.trouble == (message("trouble.disk_full"), *UNPLUGGED)

    run(scenario())


# --- Faults -------------------------------------------------------------------------------


def assert_fault_is_reported(virtual_table: VirtualTable, reason: str) -> None:
    assert virtual_table.view.trouble == (message("trouble.fault", reason=reason),)
    assert virtual_table.views[-1].trouble == virtual_table.view.trouble


def test_a_fault_in_the_conversation_is_reported_and_later_inputs_are_refused(
    tmp_path: Path,
) -> None:
    """Here the random source fails."""

    async def scenario() -> None:
        with VirtualTable(tmp_path, rolls=iter(())) as virtual_table:
            listener = FaultListener(virtual_table.loop)
            await virtual_table.press(f"{BEGIN} east")
            await virtual_table.press("ok")  # rolls
            assert [type(error) for error in listener.errors] == [StopIteration]
            assert_fault_is_reported(virtual_table, "StopIteration: ")
            await asyncio.sleep(0.5)
            shown = virtual_table.recorder.bits()
            virtual_table.contacts.press(Button.SOUTH)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert (shown ^ virtual_table.recorder.bits()).bit_count() > 55, "it flashes"
            assert virtual_table.entry_count() == 1
        assert virtual_table.entry_count() == 1

    run(scenario())


def test_after_a_fault_while_writing_nothing_is_confirmed_or_written(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        filesystem = FaultyWrites()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            listener = FaultListener(virtual_table.loop)
            await virtual_table.press(f"{BEGIN} east")
            filesystem.has_fault = True
            before = virtual_table.conversation
            await virtual_table.press("2")
            filesystem.has_fault = False
            assert [str(error) for error in listener.errors] == ["a fault of the program"]
            assert_fault_is_reported(virtual_table, "TypeError: a fault of the program")
            assert virtual_table.conversation is before
            await virtual_table.press("ok")
            assert virtual_table.conversation is before
        await asyncio.sleep(0.1)
        assert virtual_table.conversation is before
        assert virtual_table.entry_count() == 1
        with VirtualTable(tmp_path) as reopened:
            assert reopened.stage is Stage.RESUME

    run(scenario())


def test_a_fault_while_drawing_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            listener = FaultListener(virtual_table.loop)
            await virtual_table.press(BEGIN)
            with monkeypatch.context() as patch:
                patch.setattr(controller_module, "scene_of", _no_scene)
                await virtual_table.press("2")
            assert set(map(str, listener.errors)) == {"no scene"}
            assert_fault_is_reported(virtual_table, "AssertionError: no scene")
            assert virtual_table.entry_count() == 1

    run(scenario())


def _no_scene(conversation: object) -> object:
    raise AssertionError("no scene")


def test_a_fault_in_a_watcher_is_reported(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            listener = FaultListener(virtual_table.loop)
            await virtual_table.press(BEGIN)
            virtual_table.table.controller.watch(_fail_at_lay)
            await virtual_table.press("2")
            assert set(map(str, listener.errors)) == {"the watcher's fault"}
            assert virtual_table.recorder.bits() == bits(virtual_table.table.display.shown)
            assert_fault_is_reported(virtual_table, "RuntimeError: the watcher's fault")

    run(scenario())


def _fail_at_lay(view: TableView) -> None:
    if view.conversation.stage is Stage.LAY and not view.trouble:
        raise RuntimeError("the watcher's fault")


def test_the_display_rests_and_a_press_wakes_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path, config=virtual_table_config(rest_after_s=60)) as virtual_table:
            await virtual_table.press(BEGIN)
            await asyncio.sleep(61)
            frames = len(virtual_table.recorder.frames)
            await asyncio.sleep(3600)
            assert len(virtual_table.recorder.frames) == frames
            virtual_table.contacts.press(Button.OK)
            await asyncio.sleep(0.02)
            assert len(virtual_table.recorder.frames) > frames
            assert virtual_table.recorder.is_lit(PENDING)

    run(scenario())
