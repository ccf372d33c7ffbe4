"""Runs blocking file work for the page in one thread, one job at a time.

Reading a year of games or drawing a picture is slow on a small Pi. The event loop stays free
meanwhile. When too many jobs wait, the next request is refused as busy.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from companion.i18n.message import message
from companion.web.http.http_error import HttpError

MAX_WAITING = 16
TIMEOUT_S = 20.0
T = TypeVar("T")


class FileWorker:
    def __init__(self, max_waiting: int = MAX_WAITING, timeout_s: float = TIMEOUT_S) -> None:
        self._thread = ThreadPoolExecutor(1, "reader")
        self._max_waiting = max_waiting
        self._timeout_s = timeout_s
        self._waiting = 0
        """Jobs queued or running, including those whose request has timed out."""

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job in the thread; its exceptions are raised here."""
        if self._waiting >= self._max_waiting:
            raise HttpError(503, message("page.busy"))
        self._waiting += 1
        running = asyncio.get_running_loop().run_in_executor(self._thread, job)
        running.add_done_callback(self._on_done)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await asyncio.shield(running)
        except TimeoutError:
            raise HttpError(503, message("page.busy")) from None

    def _on_done(self, job: asyncio.Future[T]) -> None:
        self._waiting -= 1
        if not job.cancelled():
            job.exception()  # marks it as retrieved, also if nobody waits any more

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
