"""Jobs are done one after the other, whatever goes wrong is told on the loop, none is dropped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial

import pytest

from companion.daemon.worker_thread import LoopWorker, ThreadWorker, Worker
from companion.testing.virtual_time import run

MakeWorker = Callable[[asyncio.AbstractEventLoop], Worker]
KINDS = pytest.mark.parametrize(
    "make",
    [lambda loop: ThreadWorker(loop, "worker"), LoopWorker],
    ids=["thread", "loop"],
)


async def told_all(told: list[object], number: int) -> None:
    """Until the loop was told so often."""
    for _ in range(2000):
        if len(told) >= number:
            return
        await asyncio.sleep(0.001)
    raise AssertionError(f"told only {told}")


@KINDS
def test_jobs_are_done_in_order_and_told_in_order(make: MakeWorker) -> None:
    async def scenario() -> None:
        worker = make(asyncio.get_running_loop())
        done: list[object] = []
        told: list[object] = []
        for number in range(20):
            worker.submit(partial(done.append, number), partial(_tell, told, number))
        assert told == []
        await told_all(told, 20)
        worker.close()
        assert done == list(range(20))
        assert told == [(number, None) for number in range(20)]

    asyncio.run(scenario())


def _tell(told: list[object], number: int, trouble: Exception | None) -> None:
    told.append((number, trouble))


@KINDS
def test_what_goes_wrong_is_told_and_the_next_job_is_done(make: MakeWorker) -> None:
    async def scenario() -> None:
        worker = make(asyncio.get_running_loop())
        told: list[object] = []
        faults = [OSError(28, "full"), ValueError("ours"), None]
        for number, fault in enumerate(faults):
            worker.submit(partial(_raise, fault), partial(_tell, told, number))
        await told_all(told, 3)
        worker.close()
        assert told == list(enumerate(faults))

    asyncio.run(scenario())


def _raise(fault: Exception | None) -> None:
    if fault is not None:
        raise fault


@KINDS
def test_closing_finishes_what_was_submitted_and_twice_is_no_trouble(make: MakeWorker) -> None:
    async def scenario() -> None:
        worker = make(asyncio.get_running_loop())
        done: list[object] = []
        told: list[object] = []
        for number in range(5):
            worker.submit(partial(done.append, number), partial(_tell, told, number))
        worker.close()
        worker.close()
        assert done == list(range(5))
        await told_all(told, 5)
        assert told == [(number, None) for number in range(5)]

    asyncio.run(scenario())


def test_a_thread_ends_with_its_worker() -> None:
    async def scenario() -> None:
        before = threading.active_count()
        worker = ThreadWorker(asyncio.get_running_loop(), "scribe")
        assert "scribe" in {thread.name for thread in threading.enumerate()}
        worker.close()
        assert threading.active_count() == before

    asyncio.run(scenario())


def test_jobs_run_in_the_thread_and_are_told_on_the_loop() -> None:
    async def scenario() -> None:
        worker = ThreadWorker(asyncio.get_running_loop(), "scribe")
        where: list[object] = []
        worker.submit(
            lambda: where.append(threading.current_thread().name),
            lambda _: where.append(threading.current_thread().name),
        )
        await told_all(where, 2)
        worker.close()
        assert where == ["scribe", threading.main_thread().name]

    asyncio.run(scenario())


def test_a_job_is_finished_although_the_loop_is_closed_meanwhile() -> None:
    """Nobody is left to be told; that is no trouble, and the thread goes on."""
    go_on, done = threading.Event(), threading.Event()

    async def scenario() -> ThreadWorker:
        worker = ThreadWorker(asyncio.get_running_loop(), "scribe")
        worker.submit(lambda: _ignored(go_on.wait(5)), _never)
        worker.submit(done.set, _never)
        return worker

    worker = asyncio.run(scenario())
    go_on.set()
    worker.close()
    assert done.is_set()


def _ignored(_: object) -> None:
    pass


def _never(trouble: Exception | None) -> None:
    raise AssertionError("the loop is closed")


# --- On virtual time ----------------------------------------------------------------------


def test_on_virtual_time_jobs_take_as_long_as_they_are_said_to() -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        worker = LoopWorker(loop)
        times: list[float] = []
        worker.takes_ms = 300
        for _ in range(3):
            worker.submit(lambda: None, lambda _: times.append(loop.time()))
        await asyncio.sleep(0.1)
        worker.takes_ms = 0
        worker.submit(lambda: None, lambda _: times.append(loop.time()))
        await asyncio.sleep(2)
        assert times == [0.3, 0.6, 0.9, 0.9]

    run(scenario())


def test_on_virtual_time_closing_takes_none() -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        worker = LoopWorker(loop)
        worker.takes_ms = 300
        done: list[float] = []
        worker.submit(lambda: done.append(loop.time()), lambda _: None)
        worker.close()
        assert done == [0]
        await asyncio.sleep(1)
        assert done == [0]

    run(scenario())
