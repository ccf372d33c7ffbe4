"""The control server: status, watching clients, opening and closing."""

from __future__ import annotations

import asyncio
import stat
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from helpers.captured_log import captured_log
from helpers.table.control_harness import (
    ControlHarness,
    RawControlClient,
    direct_keys,
    let_loop_run,
    open_control,
)
from helpers.table.virtual_table import HOLD_MS, VirtualTable, virtual_table_config

from companion import __version__
from companion.adapters.pad_health import PadHealth, PadState
from companion.control.server import ControlServer, open_control_server
from companion.control.snapshot import VERSION
from companion.table.conversation import Stage
from companion.table.inputs import Button, ButtonDown, ButtonUp, die_key
from companion.testing.virtual_time import run

# --- Status and version -------------------------------------------------------------------


def test_status_has_the_light_the_pad_and_the_uptime(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path, pad=PadHealth(PadState.SEARCHING)) as harness:
            client = await harness.connect()
            await asyncio.sleep(60)
            table = await client.snapshot()
            assert (table["uptime_s"], table["sequence"]) == (60.0, 0)
            assert table["pad"]["state"] == "searching"
            assert table["simulated"] is True
            shown = harness.virtual_table.table.display.shown
            assert shown is not None
            lit = sum(led is not None for led in shown)
            assert sum(sign != "." for row in table["light"]["frame"] for sign in row) == lit > 0
            assert await client.request("version") == {
                "ok": True,
                "version": VERSION,
                "companion": __version__,
            }

    run(scenario())


# --- Watching -----------------------------------------------------------------------------


