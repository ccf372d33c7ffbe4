"""Workers run jobs in order, report errors on the loop, and drop no job."""

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


async def wait_for_results(results: list[object], number: int) -> None:
    for _ in range(2000):
        if len(results) >= number:
            return
        await asyncio.sleep(0.001)
    raise AssertionError(f"only {results}")


@KINDS
def test_jobs_run_and_are_reported_in_order(make: MakeWorker) -> None:
    async def scenario() -> None:
        worker = make(asyncio.get_running_loop())
        done: list[object] = []
        results: list[object] = []
        for number in range(20):
            worker.submit(partial(done.append, number), partial(_add_result, results, number))
        assert results == []
        await wait_for_results(results, 20)
        worker.close()
        assert done == list(range(20))
        assert results == [(number, None) for number in range(20)]

    asyncio.run(scenario())


def _add_result(results: list[object], number: int, error: Exception | None) -> None:
    results.append((number, error))


@KINDS
def test_an_error_is_reported_and_the_next_job_runs(make: MakeWorker) -> None:
    async def scenario() -> None:
        worker = make(asyncio.get_running_loop())
        results: list[object] = []
        errors = [OSError(28, "full"), ValueError("ours"), None]
        for number, error in enumerate(errors):
            worker.submit(partial(_raise, error), partial(_add_result, results, number))
        await wait_for_results(results, 3)
        worker.close()
        assert results == list(enumerate(errors))

    asyncio.run(scenario())


def _raise(error: Exception | None) -> None:
    if error is not None:
        raise error


@KINDS
def test_closing_finishes_submitted_jobs_and_is_idempotent(make: MakeWorker) -> None:
    async def scenario() -> None:
        worker = make(asyncio.get_running_loop())
        done: list[object] = []
        results: list[object] = []
        for number in range(5):
            worker.submit(partial(done.append, number), partial(_add_result, results, number))
        worker.close()
        worker.close()
        assert done == list(range(5))
        await wait_for_results(results, 5)
        assert results == [(number, None) for number in range(5)]

    asyncio.run(scenario())


def test_closing_a_worker_ends_its_thread() -> None:
    async def scenario() -> None:
        before = threading.active_count()
        worker = ThreadWorker(asyncio.get_running_loop(), "writer")
        assert "writer" in {thread.name for thread in threading.enumerate()}
        worker.close()
        assert threading.active_count() == before

    asyncio.run(scenario())


def test_jobs_run_in_the_thread_and_are_reported_on_the_loop() -> None:
    async def scenario() -> None:
        worker = ThreadWorker(asyncio.get_running_loop(), "writer")
        threads: list[object] = []
        worker.submit(
            lambda: threads.append(threading.current_thread().name),
            lambda _: threads.append(threading.current_thread().name),
        )
        await wait_for_results(threads, 2)
        worker.close()
        assert threads == ["writer", threading.main_thread().name]

    asyncio.run(scenario())


def test_a_job_is_finished_even_if_the_loop_is_closed_meanwhile() -> None:
    """Its result cannot be delivered. That is ignored, and the thread continues."""
    may_end, done = threading.Event(), threading.Event()

    async def scenario() -> ThreadWorker:
        worker = ThreadWorker(asyncio.get_running_loop(), "writer")
        worker.submit(lambda: _ignored(may_end.wait(5)), _never)
        worker.submit(done.set, _never)
        return worker

    worker = asyncio.run(scenario())
    may_end.set()
    worker.close()
    assert done.is_set()


def _ignored(_: object) -> None:
    pass


def _never(error: Exception | None) -> None:
    raise AssertionError("the loop is closed")


# --- On virtual time ----------------------------------------------------------------------


def test_on_virtual_time_a_job_takes_its_configured_time() -> None:
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


def test_on_virtual_time_closing_takes_no_time() -> None:
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
