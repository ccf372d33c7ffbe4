"""The watchdog is fed at exact times, and by nobody when something is dead: on a virtual clock."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from companion.daemon.watchdog import Pulse
from companion.daemon.worker_thread import Done, LoopWorker, ThreadWorker
from companion.testing.virtual_time import run

BEAT_S = 5.0
DEAF = "the thread that hears the buttons has died"


class KeptWatchdog:
    """Keeps when it was fed."""

    def __init__(self, watchdog_s: float | None = 20.0) -> None:
        self._loop = asyncio.get_running_loop()
        self.watchdog_s = watchdog_s
        self.fed: list[float] = []
        self.starved: list[float] = []

    def feed(self) -> None:
        self.fed.append(self._loop.time())

    def starve(self) -> None:
        self.starved.append(self._loop.time())

    def longest_s(self, until_s: float) -> float:
        """The longest time without food."""
        times = [0.0, *self.fed, until_s]
        return max(after - before for before, after in itertools.pairwise(times))


class Hanging:
    """A worker in a job that never ends; counts what waits behind it."""

    def __init__(self) -> None:
        self.waiting = 0

    def submit(self, _: Callable[[], None], __: Done) -> None:
        self.waiting += 1

    def close(self) -> None:
        raise AssertionError("it would never return")


class Setting:
    def __init__(self, watchdog_s: float | None = 20.0) -> None:
        self.loop = asyncio.get_running_loop()
        self.watchdog = KeptWatchdog(watchdog_s)
        self.painter, self.scribe = LoopWorker(self.loop), LoopWorker(self.loop)
        self.deaf: str | None = None
        self.said: list[tuple[float, str]] = []
        self.pulse = self.make(self.painter)

    def make(self, painter: LoopWorker | Hanging) -> Pulse:
        return Pulse(
            self.loop,
            self.watchdog,
            {"painter": painter, "scribe": self.scribe},
            why_deaf=lambda: self.deaf,
            complain=lambda text: self.said.append((self.loop.time(), text)),
        )

    def wake_ups(self) -> int:
        """How many timers the loop has been wound for."""
        return len(self.loop._scheduled)  # type: ignore[attr-defined]


SettingCheck = Callable[[Setting], Coroutine[Any, Any, None]]


def scenario(told: SettingCheck) -> Callable[[], None]:
    """A test that runs on virtual time."""

    def test() -> None:
        async def main() -> None:
            await told(Setting())

        run(main())

    test.__name__, test.__doc__ = told.__name__, told.__doc__
    return test


# --- Alive --------------------------------------------------------------------------------


@scenario
async def test_what_is_alive_is_fed_at_once_and_four_times_in_the_watchdogs_time(
    setting: Setting,
) -> None:
    setting.pulse.start()
    setting.pulse.start()
    await asyncio.sleep(20.1)
    assert setting.watchdog.fed == [0.0, 5.0, 10.0, 15.0, 20.0]
    assert (setting.said, setting.watchdog.starved) == ([], [])


def test_without_a_watchdog_nobody_is_woken() -> None:
    async def main() -> None:
        setting = Setting(watchdog_s=None)
        setting.pulse.start()
        assert setting.wake_ups() == 0
        setting.pulse.close()
        assert setting.watchdog.fed == []

    run(main())


@scenario
async def test_after_closing_there_is_no_beat_and_no_late_food(setting: Setting) -> None:
    setting.scribe.takes_ms = 1000
    setting.pulse.start()
    await asyncio.sleep(5.5)
    setting.pulse.close()
    setting.pulse.close()
    await asyncio.sleep(60)
    assert setting.watchdog.fed == [1.0]


# --- A worker that hangs ------------------------------------------------------------------


@scenario
async def test_a_painter_that_hangs_starves_the_watchdog_and_is_named_once(
    setting: Setting,
) -> None:
    painter = Hanging()
    setting.make(painter).start()
    await asyncio.sleep(100)
    assert setting.watchdog.fed == []
    assert painter.waiting == 1, "no job is piled up on another"
    assert setting.said == [
        (
            BEAT_S,
            "the painter has hung for 5 s: if it does not come back, the companion is started "
            "again",
        )
    ]


@scenario
async def test_everybody_who_hangs_is_named(setting: Setting) -> None:
    """A bus that hangs may hold up both: the scribe lights what it has written."""
    setting.painter.takes_ms = setting.scribe.takes_ms = 100_000
    setting.pulse.start()
    await asyncio.sleep(50)
    assert [text.split(" has hung")[0] for _, text in setting.said] == ["the painter", "the scribe"]


@scenario
async def test_a_disk_that_is_slow_for_fifteen_seconds_ends_no_game(setting: Setting) -> None:
    """Whenever the write begins; and the watchdog hears of it as soon as it is over."""
    setting.pulse.start()
    await asyncio.sleep(4.9)
    setting.scribe.takes_ms = 15_000
    setting.scribe.submit(lambda: None, lambda _: None)
    setting.scribe.takes_ms = 0
    await asyncio.sleep(25.2)
    assert setting.watchdog.fed == [0.0, 19.9, 20.0, 25.0, 30.0]
    assert [time for time, _ in setting.said] == [10.0, 19.9]
    assert setting.said[1][1] == "everything answers again"


@scenario
async def test_a_disk_that_hangs_for_longer_than_the_watchdog_waits_starves_it(
    setting: Setting,
) -> None:
    setting.pulse.start()
    await asyncio.sleep(0.1)
    setting.scribe.takes_ms = 20_000
    setting.scribe.submit(lambda: None, lambda _: None)
    await asyncio.sleep(60)
    assert setting.watchdog.longest_s(60.1) > 20


@scenario
async def test_who_hangs_again_is_named_again(setting: Setting) -> None:
    setting.pulse.start()
    for _ in range(2):
        setting.painter.takes_ms = 12_000
        setting.painter.submit(lambda: None, lambda _: None)
        setting.painter.takes_ms = 0
        await asyncio.sleep(30)
    assert sum("painter" in text for _, text in setting.said) == 2


@scenario
async def test_a_job_that_fails_was_done_all_the_same(setting: Setting) -> None:
    """Trouble of the disk is told elsewhere: whoever answers is alive."""

    def fail() -> None:
        raise OSError(28, "No space left on device")

    setting.scribe.submit(fail, lambda _: None)
    setting.pulse.start()
    await asyncio.sleep(0.1)
    assert setting.watchdog.fed == [0.0]


def test_threads_answer_as_well() -> None:
    """On real time: the first beat is fed by two threads that have done a job."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        watchdog, fed = KeptWatchdog(), asyncio.Event()
        watchdog.feed = fed.set  # type: ignore[method-assign]
        workers = {name: ThreadWorker(loop, name) for name in ("painter", "scribe")}
        pulse = Pulse(loop, watchdog, workers)
        pulse.start()
        await asyncio.wait_for(fed.wait(), 30)
        pulse.close()
        for worker in workers.values():
            worker.close()

    asyncio.run(main())


