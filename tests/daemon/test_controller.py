"""The daemon hears in order, confirms what is written, and is never silent about trouble."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from helpers.storage.faulty_filesystem import FaultyDisk
from helpers.table.virtual_table import DEBOUNCE_MS, HOLD_MS, VirtualTable, bits, sitting_config

from companion.daemon import controller as daemon_module
from companion.daemon.controller import HEARD_AFTER_S
from companion.i18n.message import message
from companion.light.frame import picture
from companion.table.conversation import Stage
from companion.table.inputs import OK, Button, Down, Up, die_key
from companion.table.scenes.stage_scenes import HEARD, Status, scene_of, with_status
from companion.testing.moody_disk import MoodyDisk
from companion.testing.virtual_time import run

BEGIN = "ok ok ok ok"
UNPLUGGED = (message("trouble.matrix", reason="Input/output error"),)


def looks(sitting: VirtualTable, *, is_heard: bool = False) -> int:
    """The first light of what is confirmed."""
    status = Status(is_heard=is_heard, is_simulated=True)
    return bits(picture(with_status(scene_of(sitting.conversation), status), 0))


# --- Hearing ------------------------------------------------------------------------------


def test_a_game_is_set_up_and_played_by_fingers_on_pins(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            stages = [sitting.stage]
            for word in f"{BEGIN} east 2 ok".split():
                await sitting.press(word)
                stages.append(sitting.stage)
            assert [stage.name for stage in stages] == [
                "PLAYERS", "BOOKLET", "COLOURS", "SETTING", "ORIENT", "ORIENT", "LAY", "ORIENT",
            ]  # fmt: skip
            assert sitting.entries() == 3

    run(scenario())


def test_buttons_that_go_down_together_are_heard_in_order(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(BEGIN)
            sitting.views.clear()
            for button in (Button.EAST, Button.SOUTH, Button.WEST):
                sitting.hands.press(button)
            await asyncio.sleep(0.1)
            seen = list(dict.fromkeys(view.conversation.playing.now for view in sitting.views))
            assert [now.facing.name for now in seen] == ["EAST", "SOUTH", "WEST"]

    run(scenario())


@pytest.mark.parametrize(("button", "stage"), [("ok", "AUDIT_ASSAM"), ("back", "RESUME")])
def test_a_hold_acts_when_it_is_long_enough_and_not_before(
    tmp_path: Path, button: str, stage: str
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(f"{BEGIN} 2")
            pressed = sitting.loop.time()
            sitting.hands.press(Button(button))
            await asyncio.sleep((DEBOUNCE_MS + HOLD_MS) / 1000 - 0.001)
            assert sitting.stage is Stage.LAY
            await asyncio.sleep(0.001)
            await asyncio.sleep(0)
            assert sitting.stage.name == stage
            assert sitting.loop.time() == pytest.approx(pressed + (DEBOUNCE_MS + HOLD_MS) / 1000)
            sitting.hands.release(Button(button))
            await asyncio.sleep(0.1)
            assert sitting.stage.name == stage, "letting go of it is no tap"

    run(scenario())


def test_an_input_that_means_something_by_itself_needs_no_finger(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            for _ in range(4):
                sitting.table.daemon.deliver(OK)
            sitting.table.daemon.deliver(die_key(2))
            await asyncio.sleep(0.01)
            assert sitting.stage is Stage.LAY

    run(scenario())


# --- Two answers --------------------------------------------------------------------------


def test_a_quick_disk_answers_for_the_rail_and_spares_the_frame(tmp_path: Path) -> None:
    """From the contact to the light of the vocabulary there is no other frame."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(BEGIN)
            frames = len(sitting.film.frames)
            sitting.hands.press(2)
            await asyncio.sleep((DEBOUNCE_MS + 1) / 1000)
            assert sitting.film.frames[frames:] == [
                (round(sitting.loop.time() - 0.001, 6), looks(sitting))
            ]

    run(scenario())


