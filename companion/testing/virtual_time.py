"""An asyncio event loop with virtual time: sleeping takes no real time.

    run(main())

Inside `main`, `loop.time()` starts at 0, and after `await asyncio.sleep(2)` it is exactly 2.0. The
clock stands still while callbacks run, and jumps to the next timer when none is ready. It also
stands still while a worker thread (`run_in_executor`, `asyncio.to_thread`) is busy, so that results
do not depend on the speed of the machine.
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
"""Times are rounded to nanoseconds, so that 0.1 + 0.2 is 0.3."""


class _Clock(DefaultSelector):
    """A selector that advances the virtual clock instead of waiting for a timeout."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.busy_workers = 0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """`timeout` is 0 if callbacks are ready, and None if there is no timer."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        if self.busy_workers:
            return super().select(None)
        events = super().select(0)
        if not events:
            self.now_s = round(self.now_s + timeout, _DIGITS)
        return events


class VirtualLoop(SelectorEventLoop):
    """Runs timers in order, without waiting for them. Its time starts at 0."""

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
        self._clock.busy_workers += 1
        work.add_done_callback(self._on_work_done)
        return work

    def _on_work_done(self, _: asyncio.Future[Any]) -> None:
        self._clock.busy_workers -= 1

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ARG002
        """Wait for the threads without a timeout: virtual time would let it expire at once."""
        await super().shutdown_default_executor()


def run(main: Coroutine[Any, Any, _T]) -> _T:
    """Like `asyncio.run`, on virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
