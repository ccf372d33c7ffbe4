"""The matrix over time: the scene that is on, the rail's marks, refusals, and rest.

It wakes when the picture changes and not otherwise. Painting blocks, so workers do it: the painter,
and the scribe for the light that confirms what it has just written, so that this light need not
find its way through the loop first.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from companion.adapters.matrix import Matrix
from companion.daemon.worker_thread import Worker
from companion.light.frame import REFUSAL_MS, Picture, can_rest, next_change, picture, still
from companion.table.scenes.scene import Scene
from companion.table.scenes.stage_scenes import Status, with_status

if TYPE_CHECKING:
    import asyncio

REPAINT_S = 1.0
"""How soon to try again when the matrix cannot be written to."""
_REFUSAL_OVER_MS = 4 * REFUSAL_MS


class Display:
    """Shows scenes on a matrix."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        matrix: Matrix,
        painter: Worker,
        *,
        status: Status,
        rest_after_s: float = 0,
    ) -> None:
        self._loop = loop
        self._matrix = matrix
        self._painter = painter
        self._rest_after_s = rest_after_s
        self._scene: Scene | None = None
        self.status = status
        self.shown: Picture | None = None
        """The picture that was handed to the matrix last."""
        self.trouble: Exception | None = None
        """Why the matrix cannot be written to, while it cannot."""
        self.when_troubled: Callable[[], None] = lambda: None
        """Called on the loop when trouble comes, changes or goes."""
        self.when_touched: Callable[[], None] = lambda: None
        """Called on the loop when somebody is at the table."""
        self._bus = Lock()
        """Held by a worker while it is at the matrix, which may take long; never by the loop."""
        self._lock = Lock()
        self._age = self._scene_age = 0
        """Counts the scenes, and which of them is on: a frame of an older one never covers a newer
        one. The first count is ahead while `show_first` was called and `show` not yet."""
        self._on: Picture | None = None
        """The picture that the matrix has taken last, from whichever worker."""
        self._brightness: int | None = None
        """As it was told last; None is as the matrix was opened."""
        self._is_lost = False
        """Whether the chip must be set up anew: nobody knows what a failed transfer left of it."""
        self._began = self._refused = self._touched = 0.0
        self._is_refusing = self._is_resting = False
        self._timer: asyncio.TimerHandle | None = None
        self._mending: asyncio.TimerHandle | None = None
        self._is_closed = False

    # --- What is on -------------------------------------------------------------------

    def show(self, scene: Scene, status: Status | None = None, *, is_refused: bool = False) -> None:
        """Begin a scene, with the rail's marks. One that is on already goes on as it is.

        It ends a refusal that is still flashing, unless that is the later answer.
        """
        if self._is_closed:
            return
        self._touched = self._loop.time()
        self._is_refusing = self._is_refusing and is_refused
        self.status = self.status if status is None else status
        with self._lock:
            if self._age != self._scene_age:
                self.shown = None  # the first picture is on, whatever was handed over before
            if scene != self._scene:
                self._scene, self._began = scene, self._touched
                self._age += 1
                self.shown = None  # what is still on its way is of the scene before, and dropped
            self._scene_age = self._age
        self._draw()

    def first_picture(self, scene: Scene, status: Status) -> Picture:
        """What a scene begins with, for `show_first`."""
        return picture(with_status(scene, status), 0)

    def show_first(self, shown: Picture) -> None:
        """In any worker: show the beginning of a scene that `show` is about to be called with."""
        with self._bus:
            with self._lock:
                self._age += 1
            if not (self._is_lost or self._is_closed):
                with suppress(Exception):  # the painter will find out, and tell
                    self._put(shown)

    def mark(self, status: Status) -> None:
        """Set the rail's marks; the scene goes on."""
        if status != self.status:
            self.status = status
            self._draw()

    def refuse(self) -> None:
        """An input was refused: the whole frame inverts twice."""
        self._refused, self._is_refusing = self._loop.time(), True
        self._touched = self._refused
        self._draw()

    def touch(self) -> None:
        """Somebody is at the table: no rest for now."""
        self._touched = self._loop.time()
        if self._is_resting:
            self._draw()
        self.when_touched()

    def renew(self, brightness: int) -> None:
        """Set the chip up again, to shine so brightly, and send it the picture that is on."""
        self._brightness = brightness
        if self.trouble is None and not self._is_closed:  # else it is set up when it is mended
            self._painter.submit(self._set_up_again, self._sent)

    def close(self) -> None:
        """No more pictures; the matrix is closed by whoever opened it."""
        self._is_closed = True
        self._stop_mending()
        if self._timer is not None:
            self._timer.cancel()

    # --- Drawing ----------------------------------------------------------------------

    def _draw(self) -> None:
        """Hand over the picture of this moment, and wake again when it changes."""
        if self._scene is None or self._is_closed:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now, scene = self._loop.time(), with_status(self._scene, self.status)
        rests = bool(self._rest_after_s) and can_rest(scene)
        rests_at = self._touched + self._rest_after_s if rests else None
        self._is_resting = rests_at is not None and now >= rests_at
        if self._is_resting:
            self._paint(still(scene))
            return
        t_ms, refused_ms = self._ms_since(self._began), self._refused_ms()
        self._paint(picture(scene, t_ms, refused_ms))
        change_ms = next_change(scene, t_ms, refused_ms)
        wakes_at = [] if change_ms is None else [self._began + change_ms / 1000]
        if rests_at is not None:
            wakes_at.append(rests_at)
        if wakes_at:
            self._timer = self._loop.call_at(min(wakes_at), self._draw)

    def _ms_since(self, began: float) -> int:
        """Whole milliseconds; a timer may fire a hair before the change it was wound for."""
        return int((self._loop.time() - began) * 1000 + 0.5)

    def _refused_ms(self) -> int | None:
        if self._is_refusing and (ms := self._ms_since(self._refused)) < _REFUSAL_OVER_MS:
            return ms
        self._is_refusing = False
        return None

    def _paint(self, shown: Picture) -> None:
        if shown != self.shown:
            self.shown = shown
            if self.trouble is None:
                self._submit()

    def _submit(self) -> None:
        self._painter.submit(partial(self._send, self._scene_age), self._sent)

    # --- In a worker ------------------------------------------------------------------

    def _send(self, age: int) -> None:
        """Whatever is newest is shown: a slow bus never lags behind."""
        with self._bus:
            with self._lock:
                shown = self.shown if age == self._age or self._is_lost else None
            if shown is not None:
                self._put(shown)

    def _set_up_again(self) -> None:
        """With what is on, and not with what is newest: that has a job of its own."""
        with self._bus:
            self._is_lost = True
            if self._on is not None:
                self._put(self._on)

    def _put(self, shown: Picture) -> None:
        if self._is_lost:
            self._matrix.renew(self._brightness)
        self._is_lost = True
        self._matrix.show(shown)
        self._is_lost, self._on = False, shown

    # --- Trouble ----------------------------------------------------------------------

    def _sent(self, trouble: Exception | None) -> None:
        if self._is_closed:
            return
        had, self.trouble = self.trouble, trouble
        if trouble is not None and self._mending is None:
            self._mending = self._loop.call_later(REPAINT_S, self._mend)
        elif trouble is None and had is not None:
            self._stop_mending()
            self._submit()  # what changed meanwhile was not handed over
        if str(had) != str(trouble):
            self.when_troubled()

    def _mend(self) -> None:
        self._mending = None
        self._submit()

    def _stop_mending(self) -> None:
        if self._mending is not None:
            self._mending.cancel()
            self._mending = None