def test_a_direction_is_heard_as_long_as_it_is_down(tmp_path: Path) -> None:
    """Its light is done, and the LED says that the finger is still felt."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(BEGIN)
            frames = len(sitting.film.frames)
            sitting.hands.press(Button.EAST)
            await asyncio.sleep(0.1)
            sitting.hands.release(Button.EAST)
            await asyncio.sleep(0.03)
            came = [light for _, light in sitting.film.frames[frames:]]
            assert came == [looks(sitting, is_heard=True), looks(sitting)]

    run(scenario())


@pytest.mark.parametrize("button", [Button.OK, Button.BACK])
def test_ok_and_back_are_heard_when_they_go_down(tmp_path: Path, button: Button) -> None:
    """They act when they come up, but nobody should have to wonder meanwhile."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say("ok")
            sitting.hands.press(button)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert sitting.film.is_lit(HEARD)
            assert sitting.stage is Stage.BOOKLET
            sitting.hands.release(button)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert not sitting.film.is_lit(HEARD)
            assert sitting.stage is not Stage.BOOKLET

    run(scenario())


@pytest.mark.parametrize(("takes_ms", "is_heard"), [(9, False), (12, True), (90, True)])
def test_heard_is_lit_when_the_disk_is_not_done_by_then(
    tmp_path: Path, takes_ms: float, is_heard: bool
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(BEGIN)
            sitting.workers["scribe"].takes_ms = takes_ms
            pressed = sitting.loop.time()
            sitting.hands.press(2)
            await asyncio.sleep(0.2)
            at = sitting.film.first_lit(HEARD, pressed)
            due = pressed + DEBOUNCE_MS / 1000 + HEARD_AFTER_S
            assert at == (pytest.approx(due) if is_heard else None)
            assert not sitting.film.is_lit(HEARD)
            assert sitting.view.status == Status(is_simulated=True)

    run(scenario())


def test_a_refusal_is_in_the_view_until_something_is_done(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(f"{BEGIN} north")
            refused = sitting.view.refused
            assert refused is not None
            assert refused.key == "no.behind"
            assert sitting.view is sitting.views[-1]
            await sitting.press("east")
            assert sitting.view.refused is None

    run(scenario())


# --- Stopping -----------------------------------------------------------------------------


def test_a_closed_daemon_hears_nothing_and_closing_twice_is_no_trouble(tmp_path: Path) -> None:
    async def scenario() -> None:
        sitting = VirtualTable(tmp_path)
        await sitting.say(f"{BEGIN} 2")
        sitting.hands.press(Button.OK)
        await asyncio.sleep(0.1)
        sitting.table.daemon.close()
        sitting.table.close()
        sitting.table.close()
        sitting.views.clear()
        sitting.table.daemon.deliver(Up(Button.OK))
        sitting.table.daemon.deliver(die_key(2))
        await asyncio.sleep(2 * HOLD_MS / 1000)
        assert sitting.views == []
        assert sitting.entries() == 1
        assert sitting.film.bits() == 0

    run(scenario())


def test_closing_flushes_what_was_heard_and_not_yet_handed_to_the_disk(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(BEGIN)
            sitting.workers["scribe"].takes_ms = 300
            for event in (Down(Button.EAST), die_key(2), OK, die_key(3)):
                sitting.table.daemon.deliver(event)
        assert sitting.entries() == 4

    run(scenario())


# --- The matrix ---------------------------------------------------------------------------


def test_the_game_goes_on_while_the_matrix_is_unplugged_and_is_shown_when_it_is_back(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(BEGIN)
            sitting.hardware.spi.unplug()
            await sitting.say("east 2")
            assert sitting.view.trouble == UNPLUGGED
            assert sitting.views[-1].trouble == UNPLUGGED
            assert sitting.entries() == 2
            sitting.film.registers[:] = bytes(16)  # it had no power
            sitting.hardware.spi.plug_in()
            await asyncio.sleep(4)
            assert list(sitting.view.trouble) == []
            assert sitting.film.bits() == bits(sitting.table.screen.shown) != 0
            await sitting.press("ok")
            assert sitting.film.bits() == looks(sitting)

    run(scenario())


def test_both_troubles_are_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        disk = MoodyDisk()
        with VirtualTable(tmp_path, disk=disk) as sitting:
            await sitting.say(BEGIN)
            disk.is_full = True
            sitting.hardware.spi.unplug()
            await sitting.press("east")
            assert sitting.view.trouble == (message("trouble.disk_full"), *UNPLUGGED)

    run(scenario())


# --- Faults of our own --------------------------------------------------------------------


class Listener:
    """Stands in for the service: hears what the loop cannot handle."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.errors: list[object] = []
        loop.set_exception_handler(self._hear)

    def _hear(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.errors.append(context["exception"])


def assert_says_so(sitting: VirtualTable, said: str) -> None:
    assert sitting.view.trouble == (message("trouble.fault", reason=said),)
    assert sitting.views[-1].trouble == sitting.view.trouble


def test_a_fault_in_the_conversation_is_told_and_every_input_after_it_is_refused(
    tmp_path: Path,
) -> None:
    """The die of this table is broken: who knows what else is."""

    async def scenario() -> None:
        with VirtualTable(tmp_path, rolls=iter(())) as sitting:
            listener = Listener(sitting.loop)
            await sitting.say(f"{BEGIN} east")
            await sitting.press("ok")  # rolls
            assert [type(error) for error in listener.errors] == [StopIteration]
            assert_says_so(sitting, "StopIteration: ")
            await asyncio.sleep(0.5)
            shown = sitting.film.bits()
            sitting.hands.press(Button.SOUTH)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert (shown ^ sitting.film.bits()).bit_count() > 55, "it flashes"
            assert sitting.entries() == 1
        assert sitting.entries() == 1

    run(scenario())


class FoolishDisk(FaultyDisk):
    """Raises what no disk does."""

    is_foolish = False

    def write(self, file: int, data: memoryview) -> int:
        if self.is_foolish:
            raise TypeError("a fault of ours")
        return super().write(file, data)


def test_a_fault_while_writing_confirms_nothing_and_nothing_is_written_after_it(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        disk = FoolishDisk()
        with VirtualTable(tmp_path, disk=disk) as sitting:
            listener = Listener(sitting.loop)
            await sitting.say(f"{BEGIN} east")
            disk.is_foolish = True
            before = sitting.conversation
            await sitting.press("2")
            disk.is_foolish = False
            assert [str(error) for error in listener.errors] == ["a fault of ours"]
            assert_says_so(sitting, "TypeError: a fault of ours")
            assert sitting.conversation is before
            await sitting.press("ok")
            assert sitting.conversation is before
        await asyncio.sleep(0.1)
        assert sitting.conversation is before
        assert sitting.entries() == 1
        with VirtualTable(tmp_path) as again:
            assert again.stage is Stage.RESUME

    run(scenario())


def test_a_scene_that_cannot_be_drawn_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            listener = Listener(sitting.loop)
            await sitting.say(BEGIN)
            with monkeypatch.context() as patch:
                patch.setattr(daemon_module, "scene_of", _no_scene)
                await sitting.press("2")
            assert set(map(str, listener.errors)) == {"no scene"}
            assert_says_so(sitting, "AssertionError: no scene")
            assert sitting.entries() == 1

    run(scenario())


def _no_scene(conversation: object) -> object:
    raise AssertionError("no scene")


def test_a_watcher_that_fails_is_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            listener = Listener(sitting.loop)
            await sitting.say(BEGIN)
            sitting.table.daemon.watch(_fail_at_two)
            await sitting.press("2")
            assert set(map(str, listener.errors)) == {"the watcher's fault"}
            assert sitting.film.bits() == bits(sitting.table.screen.shown)
            assert_says_so(sitting, "RuntimeError: the watcher's fault")

    run(scenario())


def _fail_at_two(view: daemon_module.TableView) -> None:
    if view.conversation.stage is Stage.LAY and not view.trouble:
        raise RuntimeError("the watcher's fault")


def test_a_table_comes_to_rest_and_a_press_wakes_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path, config=sitting_config(rest_after_s=60)) as sitting:
            await sitting.say(BEGIN)
            await asyncio.sleep(61)
            frames = len(sitting.film.frames)
            await asyncio.sleep(3600)
            assert len(sitting.film.frames) == frames
            sitting.hands.press(Button.OK)
            await asyncio.sleep(0.02)
            assert len(sitting.film.frames) > frames
            assert sitting.film.is_lit(HEARD)

    run(scenario())
