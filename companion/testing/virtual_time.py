"""An asyncio loop on virtual time: an hour at the table takes no longer than what happens in it.

    run(scenario())

Inside, `await asyncio.sleep(2)` takes no real time, and `loop.time()` starts at 0 and shows
afterwards 2.0 to the nanosecond. Time stands still while anything happens, and jumps to the next
timer when nothing does. It also stands still while a worker thread (`run_in_executor`,
`asyncio.to_thread`) is at work, so that a slow disk makes no scenario come out differently.
"""

from __future__ import annotations

import asyncio
from asyncio import SelectorEventLoop
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextvars import Context
from selectors import DefaultSelector, SelectorKey
from typing import Any, TypeVar, TypeVarTuple

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")

_DIGITS = 9
"""Virtual time goes in whole nanoseconds, so that sums of times come out as one writes them."""


class _Clock(DefaultSelector):
    """Where a loop waits is where time goes by: this waits for files only, and counts the rest."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.workers = 0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """As the loop asks: 0 when callbacks are ready, None when there is no timer either."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        if self.workers:
            return super().select(None)
        events = super().select(0)
        if not events:
            self.now_s = round(self.now_s + timeout, _DIGITS)
        return events


class VirtualLoop(SelectorEventLoop):
    """Runs in the order of its timers, without waiting for them. Starts at 0."""

    def __init__(self) -> None:
        self._clock = _Clock()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now_s

    def call_at(
        self,
        when: float,
        callback: Callable[[*_Ts], object],
        *args: *_Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return super().call_at(round(when, _DIGITS), callback, *args, context=context)

    def run_in_executor(
        self,
        executor: Executor | None,
        func: Callable[[*_Ts], _T],
        *args: *_Ts,
    ) -> asyncio.Future[_T]:
        work = super().run_in_executor(executor, func, *args)
        self._clock.workers += 1
        work.add_done_callback(self._work_is_done)
        return work

    def _work_is_done(self, _: asyncio.Future[Any]) -> None:
        self._clock.workers -= 1

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ARG002
        """Wait for the threads, however long: a newer Python's timeout would be over at once."""
        await super().shutdown_default_executor()


def run(main: Coroutine[Any, Any, _T]) -> _T:
    """As `asyncio.run`, on virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
