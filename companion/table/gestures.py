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
    Together,
    Up,
    direction,
)

TOGETHER_MS = 400
"""Who is quick has the next finger down before the last is up: that long, and they are two taps."""
_TAPS = {Button.OK: OK, Button.BACK: BACK}
_HOLDS = {Button.OK: HOLD_OK, Button.BACK: HOLD_BACK}

Meant = tuple[Input | Together, ...]


class Gestures:
    """Turns `Down` and `Up` into inputs, in the order in which they came to be meant.

    A direction acts when it goes down. OK and BACK act when they are let go, or as a hold once
    they have been down for `hold_ms`, and then not at the release. If both are down and neither
    has acted, they are held together: what comes of it once they have been for `hold_ms`, or once
    one is let go after `TOGETHER_MS`, is `Together`, and neither acts by itself any more. Times
    never go back.
    """

    def __init__(self, hold_ms: float) -> None:
        self.hold_ms = hold_ms
        self._down: set[Button] = set()
        self._holds_at: dict[Button, float] = {}
        """When a button that has not acted yet becomes a hold; while both are, neither does."""
        self._together_at: float | None = None
        """Since when both of them are."""
        self._muted: set[Button] = set()

    @property
    def down(self) -> frozenset[Button]:
        """Which buttons are down now."""
        return frozenset(self._down)

    def hear(self, event: Down | Up, now_ms: float) -> Meant:
        """What is meant by it, after what has become a hold by now.

        A `Down` of a button that is down and an `Up` of one that is not mean nothing.
        """
        meant = self.pass_time(now_ms)
        button = event.button
        if isinstance(event, Down) == (button in self._down):
            return meant
        if isinstance(event, Up):
            self._down.remove(button)
            return (*meant, *self._let_go(button, now_ms))
        self._down.add(button)
        if button.facing is not None:
            return (*meant, direction(button.facing))
        self._holds_at[button] = now_ms + self.hold_ms
        if len(self._holds_at) == len(_HOLDS):
            self._together_at = now_ms
            if self._muted:
                self._muted.add(button)
        return meant

    def mute(self, button: Button) -> None:
        """Let this press mean nothing by itself, nor the next that is added to it.

        Both together still do.
        """
        if button in self._holds_at:
            self._muted.add(button)

    def due_ms(self) -> float | None:
        """When the next hold is due, if nothing is let go before."""
        if self._together_at is not None:
            return self._together_at + self.hold_ms
        return next(iter(self._holds_at.values()), None)

    def pass_time(self, now_ms: float) -> Meant:
        """The hold that has come to be by now."""
        due_ms = self.due_ms()
        if due_ms is None or due_ms > now_ms:
            return ()
        if self._together_at is not None:
            return self._meant_together(Together.HELD)
        (button,) = self._holds_at
        return self._act(button, _HOLDS[button])

    def reset(self) -> None:
        """Forget what is down: letting go of it will mean nothing."""
        self._down.clear()
        self._meant_together(Together.SHORT)

    def _let_go(self, button: Button, now_ms: float) -> Meant:
        if button not in self._holds_at:
            return ()
        since, self._together_at = self._together_at, None
        if since is None:
            return self._act(button, _TAPS[button])
        if now_ms - since >= TOGETHER_MS:
            return self._meant_together(Together.SHORT)
        tapped = self._act(button, _TAPS[button])
        # The other has waited for this one, and may be due already; time does not go back.
        self._holds_at = {other: max(at, now_ms) for other, at in self._holds_at.items()}
        return tapped

    def _act(self, button: Button, meant: Input) -> Meant:
        """What a button means by itself, once."""
        del self._holds_at[button]
        if button in self._muted:
            self._muted.remove(button)
            return ()
        return (meant,)

    def _meant_together(self, meant: Together) -> Meant:
        self._holds_at.clear()
        self._muted.clear()
        self._together_at = None
        return (meant,)
