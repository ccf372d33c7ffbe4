"""The display: exact frames at exact times, on virtual time and a matrix that records frames."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from companion.daemon.display import REPAINT_S, Display
from companion.daemon.worker_thread import Done, LoopWorker
from companion.light.frame import LedFrame, lit_bits, render_frame, still_frame
from companion.table.scenes.scene import Mark, Meaning, Scene, Shot, led_at
from companion.table.scenes.stage_scenes import PENDING, UNSAVED, RailStatus
from companion.table.scenes.turn_scenes import code_scene
from companion.testing.virtual_time import VirtualLoop, run

ALL = (1 << 64) - 1
ASSAM = 1 << led_at(3, 3)
STILL = Scene((Shot((Mark(Meaning.RUGS, (0,)),)),))
"""One LED, and nothing moves."""
BLINKING = Scene((Shot((Mark(Meaning.ASSAM, (led_at(3, 3),)),)),))
PATH = Scene((Shot((Mark(Meaning.PATH, (1, 2, 3)),)), Shot((Mark(Meaning.RUGS, (3,)),))))


class RecordingMatrix:
    """Records every new frame with its time. Fails while `error` is set."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.frames: list[tuple[float, int]] = []
        self._shown: LedFrame | None = None
        self.reinitialized_at: list[float] = []
        self.brightness: int | None = None
        self.error: Exception | None = None

    def show(self, shown: LedFrame) -> None:
        self._fail()
        if shown != self._shown:
            self.frames.append((round(self._loop.time(), 6), lit_bits(shown)))
        self._shown = shown

    def reinitialize(self, brightness: int | None = None) -> None:
        self._fail()
        self._shown = None
        self.reinitialized_at.append(self._loop.time())
        self.brightness = self.brightness if brightness is None else brightness

    def close(self) -> None:
        raise AssertionError("the owner of the matrix closes it")

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error


class Harness:
    def __init__(self, rest_after_s: float = 0) -> None:
        self.loop = asyncio.get_running_loop()
        assert isinstance(self.loop, VirtualLoop)
        self.matrix = RecordingMatrix(self.loop)
        self.painter = LoopWorker(self.loop)
        self.display = Display(
            self.loop, self.matrix, self.painter, status=RailStatus(), rest_after_s=rest_after_s
        )

    @property
    def leds(self) -> list[int]:
        return [frame for _, frame in self.matrix.frames]

    def timers(self) -> list[float]:
        """When the loop wakes next."""
        handles: list[asyncio.TimerHandle] = self.loop._scheduled  # type: ignore[attr-defined]
        return sorted(handle.when() for handle in handles if not handle.cancelled())


