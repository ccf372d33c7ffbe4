"""The file worker: one job at a time, and a limit of waiting jobs."""

from __future__ import annotations

import asyncio
from threading import Event, current_thread

import pytest
from helpers.patience import PATIENCE_S

from companion.web.file_worker import FileWorker
from companion.web.http.http_error import HttpError


def test_a_job_runs_in_a_thread_and_its_errors_are_raised() -> None:
    async def scenario() -> None:
        worker = FileWorker()
        assert (await worker.run(lambda: current_thread().name)).startswith("reader")
        with pytest.raises(ZeroDivisionError):
            await worker.run(lambda: 1 // 0)
        worker.close()

    asyncio.run(scenario())


def test_too_many_waiting_jobs_are_refused() -> None:
    async def scenario() -> None:
        worker, release = FileWorker(max_waiting=2), Event()
        waiting = [asyncio.ensure_future(worker.run(release.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(HttpError) as refused:
            await worker.run(lambda: "refused")
        assert refused.value.status == 503
        release.set()
        assert await asyncio.gather(*waiting) == [True, True]
        assert await worker.run(lambda: "again") == "again"
        worker.close()

    asyncio.run(scenario())


def test_a_job_that_timed_out_still_counts_until_it_ends() -> None:
    """Else a flood of slow jobs could pile up."""

    async def scenario() -> None:
        worker, release = FileWorker(max_waiting=1, timeout_s=0.01), Event()
        with pytest.raises(HttpError):
            await worker.run(release.wait)
        assert worker._waiting == 1, "the job is still running"
        ran: list[str] = []
        with pytest.raises(HttpError):
            await worker.run(lambda: ran.append("ran"))
        release.set()
        async with asyncio.timeout(PATIENCE_S):
            while worker._waiting:
                await asyncio.sleep(0.01)
        assert ran == []
        worker.close()

    asyncio.run(scenario())
