"""Debouncing of contacts, without I/O: time is an argument.

gpiozero's `bounce_time` is not used because its mock pins ignore it. Here mock pins and real pins
run the same code.
"""

from __future__ import annotations


class Debounce:
    """One contact. A level is accepted once it has been stable for `debounce_ms`; 0 is at once.

    Only the times of the edges count, so a overdue timer changes nothing: a level that had been
    stable for long enough before the next edge is accepted, a shorter glitch is not.
    """

    def __init__(self, debounce_ms: float, *, is_closed: bool = False) -> None:
        self.debounce_ms = debounce_ms
        self.is_closed = is_closed
        """The accepted level."""
        self._level = is_closed
        self._since_ms = 0.0

    def edge(self, is_closed: bool, now_ms: float) -> bool | None:
        """The contact closes or opens. Returns a newly accepted level, like `settle`.

        That is the level before this edge if the timer is late, or this level without debouncing.
        """
        overdue = self.settle(now_ms)
        if is_closed != self._level:
            self._level = is_closed
            self._since_ms = now_ms
        return self.settle(now_ms) if overdue is None else overdue

    def due_ms(self) -> float | None:
        """When the current level will be accepted; None if it already is."""
        return None if self._level == self.is_closed else self._since_ms + self.debounce_ms

    def settle(self, now_ms: float) -> bool | None:
        """The newly accepted level, returned once; None if there is none."""
        due_ms = self.due_ms()
        if due_ms is None or now_ms < due_ms:
            return None
        self.is_closed = self._level
        return self.is_closed