def scenario(
    rest_after_s: float = 0,
) -> Callable[[Callable[[Harness], Coroutine[Any, Any, None]]], Callable[[], None]]:
    """Make a test that runs on a virtual loop."""

    def wrap(check: Callable[[Harness], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        async def main() -> None:
            await check(Harness(rest_after_s))

        def test() -> None:
            run(main())

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return wrap


# --- Frames over time ---------------------------------------------------------------------


@scenario()
async def test_frames_are_sent_only_when_they_change(harness: Harness) -> None:
    harness.display.show(BLINKING)
    await asyncio.sleep(4.1)
    times = [0, 0.15, 0.3, 0.45, 2, 2.15, 2.3, 2.45, 4]
    leds = [ASSAM, 0, ASSAM, 0, ASSAM, 0, ASSAM, 0, ASSAM]
    assert harness.matrix.frames == list(zip(times, leds, strict=True))
    assert harness.timers() == [4.15]


@scenario()
async def test_shots_follow_each_other_and_the_last_one_stays_without_a_timer(
    harness: Harness,
) -> None:
    harness.display.show(PATH)
    await asyncio.sleep(60)
    assert harness.matrix.frames == [(0, 0b10), (0.25, 0b110), (0.5, 0b1110), (1.35, 0b1000)]
    assert harness.timers() == []


@scenario()
async def test_a_scene_that_is_shown_again_continues(harness: Harness) -> None:
    harness.display.show(PATH)
    await asyncio.sleep(0.3)
    harness.display.show(PATH)
    await asyncio.sleep(60)
    assert [when for when, _ in harness.matrix.frames] == [0, 0.25, 0.5, 1.35]


@scenario()
async def test_marks_are_shown_at_once_and_the_scene_continues(harness: Harness) -> None:
    harness.display.show(PATH)
    await asyncio.sleep(0.1)
    harness.display.mark(RailStatus(is_pending=True))
    harness.display.mark(RailStatus(is_pending=True))
    await asyncio.sleep(0.2)
    pending = 1 << PENDING
    assert harness.matrix.frames == [(0, 0b10), (0.1, 0b10 | pending), (0.25, 0b110 | pending)]


@scenario()
async def test_the_unsaved_mark_blinks_over_a_still_scene(harness: Harness) -> None:
    harness.display.show(STILL, RailStatus(is_unsaved=True))
    await asyncio.sleep(0.6)
    assert harness.matrix.frames == [(0, 1 | 1 << UNSAVED), (0.25, 1), (0.5, 1 | 1 << UNSAVED)]


@scenario()
async def test_a_scene_and_its_marks_are_sent_in_one_frame(harness: Harness) -> None:
    harness.display.show(STILL, RailStatus(is_pending=True))
    await asyncio.sleep(0.1)
    harness.display.show(PATH, RailStatus())
    await asyncio.sleep(0.1)
    assert harness.leds == [1 | 1 << PENDING, 0b10]


@scenario()
async def test_a_slow_bus_skips_outdated_frames(harness: Harness) -> None:
    """Each transfer takes 200 ms and sends the newest frame."""
    harness.painter.takes_ms = 200
    harness.display.show(PATH)
    await asyncio.sleep(0.9)
    assert harness.matrix.frames[-1] == (0.7, 0b1110)


# --- Refusals -----------------------------------------------------------------------------


@scenario()
async def test_a_refusal_inverts_the_frame_twice(harness: Harness) -> None:
    harness.display.show(STILL)
    await asyncio.sleep(1)
    harness.display.refuse()
    await asyncio.sleep(2)
    assert harness.matrix.frames == [(0, 1), (1, ALL ^ 1), (1.08, 1), (1.16, ALL ^ 1), (1.24, 1)]
    assert harness.timers() == []


@scenario()
async def test_a_second_refusal_restarts_the_flash(harness: Harness) -> None:
    harness.display.show(STILL)
    harness.display.refuse()
    await asyncio.sleep(0.1)
    harness.display.refuse()
    await asyncio.sleep(2)
    assert [round(when, 3) for when, _ in harness.matrix.frames] == [0, 0.08, 0.1, 0.18, 0.26, 0.34]
    assert harness.leds[-1] == 1


@scenario()
async def test_a_new_scene_ends_an_older_refusal(harness: Harness) -> None:
    harness.display.show(STILL)
    harness.display.refuse()
    await asyncio.sleep(0.01)
    harness.display.show(BLINKING)
    await asyncio.sleep(0.1)
    assert harness.leds == [ALL ^ 1, ASSAM]


@scenario()
async def test_a_newer_refusal_continues_over_a_new_scene(harness: Harness) -> None:
    harness.display.show(STILL)
    harness.display.refuse()
    await asyncio.sleep(0.01)
    harness.display.show(PATH, is_refused=True)
    await asyncio.sleep(0.1)
    assert harness.leds == [ALL ^ 1, ALL ^ 0b10, 0b10]


# --- Rest ---------------------------------------------------------------------------------


@scenario(rest_after_s=10)
async def test_the_display_rests_when_nobody_touches_the_table(harness: Harness) -> None:
    harness.display.show(BLINKING)
    await asyncio.sleep(9.9)
    sent_before = len(harness.matrix.frames)
    assert harness.matrix.frames[-1] == (8.45, 0)
    await asyncio.sleep(3600)
    assert harness.matrix.frames[sent_before:] == [(10, lit_bits(still_frame(BLINKING)))]
    assert harness.timers() == []


@scenario(rest_after_s=10)
async def test_a_touch_wakes_it_in_the_middle_of_its_scene(harness: Harness) -> None:
    harness.display.show(BLINKING)
    await asyncio.sleep(20.2)
    sent_before = len(harness.matrix.frames)
    harness.display.touch()
    await asyncio.sleep(0.5)
    assert harness.matrix.frames[sent_before:] == [(20.2, 0), (20.3, ASSAM), (20.45, 0)]
    await asyncio.sleep(20)
    assert harness.matrix.frames[-1] == (30.2, ASSAM)
    assert harness.timers() == []


@scenario(rest_after_s=10)
async def test_a_touch_delays_the_rest(harness: Harness) -> None:
    harness.display.show(STILL)
    await asyncio.sleep(9)
    harness.display.touch()
    await asyncio.sleep(2)
    assert harness.timers() == [19]
    await asyncio.sleep(9)
    assert harness.timers() == []
    assert harness.leds == [1]


@scenario(rest_after_s=10)
async def test_a_scene_that_starts_during_the_rest_moves_at_once(harness: Harness) -> None:
    harness.display.show(STILL)
    await asyncio.sleep(20)
    harness.display.show(PATH)
    await asyncio.sleep(0.3)
    assert harness.matrix.frames[1:] == [(20, 0b10), (20.25, 0b110)]


@scenario(rest_after_s=10)
async def test_marks_change_during_the_rest_without_ending_it(harness: Harness) -> None:
    harness.display.show(BLINKING)
    await asyncio.sleep(20)
    harness.display.mark(RailStatus(is_unsaved=True))
    await asyncio.sleep(20)
    assert harness.matrix.frames[-1] == (20.0, ASSAM | 1 << UNSAVED)
    assert harness.timers() == []


# --- The writer's first frame -------------------------------------------------------------


@scenario()
async def test_a_frame_of_an_older_scene_never_replaces_the_writers_frame(
    harness: Harness,
) -> None:
    """The painter got an older frame before, and would send it after."""
    harness.display.show(BLINKING)
    await asyncio.sleep(0.1)
    harness.painter.takes_ms = 100
    await asyncio.sleep(0.1)  # at 150 ms a frame is submitted, to be sent at 250
    harness.display.show_first(render_frame(PATH, 0))
    await asyncio.sleep(0.1)
    assert harness.matrix.frames == [(0, ASSAM), (0.2, 0b10)]


@scenario()
async def test_a_frame_drawn_before_show_does_not_replace_the_writers_frame(
    harness: Harness,
) -> None:
    """Between `show_first` and `show` the old scene may still change."""
    harness.display.show(BLINKING)
    await asyncio.sleep(0.1)
    harness.display.show_first(render_frame(PATH, 0))
    await asyncio.sleep(0.1)
    harness.display.show(PATH)
    await asyncio.sleep(0.1)
    assert harness.leds == [ASSAM, 0b10]
    await asyncio.sleep(0.2)
    assert harness.matrix.frames[-1] == (0.45, 0b110)


@scenario()
async def test_the_writers_frame_is_corrected_if_the_marks_have_changed(harness: Harness) -> None:
    """A button was released meanwhile: the mark is off, and the frame is the one before."""
    harness.display.show(STILL)
    await asyncio.sleep(0.1)
    harness.display.show_first(harness.display.first_frame(STILL, RailStatus(is_pending=True)))
    harness.display.show(STILL, RailStatus())
    await asyncio.sleep(0.1)
    assert harness.leds == [1, 1 | 1 << PENDING, 1]


# --- Initialising the chip again ----------------------------------------------------------


@scenario()
async def test_the_chip_is_initialised_again_with_the_current_frame(harness: Harness) -> None:
    harness.display.show(PATH)
    await asyncio.sleep(0.3)
    harness.display.reinitialize(2)
    await asyncio.sleep(0.1)
    assert harness.matrix.frames == [(0, 0b10), (0.25, 0b110), (0.3, 0b110)]
    assert (harness.matrix.reinitialized_at, harness.matrix.brightness) == ([0.3], 2)


@scenario()
async def test_the_writers_frame_stays_when_the_chip_is_initialised_again(harness: Harness) -> None:
    """The loop does not know that frame yet; the frame before would be outdated."""
    harness.display.show(STILL)
    await asyncio.sleep(0.1)
    harness.display.show_first(render_frame(PATH, 0))
    harness.display.reinitialize(2)
    await asyncio.sleep(0.1)
    assert harness.leds == [1, 0b10, 0b10]


@scenario()
async def test_an_unplugged_chip_gets_the_newest_brightness_when_it_is_back(
    harness: Harness,
) -> None:
    harness.display.show(STILL)
    await asyncio.sleep(0.1)
    harness.matrix.error = OSError(5, "Input/output error")
    harness.display.reinitialize(2)
    await asyncio.sleep(0.1)
    assert harness.display.trouble is harness.matrix.error
    harness.display.reinitialize(1)
    harness.matrix.error = None
    await asyncio.sleep(REPAINT_S)
    assert (harness.matrix.reinitialized_at, harness.matrix.brightness) == ([1.1], 1)
    assert harness.leds == [1, 1]


@scenario()
async def test_a_chip_without_a_frame_is_initialised_with_its_first_frame(harness: Harness) -> None:
    harness.display.reinitialize(2)
    await asyncio.sleep(0.1)
    assert harness.matrix.reinitialized_at == []
    harness.display.show(STILL)
    await asyncio.sleep(0.1)
    assert (harness.matrix.reinitialized_at, harness.matrix.brightness) == ([0.1], 2)
    assert harness.leds == [1]


@scenario()
async def test_initialising_the_chip_does_not_end_the_rest(harness: Harness) -> None:
    harness.display.show(STILL)
    await asyncio.sleep(1)
    harness.display.reinitialize(2)
    await asyncio.sleep(1)
    assert harness.timers() == []


# --- Trouble ------------------------------------------------------------------------------


@scenario()
async def test_an_unplugged_matrix_is_retried_every_second_and_initialised_when_it_is_back(
    harness: Harness,
) -> None:
    troubles: list[str] = []
    harness.display.on_trouble = lambda: troubles.append(str(harness.display.trouble))
    harness.display.show(PATH)
    await asyncio.sleep(0.1)
    harness.matrix.error = OSError(5, "Input/output error")
    await asyncio.sleep(3.5)
    assert harness.timers() == [0.25 + 4 * REPAINT_S]
    assert harness.matrix.frames == [(0, 0b10)]
    assert troubles == ["[Errno 5] Input/output error"]
    harness.matrix.error = None
    await asyncio.sleep(5)
    assert harness.matrix.reinitialized_at == [4.25]
    assert harness.matrix.frames[1] == (4.25, 0b1000)
    assert harness.display.trouble is None
    assert troubles == ["[Errno 5] Input/output error", "None"]
    assert harness.timers() == []


@scenario()
async def test_a_scene_continues_while_the_matrix_is_unplugged(harness: Harness) -> None:
    harness.display.show(STILL)
    await asyncio.sleep(0.1)
    harness.matrix.error = OSError(5, "Input/output error")
    harness.display.show(PATH)
    await asyncio.sleep(0.5)
    harness.display.show(BLINKING)
    await asyncio.sleep(0.55)
    harness.matrix.error = None
    await asyncio.sleep(1.1)
    assert harness.matrix.frames[1:] == [(2.1, 0)]
    assert harness.display.trouble is None


class LateWorker(LoopWorker):
    """Calls `done` 100 ms after the job."""

    def submit(self, job: Callable[[], None], done: Done) -> None:
        def done_later(trouble: Exception | None) -> None:
            self._loop.call_later(0.1, done, trouble)

        super().submit(job, done_later)


@scenario()
async def test_changes_before_the_loop_knows_of_the_recovery_are_shown(harness: Harness) -> None:
    harness.painter = LateWorker(harness.loop)
    harness.display = Display(harness.loop, harness.matrix, harness.painter, status=RailStatus())
    harness.matrix.error = OSError(5, "Input/output error")
    harness.display.show(STILL)
    await asyncio.sleep(0.5)
    harness.matrix.error = None
    await asyncio.sleep(0.65)  # the retry was at 1.1, and the loop knows at 1.2
    harness.display.show(PATH)
    await asyncio.sleep(0.1)
    assert harness.matrix.frames == [(1.1, 1), (1.2, 0b10)]


@scenario()
async def test_a_failure_in_the_writers_frame_is_reported_by_the_painter(
    harness: Harness,
) -> None:
    harness.display.show(STILL)
    await asyncio.sleep(0.1)
    harness.matrix.error = OSError(5, "Input/output error")
    harness.display.show_first(render_frame(PATH, 0))
    harness.display.show(PATH)
    await asyncio.sleep(0.1)
    assert harness.display.trouble is harness.matrix.error
    harness.matrix.error = None
    await asyncio.sleep(REPAINT_S)
    assert harness.matrix.reinitialized_at == [1.1]
    assert harness.matrix.frames[-1] == (1.1, 0b1110)


@scenario()
async def test_any_exception_of_the_matrix_is_reported_and_retried(harness: Harness) -> None:
    harness.matrix.error = ValueError("no frame")
    harness.display.show(STILL)
    await asyncio.sleep(0.1)
    assert harness.display.trouble is harness.matrix.error
    harness.matrix.error = None
    await asyncio.sleep(1)
    assert harness.matrix.frames == [(1, 1)]


@scenario()
async def test_a_closed_display_sends_nothing_and_has_no_timers(harness: Harness) -> None:
    harness.display.show(BLINKING)
    await asyncio.sleep(0.1)
    harness.display.close()
    harness.display.close()
    harness.display.show(PATH)
    harness.display.mark(RailStatus(is_pending=True))
    harness.display.refuse()
    harness.display.show_first(render_frame(PATH, 0))
    harness.display.reinitialize(2)
    await asyncio.sleep(10)
    assert harness.matrix.frames == [(0, ASSAM)]
    assert harness.matrix.reinitialized_at == []
    assert harness.timers() == []


@scenario()
async def test_closing_stops_the_retries(harness: Harness) -> None:
    harness.matrix.error = OSError(5, "Input/output error")
    harness.display.show(STILL)
    await asyncio.sleep(0.1)
    harness.display.close()
    harness.matrix.error = None
    await asyncio.sleep(10)
    assert harness.matrix.frames == []


# --- The pairing code ---------------------------------------------------------------------


@scenario(rest_after_s=1)
async def test_the_pairing_code_never_rests_but_the_scene_after_it_does(harness: Harness) -> None:
    """A still frame would show two of the four digits, or none."""
    harness.display.show(code_scene("0417"))
    await asyncio.sleep(12.5)
    times = [time for time, _ in harness.matrix.frames]
    assert times == [0, 2, 4, 5, 7, 9, 10, 12]
    harness.display.show(BLINKING)
    await asyncio.sleep(5)
    assert harness.timers() == []
    assert harness.leds[-1] == ASSAM
