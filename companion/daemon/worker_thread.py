"""Threads for what blocks: the disk and the SPI bus never hold up the loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio

Done = Callable[[Exception | None], None]


class Worker(Protocol):
    """Does jobs one after the other, in order."""

    def submit(self, job: Callable[[], None], done: Done) -> None:
        """Do a job; then call `done` on the loop, with what went wrong if anything did."""

    def close(self) -> None:
        """Finish what was submitted and stop; twice is no trouble."""


class ThreadWorker:
    """Its own thread. An executor would do, at twice the time from job to thread and back."""

    def __init__(self, loop: asyncio.AbstractEventLoop, name: str) -> None:
        self._loop = loop
        self._jobs: SimpleQueue[tuple[Callable[[], None], Done] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], None], done: Done) -> None:
        self._jobs.put((job, done))

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (next_job := self._jobs.get()) is not None:
            job, done = next_job
            trouble = _trouble_of(job)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(done, trouble)


class LoopWorker:
    """No thread: for virtual time, where a job takes as long as it is said to."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.takes_ms = 0.0
        self._free_at = 0.0
        self._jobs: deque[tuple[Callable[[], None], Done]] = deque()

    def submit(self, job: Callable[[], None], done: Done) -> None:
        self._free_at = max(self._free_at, self._loop.time()) + self.takes_ms / 1000
        self._jobs.append((job, done))
        self._loop.call_at(self._free_at, self._finish_one)

    def close(self) -> None:
        """No time passes while the jobs are finished; the loop is told of it later."""
        while self._jobs:
            job, done = self._jobs.popleft()
            self._loop.call_soon(done, _trouble_of(job))

    def _finish_one(self) -> None:
        if self._jobs:  # else it was finished by closing
            job, done = self._jobs.popleft()
            done(_trouble_of(job))


def _trouble_of(job: Callable[[], None]) -> Exception | None:
    """Do a job. Whatever goes wrong, the loop is told and decides."""
    try:
        job()
    except Exception as error:
        return error
    return None
