"""Recognises taps, holds and the button combo from button events.

Time is an argument. Call `pass_time` at `due_ms`, when time alone completes a hold. A late or
missing timer changes nothing: every event lets the elapsed time take effect first.
"""

from __future__ import annotations

from companion.table.inputs import (
    BACK,
    HOLD_BACK,
    HOLD_OK,
    OK,
    Button,
    ButtonCombo,
    ButtonDown,
    ButtonUp,
    Input,
    direction,
)

MIN_COMBO_MS = 400
"""OK and BACK pressed together for less than this are two fast taps, not a combo."""
_TAPS = {Button.OK: OK, Button.BACK: BACK}
_HOLDS = {Button.OK: HOLD_OK, Button.BACK: HOLD_BACK}

RecognisedInputs = tuple[Input | ButtonCombo, ...]


class Gestures:
    """Turns button events into inputs.

    A direction acts when it goes down. OK and BACK act when they are released, or as a hold after
    `hold_ms`, and then not again at the release. While both are down and neither has acted, they
    form a combo: `HELD` after `hold_ms`, or `SHORT` if one is released after `MIN_COMBO_MS`. After
    a combo neither acts by itself. Times must not decrease.
    """

    def __init__(self, hold_ms: float) -> None:
        self.hold_ms = hold_ms
        self._down: set[Button] = set()
        self._holds_at: dict[Button, float] = {}
        """OK and BACK while they have not acted: when each becomes a hold."""
        self._both_since: float | None = None
        """Since when both have been down without acting. Then neither becomes a hold alone."""
        self._muted: set[Button] = set()

    @property
    def down(self) -> frozenset[Button]:
        """The buttons that are down."""
        return frozenset(self._down)

    def handle(self, event: ButtonDown | ButtonUp, now_ms: float) -> RecognisedInputs:
        """The inputs that this event completes, after those that time has completed.

        A `ButtonDown` of a button that is down and a `ButtonUp` of one that is up are ignored.
        """
        inputs = self.pass_time(now_ms)
        button = event.button
        if isinstance(event, ButtonDown) == (button in self._down):
            return inputs
        if isinstance(event, ButtonUp):
            self._down.remove(button)
            return (*inputs, *self._release(button, now_ms))
        self._down.add(button)
        if button.facing is not None:
            return (*inputs, direction(button.facing))
        self._holds_at[button] = now_ms + self.hold_ms
        if len(self._holds_at) == len(_HOLDS):
            self._both_since = now_ms
            if self._muted:
                self._muted.add(button)
        return inputs

    def mute(self, button: Button) -> None:
        """Ignore this press, and that of the other button if it goes down too. A combo counts."""
        if button in self._holds_at:
            self._muted.add(button)

    def due_ms(self) -> float | None:
        """When the next hold completes, if nothing is released before."""
        if self._both_since is not None:
            return self._both_since + self.hold_ms
        return next(iter(self._holds_at.values()), None)

    def pass_time(self, now_ms: float) -> RecognisedInputs:
        """The hold or combo that is complete by now."""
        due_ms = self.due_ms()
        if due_ms is None or due_ms > now_ms:
            return ()
        if self._both_since is not None:
            return self._combine(ButtonCombo.HELD)
        (button,) = self._holds_at
        return self._act(button, _HOLDS[button])

    def reset(self) -> None:
        """Forget the buttons that are down: their release is ignored."""
        self._down.clear()
        self._combine(ButtonCombo.SHORT)

    def _release(self, button: Button, now_ms: float) -> RecognisedInputs:
        if button not in self._holds_at:
            return ()
        since, self._both_since = self._both_since, None
        if since is None:
            return self._act(button, _TAPS[button])
        if now_ms - since >= MIN_COMBO_MS:
            return self._combine(ButtonCombo.SHORT)
        tapped = self._act(button, _TAPS[button])
        # The other button was suspended by the combo and may be overdue: its hold counts from now.
        self._holds_at = {other: max(at, now_ms) for other, at in self._holds_at.items()}
        return tapped

    def _act(self, button: Button, table_input: Input) -> RecognisedInputs:
        del self._holds_at[button]
        if button in self._muted:
            self._muted.remove(button)
            return ()
        return (table_input,)

    def _combine(self, combo: ButtonCombo) -> RecognisedInputs:
        self._holds_at.clear()
        self._muted.clear()
        self._both_since = None
        return (combo,)
