"""The matrix over time: the scene that is on, the rail's marks, refusals, and rest.

It wakes when the picture changes and not otherwise. Painting blocks, so workers do it: the painter,
and the scribe for the light that confirms what it has just written, so that this light need not
find its way through the loop first.
"""

from __future__ import annotations

import asyncio
from functools import partial
from threading import Lock
from typing import Protocol

from companion.daemon.worker import Worker
from companion.light.frame import REFUSAL_MS, Picture, next_change, picture, still
from companion.table.scene import Scene
from companion.table.screenplay import Status, with_status

REPAINT_S = 1.0
"""How soon to try again when the matrix cannot be written to."""
_REFUSAL_OVER_MS = 4 * REFUSAL_MS


class Matrix(Protocol):
    """Where pictures are shown; it blocks."""

    def show(self, shown: Picture) -> None: ...
    def renew(self) -> None: ...
    def close(self) -> None: ...


class Screen:
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
        self._lock = Lock()
        self._age = 0
        """Counts the scenes: a frame of an older one never covers a newer one."""
        self._began = self._refused = self._touched = 0.0
        self._is_refusing = self._is_resting = False
        self._timer: asyncio.TimerHandle | None = None
        self._mending: asyncio.TimerHandle | None = None
        self._is_closed = False

    # --- What is on -------------------------------------------------------------------

    def show(self, scene: Scene) -> None:
        """Begin a scene. One that is on already goes on as it is."""
        if self._is_closed:
            return
        if scene != self._scene:
            self._scene, self._began = scene, self._loop.time()
            with self._lock:
                self._age += 1
            self._draw()
        self.touch()

    def first_picture(self, scene: Scene, status: Status) -> Picture:
        """What a scene begins with, for `show_first`."""
        return picture(with_status(scene, status), 0)

    def show_first(self, shown: Picture) -> None:
        """In any worker: show the beginning of a scene that `show` is about to be called with."""
        with self._lock:
            self._age += 1
            if self.trouble is None and not self._is_closed:
                self._matrix.show(shown)

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

    def close(self) -> None:
        """No more pictures; the matrix is closed by whoever opened it."""
        self._is_closed = True
        for timer in (self._timer, self._mending):
            if timer is not None:
                timer.cancel()

    # --- Drawing ----------------------------------------------------------------------

    def _draw(self) -> None:
        """Hand over the picture of this moment, and wake again when it changes."""
        if self._scene is None or self._is_closed:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now, scene = self._loop.time(), with_status(self._scene, self.status)
        rests_at = self._touched + self._rest_after_s if self._rest_after_s else None
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
                self._painter.submit(partial(self._send, self._age), self._sent)

    def _send(self, age: int) -> None:
        """In the painter's thread. Whatever is newest is shown: a slow bus never lags behind."""
        with self._lock:
            if age < self._age or self.shown is None:
                return
            if self.trouble is not None:
                self._matrix.renew()
            self._matrix.show(self.shown)

    def _sent(self, trouble: Exception | None) -> None:
        if trouble is None:
            self.trouble = None
        elif not self._is_closed:
            self.trouble = trouble
            self._mending = self._loop.call_later(REPAINT_S, self._mend)

    def _mend(self) -> None:
        self._painter.submit(partial(self._send, self._age), self._sent)
