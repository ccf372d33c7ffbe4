"""How each meaning moves: how many of its LEDs are lit at a time, and when that changes.

All timings are here. Times are milliseconds since the start of the shot.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache

from companion.table.scenes.scene import Mark, Meaning


@dataclass(frozen=True, slots=True)
class Motion:
    """From `changes_ms[n]` on, the first `lit[n]` LEDs are lit; repeats after `period_ms`."""

    changes_ms: tuple[int, ...]
    lit: tuple[int, ...]
    period_ms: int | None = None
    duration_ms: int = 1000
    """How long a shot lasts if another follows."""

    def lit_at(self, t_ms: int) -> int:
        if self.period_ms is not None:
            t_ms %= self.period_ms
        return self.lit[bisect_right(self.changes_ms, t_ms) - 1]

    def next_change(self, t_ms: int) -> int | None:
        """The time of the next change, or None."""
        start_ms = 0 if self.period_ms is None else t_ms - t_ms % self.period_ms
        index = bisect_right(self.changes_ms, t_ms - start_ms)
        if index < len(self.changes_ms):
            return start_ms + self.changes_ms[index]
        return None if self.period_ms is None else start_ms + self.period_ms


STEP_MS = 250
COUNT_MS = 200
HOLD_MS = 600
NUMBER_MS = 1600
LIFT_MS = 3000
PAIR_MS = 2000
PAUSE_MS = 1000


def motion_of(mark: Mark) -> Motion:
    return _motion(mark.meaning, len(mark.leds))


@cache
def _motion(meaning: Meaning, count: int) -> Motion:
    match meaning:
        case Meaning.ASSAM:  # slow double blink
            return Motion((0, 150, 300, 450), (count, 0, count, 0), 2000)
        case Meaning.PREVIEW:  # grows along the path, stays, and starts again
            end_ms = STEP_MS * count + HOLD_MS
            return Motion(
                (*(STEP_MS * n for n in range(count)), end_ms),
                (*range(1, count + 1), 0),
                end_ms + STEP_MS,
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
        case Meaning.LIFT:  # mostly dark, unlike everything that stays on the market
            return Motion((0, 150), (count, 0), 600, LIFT_MS)
        case Meaning.CURSOR:
            return Motion((0, 350), (count, 0), 700)
        case Meaning.NUMBER | Meaning.LETTERS:
            return Motion((0,), (1,), None, NUMBER_MS)
        case Meaning.CODE:  # the first pair of digits, the second, a dark pause
            return Motion((0, PAIR_MS, 2 * PAIR_MS), (1, 2, 0), 2 * PAIR_MS + PAUSE_MS)
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
