"""The controller: inputs in order, confirmed once written, and problems that are reported."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from helpers.table.virtual_table import (
    DEBOUNCE_MS,
    HOLD_MS,
    VirtualTable,
    bits,
    virtual_table_config,
)

from companion.daemon import controller as controller_module
from companion.daemon.controller import PENDING_LED_DELAY_S, Controller
from companion.i18n.message import message
from companion.light.frame import render_frame
from companion.table.conversation import Stage
from companion.table.inputs import OK, Button, ButtonDown, ButtonUp, die_key
from companion.table.scenes.stage_scenes import PENDING, RailStatus, scene_of, with_status
from companion.table.view import Outcome, OutcomeKind, TableView
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


class FaultListener:
    """The loop's exception handler, as in the service."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.errors: list[object] = []
        loop.set_exception_handler(self._handle)

    def _handle(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.errors.append(context["exception"])


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


class FaultyWrites(FaultyFilesystem):
    """Raises an error that is not an `OSError`."""

    has_fault = False

    def write(self, file: int, data: memoryview) -> int:
        if self.has_fault:
            raise TypeError("a fault of the program")
        return super().write(file, data)


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


# --- Outcomes -----------------------------------------------------------------------------

WRITE_MS = 300
DONE, IGNORED = Outcome(OutcomeKind.DONE), Outcome(OutcomeKind.IGNORED)


async def begin_with_slow_writes(virtual_table: VirtualTable) -> Controller:
    """Begin a game. From then on a write takes `WRITE_MS`."""
    await virtual_table.press(BEGIN)
    virtual_table.workers["writer"].takes_ms = WRITE_MS
    return virtual_table.table.controller


def test_the_outcome_is_done_after_the_write_and_not_before(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = await begin_with_slow_writes(virtual_table)
            outcome = controller.deliver(die_key(2))
            await asyncio.sleep((WRITE_MS - 1) / 1000)
            assert not outcome.done()
            await asyncio.sleep(0.002)
            assert outcome.result() == DONE
            assert virtual_table.entry_count() == 1

    run(scenario())


def test_inputs_during_a_write_are_done_after_the_next_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = await begin_with_slow_writes(virtual_table)
            first, *others = [controller.deliver(event) for event in (die_key(2), OK, die_key(1))]
            await asyncio.sleep((WRITE_MS + 1) / 1000)
            assert first.result() == DONE
            assert not any(outcome.done() for outcome in others)
            await asyncio.sleep(WRITE_MS / 1000)
            assert [outcome.result() for outcome in others] == [DONE, DONE]

    run(scenario())


def test_an_input_that_needs_no_write_is_done_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            assert virtual_table.table.controller.deliver(OK).result() == DONE
            assert virtual_table.stage is Stage.BOOKLET

    run(scenario())


def test_an_input_that_the_disk_refuses_is_done_and_marked_as_unsaved(tmp_path: Path) -> None:
    async def scenario() -> None:
        filesystem = FaultyFilesystem()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            await virtual_table.press(BEGIN)
            filesystem.is_full = True
            outcome = virtual_table.table.controller.deliver(die_key(2))
            await asyncio.sleep(0.01)
            assert outcome.result() == DONE
            assert virtual_table.view.status.is_unsaved

    run(scenario())


def test_a_refused_input_has_its_message_at_once_even_during_a_write(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = await begin_with_slow_writes(virtual_table)
            rolled = controller.deliver(die_key(2))
            refused = controller.deliver(die_key(3)).result()
            assert refused == Outcome(OutcomeKind.REFUSED, message("no.rolled_already"))
            assert not rolled.done()

    run(scenario())


def test_the_outcome_of_a_tap_is_known_at_its_release(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = virtual_table.table.controller
            down = controller.deliver(ButtonDown(Button.OK))
            await asyncio.sleep(HOLD_MS / 2000)
            assert not down.done()
            up = controller.deliver(ButtonUp(Button.OK))
            assert (down.result(), up.result()) == (DONE, DONE)
            assert virtual_table.stage is Stage.BOOKLET

    run(scenario())


def test_the_outcome_of_a_hold_is_known_at_its_time(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(f"{BEGIN} 2")
            controller = virtual_table.table.controller
            down = controller.deliver(ButtonDown(Button.OK))
            await asyncio.sleep((HOLD_MS - 1) / 1000)
            assert not down.done()
            await asyncio.sleep(0.002)
            assert down.result() == DONE
            assert virtual_table.stage is Stage.AUDIT_ASSAM
            assert controller.deliver(ButtonUp(Button.OK)).result() == IGNORED

    run(scenario())


def test_a_release_without_a_press_is_ignored(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = virtual_table.table.controller
            assert controller.deliver(ButtonUp(Button.OK)).result() == IGNORED
            assert virtual_table.stage is Stage.PLAYERS

    run(scenario())


def test_the_next_outcome_is_that_of_any_input(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            outcome = virtual_table.table.controller.next_outcome()
            await asyncio.sleep(1)
            assert not outcome.done()
            await virtual_table.press("2")
            assert outcome.result().kind is OutcomeKind.REFUSED

    run(scenario())


def test_a_closed_controller_ignores_what_is_delivered(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            virtual_table.table.controller.close()
            assert virtual_table.table.controller.deliver(OK).result() == IGNORED

    run(scenario())


def test_after_a_fault_every_outcome_is_the_fault(tmp_path: Path) -> None:
    """The random source fails, during a write and with an input in the queue."""

    async def scenario() -> None:
        with VirtualTable(tmp_path, rolls=iter(())) as virtual_table:
            FaultListener(virtual_table.loop)
            controller = await begin_with_slow_writes(virtual_table)
            written, queued = controller.deliver(die_key(2)), controller.deliver(OK)
            waiting = controller.next_outcome()
            with pytest.raises(StopIteration):
                controller.deliver(OK)  # rolls
            fault = Outcome(OutcomeKind.FAULT, message("trouble.fault", reason="StopIteration: "))
            assert (queued.result(), waiting.result()) == (fault, fault)
            assert controller.deliver(die_key(1)).result() == fault
            await asyncio.sleep(1)
            assert written.result() == DONE, "it was being written already"
            assert virtual_table.entry_count() == 1

    run(scenario())


def test_after_a_fault_while_writing_all_waiting_outcomes_are_the_fault(tmp_path: Path) -> None:
    async def scenario() -> None:
        filesystem = FaultyWrites()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            listener = FaultListener(virtual_table.loop)
            controller = await begin_with_slow_writes(virtual_table)
            filesystem.has_fault = True
            outcomes = [controller.deliver(event) for event in (die_key(2), OK, die_key(1))]
            await asyncio.sleep(1)
            reason = "TypeError: a fault of the program"
            fault = Outcome(OutcomeKind.FAULT, message("trouble.fault", reason=reason))
            assert [outcome.result() for outcome in outcomes] == [fault] * 3
            assert len(listener.errors) == 1

    run(scenario())


def test_idle_is_when_no_button_is_down_and_every_input_is_confirmed(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = await begin_with_slow_writes(virtual_table)
            assert controller.wait_until_idle().done()
            controller.deliver(ButtonDown(Button.EAST))
            idle = controller.wait_until_idle()
            await asyncio.sleep(2 * WRITE_MS / 1000)
            assert not idle.done(), "the button is down"
            controller.deliver(die_key(2))
            controller.deliver(ButtonUp(Button.EAST))
            await asyncio.sleep((WRITE_MS - 1) / 1000)
            assert (idle.done(), controller.is_busy) == (False, True), "it is being written"
            await asyncio.sleep(0.002)
            assert (idle.done(), controller.is_busy) == (True, False)

    run(scenario())


def test_everybody_who_waits_until_idle_is_notified(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = await begin_with_slow_writes(virtual_table)
            controller.deliver(die_key(2))
            first, cancelled, last = [controller.wait_until_idle() for _ in range(3)]
            cancelled.cancel()
            await asyncio.sleep(1)
            assert (first.done(), last.done()) == (True, True)

    run(scenario())


def test_the_press_that_hides_the_code_is_refused(tmp_path: Path) -> None:
    """And its release is ignored."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = virtual_table.table.controller
            controller.show_code()
            press = controller.deliver(ButtonDown(Button.OK))
            assert press.result() == Outcome(OutcomeKind.REFUSED, message("pair.put_away"))
            assert controller.deliver(ButtonUp(Button.OK)).result() == IGNORED

    run(scenario())


def test_what_means_nothing_while_a_button_is_down_is_ignored(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = virtual_table.table.controller
            ok = controller.deliver(ButtonDown(Button.OK))
            assert controller.deliver(ButtonDown(Button.OK)).result() == IGNORED
            assert controller.deliver(ButtonUp(Button.NORTH)).result() == IGNORED
            assert not ok.done()
            controller.deliver(ButtonUp(Button.OK))
            assert ok.result() == DONE

    run(scenario())


def test_showing_the_code_is_not_the_outcome_of_a_press(tmp_path: Path) -> None:
    """Another client may ask for the code while a press is in progress."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = virtual_table.table.controller
            press = controller.next_outcome()
            controller.show_code()
            assert not press.done()
            controller.deliver(ButtonDown(Button.OK))
            assert press.result() == Outcome(OutcomeKind.REFUSED, message("pair.put_away"))

    run(scenario())


@pytest.mark.parametrize(("words", "key"), [("", "south"), (BEGIN, "east")])
def test_a_fault_while_confirming_is_the_outcome(tmp_path: Path, words: str, key: str) -> None:
    """Without a write, in the set-up, and after one."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            FaultListener(virtual_table.loop)
            await virtual_table.press(words)
            controller = virtual_table.table.controller

            def fail(*_: object, **__: object) -> None:
                raise LookupError("a fault")

            virtual_table.table.display.show = fail  # type: ignore[method-assign]
            outcome = controller.next_outcome()
            await virtual_table.press(key)
            assert outcome.done()
            assert outcome.result().kind is OutcomeKind.FAULT
            later = controller.next_outcome()
            assert later.result().kind is OutcomeKind.FAULT

    run(scenario())


def test_trouble_that_appears_while_a_batch_is_published_stays(tmp_path: Path) -> None:
    """The pad may get lost when its LED is set for the first of several inputs."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = await begin_with_slow_writes(virtual_table)
            lost = message("pad.lost")
            controller.on_die_result = lambda _: controller.set_trouble("pad", lost)
            virtual_table.views.clear()
            for name in ("west", "3", "ok"):
                await virtual_table.press(name)
            await asyncio.sleep(2)
            trouble = [lost in view.trouble for view in virtual_table.views]
            assert any(trouble)
            assert trouble == sorted(trouble), "it does not disappear again"

    run(scenario())
