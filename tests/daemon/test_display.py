"""Exact pictures at exact times, and never one more: on a virtual clock and a matrix that keeps
what it was shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from companion.daemon.display import REPAINT_S, Display
from companion.daemon.worker_thread import Done, LoopWorker
from companion.light.frame import Picture, mono, picture, still
from companion.table.scenes.scene import Mark, Meaning, Scene, Shot, led_at
from companion.table.scenes.stage_scenes import HEARD, UNSAVED, Status
from companion.table.scenes.turn_scenes import code_scene
from companion.testing.virtual_time import VirtualLoop, run

ALL = (1 << 64) - 1
ASSAM = 1 << led_at(3, 3)
STILL = Scene((Shot((Mark(Meaning.RUGS, (0,)),)),))
"""One LED, and nothing moves."""
BLINKING = Scene((Shot((Mark(Meaning.ASSAM, (led_at(3, 3),)),)),))
PATH = Scene((Shot((Mark(Meaning.PATH, (1, 2, 3)),)), Shot((Mark(Meaning.RUGS, (3,)),))))


class KeptMatrix:
    """Keeps every picture and when it came, unless it is on already; fails while unplugged."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.came: list[tuple[float, int]] = []
        self._shown: Picture | None = None
        self.renewed: list[float] = []
        self.brightness: int | None = None
        self.error: Exception | None = None

    def show(self, shown: Picture) -> None:
        self._fail()
        if shown != self._shown:
            self.came.append((round(self._loop.time(), 6), mono(shown)))
        self._shown = shown

    def renew(self, brightness: int | None = None) -> None:
        self._fail()
        self._shown = None
        self.renewed.append(self._loop.time())
        self.brightness = self.brightness if brightness is None else brightness

    def close(self) -> None:
        raise AssertionError("closed by whoever opened it")

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error


class Setting:
    def __init__(self, rest_after_s: float = 0) -> None:
        self.loop = asyncio.get_running_loop()
        assert isinstance(self.loop, VirtualLoop)
        self.matrix = KeptMatrix(self.loop)
        self.painter = LoopWorker(self.loop)
        self.screen = Display(
            self.loop, self.matrix, self.painter, status=Status(), rest_after_s=rest_after_s
        )

    @property
    def lights(self) -> list[int]:
        return [light for _, light in self.matrix.came]

    def timers(self) -> list[float]:
        """When the loop wakes next by the screen's will."""
        handles: list[asyncio.TimerHandle] = self.loop._scheduled  # type: ignore[attr-defined]
        return sorted(handle.when() for handle in handles if not handle.cancelled())


