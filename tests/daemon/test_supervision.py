"""A table under systemd: what is told when, on a real socket and virtual time."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from helpers.system.notify_listener import Listener
from helpers.table.virtual_table import VirtualTable

from companion.adapters.gpio_buttons import Pins
from companion.daemon.controller import Controller
from companion.daemon.supervision import supervised
from companion.daemon.worker_thread import Worker
from companion.testing.virtual_time import run


@dataclass(frozen=True)
class Lively:
    """Of a table, what can be alive or dead."""

    daemon: Controller
    workers: Mapping[str, Worker]
    pins: Pins


def lively(sitting: VirtualTable) -> Lively:
    return Lively(sitting.table.daemon, sitting.workers, sitting.hardware.factory)


def timers() -> int:
    """How often somebody will be woken."""
    handles: list[asyncio.TimerHandle] = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
    return sum(not handle.cancelled() for handle in handles)


@pytest.fixture
def environ() -> Iterator[dict[str, str]]:
    """Outside pytest's folder, whose name is longer than a socket's may be."""
    with tempfile.TemporaryDirectory() as folder:
        yield {"NOTIFY_SOCKET": f"{folder}/notify", "WATCHDOG_USEC": "20000000"}


@pytest.fixture
def listener(environ: dict[str, str]) -> Iterator[Listener]:
    made = Listener(environ["NOTIFY_SOCKET"])
    yield made
    made.close()


def test_it_is_ready_alive_and_stops_in_order(
    tmp_path: Path, environ: dict[str, str], listener: Listener
) -> None:
    """The status comes before READY: whoever looks then sees a table, not an empty line."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            with supervised(asyncio.get_running_loop(), lively(sitting), environ):
                await asyncio.sleep(10.1)
                beating = timers()
            assert timers() == beating - 1
            assert listener.told() == [
                "STATUS=SIMULATED | A new game | 4 players. Directions change it, OK goes on.\n",
                "READY=1\n",
                "WATCHDOG=1\n",
                "WATCHDOG=1\n",
                "WATCHDOG=1\n",
                "STOPPING=1\n",
            ]
            await asyncio.sleep(60)
            await sitting.say("ok")
            assert listener.told() == []

    run(scenario())


def test_the_status_follows_the_table_and_is_told_when_it_changes(
    tmp_path: Path, environ: dict[str, str], listener: Listener
) -> None:
    del environ["WATCHDOG_USEC"]

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            with supervised(asyncio.get_running_loop(), lively(sitting), environ):
                listener.told()
                await sitting.say("ok ok ok ok north east")
            starts = [text.split(" | ")[1] for text in listener.told() if text.startswith("STAT")]
            assert starts == [
                "A new game",
                "A new game",
                "A new game",
                "Red: your turn",
                "Red: your turn",
            ]

    run(scenario())


def test_a_fault_inside_is_told_as_stopping_too(
    tmp_path: Path, environ: dict[str, str], listener: Listener
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            with (
                pytest.raises(LookupError),
                supervised(asyncio.get_running_loop(), lively(sitting), environ),
            ):
                raise LookupError
            assert listener.told()[-1] == "STOPPING=1\n"

    run(scenario())


def test_where_nobody_supervises_nobody_watches_and_nobody_is_woken(tmp_path: Path) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        with VirtualTable(tmp_path) as sitting:
            watchers = list(sitting.table.daemon._watchers)
            before = timers()
            with supervised(loop, lively(sitting), {"WATCHDOG_USEC": "20000000"}):
                assert sitting.table.daemon._watchers == watchers
                assert timers() == before

    run(scenario())
