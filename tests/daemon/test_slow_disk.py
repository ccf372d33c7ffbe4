"""A cheap card takes its time, or nothing at all: the table hears at once, and never lies."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import time
from pathlib import Path

import pytest
from helpers.storage.deadly_filesystem import DeadlyDisk, die
from helpers.storage.faulty_filesystem import FaultyDisk
from helpers.table.table_driver import Rolls
from helpers.table.virtual_table import DEBOUNCE_MS, VirtualTable, bits, sitting_config

from companion.adapters.hardware import VirtualHardware
from companion.adapters.virtual.spi import Max7219Chip
from companion.daemon.wiring import open_table
from companion.i18n.message import message
from companion.light.frame import picture
from companion.storage.filesystem import OsFilesystem
from companion.table.conversation import Stage
from companion.table.inputs import Button
from companion.table.scenes.stage_scenes import HEARD, UNSAVED, Status, scene_of, with_status
from companion.testing.moody_disk import MoodyDisk
from companion.testing.virtual_time import run

SLOW_MS = 300
BEGIN = "ok ok ok ok"


def told_in(sitting: VirtualTable) -> list[str]:
    entries = [json.loads(line) for line in sitting.journal.splitlines()[1:]]
    return [str(entry.get("facing", entry.get("pips", entry["told"]))) for entry in entries]


def light_of(sitting: VirtualTable, status: Status) -> int:
    return bits(picture(with_status(scene_of(sitting.conversation), status), 0))


# --- Slow ---------------------------------------------------------------------------------


async def slow_table(folder: Path) -> VirtualTable:
    sitting = VirtualTable(folder)
    await sitting.say(BEGIN)
    sitting.workers["scribe"].takes_ms = SLOW_MS
    return sitting


def test_heard_is_lit_at_once_and_done_only_after_the_disk(tmp_path: Path) -> None:
    async def scenario() -> None:
        with await slow_table(tmp_path) as sitting:
            before, pressed = sitting.conversation, sitting.loop.time()
            sitting.hands.press(Button.EAST)
            await asyncio.sleep(0.1)
            assert sitting.film.first_lit(HEARD, pressed) == pytest.approx(
                pressed + DEBOUNCE_MS / 1000 + 0.01
            )
            sitting.hands.release(Button.EAST)
            await asyncio.sleep((DEBOUNCE_MS + SLOW_MS - 100 - 1) / 1000)
            assert sitting.conversation is before
            assert sitting.entries() == 0
            assert sitting.film.is_lit(HEARD)
            await asyncio.sleep(0.002)
            assert sitting.conversation.playing.now.facing.name == "EAST"
            assert sitting.entries() == 1
            assert not sitting.film.is_lit(HEARD)
            done = pressed + (DEBOUNCE_MS + SLOW_MS) / 1000
            shown = light_of(sitting, Status(is_simulated=True))
            assert sitting.film.frames[-1] == (round(done, 6), shown)

    run(scenario())


def test_presses_during_a_write_are_kept_in_order_and_written_by_the_next(tmp_path: Path) -> None:
    async def scenario() -> None:
        disk = FaultyDisk()
        with VirtualTable(tmp_path, disk=disk) as sitting:
            await sitting.say(BEGIN)
            sitting.workers["scribe"].takes_ms = SLOW_MS
            disk.calls.clear()
            await sitting.say("east south west south east 2")
            assert sitting.views[-1].conversation.stage is Stage.ORIENT
            assert disk.calls == []
            await asyncio.sleep(2 * SLOW_MS / 1000)
            assert disk.calls == ["write", "fdatasync"] * 2
            assert told_in(sitting) == ["e", "s", "w", "s", "e", "2"]
            assert sitting.stage is Stage.LAY

    run(scenario())


def test_whoever_watches_sees_every_step_although_they_were_written_together(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        with await slow_table(tmp_path) as sitting:
            sitting.views.clear()
            await sitting.say("east south west")
            await asyncio.sleep(1)
            seen = [view.conversation.playing.now for view in sitting.views]
            steps = [now for number, now in enumerate(seen) if now not in seen[:number]]
            assert [now.facing.name for now in steps] == ["SOUTH", "EAST", "SOUTH", "WEST"]

    run(scenario())


def test_a_refusal_flashes_at_once_while_the_disk_is_busy(tmp_path: Path) -> None:
    """North is behind Assam; that he is turned is not yet on the disk."""

    async def scenario() -> None:
        with await slow_table(tmp_path) as sitting:
            await sitting.press("east")
            shown = sitting.film.bits()
            sitting.hands.press(Button.NORTH)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert sitting.film.bits() == ~shown & (1 << 64) - 1
            refused = sitting.view.refused
            assert refused is not None
            assert refused.key == "no.behind"
            assert sitting.entries() == 0
            await asyncio.sleep(0.5)
            assert sitting.conversation.playing.now.facing.name == "EAST"
            assert sitting.view.refused is refused, "it was the last to be answered"
            sitting.hands.release(Button.NORTH)
            await sitting.press("south")
            await asyncio.sleep(0.5)
            assert sitting.view.refused is None

    run(scenario())


def test_what_was_heard_is_written_when_the_table_is_closed_meanwhile(tmp_path: Path) -> None:
    async def scenario() -> None:
        with await slow_table(tmp_path) as sitting:
            await sitting.say("east south west")
            assert sitting.entries() == 0
        assert told_in(sitting) == ["e", "s", "w"]

    run(scenario())


class SlowDisk(OsFilesystem):
    """Real time: a sync takes a third of a second."""

    def fdatasync(self, file: int) -> None:
        time.sleep(SLOW_MS / 1000)
        super().fdatasync(file)


def test_heard_comes_while_the_disk_still_writes_on_real_threads_too(tmp_path: Path) -> None:
    """No virtual clock here: the scribe's thread really sleeps while the loop goes on."""

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        config = sitting_config()
        hardware = VirtualHardware(config)
        chip = hardware.chip
        assert isinstance(chip, Max7219Chip)
        table = open_table(loop, config, hardware, tmp_path, chance=Rolls(), disk=SlowDisk())
        try:
            for word in ("ok",) * 4:
                hardware.hands.press(Button(word))
                await asyncio.sleep(0.03)
                hardware.hands.release(Button(word))
                await asyncio.sleep(0.03)
            await asyncio.sleep(SLOW_MS / 1000 + 0.1)
            assert table.daemon.view.conversation.stage is Stage.ORIENT
            pressed = loop.time()
            for button in (Button.EAST, Button.SOUTH, Button.WEST):
                hardware.hands.press(button)
            heard = None
            while table.daemon.view.conversation.playing.now.number < 3:
                await asyncio.sleep(0.002)
                is_lit = bool(chip.registers[8] >> 7 & 1)
                heard = heard or (loop.time() - pressed if is_lit else None)
                assert loop.time() < pressed + 5
            done = loop.time() - pressed
        finally:
            table.close()
        assert heard is not None
        assert done > SLOW_MS / 1000
        assert heard < done / 2

    asyncio.run(scenario())
    lines = (tmp_path / "game.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["facing"] for line in lines[1:]] == ["e", "s", "w"]


# --- Full ---------------------------------------------------------------------------------


def test_a_full_disk_is_told_and_the_game_goes_on_in_memory(tmp_path: Path) -> None:
    async def scenario() -> None:
        disk = MoodyDisk()
        with VirtualTable(tmp_path, disk=disk) as sitting:
            await sitting.say(BEGIN)
            disk.is_full = True
            await sitting.say("east 2")
            assert sitting.stage is Stage.LAY
            assert sitting.view.status == Status(is_unsaved=True, is_simulated=True)
            assert sitting.view.trouble == (message("trouble.disk_full"),)
            await asyncio.sleep(0.3)
            lit = [light >> UNSAVED & 1 for _, light in sitting.film.frames[-8:]]
            assert 1 in lit
            await sitting.press("ok")
            assert sitting.entries() == 0
            disk.is_full = False
            await asyncio.sleep(sitting.config.journal.retry_s)
            assert told_in(sitting) == ["e", "2", "lay"]
            assert sitting.view.status == Status(is_simulated=True)
            assert list(sitting.view.trouble) == []
            assert not sitting.film.is_lit(UNSAVED)

    run(scenario())


def test_the_first_press_after_there_is_room_saves_what_came_before_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        disk = MoodyDisk()
        with VirtualTable(tmp_path, disk=disk) as sitting:
            await sitting.say(BEGIN)
            disk.is_full = True
            await sitting.say("east south")
            disk.is_full = False
            await sitting.press("west")
            assert told_in(sitting) == ["e", "s", "w"]
            assert not sitting.view.status.is_unsaved

    run(scenario())


def test_a_game_can_begin_and_be_put_away_while_the_disk_is_full(tmp_path: Path) -> None:
    async def scenario() -> None:
        disk = MoodyDisk()
        with VirtualTable(tmp_path, disk=disk) as sitting:
            disk.is_full = True
            await sitting.say(f"{BEGIN} 2 ok pause pause {BEGIN} east")
            assert sitting.stage is Stage.ORIENT
            assert sitting.view.status.is_unsaved
            assert sitting.entries() == -1
            disk.is_full = False
            await asyncio.sleep(sitting.config.journal.retry_s)
            assert told_in(sitting) == ["e"]
            assert (tmp_path / "archive/0001.jsonl").read_bytes().count(b"\n") == 3
            assert not sitting.view.status.is_unsaved

    run(scenario())


def test_closing_tries_once_more(tmp_path: Path) -> None:
    async def scenario() -> None:
        disk = MoodyDisk()
        with VirtualTable(tmp_path, disk=disk) as sitting:
            await sitting.say(BEGIN)
            disk.is_full = True
            await sitting.say("east")
            assert told_in(sitting) == []
            disk.is_full = False
        assert told_in(sitting) == ["e"]

    run(scenario())


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_kill_loses_only_what_was_marked_unsaved(tmp_path: Path) -> None:
    async def until_killed() -> None:
        disk = MoodyDisk(DeadlyDisk())
        sitting = VirtualTable(tmp_path, disk=disk)
        await sitting.say(f"{BEGIN} east")
        assert not sitting.view.status.is_unsaved
        disk.is_full = True
        await sitting.say("south west")
        assert sitting.view.status.is_unsaved
        die()

    async def restart() -> None:
        with VirtualTable(tmp_path) as sitting:
            assert sitting.stage is Stage.RESUME
            assert told_in(sitting) == ["e"]
            assert sitting.conversation.playing.now.facing.name == "EAST"

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
def test_a_disk_that_fails_in_another_way_is_trouble_that_goes_by(
    tmp_path: Path, error: int
) -> None:
    async def scenario() -> None:
        disk = FaultyDisk()
        with VirtualTable(tmp_path, disk=disk) as sitting:
            await sitting.say(BEGIN)
            disk.fail(error, error, error)  # the write, the cut, and again at the retry
            await sitting.press("east")
            assert sitting.view.status.is_unsaved
            assert len(sitting.view.trouble) == 1
            await asyncio.sleep(3 * sitting.config.journal.retry_s)
            assert told_in(sitting) == ["e"]
            assert list(sitting.view.trouble) == []

    run(scenario())
