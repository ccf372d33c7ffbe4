"""The control socket: how the table is, who watches it, and how it is opened and closed."""

from __future__ import annotations

import asyncio
import stat
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from helpers.table.control_caller import Caller, Desk, control_of, from_afar, turns
from helpers.table.virtual_table import HOLD_MS, VirtualTable, sitting_config

from companion import __version__
from companion.adapters.pad_health import PadHealth, PadState
from companion.control.server import Control, open_control_server
from companion.control.snapshot import VERSION
from companion.table.conversation import Stage
from companion.table.inputs import Button, Down, Up, die_key
from companion.testing.virtual_time import run

# --- Status and version -------------------------------------------------------------------


def test_status_tells_of_the_light_the_pad_and_the_time(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path, pad=PadHealth(PadState.SEARCHING)) as desk:
            caller = await desk.call()
            await asyncio.sleep(60)
            table = await caller.table()
            assert (table["uptime_s"], table["sequence"]) == (60.0, 0)
            assert table["pad"]["state"] == "searching"
            assert table["simulated"] is True
            shown = desk.sitting.table.screen.shown
            assert shown is not None
            lit = sum(led is not None for led in shown)
            assert sum(sign != "." for row in table["light"]["frame"] for sign in row) == lit > 0
            assert await caller.ask("version") == {
                "ok": True,
                "version": VERSION,
                "companion": __version__,
            }

    run(scenario())


# --- Watching -----------------------------------------------------------------------------


