"""A slow or failing disk: inputs are acknowledged at once, and confirmed when they are written."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from pathlib import Path

import pytest
from helpers.table.table_driver import ScriptedDice
from helpers.table.virtual_table import DEBOUNCE_MS, VirtualTable, bits, virtual_table_config

from companion.adapters.hardware import VirtualHardware
from companion.adapters.virtual.spi import Max7219Chip
from companion.daemon.wiring import open_table
from companion.i18n.message import message
from companion.light.frame import render_frame
from companion.table.conversation import Stage
from companion.table.inputs import Button
from companion.table.scenes.stage_scenes import PENDING, UNSAVED, RailStatus, scene_of, with_status
from companion.testing.faulty_filesystem import FaultyFilesystem, kill_this_process
from companion.testing.virtual_time import run

SLOW_MS = 300
BEGIN = "ok ok ok ok"


def entries_of(virtual_table: VirtualTable) -> list[str]:
    """The entries of the journal, each as one word."""
    lines = [json.loads(line) for line in virtual_table.journal.splitlines()[1:]]
    return [str(entry.get("facing", entry.get("pips", entry["told"]))) for entry in lines]


def first_frame_bits(virtual_table: VirtualTable, status: RailStatus) -> int:
    return bits(render_frame(with_status(scene_of(virtual_table.conversation), status), 0))


# --- Slow disk ----------------------------------------------------------------------------


async def open_slow_table(folder: Path) -> VirtualTable:
    virtual_table = VirtualTable(folder)
    await virtual_table.press(BEGIN)
    virtual_table.workers["writer"].takes_ms = SLOW_MS
    return virtual_table


def test_the_pending_led_is_lit_at_once_and_the_scene_changes_after_the_write(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        with await open_slow_table(tmp_path) as virtual_table:
            before, pressed = virtual_table.conversation, virtual_table.loop.time()
            virtual_table.contacts.press(Button.EAST)
            await asyncio.sleep(0.1)
            assert virtual_table.recorder.first_lit(PENDING, pressed) == pytest.approx(
                pressed + DEBOUNCE_MS / 1000 + 0.01
            )
            virtual_table.contacts.release(Button.EAST)
            await asyncio.sleep((DEBOUNCE_MS + SLOW_MS - 100 - 1) / 1000)
            assert virtual_table.conversation is before
            assert virtual_table.entry_count() == 0
            assert virtual_table.recorder.is_lit(PENDING)
            await asyncio.sleep(0.002)
            assert virtual_table.conversation.active_game.now.facing.name == "EAST"
            assert virtual_table.entry_count() == 1
            assert not virtual_table.recorder.is_lit(PENDING)
            done_at = pressed + (DEBOUNCE_MS + SLOW_MS) / 1000
            shown = first_frame_bits(virtual_table, RailStatus(is_simulated=True))
            assert virtual_table.recorder.frames[-1] == (round(done_at, 6), shown)

    run(scenario())


def test_presses_during_a_write_keep_their_order_and_are_written_by_the_next_one(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        filesystem = FaultyFilesystem()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            await virtual_table.press(BEGIN)
            virtual_table.workers["writer"].takes_ms = SLOW_MS
            filesystem.calls.clear()
            await virtual_table.press("east south west south east 2")
            assert virtual_table.views[-1].conversation.stage is Stage.ORIENT
            assert filesystem.calls == []
            await asyncio.sleep(2 * SLOW_MS / 1000)
            assert filesystem.calls == ["write", "fdatasync"] * 2
            assert entries_of(virtual_table) == ["e", "s", "w", "s", "e", "2"]
            assert virtual_table.stage is Stage.LAY

    run(scenario())


def test_watchers_see_every_step_even_if_they_were_written_together(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        with await open_slow_table(tmp_path) as virtual_table:
            virtual_table.views.clear()
            await virtual_table.press("east south west")
            await asyncio.sleep(1)
            seen = [view.conversation.active_game.now for view in virtual_table.views]
            steps = [now for number, now in enumerate(seen) if now not in seen[:number]]
            assert [now.facing.name for now in steps] == ["SOUTH", "EAST", "SOUTH", "WEST"]

    run(scenario())


def test_a_refusal_flashes_at_once_during_a_write(tmp_path: Path) -> None:
    """North is behind Assam: that Assam has turned is not on the disk yet."""

    async def scenario() -> None:
        with await open_slow_table(tmp_path) as virtual_table:
            await virtual_table.press("east")
            shown = virtual_table.recorder.bits()
            virtual_table.contacts.press(Button.NORTH)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert virtual_table.recorder.bits() == ~shown & (1 << 64) - 1
            refused = virtual_table.view.refusal
            assert refused is not None
            assert refused.key == "no.behind"
            assert virtual_table.entry_count() == 0
            await asyncio.sleep(0.5)
            assert virtual_table.conversation.active_game.now.facing.name == "EAST"
            assert virtual_table.view.refusal is refused, "it was the last answer"
            virtual_table.contacts.release(Button.NORTH)
            await virtual_table.press("south")
            await asyncio.sleep(0.5)
            assert virtual_table.view.refusal is None

    run(scenario())


def test_queued_inputs_are_written_when_the_table_is_closed(tmp_path: Path) -> None:
    async def scenario() -> None:
        with await open_slow_table(tmp_path) as virtual_table:
            await virtual_table.press("east south west")
            assert virtual_table.entry_count() == 0
        assert entries_of(virtual_table) == ["e", "s", "w"]

    run(scenario())


def test_the_pending_led_is_lit_during_a_write_on_real_threads(tmp_path: Path) -> None:
    """On real time: the writer's thread sleeps while the loop continues."""

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        config = virtual_table_config()
        hardware = VirtualHardware(config)
        chip = hardware.chip
        assert isinstance(chip, Max7219Chip)
        filesystem = FaultyFilesystem()
        filesystem.sync_delay_ms = SLOW_MS
        table = open_table(
            loop, config, hardware, tmp_path, random_source=ScriptedDice(), filesystem=filesystem
        )
        try:
            for word in ("ok",) * 4:
                hardware.contacts.press(Button(word))
                await asyncio.sleep(0.03)
                hardware.contacts.release(Button(word))
                await asyncio.sleep(0.03)
            await asyncio.sleep(SLOW_MS / 1000 + 0.1)
            assert table.controller.view.conversation.stage is Stage.ORIENT
            pressed = loop.time()
            for button in (Button.EAST, Button.SOUTH, Button.WEST):
                hardware.contacts.press(button)
            lit_after_s = None
            while table.controller.view.conversation.active_game.now.entry_count < 3:
                await asyncio.sleep(0.002)
                is_lit = bool(chip.registers[8] >> 7 & 1)
                lit_after_s = lit_after_s or (loop.time() - pressed if is_lit else None)
                assert loop.time() < pressed + 5
            done_after_s = loop.time() - pressed
        finally:
            table.close()
        assert lit_after_s is not None
        assert done_after_s > SLOW_MS / 1000
        assert lit_after_s < done_after_s / 2

    asyncio.run(scenario())
    lines = (tmp_path / "game.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["facing"] for line in lines[1:]] == ["e", "s", "w"]


# --- Failing disk -------------------------------------------------------------------------


def test_a_full_disk_is_reported_and_the_game_continues_in_memory(tmp_path: Path) -> None:
    async def scenario() -> None:
        filesystem = FaultyFilesystem()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            await virtual_table.press(BEGIN)
            filesystem.is_full = True
            await virtual_table.press("east 2")
            assert virtual_table.stage is Stage.LAY
            assert virtual_table.view.status == RailStatus(is_unsaved=True, is_simulated=True)
            assert virtual_table.view.trouble == (message("trouble.disk_full"),)
            await asyncio.sleep(0.3)
            lit = [light >> UNSAVED & 1 for _, light in virtual_table.recorder.frames[-8:]]
            assert 1 in lit
            await virtual_table.press("ok")
            assert virtual_table.entry_count() == 0
            filesystem.is_full = False
            await asyncio.sleep(virtual_table.config.journal.retry_s)
            assert entries_of(virtual_table) == ["e", "2", "lay"]
            assert virtual_table.view.status == RailStatus(is_simulated=True)
            assert list(virtual_table.view.trouble) == []
            assert not virtual_table.recorder.is_lit(UNSAVED)

    run(scenario())


def test_the_first_press_after_the_disk_has_space_again_saves_the_ones_before(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        filesystem = FaultyFilesystem()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            await virtual_table.press(BEGIN)
            filesystem.is_full = True
            await virtual_table.press("east south")
            filesystem.is_full = False
            await virtual_table.press("west")
            assert entries_of(virtual_table) == ["e", "s", "w"]
            assert not virtual_table.view.status.is_unsaved

    run(scenario())


def test_a_game_can_begin_and_be_archived_while_the_disk_is_full(tmp_path: Path) -> None:
    async def scenario() -> None:
        filesystem = FaultyFilesystem()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            filesystem.is_full = True
            await virtual_table.press(f"{BEGIN} 2 ok pause pause {BEGIN} east")
            assert virtual_table.stage is Stage.ORIENT
            assert virtual_table.view.status.is_unsaved
            assert virtual_table.entry_count() == -1
            filesystem.is_full = False
            await asyncio.sleep(virtual_table.config.journal.retry_s)
            assert entries_of(virtual_table) == ["e"]
            assert (tmp_path / "archive/0001.jsonl").read_bytes().count(b"\n") == 3
            assert not virtual_table.view.status.is_unsaved

    run(scenario())


def test_closing_tries_to_write_once_more(tmp_path: Path) -> None:
    async def scenario() -> None:
        filesystem = FaultyFilesystem()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            await virtual_table.press(BEGIN)
            filesystem.is_full = True
            await virtual_table.press("east")
            assert entries_of(virtual_table) == []
            filesystem.is_full = False
        assert entries_of(virtual_table) == ["e"]

    run(scenario())


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_kill_loses_only_what_was_marked_as_unsaved(tmp_path: Path) -> None:
    async def until_killed() -> None:
        filesystem = FaultyFilesystem(skips_sync=True)
        virtual_table = VirtualTable(tmp_path, filesystem=filesystem)
        await virtual_table.press(f"{BEGIN} east")
        assert not virtual_table.view.status.is_unsaved
        filesystem.is_full = True
        await virtual_table.press("south west")
        assert virtual_table.view.status.is_unsaved
        kill_this_process()

    async def restart() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            assert virtual_table.stage is Stage.RESUME
            assert entries_of(virtual_table) == ["e"]
            assert virtual_table.conversation.active_game.now.facing.name == "EAST"

    process = os.fork()
    if not process:
        try:
            run(until_killed())
        finally:
            os._exit(1)
    _, status = os.waitpid(process, 0)
    assert os.WIFSIGNALED(status)
    run(restart())


@pytest.mark.parametrize("error", [errno.EROFS, errno.EIO, errno.EDQUOT])
def test_any_disk_error_is_reported_until_a_retry_succeeds(tmp_path: Path, error: int) -> None:
    async def scenario() -> None:
        filesystem = FaultyFilesystem()
        with VirtualTable(tmp_path, filesystem=filesystem) as virtual_table:
            await virtual_table.press(BEGIN)
            filesystem.fail_next(
                error, error, error
            )  # the write, the truncation, and the write of the retry
            await virtual_table.press("east")
            assert virtual_table.view.status.is_unsaved
            assert len(virtual_table.view.trouble) == 1
            await asyncio.sleep(3 * virtual_table.config.journal.retry_s)
            assert entries_of(virtual_table) == ["e"]
            assert list(virtual_table.view.trouble) == []

    run(scenario())