def scenario(
    rest_after_s: float = 0,
) -> Callable[[Callable[[Setting], Coroutine[Any, Any, None]]], Callable[[], None]]:
    """A test that runs on a virtual loop."""

    def wrap(told: Callable[[Setting], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        async def main() -> None:
            await told(Setting(rest_after_s))

        def test() -> None:
            run(main())

        test.__name__, test.__doc__ = told.__name__, told.__doc__
        return test

    return wrap


# --- Frames over time ---------------------------------------------------------------------


@scenario()
async def test_a_scene_is_painted_when_it_changes_and_not_otherwise(at: Setting) -> None:
    at.screen.show(BLINKING)
    await asyncio.sleep(4.1)
    times = [0, 0.15, 0.3, 0.45, 2, 2.15, 2.3, 2.45, 4]
    lights = [ASSAM, 0, ASSAM, 0, ASSAM, 0, ASSAM, 0, ASSAM]
    assert at.matrix.came == list(zip(times, lights, strict=True))
    assert at.timers() == [4.15]


@scenario()
async def test_shots_follow_one_another_and_the_last_stays_without_a_timer(at: Setting) -> None:
    at.screen.show(PATH)
    await asyncio.sleep(60)
    assert at.matrix.came == [(0, 0b10), (0.25, 0b110), (0.5, 0b1110), (1.35, 0b1000)]
    assert at.timers() == []


@scenario()
async def test_a_scene_that_is_on_already_goes_on_as_it_is(at: Setting) -> None:
    at.screen.show(PATH)
    await asyncio.sleep(0.3)
    at.screen.show(PATH)
    await asyncio.sleep(60)
    assert [when for when, _ in at.matrix.came] == [0, 0.25, 0.5, 1.35]


@scenario()
async def test_marks_are_painted_at_once_and_the_scene_goes_on(at: Setting) -> None:
    at.screen.show(PATH)
    await asyncio.sleep(0.1)
    at.screen.mark(Status(is_heard=True))
    at.screen.mark(Status(is_heard=True))
    await asyncio.sleep(0.2)
    heard = 1 << HEARD
    assert at.matrix.came == [(0, 0b10), (0.1, 0b10 | heard), (0.25, 0b110 | heard)]


@scenario()
async def test_the_unsaved_mark_blinks_over_a_scene_that_does_not_move(at: Setting) -> None:
    at.screen.show(STILL, Status(is_unsaved=True))
    await asyncio.sleep(0.6)
    assert at.matrix.came == [(0, 1 | 1 << UNSAVED), (0.25, 1), (0.5, 1 | 1 << UNSAVED)]


@scenario()
async def test_a_scene_and_its_marks_come_in_one_picture(at: Setting) -> None:
    at.screen.show(STILL, Status(is_heard=True))
    await asyncio.sleep(0.1)
    at.screen.show(PATH, Status())
    await asyncio.sleep(0.1)
    assert at.lights == [1 | 1 << HEARD, 0b10]


@scenario()
async def test_a_slow_bus_skips_what_is_over(at: Setting) -> None:
    """Each transfer takes 200 ms: what comes is the newest, and nothing lags behind."""
    at.painter.takes_ms = 200
    at.screen.show(PATH)
    await asyncio.sleep(0.9)
    assert at.matrix.came[-1] == (0.7, 0b1110)


# --- Refusals -----------------------------------------------------------------------------


@scenario()
async def test_a_refusal_inverts_the_frame_twice(at: Setting) -> None:
    at.screen.show(STILL)
    await asyncio.sleep(1)
    at.screen.refuse()
    await asyncio.sleep(2)
    assert at.matrix.came == [(0, 1), (1, ALL ^ 1), (1.08, 1), (1.16, ALL ^ 1), (1.24, 1)]
    assert at.timers() == []


@scenario()
async def test_a_second_refusal_begins_anew(at: Setting) -> None:
    at.screen.show(STILL)
    at.screen.refuse()
    await asyncio.sleep(0.1)
    at.screen.refuse()
    await asyncio.sleep(2)
    assert [round(when, 3) for when, _ in at.matrix.came] == [0, 0.08, 0.1, 0.18, 0.26, 0.34]
    assert at.lights[-1] == 1


@scenario()
async def test_what_is_done_ends_the_refusal_before_it(at: Setting) -> None:
    at.screen.show(STILL)
    at.screen.refuse()
    await asyncio.sleep(0.01)
    at.screen.show(BLINKING)
    await asyncio.sleep(0.1)
    assert at.lights == [ALL ^ 1, ASSAM]


@scenario()
async def test_a_refusal_that_is_the_later_answer_flashes_on(at: Setting) -> None:
    at.screen.show(STILL)
    at.screen.refuse()
    await asyncio.sleep(0.01)
    at.screen.show(PATH, is_refused=True)
    await asyncio.sleep(0.1)
    assert at.lights == [ALL ^ 1, ALL ^ 0b10, 0b10]


# --- Rest ---------------------------------------------------------------------------------


@scenario(rest_after_s=10)
async def test_a_table_that_nobody_touches_comes_to_rest(at: Setting) -> None:
    at.screen.show(BLINKING)
    await asyncio.sleep(9.9)
    painted = len(at.matrix.came)
    assert at.matrix.came[-1] == (8.45, 0)
    await asyncio.sleep(3600)
    assert at.matrix.came[painted:] == [(10, mono(still(BLINKING)))]
    assert at.timers() == []


@scenario(rest_after_s=10)
async def test_touching_wakes_it_in_the_middle_of_its_scene(at: Setting) -> None:
    at.screen.show(BLINKING)
    await asyncio.sleep(20.2)
    painted = len(at.matrix.came)
    at.screen.touch()
    await asyncio.sleep(0.5)
    assert at.matrix.came[painted:] == [(20.2, 0), (20.3, ASSAM), (20.45, 0)]
    await asyncio.sleep(20)
    assert at.matrix.came[-1] == (30.2, ASSAM)
    assert at.timers() == []


@scenario(rest_after_s=10)
async def test_touching_in_time_puts_the_rest_off(at: Setting) -> None:
    at.screen.show(STILL)
    await asyncio.sleep(9)
    at.screen.touch()
    await asyncio.sleep(2)
    assert at.timers() == [19]
    await asyncio.sleep(9)
    assert at.timers() == []
    assert at.lights == [1]


@scenario(rest_after_s=10)
async def test_a_scene_that_begins_during_the_rest_moves_at_once(at: Setting) -> None:
    at.screen.show(STILL)
    await asyncio.sleep(20)
    at.screen.show(PATH)
    await asyncio.sleep(0.3)
    assert at.matrix.came[1:] == [(20, 0b10), (20.25, 0b110)]


@scenario(rest_after_s=10)
async def test_marks_change_during_the_rest_and_it_rests_on(at: Setting) -> None:
    at.screen.show(BLINKING)
    await asyncio.sleep(20)
    at.screen.mark(Status(is_unsaved=True))
    await asyncio.sleep(20)
    assert at.matrix.came[-1] == (20.0, ASSAM | 1 << UNSAVED)
    assert at.timers() == []


# --- Older and newer ----------------------------------------------------------------------


@scenario()
async def test_a_frame_of_an_older_scene_never_covers_what_the_scribe_has_shown(
    at: Setting,
) -> None:
    """The painter was given a frame before, and comes to it only after."""
    at.screen.show(BLINKING)
    await asyncio.sleep(0.1)
    at.painter.takes_ms = 100
    await asyncio.sleep(0.1)  # at 150 ms a frame is submitted, to be sent at 250
    at.screen.show_first(picture(PATH, 0))
    await asyncio.sleep(0.1)
    assert at.matrix.came == [(0, ASSAM), (0.2, 0b10)]


@scenario()
async def test_nor_does_a_frame_that_is_drawn_before_the_loop_knows(at: Setting) -> None:
    """Between `show_first` and `show` the old scene may still change."""
    at.screen.show(BLINKING)
    await asyncio.sleep(0.1)
    at.screen.show_first(picture(PATH, 0))
    await asyncio.sleep(0.1)
    at.screen.show(PATH)
    await asyncio.sleep(0.1)
    assert at.lights == [ASSAM, 0b10]
    await asyncio.sleep(0.2)
    assert at.matrix.came[-1] == (0.45, 0b110)


@scenario()
async def test_what_the_scribe_has_shown_is_corrected_if_it_was_not_quite_so(at: Setting) -> None:
    """A button was let go meanwhile: the mark is off, and the picture is what it was before."""
    at.screen.show(STILL)
    await asyncio.sleep(0.1)
    at.screen.show_first(at.screen.first_picture(STILL, Status(is_heard=True)))
    at.screen.show(STILL, Status())
    await asyncio.sleep(0.1)
    assert at.lights == [1, 1 | 1 << HEARD, 1]


# --- Set up again -------------------------------------------------------------------------


@scenario()
async def test_the_chip_is_set_up_again_with_the_picture_that_is_on(at: Setting) -> None:
    at.screen.show(PATH)
    await asyncio.sleep(0.3)
    at.screen.renew(2)
    await asyncio.sleep(0.1)
    assert at.matrix.came == [(0, 0b10), (0.25, 0b110), (0.3, 0b110)]
    assert (at.matrix.renewed, at.matrix.brightness) == ([0.3], 2)


@scenario()
async def test_what_the_scribe_has_shown_stays_when_the_chip_is_set_up_again(at: Setting) -> None:
    """The loop does not know of it yet, and the picture before it would be a step back."""
    at.screen.show(STILL)
    await asyncio.sleep(0.1)
    at.screen.show_first(picture(PATH, 0))
    at.screen.renew(2)
    await asyncio.sleep(0.1)
    assert at.lights == [1, 0b10, 0b10]


@scenario()
async def test_a_chip_that_is_away_is_set_up_as_bright_as_it_should_be_when_it_is_back(
    at: Setting,
) -> None:
    at.screen.show(STILL)
    await asyncio.sleep(0.1)
    at.matrix.error = OSError(5, "Input/output error")
    at.screen.renew(2)
    await asyncio.sleep(0.1)
    assert at.screen.trouble is at.matrix.error
    at.screen.renew(1)
    at.matrix.error = None
    await asyncio.sleep(REPAINT_S)
    assert (at.matrix.renewed, at.matrix.brightness) == ([1.1], 1)
    assert at.lights == [1, 1]


@scenario()
async def test_a_chip_that_shows_nothing_yet_is_set_up_with_its_first_picture(at: Setting) -> None:
    at.screen.renew(2)
    await asyncio.sleep(0.1)
    assert at.matrix.renewed == []
    at.screen.show(STILL)
    await asyncio.sleep(0.1)
    assert (at.matrix.renewed, at.matrix.brightness) == ([0.1], 2)
    assert at.lights == [1]


@scenario()
async def test_setting_up_again_is_no_reason_to_wake_from_the_rest(at: Setting) -> None:
    at.screen.show(STILL)
    await asyncio.sleep(1)
    at.screen.renew(2)
    await asyncio.sleep(1)
    assert at.timers() == []


# --- Trouble ------------------------------------------------------------------------------


@scenario()
async def test_an_unplugged_matrix_is_tried_each_second_and_renewed_when_it_is_back(
    at: Setting,
) -> None:
    told: list[str] = []
    at.screen.when_troubled = lambda: told.append(str(at.screen.trouble))
    at.screen.show(PATH)
    await asyncio.sleep(0.1)
    at.matrix.error = OSError(5, "Input/output error")
    await asyncio.sleep(3.5)
    assert at.timers() == [0.25 + 4 * REPAINT_S]
    assert at.matrix.came == [(0, 0b10)]
    assert told == ["[Errno 5] Input/output error"]
    at.matrix.error = None
    await asyncio.sleep(5)
    assert at.matrix.renewed == [4.25]
    assert at.matrix.came[1] == (4.25, 0b1000)
    assert at.screen.trouble is None
    assert told == ["[Errno 5] Input/output error", "None"]
    assert at.timers() == []


@scenario()
async def test_a_scene_goes_on_while_the_matrix_is_away(at: Setting) -> None:
    at.screen.show(STILL)
    await asyncio.sleep(0.1)
    at.matrix.error = OSError(5, "Input/output error")
    at.screen.show(PATH)
    await asyncio.sleep(0.5)
    at.screen.show(BLINKING)
    await asyncio.sleep(0.55)
    at.matrix.error = None
    await asyncio.sleep(1.1)
    assert at.matrix.came[1:] == [(2.1, 0)]
    assert at.screen.trouble is None


class LateWorker(LoopWorker):
    """The loop hears of a job only 100 ms after it was done."""

    def submit(self, job: Callable[[], None], done: Done) -> None:
        def told(trouble: Exception | None) -> None:
            self._loop.call_later(0.1, done, trouble)

        super().submit(job, told)


@scenario()
async def test_what_changes_before_the_loop_knows_that_it_is_mended_is_shown(at: Setting) -> None:
    at.painter = LateWorker(at.loop)
    at.screen = Display(at.loop, at.matrix, at.painter, status=Status())
    at.matrix.error = OSError(5, "Input/output error")
    at.screen.show(STILL)
    await asyncio.sleep(0.5)
    at.matrix.error = None
    await asyncio.sleep(0.65)  # it was tried again at 1.1, and the loop will know at 1.2
    at.screen.show(PATH)
    await asyncio.sleep(0.1)
    assert at.matrix.came == [(1.1, 1), (1.2, 0b10)]


@scenario()
async def test_a_matrix_that_fails_under_the_scribe_is_found_out_by_the_painter(
    at: Setting,
) -> None:
    at.screen.show(STILL)
    await asyncio.sleep(0.1)
    at.matrix.error = OSError(5, "Input/output error")
    at.screen.show_first(picture(PATH, 0))
    at.screen.show(PATH)
    await asyncio.sleep(0.1)
    assert at.screen.trouble is at.matrix.error
    at.matrix.error = None
    await asyncio.sleep(REPAINT_S)
    assert at.matrix.renewed == [1.1]
    assert at.matrix.came[-1] == (1.1, 0b1110)


@scenario()
async def test_whatever_the_matrix_raises_is_trouble_and_not_the_end(at: Setting) -> None:
    at.matrix.error = ValueError("no frame")
    at.screen.show(STILL)
    await asyncio.sleep(0.1)
    assert at.screen.trouble is at.matrix.error
    at.matrix.error = None
    await asyncio.sleep(1)
    assert at.matrix.came == [(1, 1)]


@scenario()
async def test_a_closed_screen_shows_nothing_more_and_wakes_no_more(at: Setting) -> None:
    at.screen.show(BLINKING)
    await asyncio.sleep(0.1)
    at.screen.close()
    at.screen.close()
    at.screen.show(PATH)
    at.screen.mark(Status(is_heard=True))
    at.screen.refuse()
    at.screen.show_first(picture(PATH, 0))
    at.screen.renew(2)
    await asyncio.sleep(10)
    assert at.matrix.came == [(0, ASSAM)]
    assert at.matrix.renewed == []
    assert at.timers() == []


@scenario()
async def test_closing_ends_the_trying_as_well(at: Setting) -> None:
    at.matrix.error = OSError(5, "Input/output error")
    at.screen.show(STILL)
    await asyncio.sleep(0.1)
    at.screen.close()
    at.matrix.error = None
    await asyncio.sleep(10)
    assert at.matrix.came == []


# --- The code for phones ------------------------------------------------------------------


@scenario(rest_after_s=1)
async def test_a_code_never_rests_and_the_scene_after_it_does(at: Setting) -> None:
    """At rest it would be two digits of four, or none."""
    at.screen.show(code_scene("0417"))
    await asyncio.sleep(12.5)
    times = [time for time, _ in at.matrix.came]
    assert times == [0, 2, 4, 5, 7, 9, 10, 12]
    at.screen.show(BLINKING)
    await asyncio.sleep(5)
    assert at.timers() == []
    assert at.lights[-1] == ASSAM
