"""A table under systemd: its notifications, on a real socket and virtual time."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from helpers.system.notify_listener import NotifyListener
from helpers.table.virtual_table import VirtualTable

from companion.adapters.gpio.pin_factory import Pins
from companion.daemon.controller import Controller
from companion.daemon.supervision import supervised
from companion.daemon.worker_thread import Worker
from companion.testing.virtual_time import run


@dataclass(frozen=True)
class SupervisedParts:
    """The parts of a table that are supervised."""

    controller: Controller
    workers: Mapping[str, Worker]
    pins: Pins


def parts_of(virtual_table: VirtualTable) -> SupervisedParts:
    return SupervisedParts(
        virtual_table.table.controller, virtual_table.workers, virtual_table.hardware.factory
    )


def timer_count() -> int:
    loop = asyncio.get_running_loop()
    handles: list[asyncio.TimerHandle] = loop._scheduled  # type: ignore[attr-defined]
    return sum(not handle.cancelled() for handle in handles)


@pytest.fixture
def environ() -> Iterator[dict[str, str]]:
    """Outside pytest's folder, whose path is too long for a socket."""
    with tempfile.TemporaryDirectory() as folder:
        yield {"NOTIFY_SOCKET": f"{folder}/notify", "WATCHDOG_USEC": "20000000"}


@pytest.fixture
def listener(environ: dict[str, str]) -> Iterator[NotifyListener]:
    made = NotifyListener(environ["NOTIFY_SOCKET"])
    yield made
    made.close()


def test_status_ready_watchdog_and_stopping_are_sent_in_order(
    tmp_path: Path, environ: dict[str, str], listener: NotifyListener
) -> None:
    """The status comes before READY, so that a ready service always has one."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            with supervised(asyncio.get_running_loop(), parts_of(virtual_table), environ):
                await asyncio.sleep(10.1)
                with_watchdog = timer_count()
            assert timer_count() == with_watchdog - 1
            assert listener.messages() == [
                "STATUS=SIMULATED | A new game | 4 players. Directions change it, OK goes on.\n",
                "READY=1\n",
                "WATCHDOG=1\n",
                "WATCHDOG=1\n",
                "WATCHDOG=1\n",
                "STOPPING=1\n",
            ]
            await asyncio.sleep(60)
            await virtual_table.press("ok")
            assert listener.messages() == []

    run(scenario())


def test_the_status_is_sent_when_it_changes(
    tmp_path: Path, environ: dict[str, str], listener: NotifyListener
) -> None:
    del environ["WATCHDOG_USEC"]

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            with supervised(asyncio.get_running_loop(), parts_of(virtual_table), environ):
                listener.messages()
                await virtual_table.press("ok ok ok ok north east")
            starts = [
                text.split(" | ")[1] for text in listener.messages() if text.startswith("STAT")
            ]
            assert starts == [
                "A new game",
                "A new game",
                "A new game",
                "Red: your turn",
                "Red: your turn",
            ]

    run(scenario())


def test_stopping_is_sent_after_an_exception_too(
    tmp_path: Path, environ: dict[str, str], listener: NotifyListener
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            with (
                pytest.raises(LookupError),
                supervised(asyncio.get_running_loop(), parts_of(virtual_table), environ),
            ):
                raise LookupError
            assert listener.messages()[-1] == "STOPPING=1\n"

    run(scenario())


def test_without_systemd_there_are_no_watchers_and_no_timers(tmp_path: Path) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        with VirtualTable(tmp_path) as virtual_table:
            watchers = list(virtual_table.table.controller._watchers)
            before = timer_count()
            with supervised(loop, parts_of(virtual_table), {"WATCHDOG_USEC": "20000000"}):
                assert virtual_table.table.controller._watchers == watchers
                assert timer_count() == before

    run(scenario())
