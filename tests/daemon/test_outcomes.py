"""What becomes of an input: done, refused, ignored, or a fault of the program."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers.table.faults import FaultListener, FaultyWrites
from helpers.table.virtual_table import (
    HOLD_MS,
    VirtualTable,
)

from companion.daemon.controller import Controller
from companion.i18n.message import message
from companion.table.conversation import Stage
from companion.table.inputs import OK, Button, ButtonDown, ButtonUp, die_key
from companion.table.view import Outcome, OutcomeKind
from companion.testing.faulty_filesystem import FaultyFilesystem
from companion.testing.virtual_time import run

BEGIN = "ok ok ok ok"
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
