"""Pings the systemd watchdog while the loop, the workers and the GPIO thread respond.

Four times per watchdog interval every worker gets an empty job; when all have run it, the watchdog
is pinged. So systemd restarts the companion

- when the loop hangs: there are no more checks;
- when a worker hangs, the painter in a transfer or the writer in a write: its empty job waits, and
  no second one is submitted;
- at once when the GPIO thread is dead: it never comes back.

A disk that stalls for less than three quarters of the interval has no consequence. Without a
watchdog there are no checks and no wake-ups.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol

from companion.daemon.worker_thread import Worker

if TYPE_CHECKING:
    import asyncio

logger = logging.getLogger(__name__)

CHECKS_PER_INTERVAL = 4
"""One may be late, and two more follow before the interval ends."""


class WatchdogSocket(Protocol):
    """Notifies systemd, which restarts the companion when the pings stop."""

    watchdog_s: float | None

    def ping(self) -> None: ...
    def trigger(self) -> None: ...


class WatchdogPinger:
    """Checks on the loop, from `start` to `close`."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        watchdog: WatchdogSocket,
        workers: Mapping[str, Worker],
        *,
        gpio_thread_error: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._loop = loop
        self._watchdog = watchdog
        self._workers = workers
        self._gpio_thread_error = gpio_thread_error
        self._waiting: dict[str, float] = {}
        """Workers that have not run their empty job yet, and since when."""
        self._is_responding = True
        """Whether all workers responded at the last check; a hang is logged once."""
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Check at once, and from then on in regular intervals."""
        if self._watchdog.watchdog_s is not None and self._timer is None:
            self._check()

    def close(self) -> None:
        """Idempotent."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        interval_s = self._watchdog.watchdog_s
        assert interval_s is not None
        if (error := self._gpio_thread_error()) is not None:
            self._timer = None
            logger.error("%s; the companion must be restarted", error)
            self._watchdog.trigger()
            return
        self._timer = self._loop.call_later(interval_s / CHECKS_PER_INTERVAL, self._check)
        if self._waiting:
            self._log_hanging()
            return
        self._waiting = dict.fromkeys(self._workers, self._loop.time())
        for name, worker in self._workers.items():
            worker.submit(_empty_job, partial(self._handle_response, name))
        self._ping_if_all_responded()

    def _handle_response(self, name: str, _: Exception | None) -> None:
        self._waiting.pop(name, None)
        self._ping_if_all_responded()

    def _ping_if_all_responded(self) -> None:
        if self._waiting or self._timer is None:
            return
        self._watchdog.ping()
        if not self._is_responding:
            self._is_responding = True
            logger.info("all workers respond again")

    def _log_hanging(self) -> None:
        if self._is_responding:
            self._is_responding = False
            for name, since in self._waiting.items():
                waited_s = self._loop.time() - since
                logger.warning(
                    "the %s has not responded for %.0f s: if it stays so, systemd restarts the "
                    "companion",
                    name,
                    waited_s,
                )


def _empty_job() -> None:
    pass