# --- Buttons that are not heard -----------------------------------------------------------


@scenario
async def test_buttons_that_nobody_hears_are_told_once_and_not_waited_for(
    setting: Setting,
) -> None:
    setting.pulse.start()
    await asyncio.sleep(7)
    setting.deaf = DEAF
    await asyncio.sleep(60)
    assert setting.watchdog.fed == [0.0, 5.0]
    assert setting.watchdog.starved == [10.0]
    assert setting.said == [(10.0, f"{DEAF}; the companion must be started again")]


# --- What is said -------------------------------------------------------------------------


def test_it_complains_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        Pulse(loop, KeptWatchdog(), {}, why_deaf=lambda: DEAF).start()

    run(main())
    assert capsys.readouterr() == ("", f"marrakech: {DEAF}; the companion must be started again\n")


def test_a_standard_error_that_is_gone_does_not_stop_the_heart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Gone:
        def write(self, _: str) -> int:
            raise BrokenPipeError

        def flush(self) -> None:
            raise BrokenPipeError

    async def main() -> None:
        monkeypatch.setattr("sys.stderr", Gone())
        watchdog = KeptWatchdog()
        Pulse(asyncio.get_running_loop(), watchdog, {}, why_deaf=lambda: DEAF).start()
        assert watchdog.starved == [0.0]

    run(main())
