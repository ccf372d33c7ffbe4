"""Debouncing: the springs of a contact close and open it some times before it stays.

Owned here, with time as an argument, because gpiozero's mock pins ignore its `bounce_time`: what
is tried on a laptop is what runs on the Pi.
"""

from __future__ import annotations


class Debounce:
    """One contact. A level counts once it has been stable for `debounce_ms`; 0 is at once.

    Every time is the edge's own, so a timer that comes late changes nothing: what had been stable
    for long enough when the next edge came has counted, and a glitch has not.
    """

    def __init__(self, debounce_ms: float, *, is_closed: bool = False) -> None:
        self.debounce_ms = debounce_ms
        self.is_closed = is_closed
        """The level that counts."""
        self._level = is_closed
        self._since_ms = 0.0

    def edge(self, is_closed: bool, now_ms: float) -> bool | None:
        """The contact closes or opens. Returns what counts by now, as `settle` does.

        That is the level before, if nobody asked in time, or with no debouncing this one.
        """
        late = self.settle(now_ms)
        if is_closed != self._level:
            self._level = is_closed
            self._since_ms = now_ms
        return self.settle(now_ms) if late is None else late

    def due_ms(self) -> float | None:
        """When the present level will count, if it stays and does not count already."""
        return None if self._level == self.is_closed else self._since_ms + self.debounce_ms

    def settle(self, now_ms: float) -> bool | None:
        """The new level that counts by now, told once; None where nothing new does."""
        due_ms = self.due_ms()
        if due_ms is None or now_ms < due_ms:
            return None
        self.is_closed = self._level
        return self.is_closed
