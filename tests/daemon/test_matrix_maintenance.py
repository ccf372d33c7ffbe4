"""Matrix maintenance: initialises the chip in intervals, and dims it at night."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from companion.config.model import MatrixConfig
from companion.daemon.display import Display
from companion.daemon.matrix_maintenance import MatrixMaintenance
from companion.daemon.worker_thread import LoopWorker
from companion.light.frame import LedFrame
from companion.table.scenes.scene import Mark, Meaning, Scene, Shot
from companion.table.scenes.stage_scenes import RailStatus
from companion.testing.virtual_time import VirtualLoop, run

STILL = Scene((Shot((Mark(Meaning.RUGS, (0,)),)),))
EVENING = datetime(2026, 1, 1, 21, 58, 30, tzinfo=UTC)


class RecordingMatrix:
    """Records when it was initialised, and with which brightness."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.calls: list[tuple[float, int | None]] = []
        self.frame_count = 0

    def show(self, shown: LedFrame) -> None:  # noqa: ARG002 - only counted
        self.frame_count += 1

    def reinitialize(self, brightness: int | None = None) -> None:
        self.calls.append((self._loop.time(), brightness))

    def close(self) -> None: ...


class WallClock:
    """Follows the loop's time; `move` sets it forward or back."""

    def __init__(self, loop: asyncio.AbstractEventLoop, now: datetime) -> None:
        self._loop = loop
        self._at_start = now

    def __call__(self) -> datetime:
        return self._at_start + timedelta(seconds=self._loop.time())

    def move(self, hours: float) -> None:
        self._at_start += timedelta(hours=hours)


class Harness:
    def __init__(self, config: MatrixConfig, now: datetime) -> None:
        self.loop = asyncio.get_running_loop()
        assert isinstance(self.loop, VirtualLoop)
        self.matrix = RecordingMatrix(self.loop)
        self.clock = WallClock(self.loop, now)
        self.display = Display(self.loop, self.matrix, LoopWorker(self.loop), status=RailStatus())
        self.maintenance = MatrixMaintenance(self.loop, self.display, config, self.clock)
        self.display.show(STILL)

    def timers(self) -> list[float]:
        handles: list[asyncio.TimerHandle] = self.loop._scheduled  # type: ignore[attr-defined]
        return sorted(handle.when() for handle in handles if not handle.cancelled())


def scenario(
    now: datetime = EVENING, **keys: int | str
) -> Callable[[Callable[[Harness], Coroutine[Any, Any, None]]], Callable[[], None]]:
    """Make a test on a virtual loop, with these keys of [matrix]."""

    def wrap(check: Callable[[Harness], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        async def main() -> None:
            await check(Harness(MatrixConfig(**keys), now))  # type: ignore[arg-type]

        def test() -> None:
            run(main())

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return wrap


# --- Initialising the chip ----------------------------------------------------------------


@scenario(renew_every_s=60, brightness=5)
async def test_the_chip_is_initialised_every_minute(harness: Harness) -> None:
    await asyncio.sleep(181)
    assert harness.matrix.calls == [(60, 5), (120, 5), (180, 5)]
    assert harness.matrix.frame_count == 1 + 3
    assert harness.timers() == [240]


@scenario(renew_every_s=0)
async def test_without_an_interval_and_a_night_there_are_no_timers(harness: Harness) -> None:
    await asyncio.sleep(3600)
    assert harness.timers() == []
    assert harness.matrix.calls == []


@scenario(renew_every_s=60)
async def test_without_a_night_a_touch_changes_nothing(harness: Harness) -> None:
    harness.display.touch()
    await asyncio.sleep(1)
    assert harness.matrix.calls == []


@scenario(renew_every_s=60)
async def test_closing_stops_it_and_is_idempotent(harness: Harness) -> None:
    harness.maintenance.close()
    harness.maintenance.close()
    await asyncio.sleep(3600)
    assert harness.timers() == []
    assert harness.matrix.calls == []


# --- Night --------------------------------------------------------------------------------


@scenario(night="22:00-07:00", brightness=5, night_brightness=1)
async def test_night_and_day_begin_without_a_restart(harness: Harness) -> None:
    await asyncio.sleep(10 * 3600)
    changes = [(0.0, 5)]
    for when, brightness in harness.matrix.calls:
        if brightness != changes[-1][1]:
            assert brightness is not None
            changes.append((when, brightness))
    # At 22:00:30 and at 7:00:30: the clock is checked once a minute.
    assert changes == [(0, 5), (120, 1), (120 + 9 * 3600, 5)]


@scenario(night="22:00-07:00", brightness=5, night_brightness=1, renew_every_s=0)
async def test_the_clock_is_checked_even_if_the_chip_is_never_initialised_again(
    harness: Harness,
) -> None:
    await asyncio.sleep(10 * 3600)
    assert harness.matrix.calls == [(60, 5), (120, 1), (120 + 9 * 3600, 5)]


@scenario(night="22:00-07:00", brightness=5, night_brightness=1, renew_every_s=600)
async def test_a_night_does_not_shorten_the_interval(harness: Harness) -> None:
    await asyncio.sleep(1800)
    assert harness.matrix.calls == [(60, 5), (120, 1), (720, 1), (1320, 1)]


@scenario(night="22:00-07:00", brightness=5, night_brightness=1)
async def test_a_touch_checks_for_night_at_once(harness: Harness) -> None:
    await asyncio.sleep(91)
    harness.display.touch()
    harness.display.touch()
    await asyncio.sleep(1)
    assert harness.matrix.calls == [(60, 5), (91, 1)]


@scenario(
    now=datetime(1970, 1, 1, tzinfo=UTC), night="22:00-07:00", brightness=5, night_brightness=1
)
async def test_a_clock_that_is_set_after_the_start_counts_within_a_minute(
    harness: Harness,
) -> None:
    """A Pi without a clock chip starts with a time of 1970, which is night here."""
    await asyncio.sleep(61)
    harness.clock.move(hours=15)
    await asyncio.sleep(60)
    assert harness.matrix.calls == [(60, 1), (120, 5)]


@scenario(night="22:00-07:00", brightness=5, night_brightness=1)
async def test_a_clock_that_goes_back_before_the_night_makes_it_day_again(harness: Harness) -> None:
    """As when daylight saving ends: here from 22:00:30."""
    await asyncio.sleep(121)
    harness.clock.move(hours=-1)
    await asyncio.sleep(60)
    assert harness.matrix.calls == [(60, 5), (120, 1), (180, 5)]
    await asyncio.sleep(3600)
    assert harness.matrix.calls[-1] == (3780, 1)


@scenario(night="22:00-07:00")
async def test_after_closing_a_touch_does_not_check_the_clock(harness: Harness) -> None:
    harness.maintenance.close()
    harness.display.touch()
    await asyncio.sleep(3600)
    assert harness.matrix.calls == []


@pytest.mark.parametrize(
    ("hour", "minute", "brightness"), [(21, 59, 5), (22, 0, 1), (0, 0, 1), (6, 59, 1), (7, 0, 5)]
)
def test_the_config_has_the_brightness_of_every_time_of_day(
    hour: int, minute: int, brightness: int
) -> None:
    config = MatrixConfig(brightness=5, night="22:00-07:00", night_brightness=1)
    now = datetime(2026, 3, 29, hour, minute, tzinfo=UTC)
    assert config.brightness_at(now) == brightness
    assert MatrixConfig(brightness=5).brightness_at(now) == 5
