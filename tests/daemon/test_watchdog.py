"""The watchdog is pinged at exact times, and not when something hangs. On virtual time."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from helpers.captured_log import CallbackHandler

from companion.daemon.watchdog import WatchdogPinger
from companion.daemon.worker_thread import Done, LoopWorker, ThreadWorker
from companion.testing.virtual_time import run

CHECK_S = 5.0
GPIO_ERROR = "the GPIO thread has died"


class RecordingWatchdog:
    """Records when it was pinged and triggered."""

    def __init__(self, watchdog_s: float | None = 20.0) -> None:
        self._loop = asyncio.get_running_loop()
        self.watchdog_s = watchdog_s
        self.pings: list[float] = []
        self.triggers: list[float] = []

    def ping(self) -> None:
        self.pings.append(self._loop.time())

    def trigger(self) -> None:
        self.triggers.append(self._loop.time())

    def longest_gap_s(self, until_s: float) -> float:
        """The longest time without a ping."""
        times = [0.0, *self.pings, until_s]
        return max(after - before for before, after in itertools.pairwise(times))


class HangingWorker:
    """A worker in a job that never ends. Counts the jobs that wait."""

    def __init__(self) -> None:
        self.waiting = 0

    def submit(self, _: Callable[[], None], __: Done) -> None:
        self.waiting += 1

    def close(self) -> None:
        raise AssertionError("it would never return")


class Harness:
    def __init__(self, watchdog_s: float | None = 20.0) -> None:
        self.loop = asyncio.get_running_loop()
        self.watchdog = RecordingWatchdog(watchdog_s)
        self.painter, self.writer = LoopWorker(self.loop), LoopWorker(self.loop)
        self.gpio_error: str | None = None
        self.logged: list[tuple[float, str]] = []
        self.pinger = self.make_pinger(self.painter)

    def make_pinger(self, painter: LoopWorker | HangingWorker) -> WatchdogPinger:
        return WatchdogPinger(
            self.loop,
            self.watchdog,
            {"painter": painter, "writer": self.writer},
            gpio_thread_error=lambda: self.gpio_error,
        )

    @contextmanager
    def logging(self) -> Iterator[None]:
        """Record what is logged, and when."""
        handler = CallbackHandler(lambda text: self.logged.append((self.loop.time(), text)))
        with handler.attached():
            yield

    def timer_count(self) -> int:
        return len(self.loop._scheduled)  # type: ignore[attr-defined]


HarnessCheck = Callable[[Harness], Coroutine[Any, Any, None]]


def scenario(check: HarnessCheck) -> Callable[[], None]:
    """Make a test that runs on virtual time."""

    def test() -> None:
        async def main() -> None:
            harness = Harness()
            with harness.logging():
                await check(harness)

        run(main())

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    return test


# --- Pings --------------------------------------------------------------------------------


@scenario
async def test_the_watchdog_is_pinged_at_once_and_four_times_per_interval(
    harness: Harness,
) -> None:
    harness.pinger.start()
    harness.pinger.start()
    await asyncio.sleep(20.1)
    assert harness.watchdog.pings == [0.0, 5.0, 10.0, 15.0, 20.0]
    assert (harness.logged, harness.watchdog.triggers) == ([], [])


def test_without_a_watchdog_there_are_no_timers() -> None:
    async def main() -> None:
        harness = Harness(watchdog_s=None)
        harness.pinger.start()
        assert harness.timer_count() == 0
        harness.pinger.close()
        assert harness.watchdog.pings == []

    run(main())


@scenario
async def test_after_closing_there_are_no_checks_and_no_late_pings(harness: Harness) -> None:
    harness.writer.takes_ms = 1000
    harness.pinger.start()
    await asyncio.sleep(5.5)
    harness.pinger.close()
    harness.pinger.close()
    await asyncio.sleep(60)
    assert harness.watchdog.pings == [1.0]


# --- Hanging workers ----------------------------------------------------------------------


@scenario
async def test_a_hanging_painter_stops_the_pings_and_is_logged_once(
    harness: Harness,
) -> None:
    painter = HangingWorker()
    harness.make_pinger(painter).start()
    await asyncio.sleep(100)
    assert harness.watchdog.pings == []
    assert painter.waiting == 1, "no second job is submitted"
    assert harness.logged == [
        (
            CHECK_S,
            "the painter has not responded for 5 s: if it stays so, systemd restarts the companion",
        )
    ]


@scenario
async def test_every_hanging_worker_is_logged(harness: Harness) -> None:
    """A hanging bus may block both: the writer shows the frame that confirms a write."""
    harness.painter.takes_ms = harness.writer.takes_ms = 100_000
    harness.pinger.start()
    await asyncio.sleep(50)
    assert [text.split(" has not")[0] for _, text in harness.logged] == [
        "the painter",
        "the writer",
    ]


@scenario
async def test_a_disk_that_stalls_for_fifteen_seconds_has_no_consequence(harness: Harness) -> None:
    """Whenever the write begins. The watchdog is pinged as soon as it ends."""
    harness.pinger.start()
    await asyncio.sleep(4.9)
    harness.writer.takes_ms = 15_000
    harness.writer.submit(lambda: None, lambda _: None)
    harness.writer.takes_ms = 0
    await asyncio.sleep(25.2)
    assert harness.watchdog.pings == [0.0, 19.9, 20.0, 25.0, 30.0]
    assert [time for time, _ in harness.logged] == [10.0, 19.9]
    assert harness.logged[1][1] == "all workers respond again"


@scenario
async def test_a_disk_that_hangs_longer_than_the_interval_stops_the_pings(
    harness: Harness,
) -> None:
    harness.pinger.start()
    await asyncio.sleep(0.1)
    harness.writer.takes_ms = 20_000
    harness.writer.submit(lambda: None, lambda _: None)
    await asyncio.sleep(60)
    assert harness.watchdog.longest_gap_s(60.1) > 20


@scenario
async def test_a_worker_that_hangs_again_is_logged_again(harness: Harness) -> None:
    harness.pinger.start()
    for _ in range(2):
        harness.painter.takes_ms = 12_000
        harness.painter.submit(lambda: None, lambda _: None)
        harness.painter.takes_ms = 0
        await asyncio.sleep(30)
    assert sum("painter" in text for _, text in harness.logged) == 2


@scenario
async def test_a_worker_with_a_failed_job_responds(harness: Harness) -> None:
    """Disk errors are reported elsewhere."""

    def fail() -> None:
        raise OSError(28, "No space left on device")

    harness.writer.submit(fail, lambda _: None)
    harness.pinger.start()
    await asyncio.sleep(0.1)
    assert harness.watchdog.pings == [0.0]


def test_real_threads_respond() -> None:
    """On real time: the first ping comes after two threads have run a job."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        watchdog, pinged = RecordingWatchdog(), asyncio.Event()
        watchdog.ping = pinged.set  # type: ignore[method-assign]
        workers = {name: ThreadWorker(loop, name) for name in ("painter", "writer")}
        pinger = WatchdogPinger(loop, watchdog, workers)
        pinger.start()
        await asyncio.wait_for(pinged.wait(), 30)
        pinger.close()
        for worker in workers.values():
            worker.close()

    asyncio.run(main())


# --- The GPIO thread ----------------------------------------------------------------------


@scenario
async def test_a_dead_gpio_thread_is_logged_once_and_triggers_the_watchdog(
    harness: Harness,
) -> None:
    harness.pinger.start()
    await asyncio.sleep(7)
    harness.gpio_error = GPIO_ERROR
    await asyncio.sleep(60)
    assert harness.watchdog.pings == [0.0, 5.0]
    assert harness.watchdog.triggers == [10.0]
    assert harness.logged == [(10.0, f"{GPIO_ERROR}; the companion must be restarted")]
