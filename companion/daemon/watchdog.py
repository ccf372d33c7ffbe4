"""The heart: feeds systemd's watchdog for as long as everything that plays the table is alive.

A beat is a quarter of the watchdog's time. With each, every worker is handed a job that does
nothing; when all have done it, the watchdog is fed. So it starves, and systemd starts the companion
again,

- when the loop hangs: nothing beats any more;
- when a worker hangs, the painter in a transfer to the matrix or the scribe in a write: its job
  waits behind that, and is not handed out a second time;
- at once when the thread that hears the buttons is dead: that is certain, and nothing revives it.

How slow a disk may be follows from the watchdog's time alone: what comes back within three quarters
of it is fed for the moment it does, and nothing has happened. So a worn card that stalls for some
seconds, as they do, ends no game; one that hangs for longer would not take another word anyway.

Where no watchdog waits there is no beat, and nobody is woken.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Protocol

from companion.daemon.worker_thread import Worker

if TYPE_CHECKING:
    import asyncio

BEATS = 4
"""In the watchdog's time: one may come late, and there are still two before it is over."""


class Watchdog(Protocol):
    """Whoever starts the companion again when it is not fed: systemd, by its socket."""

    watchdog_s: float | None

    def feed(self) -> None: ...
    def starve(self) -> None: ...


class Pulse:
    """Beats on the loop from `start` to `close`."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        watchdog: Watchdog,
        workers: Mapping[str, Worker],
        *,
        why_deaf: Callable[[], str | None] = lambda: None,
        complain: Callable[[str], None] | None = None,
    ) -> None:
        self._loop = loop
        self._watchdog = watchdog
        self._workers = workers
        self._why_deaf = why_deaf
        self._complain = complain or _to_stderr
        self._waiting: dict[str, float] = {}
        """The workers that have a job and have not done it, and since when."""
        self._is_fed = True
        """Whether the beat before was; what is dead is said once."""
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """The first beat: what is alive now is said at once."""
        if self._watchdog.watchdog_s is not None and self._timer is None:
            self._beat()

    def close(self) -> None:
        """No more beats; twice is no trouble."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _beat(self) -> None:
        every_s = self._watchdog.watchdog_s
        assert every_s is not None, "it beats for a watchdog"
        if (deaf := self._why_deaf()) is not None:
            self._timer = None
            self._complain(f"{deaf}; the companion must be started again")
            self._watchdog.starve()
            return
        self._timer = self._loop.call_later(every_s / BEATS, self._beat)
        if self._waiting:
            self._say_who_hangs()
            return
        self._waiting = dict.fromkeys(self._workers, self._loop.time())
        for name, worker in self._workers.items():
            worker.submit(_nothing, partial(self._answer, name))
        self._feed_if_all_answered()

    def _answer(self, name: str, _: Exception | None) -> None:
        self._waiting.pop(name, None)
        self._feed_if_all_answered()

    def _feed_if_all_answered(self) -> None:
        if self._waiting or self._timer is None:
            return
        self._watchdog.feed()
        if not self._is_fed:
            self._is_fed = True
            self._complain("everything answers again")

    def _say_who_hangs(self) -> None:
        if self._is_fed:
            self._is_fed = False
            for name, since in self._waiting.items():
                waited_s = self._loop.time() - since
                self._complain(
                    f"the {name} has hung for {waited_s:.0f} s: if it does not come back, the "
                    "companion is started again"
                )


def _nothing() -> None:
    """A job that takes no time: whoever does it is alive."""


def _to_stderr(text: str) -> None:
    with suppress(OSError, ValueError):  # nobody reads it: no reason to stop the heart
        print(f"marrakech: {text}", file=sys.stderr, flush=True)
