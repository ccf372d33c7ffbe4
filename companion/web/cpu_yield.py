"""The page's pauses, so that the table hardly waits for a page that has much to do.

The page's policy is the one that gives way to all others (`bounds`). But since Linux shares the
processor out by EEVDF (6.6; seen on 6.18), whoever has had more than a fair share of the last
moments is passed over. Where that is a thread of the table, or one of the kernel's that writes the
journal, the page keeps the processor until the next tick, up to 4 ms later. Nobody is passed over
for a process that sleeps, be it ever so short: so it does, before each look at what has come.
`marrakech bench web` shows what that is worth.
"""

from __future__ import annotations

import asyncio
import selectors
from time import sleep

BREATH_S = 50e-6
"""It takes twice as long with the kernel's slack, which no phone notices."""


class YieldingSelector(selectors.DefaultSelector):
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        sleep(BREATH_S)
        return super().select(timeout)


def yielding_loop() -> asyncio.AbstractEventLoop:
    """For `asyncio.Runner`."""
    return asyncio.SelectorEventLoop(YieldingSelector())
