"""What is meant by a button that goes down and comes up again: a tap, or a hold.

Time comes in by argument: `due_ms` says when time alone will make something happen, and
`pass_time` is then called. A timer that comes late, or never, loses nothing and doubles nothing:
every event lets the time pass first that has passed.
"""

from __future__ import annotations

from companion.table.inputs import (
    BACK,
    HOLD_BACK,
    HOLD_OK,
    OK,
    Button,
    Down,
    Input,
    Up,
    direction,
)

_TAPS = {Button.OK: OK, Button.BACK: BACK}
_HOLDS = {Button.OK: HOLD_OK, Button.BACK: HOLD_BACK}


class Gestures:
    """Turns `Down` and `Up` into inputs, in the order in which they came to be meant.

    A direction acts when it goes down. OK and BACK act when they are let go, or as a hold once
    they have been down for `hold_ms`, and then not at the release. Each acts on its own, also
    when both are down. Times never go back.
    """

    def __init__(self, hold_ms: float) -> None:
        self.hold_ms = hold_ms
        self._down: set[Button] = set()
        self._holds_at: dict[Button, float] = {}
        """When a button that has not acted yet becomes a hold; the earliest first."""

    @property
    def down(self) -> frozenset[Button]:
        """Which buttons are down now."""
        return frozenset(self._down)

    def hear(self, event: Down | Up, now_ms: float) -> tuple[Input, ...]:
        """What is meant by it, after what has become a hold by now.

        A `Down` of a button that is down and an `Up` of one that is not mean nothing.
        """
        meant = self.pass_time(now_ms)
        button = event.button
        if isinstance(event, Down) == (button in self._down):
            return meant
        if isinstance(event, Up):
            self._down.remove(button)
            is_tap = self._holds_at.pop(button, None) is not None
            return (*meant, _TAPS[button]) if is_tap else meant
        self._down.add(button)
        if button.facing is not None:
            return (*meant, direction(button.facing))
        self._holds_at[button] = now_ms + self.hold_ms
        return meant

    def due_ms(self) -> float | None:
        """When the next hold is due, if nothing is let go before."""
        return next(iter(self._holds_at.values()), None)

    def pass_time(self, now_ms: float) -> tuple[Input, ...]:
        """The holds that have come to be by now."""
        held = [button for button, at_ms in self._holds_at.items() if at_ms <= now_ms]
        for button in held:
            del self._holds_at[button]
        return tuple(_HOLDS[button] for button in held)

    def reset(self) -> None:
        """Forget what is down: letting go of it will mean nothing."""
        self._down.clear()
        self._holds_at.clear()
