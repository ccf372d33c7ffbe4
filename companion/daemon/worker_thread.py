"""Worker threads for blocking work: the disk and the SPI bus never block the loop."""

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
    """Runs jobs one after the other, in order."""

    def submit(self, job: Callable[[], None], done: Done) -> None:
        """Run `job`, then call `done` on the loop with its exception, or None."""

    def close(self) -> None:
        """Finish the submitted jobs and stop. Idempotent."""


class ThreadWorker:
    """A thread of its own: a job gets there and back twice as fast as with an executor."""

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
            error = _error_of(job)
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(done, error)


class LoopWorker:
    """Runs jobs on the loop, for virtual time: a job takes `takes_ms`."""

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
        """Runs the remaining jobs at once; their `done` is called later by the loop."""
        while self._jobs:
            job, done = self._jobs.popleft()
            self._loop.call_soon(done, _error_of(job))

    def _finish_one(self) -> None:
        if self._jobs:  # otherwise `close` has run it
            job, done = self._jobs.popleft()
            done(_error_of(job))


def _error_of(job: Callable[[], None]) -> Exception | None:
    """Run a job and return its exception."""
    try:
        job()
    except Exception as error:
        return error
    return None
