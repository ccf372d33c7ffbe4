"""Shows scenes on the matrix over time, with the marks of the rail, refusals and rest.

It wakes only when the frame changes. Writing to the bus blocks, so workers do it: the painter, and
the journal's writer for the frame that confirms what it has just written, because a detour over the
loop would cost time.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from companion.adapters.matrix import Matrix
from companion.daemon.worker_thread import Worker
from companion.light.frame import (
    REFUSAL_MS,
    LedFrame,
    Timeline,
    has_still_frame,
    render_frame,
    still_frame,
)
from companion.table.scenes.scene import Scene
from companion.table.scenes.stage_scenes import RailStatus, with_status

if TYPE_CHECKING:
    import asyncio

REPAINT_S = 1.0
"""How soon to retry when the matrix cannot be written to."""
_REFUSAL_OVER_MS = 4 * REFUSAL_MS


class Display:
    """Shows scenes on a matrix."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        matrix: Matrix,
        painter: Worker,
        *,
        status: RailStatus,
        rest_after_s: float = 0,
    ) -> None:
        self._loop = loop
        self._matrix = matrix
        self._painter = painter
        self._rest_after_s = rest_after_s
        self._scene: Scene | None = None
        self.status = status
        self.shown: LedFrame | None = None
        """The frame that was last handed to the matrix."""
        self.trouble: Exception | None = None
        """Why the matrix cannot be written to; None when it works."""
        self.on_trouble: Callable[[], None] = lambda: None
        """Called on the loop when `trouble` changes."""
        self.on_touch: Callable[[], None] = lambda: None
        """Called on the loop at every input."""
        self._bus = Lock()
        """Held by a worker during a transfer, which may take long; never by the loop."""
        self._lock = Lock()
        self._age = self._scene_age = 0
        """Counts scenes, so that a frame of an older scene never replaces one of a newer scene.
        `_age` is ahead of `_scene_age` between `show_first` and `show`."""
        self._on: LedFrame | None = None
        """The frame that the matrix shows, from either worker."""
        self._brightness: int | None = None
        """As last set; None is the brightness that the matrix was opened with."""
        self._needs_init = False
        """Whether the chip must be initialised again, because a transfer failed."""
        self._began = self._refused = self._touched = 0.0
        self._is_refusing = self._is_resting = False
        self._timer: asyncio.TimerHandle | None = None
        self._retry_timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    # --- Showing ----------------------------------------------------------------------

    def show(
        self, scene: Scene, status: RailStatus | None = None, *, is_refused: bool = False
    ) -> None:
        """Start a scene, with the marks of the rail. A scene that is shown already continues.

        A refusal that is still flashing ends, unless it is newer (`is_refused`).
        """
        if self._is_closed:
            return
        self._touched = self._loop.time()
        self._is_refusing = self._is_refusing and is_refused
        self.status = self.status if status is None else status
        with self._lock:
            if self._age != self._scene_age:
                self.shown = None  # `show_first` has replaced whatever was shown
            if scene != self._scene:
                self._scene, self._began = scene, self._touched
                self._age += 1
                self.shown = None  # a frame of the scene before may be on its way: drop it
            self._scene_age = self._age
        self._draw()

    def first_frame(self, scene: Scene, status: RailStatus) -> LedFrame:
        """The first frame of a scene, for `show_first`."""
        return render_frame(with_status(scene, status), 0)

    def show_first(self, shown: LedFrame) -> None:
        """In any worker: show the first frame of a scene for which `show` is about to be called."""
        with self._bus:
            with self._lock:
                self._age += 1
            if not (self._needs_init or self._is_closed):
                with suppress(Exception):  # the painter will fail as well, and report it
                    self._write(shown)

    def mark(self, status: RailStatus) -> None:
        """Set the marks of the rail; the scene continues."""
        if status != self.status:
            self.status = status
            self._draw()

    def refuse(self) -> None:
        """Show a refusal: the whole frame inverts twice."""
        self._refused, self._is_refusing = self._loop.time(), True
        self._touched = self._refused
        self._draw()

    def touch(self) -> None:
        """Restart the time until the matrix rests."""
        self._touched = self._loop.time()
        if self._is_resting:
            self._draw()
        self.on_touch()

    def reinitialize(self, brightness: int) -> None:
        """Initialise the chip again, with this brightness, and send the current frame."""
        self._brightness = brightness
        if self.trouble is None and not self._is_closed:  # otherwise the next retry does it
            self._painter.submit(self._reinitialise, self._sent)

    def close(self) -> None:
        """Stop. The matrix is closed by its owner."""
        self._is_closed = True
        self._stop_retrying()
        if self._timer is not None:
            self._timer.cancel()

    # --- Drawing ----------------------------------------------------------------------

    def _draw(self) -> None:
        """Hand over the frame of this moment, and wake again when it changes."""
        if self._scene is None or self._is_closed:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now, scene = self._loop.time(), with_status(self._scene, self.status)
        rests = bool(self._rest_after_s) and has_still_frame(scene)
        rests_at = self._touched + self._rest_after_s if rests else None
        self._is_resting = rests_at is not None and now >= rests_at
        if self._is_resting:
            self._hand_over(still_frame(scene))
            return
        t_ms, refused_ms = self._ms_since(self._began), self._refused_ms()
        timeline = Timeline(scene)
        self._hand_over(timeline.frame_at(t_ms, refused_ms))
        change_ms = timeline.next_change(t_ms, refused_ms)
        wakes_at = [] if change_ms is None else [self._began + change_ms / 1000]
        if rests_at is not None:
            wakes_at.append(rests_at)
        if wakes_at:
            self._timer = self._loop.call_at(min(wakes_at), self._draw)

    def _ms_since(self, began: float) -> int:
        """Whole milliseconds, rounded: a timer may fire slightly early."""
        return int((self._loop.time() - began) * 1000 + 0.5)

    def _refused_ms(self) -> int | None:
        if self._is_refusing and (ms := self._ms_since(self._refused)) < _REFUSAL_OVER_MS:
            return ms
        self._is_refusing = False
        return None

    def _hand_over(self, shown: LedFrame) -> None:
        if shown != self.shown:
            self.shown = shown
            if self.trouble is None:
                self._submit()

    def _submit(self) -> None:
        self._painter.submit(partial(self._send, self._scene_age), self._sent)

    # --- In a worker ------------------------------------------------------------------

    def _send(self, age: int) -> None:
        """Send the newest frame: a slow bus skips frames instead of lagging behind."""
        with self._bus:
            with self._lock:
                shown = self.shown if age == self._age or self._needs_init else None
            if shown is not None:
                self._write(shown)

    def _reinitialise(self) -> None:
        """Sends the current frame, not the newest: that has its own job."""
        with self._bus:
            self._needs_init = True
            if self._on is not None:
                self._write(self._on)

    def _write(self, shown: LedFrame) -> None:
        if self._needs_init:
            self._matrix.reinitialize(self._brightness)
        self._needs_init = True
        self._matrix.show(shown)
        self._needs_init, self._on = False, shown

    # --- Trouble ----------------------------------------------------------------------

    def _sent(self, trouble: Exception | None) -> None:
        if self._is_closed:
            return
        had, self.trouble = self.trouble, trouble
        if trouble is not None and self._retry_timer is None:
            self._retry_timer = self._loop.call_later(REPAINT_S, self._retry)
        elif trouble is None and had is not None:
            self._stop_retrying()
            self._submit()  # frames were dropped meanwhile
        if str(had) != str(trouble):
            self.on_trouble()

    def _retry(self) -> None:
        self._retry_timer = None
        self._submit()

    def _stop_retrying(self) -> None:
        if self._retry_timer is not None:
            self._retry_timer.cancel()
            self._retry_timer = None
