"""An event loop that sleeps briefly before each poll, so that the table gets the CPU at once.

The page runs with SCHED_IDLE (`process_limits`). Under the EEVDF scheduler (Linux 6.6 and later)
that is not enough: a thread that used more than its fair share recently loses to an idle-class
process that is running, until the next tick, up to 4 ms later. That can be a thread of the table,
or the kernel thread that writes the journal. A process that sleeps never delays another one.
`marrakech bench web` measures the effect.
"""

from __future__ import annotations

import asyncio
import selectors
from time import sleep

PAUSE_S = 50e-6
"""About twice that with the kernel's timer slack: too short for a phone to notice."""


class YieldingSelector(selectors.DefaultSelector):
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        sleep(PAUSE_S)
        return super().select(timeout)


def new_yielding_loop() -> asyncio.AbstractEventLoop:
    """A loop factory for `asyncio.Runner`."""
    return asyncio.SelectorEventLoop(YieldingSelector())
