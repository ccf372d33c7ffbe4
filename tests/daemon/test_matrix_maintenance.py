"""The matrix is set up anew now and then, and dimmed at night by whatever the clock shows."""

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
from companion.light.frame import Picture
from companion.table.scenes.scene import Mark, Meaning, Scene, Shot
from companion.table.scenes.stage_scenes import Status
from companion.testing.virtual_time import VirtualLoop, run

STILL = Scene((Shot((Mark(Meaning.RUGS, (0,)),)),))
EVENING = datetime(2026, 1, 1, 21, 58, 30, tzinfo=UTC)


class ToldMatrix:
    """Keeps when it was set up again, and how bright."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.told: list[tuple[float, int | None]] = []
        self.pictures = 0

    def show(self, shown: Picture) -> None:  # noqa: ARG002 - what it is does not matter here
        self.pictures += 1

    def renew(self, brightness: int | None = None) -> None:
        self.told.append((self._loop.time(), brightness))

    def close(self) -> None: ...


class WallClock:
    """Goes with the loop, unless somebody sets it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, now: datetime) -> None:
        self._loop = loop
        self._at_start = now

    def __call__(self) -> datetime:
        return self._at_start + timedelta(seconds=self._loop.time())

    def move(self, hours: float) -> None:
        self._at_start += timedelta(hours=hours)


class Setting:
    def __init__(self, config: MatrixConfig, now: datetime) -> None:
        self.loop = asyncio.get_running_loop()
        assert isinstance(self.loop, VirtualLoop)
        self.matrix = ToldMatrix(self.loop)
        self.clock = WallClock(self.loop, now)
        self.screen = Display(self.loop, self.matrix, LoopWorker(self.loop), status=Status())
        self.upkeep = MatrixMaintenance(self.loop, self.screen, config, self.clock)
        self.screen.show(STILL)

    def timers(self) -> list[float]:
        handles: list[asyncio.TimerHandle] = self.loop._scheduled  # type: ignore[attr-defined]
        return sorted(handle.when() for handle in handles if not handle.cancelled())


def scenario(
    now: datetime = EVENING, **keys: int | str
) -> Callable[[Callable[[Setting], Coroutine[Any, Any, None]]], Callable[[], None]]:
    """A test on a virtual loop, with these keys of [matrix]."""

    def wrap(told: Callable[[Setting], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        async def main() -> None:
            await told(Setting(MatrixConfig(**keys), now))  # type: ignore[arg-type]

        def test() -> None:
            run(main())

        test.__name__, test.__doc__ = told.__name__, told.__doc__
        return test

    return wrap


# --- Set up anew --------------------------------------------------------------------------


@scenario(renew_every_s=60, brightness=5)
async def test_the_chip_is_set_up_anew_every_minute(at: Setting) -> None:
    await asyncio.sleep(181)
    assert at.matrix.told == [(60, 5), (120, 5), (180, 5)]
    assert at.matrix.pictures == 1 + 3
    assert at.timers() == [240]


@scenario(renew_every_s=0)
async def test_who_wants_none_of_it_is_never_woken(at: Setting) -> None:
    await asyncio.sleep(3600)
    assert at.timers() == []
    assert at.matrix.told == []


@scenario(renew_every_s=60)
async def test_a_touch_is_no_reason_where_there_is_no_night(at: Setting) -> None:
    at.screen.touch()
    await asyncio.sleep(1)
    assert at.matrix.told == []


@scenario(renew_every_s=60)
async def test_closing_ends_it(at: Setting) -> None:
    at.upkeep.close()
    at.upkeep.close()
    await asyncio.sleep(3600)
    assert at.timers() == []
    assert at.matrix.told == []


# --- Night --------------------------------------------------------------------------------


@scenario(night="22:00-07:00", brightness=5, night_brightness=1)
async def test_night_comes_without_a_restart_and_so_does_the_day(at: Setting) -> None:
    await asyncio.sleep(10 * 3600)
    changes = [(0.0, 5)]
    for when, brightness in at.matrix.told:
        if brightness != changes[-1][1]:
            assert brightness is not None
            changes.append((when, brightness))
    # At 22:00:30 and at 7:00:30: the clock is looked at once a minute.
    assert changes == [(0, 5), (120, 1), (120 + 9 * 3600, 5)]


@scenario(night="22:00-07:00", brightness=5, night_brightness=1, renew_every_s=0)
async def test_the_clock_is_looked_at_even_if_the_chip_is_never_set_up_anew(at: Setting) -> None:
    await asyncio.sleep(10 * 3600)
    assert at.matrix.told == [(60, 5), (120, 1), (120 + 9 * 3600, 5)]


@scenario(night="22:00-07:00", brightness=5, night_brightness=1, renew_every_s=600)
async def test_the_chip_is_set_up_anew_no_more_often_for_the_night(at: Setting) -> None:
    await asyncio.sleep(1800)
    assert at.matrix.told == [(60, 5), (120, 1), (720, 1), (1320, 1)]


@scenario(night="22:00-07:00", brightness=5, night_brightness=1)
async def test_whoever_touches_the_table_sees_it_dimmed_at_once(at: Setting) -> None:
    await asyncio.sleep(91)
    at.screen.touch()
    at.screen.touch()
    await asyncio.sleep(1)
    assert at.matrix.told == [(60, 5), (91, 1)]


@scenario(
    now=datetime(1970, 1, 1, tzinfo=UTC), night="22:00-07:00", brightness=5, night_brightness=1
)
async def test_a_clock_that_is_set_after_the_start_is_believed_within_a_minute(
    at: Setting,
) -> None:
    """A Pi without a network clock wakes up in the middle of a night of long ago."""
    await asyncio.sleep(61)
    at.clock.move(hours=15)
    await asyncio.sleep(60)
    assert at.matrix.told == [(60, 1), (120, 5)]


@scenario(night="22:00-07:00", brightness=5, night_brightness=1)
async def test_an_hour_that_comes_twice_is_day_twice(at: Setting) -> None:
    """The clock goes back from 22:00:30, over the beginning of the night."""
    await asyncio.sleep(121)
    at.clock.move(hours=-1)
    await asyncio.sleep(60)
    assert at.matrix.told == [(60, 5), (120, 1), (180, 5)]
    await asyncio.sleep(3600)
    assert at.matrix.told[-1] == (3780, 1)


@scenario(night="22:00-07:00")
async def test_a_closed_table_does_not_look_at_the_clock_any_more(at: Setting) -> None:
    at.upkeep.close()
    at.screen.touch()
    await asyncio.sleep(3600)
    assert at.matrix.told == []


@pytest.mark.parametrize(
    ("hour", "minute", "brightness"), [(21, 59, 5), (22, 0, 1), (0, 0, 1), (6, 59, 1), (7, 0, 5)]
)
def test_the_settings_know_how_bright_it_is_when(hour: int, minute: int, brightness: int) -> None:
    config = MatrixConfig(brightness=5, night="22:00-07:00", night_brightness=1)
    now = datetime(2026, 3, 29, hour, minute, tzinfo=UTC)
    assert config.brightness_at(now) == brightness
    assert MatrixConfig(brightness=5).brightness_at(now) == 5