def test_who_watches_sees_every_change_once_and_in_order(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            other = await desk.call()
            await other.press("south")
            early, late = await desk.call(), await desk.call()
            first = (await early.ask("watch"))["table"]
            assert first["setup"]["players"] == 3
            await other.press("south")
            begin = (await late.ask("watch"))["table"]["sequence"]
            await other.press("ok")
            end = (await other.table())["sequence"]
            seen = [first]
            while seen[-1]["sequence"] < end:
                seen.append((await early.read())["table"])
            assert [t["sequence"] for t in seen] == list(range(first["sequence"], end + 1))
            assert [t["setup"]["players"] for t in seen if t["stage"] == "players"][-1] == 2
            assert seen[-1]["stage"] == "booklet"
            assert (await late.read())["table"]["sequence"] == begin + 1

    run(scenario())


@pytest.mark.parametrize("late_by", range(8))
def test_who_begins_to_watch_during_a_change_sees_it_once(tmp_path: Path, late_by: int) -> None:
    """Whichever of the loop's turns it happens in; somebody else watches already."""

    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            early, late = await desk.call(), await desk.call()
            await early.ask("watch")
            late.send(b'{"do": "watch"}\n')
            for _ in range(late_by):
                await asyncio.sleep(0)
            desk.sitting.table.daemon.deliver(Down(Button.SOUTH))
            await turns()
            desk.sitting.table.daemon.deliver(Up(Button.SOUTH))
            end, seen = desk.control._sequence, [0]
            while seen[-1] < end:
                seen.append((await late.read())["table"]["sequence"])
            assert seen[1:] == list(range(seen[1], end + 1))

    run(scenario())


def test_what_others_do_at_the_table_is_watched_as_well(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            await caller.ask("watch")
            await desk.sitting.say("3")
            table = (await caller.read())["table"]
            assert table["refused"] == "The game has not begun: agree on the set-up first."

    run(scenario())


def test_who_watches_asks_elsewhere(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            await caller.ask("watch")
            error = "this connection watches: ask on another one"
            assert await caller.ask("press", button="ok") == {"ok": False, "error": error}
            assert desk.sitting.stage is Stage.PLAYERS

    run(scenario())


def test_who_watches_and_does_not_read_is_dropped(tmp_path: Path) -> None:
    """The others see on, and the table does not wait."""

    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            slow, quick = await desk.call(), await desk.call()
            await slow.ask("watch")
            slow.writer.transport.pause_reading()  # type: ignore[attr-defined]
            last = (await quick.ask("watch"))["table"]["sequence"]
            changes = 0
            while len(desk.control._watchers) == 2:
                for button in (Button.SOUTH, Button.NORTH):
                    for event in (Down(button), Up(button)):
                        desk.sitting.table.daemon.deliver(event)
                await asyncio.sleep(0.01)
                while last < desk.control._sequence:
                    last = (await quick.read())["table"]["sequence"]
                changes += 1
                assert changes < 5000, "he is never dropped"
            slow.writer.transport.resume_reading()  # type: ignore[attr-defined]
            while await _read(slow):
                pass  # what the system has kept for him, and then the end
            assert (await (await desk.call()).table())["stage"] == "players"

    run(scenario())


async def _read(caller: Caller) -> bytes:
    try:
        return await caller.reader.read(1 << 20)
    except ConnectionError:
        return b""


# --- Opening and closing ------------------------------------------------------------------


def test_closing_hangs_up_and_takes_the_socket_away(tmp_path: Path) -> None:
    async def scenario() -> None:
        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        async with control_of(tmp_path) as desk:
            idle, watcher, presser = [await desk.call() for _ in range(3)]
            await watcher.ask("watch")
            presser.send(b'{"do": "press", "button": "ok"}\n')
            await asyncio.sleep(0.005)
            assert desk.sitting.hands.is_down(Button.OK)
            desk.control.close()
            assert not desk.sitting.hands.is_down(Button.OK), "hands off at once"
            assert not desk.path.exists()
            desk.control.close()
            for caller in (idle, watcher, presser):
                assert await caller.has_ended()
            desk.sitting.table.daemon.deliver(die_key(3))
            await turns()
            assert desk.control._clients == {}
            assert faults == []

    run(scenario())


def test_who_has_only_just_called_is_hung_up_on_as_well(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            while not desk.control._clients:
                await asyncio.sleep(0)
            desk.control.close()
            assert await caller.has_ended()

    run(scenario())


def test_a_control_that_was_never_started_can_be_closed(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            control = Control(
                sitting.loop, sitting.table, from_afar(sitting), tmp_path / "s", hold_ms=HOLD_MS
            )
            control.close()
            control.close()

    run(scenario())


async def _opened(sitting: VirtualTable, folder: Path, **environ: str) -> tuple[Control, list[str]]:
    told: list[str] = []
    control = await open_control_server(
        sitting.loop,
        sitting.table,
        sitting.config,
        sitting.hardware,
        folder,
        environ=environ,
        tell=told.append,
    )
    return control, told


def test_a_table_gets_its_control_where_the_system_has_such_things(tmp_path: Path) -> None:
    async def scenario() -> None:
        with TemporaryDirectory(prefix="m") as short, VirtualTable(tmp_path) as sitting:
            control, told = await _opened(sitting, tmp_path, RUNTIME_DIRECTORY=short)
            assert (control.path, told) == (Path(short) / "control.sock", [])
            assert stat.S_IMODE(control.path.stat().st_mode) == 0o600
            desk = Desk(sitting, control)
            assert (await (await desk.call()).press("ok"))["table"]["stage"] == "booklet"
            await desk.close()

    run(scenario())


def test_a_socket_that_cannot_be_opened_is_told_and_the_table_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            (tmp_path / "control.sock").mkdir()
            control, told = await _opened(sitting, tmp_path)
            assert told == [
                f"no control socket at {tmp_path / 'control.sock'}: something else is there, "
                "move it away"
            ]
            await sitting.say("ok")
            assert sitting.stage is Stage.BOOKLET
            control.close()
            assert (tmp_path / "control.sock").is_dir()

    run(scenario())


def test_names_of_all_kinds_are_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        config = sitting_config()
        config = replace(config, game=replace(config.game, names=("Zoë", "李", "", "\u202e")))
        async with control_of(tmp_path, config=config) as desk:
            table = (await (await desk.call()).press("ok ok ok ok"))["table"]
            names = [player["name"] for player in table["game"]["players"]]
            assert names == ["Zoë", "李", "", "\u202e"]

    run(scenario())