def test_a_watching_client_gets_every_change_once_and_in_order(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            other = await harness.connect()
            await other.press("south")
            early, late = await harness.connect(), await harness.connect()
            first = (await early.request("watch"))["table"]
            assert first["setup"]["players"] == 3
            await other.press("south")
            begin = (await late.request("watch"))["table"]["sequence"]
            await other.press("ok")
            end = (await other.snapshot())["sequence"]
            seen = [first]
            while seen[-1]["sequence"] < end:
                seen.append((await early.read())["table"])
            assert [t["sequence"] for t in seen] == list(range(first["sequence"], end + 1))
            assert [t["setup"]["players"] for t in seen if t["stage"] == "players"][-1] == 2
            assert seen[-1]["stage"] == "booklet"
            assert (await late.read())["table"]["sequence"] == begin + 1

    run(scenario())


@pytest.mark.parametrize("iterations", range(8))
def test_a_client_that_starts_to_watch_during_a_change_gets_it_once(
    tmp_path: Path, iterations: int
) -> None:
    """In whichever iteration of the loop; another client watches already."""

    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            early, late = await harness.connect(), await harness.connect()
            await early.request("watch")
            late.send(b'{"do": "watch"}\n')
            for _ in range(iterations):
                await asyncio.sleep(0)
            harness.virtual_table.table.controller.deliver(ButtonDown(Button.SOUTH))
            await let_loop_run()
            harness.virtual_table.table.controller.deliver(ButtonUp(Button.SOUTH))
            end, seen = harness.control._sequence, [0]
            while seen[-1] < end:
                seen.append((await late.read())["table"]["sequence"])
            assert seen[1:] == list(range(seen[1], end + 1))

    run(scenario())


def test_presses_at_the_table_are_sent_to_watching_clients(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            await client.request("watch")
            await harness.virtual_table.press("3")
            table = (await client.read())["table"]
            assert table["refused"] == "The game has not begun: agree on the set-up first."

    run(scenario())


def test_a_watching_connection_takes_no_requests(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            await client.request("watch")
            error = "this connection watches: ask on another one"
            assert await client.request("press", button="ok") == {"ok": False, "error": error}
            assert harness.virtual_table.stage is Stage.PLAYERS

    run(scenario())


def test_a_watching_client_that_does_not_read_is_disconnected(tmp_path: Path) -> None:
    """The others continue, and the table does not wait."""

    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            slow, quick = await harness.connect(), await harness.connect()
            await slow.request("watch")
            slow.writer.transport.pause_reading()  # type: ignore[attr-defined]
            last = (await quick.request("watch"))["table"]["sequence"]
            changes = 0
            while len(harness.control._watchers) == 2:
                for button in (Button.SOUTH, Button.NORTH):
                    for event in (ButtonDown(button), ButtonUp(button)):
                        harness.virtual_table.table.controller.deliver(event)
                await asyncio.sleep(0.01)
                while last < harness.control._sequence:
                    last = (await quick.read())["table"]["sequence"]
                changes += 1
                assert changes < 5000, "it is never disconnected"
            slow.writer.transport.resume_reading()  # type: ignore[attr-defined]
            while await _read(slow):
                pass  # the buffer of the system, then the end
            assert (await (await harness.connect()).snapshot())["stage"] == "players"

    run(scenario())


async def _read(client: RawControlClient) -> bytes:
    try:
        return await client.reader.read(1 << 20)
    except ConnectionError:
        return b""


# --- Opening and closing ------------------------------------------------------------------


def test_closing_disconnects_clients_and_removes_the_socket(tmp_path: Path) -> None:
    async def scenario() -> None:
        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        async with open_control(tmp_path) as harness:
            idle, watcher, presser = [await harness.connect() for _ in range(3)]
            await watcher.request("watch")
            presser.send(b'{"do": "press", "button": "ok"}\n')
            await asyncio.sleep(0.005)
            assert harness.virtual_table.contacts.is_down(Button.OK)
            harness.control.close()
            assert not harness.virtual_table.contacts.is_down(Button.OK), "it is released at once"
            assert not harness.path.exists()
            harness.control.close()
            for client in (idle, watcher, presser):
                assert await client.is_closed()
            harness.virtual_table.table.controller.deliver(die_key(3))
            await let_loop_run()
            assert harness.control._clients == {}
            assert faults == []

    run(scenario())


def test_closing_disconnects_a_client_that_has_just_connected(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            while not harness.control._clients:
                await asyncio.sleep(0)
            harness.control.close()
            assert await client.is_closed()

    run(scenario())


def test_a_server_that_was_never_started_can_be_closed(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            control = ControlServer(
                virtual_table.loop,
                virtual_table.table,
                direct_keys(virtual_table),
                tmp_path / "s",
                hold_ms=HOLD_MS,
            )
            control.close()
            control.close()

    run(scenario())


async def _opened(
    virtual_table: VirtualTable, folder: Path, **environ: str
) -> tuple[ControlServer, list[str]]:
    """The server, and what was logged while it was opened."""
    with captured_log() as lines:
        control = await open_control_server(
            virtual_table.loop,
            virtual_table.table,
            virtual_table.config,
            virtual_table.hardware,
            folder,
            environ=environ,
        )
    return control, lines


def test_under_systemd_the_socket_is_in_the_runtime_directory(tmp_path: Path) -> None:
    async def scenario() -> None:
        with TemporaryDirectory(prefix="m") as short, VirtualTable(tmp_path) as virtual_table:
            control, lines = await _opened(virtual_table, tmp_path, RUNTIME_DIRECTORY=short)
            assert (control.path, lines) == (Path(short) / "control.sock", [])
            assert stat.S_IMODE(control.path.stat().st_mode) == 0o600
            harness = ControlHarness(virtual_table, control)
            assert (await (await harness.connect()).press("ok"))["table"]["stage"] == "booklet"
            await harness.close()

    run(scenario())


def test_a_socket_that_cannot_be_opened_is_logged_and_the_table_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            (tmp_path / "control.sock").mkdir()
            control, lines = await _opened(virtual_table, tmp_path)
            assert lines == [
                f"no control socket at {tmp_path / 'control.sock'}: the path is not a socket: "
                "move that file away"
            ]
            await virtual_table.press("ok")
            assert virtual_table.stage is Stage.BOOKLET
            control.close()
            assert (tmp_path / "control.sock").is_dir()

    run(scenario())


def test_names_in_any_script_are_in_the_snapshot(tmp_path: Path) -> None:
    async def scenario() -> None:
        config = virtual_table_config()
        config = replace(config, game=replace(config.game, names=("Zoë", "李", "", "\u202e")))
        async with open_control(tmp_path, config=config) as harness:
            table = (await (await harness.connect()).press("ok ok ok ok"))["table"]
            names = [player["name"] for player in table["game"]["players"]]
            assert names == ["Zoë", "李", "", "\u202e"]

    run(scenario())
