"""How each meaning moves: which of its LEDs are lit at a time, and when that changes.

The one table of timings. Times are milliseconds since the shot began.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from companion.table.scenes.scene import Mark, Meaning


@dataclass(frozen=True, slots=True)
class Motion:
    """`changes[n]` is when the LEDs become `lit[n]`; after `period_ms` it begins again, if ever.

    `lit` counts: that many LEDs from the first on.
    """

    changes: tuple[int, ...]
    lit: tuple[int, ...]
    period_ms: int | None = None
    duration_ms: int = 1000
    """How long a shot lasts that ends by itself."""

    def lit_at(self, t_ms: int) -> int:
        if self.period_ms is not None:
            t_ms %= self.period_ms
        return self.lit[bisect_right(self.changes, t_ms) - 1]

    def next_change(self, t_ms: int) -> int | None:
        """The next time at which something changes, if it ever does."""
        begun = 0 if self.period_ms is None else t_ms - t_ms % self.period_ms
        later = bisect_right(self.changes, t_ms - begun)
        if later < len(self.changes):
            return begun + self.changes[later]
        return None if self.period_ms is None else begun + self.period_ms


STEP_MS = 250
COUNT_MS = 200
HOLD_MS = 600
NUMBER_MS = 1600
LIFT_MS = 3000
PAIR_MS = 2000
PAUSE_MS = 1000


def motion_of(mark: Mark) -> Motion:
    count = len(mark.leds)
    match mark.meaning:
        case Meaning.ASSAM:  # slow double blink
            return Motion((0, 150, 300, 450), (count, 0, count, 0), 2000)
        case Meaning.PREVIEW:  # grows outward along the path, stays, and begins again
            growing = tuple(range(count))
            full = STEP_MS * count + HOLD_MS
            return Motion(
                (*(STEP_MS * n for n in growing), full),
                (*(n + 1 for n in growing), 0),
                full + STEP_MS,
            )
        case Meaning.PATH:
            return _one_by_one(count, STEP_MS)
        case Meaning.COUNT:
            return _one_by_one(count, COUNT_MS)
        case Meaning.OWED:
            return Motion((0, 500), (count, 0), 1000)
        case Meaning.OFFER:
            return Motion((0, 125), (count, 0), 250)
        case Meaning.WARNING:
            return Motion((0, 250), (count, 0), 500)
        case Meaning.LIFT:  # up, and down again: mostly dark, unlike all that is to stay
            return Motion((0, 150), (count, 0), 600, LIFT_MS)
        case Meaning.CURSOR:
            return Motion((0, 350), (count, 0), 700)
        case Meaning.NUMBER | Meaning.LETTERS:
            return Motion((0,), (1,), None, NUMBER_MS)
        case Meaning.CODE:  # the first two, the last two, and dark before it begins again
            last = 2 * PAIR_MS
            return Motion((0, PAIR_MS, last), (1, 2, 0), last + PAUSE_MS)
        case Meaning.TRAIL | Meaning.LOOPS | Meaning.RAIL | Meaning.RUGS:
            return Motion((0,), (count,))


def _one_by_one(count: int, step_ms: int) -> Motion:
    steps = range(max(count, 1))
    return Motion(
        tuple(step_ms * n for n in steps),
        tuple(min(n + 1, count) for n in steps),
        None,
        step_ms * count + HOLD_MS,
    )
