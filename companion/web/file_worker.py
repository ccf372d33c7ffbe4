"""Where files are read for the page: in one thread, by one reader after the other.

Reading the games of a year or drawing a picture takes its time on a small Pi. The loop goes on
meanwhile, and when many want something at once, the last ones are told to come again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from companion.i18n.message import message
from companion.web.http.refusal import Refusal

MOST_WAITING = 16
PATIENCE_S = 20.0
T = TypeVar("T")


class FileWorker:
    def __init__(self, most_waiting: int = MOST_WAITING, patience_s: float = PATIENCE_S) -> None:
        self._thread = ThreadPoolExecutor(1, "reader")
        self._most_waiting = most_waiting
        self._patience_s = patience_s
        self._waiting = 0
        """Work that is in the thread or before it, whether somebody still waits for it or not."""

    async def read(self, work: Callable[[], T]) -> T:
        """Do this in the thread. What it raises is raised."""
        if self._waiting >= self._most_waiting:
            raise Refusal(503, message("page.busy"))
        self._waiting += 1
        doing = asyncio.get_running_loop().run_in_executor(self._thread, work)
        doing.add_done_callback(self._is_done)
        try:
            async with asyncio.timeout(self._patience_s):
                return await asyncio.shield(doing)
        except TimeoutError:
            raise Refusal(503, message("page.busy")) from None

    def _is_done(self, doing: asyncio.Future[T]) -> None:
        self._waiting -= 1
        if not doing.cancelled():
            doing.exception()  # it was told, or nobody waits for it any more

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
