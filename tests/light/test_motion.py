"""How each meaning moves over time."""

from __future__ import annotations

import pytest

from companion.light.motion import motion_of
from companion.table.scenes.scene import Mark, Meaning

# meaning: number of LEDs, (time, number of lit LEDs) at each change, period.
EXPECTED = {
    Meaning.ASSAM: (1, [(0, 1), (150, 0), (300, 1), (450, 0)], 2000),
    Meaning.PREVIEW: (4, [(0, 1), (250, 2), (500, 3), (750, 4), (1600, 0)], 1850),
    Meaning.PATH: (3, [(0, 1), (250, 2), (500, 3)], None),
    Meaning.TRAIL: (3, [(0, 3)], None),
    Meaning.COUNT: (3, [(0, 1), (200, 2), (400, 3)], None),
    Meaning.OWED: (5, [(0, 5), (500, 0)], 1000),
    Meaning.OFFER: (2, [(0, 2), (125, 0)], 250),
    Meaning.LOOPS: (2, [(0, 2)], None),
    Meaning.RAIL: (1, [(0, 1)], None),
    Meaning.WARNING: (1, [(0, 1), (250, 0)], 500),
    Meaning.RUGS: (5, [(0, 5)], None),
    Meaning.LIFT: (2, [(0, 2), (150, 0)], 600),
    Meaning.CURSOR: (1, [(0, 1), (350, 0)], 700),
    Meaning.NUMBER: (0, [(0, 1)], None),
    Meaning.LETTERS: (0, [(0, 1)], None),
    Meaning.CODE: (0, [(0, 1), (2000, 2), (4000, 0)], 5000),
}


def test_every_meaning_has_a_motion() -> None:
    assert set(EXPECTED) == set(Meaning)


@pytest.mark.parametrize("meaning", EXPECTED)
def test_each_meaning_moves_like_this(meaning: Meaning) -> None:
    count, changes, period = EXPECTED[meaning]
    motion = motion_of(Mark(meaning, tuple(range(count))))
    times = [time for time, _ in changes]
    for (time, lit), following in zip(changes, [*times[1:], period], strict=True):
        assert motion.lit_at(time) == lit
        assert motion.next_change(time) == following
        if following is not None:
            assert motion.lit_at(following - 1) == lit
            assert motion.next_change(following - 1) == following
    if period is None:
        assert motion.lit_at(10**6) == changes[-1][1]
    else:
        assert motion.lit_at(period) == motion.lit_at(0)
        assert motion.next_change(period) == period + times[1]


@pytest.mark.parametrize(
    ("meaning", "count", "duration"),
    [
        (Meaning.PATH, 4, 1600),
        (Meaning.COUNT, 7, 2000),
        (Meaning.NUMBER, 0, 1600),
        (Meaning.LETTERS, 0, 1600),
        (Meaning.LIFT, 2, 3000),
    ],
)
def test_a_shot_that_ends_by_itself_has_this_duration(
    meaning: Meaning, count: int, duration: int
) -> None:
    assert motion_of(Mark(meaning, tuple(range(count)))).duration_ms == duration


def test_a_count_of_zero_leds_has_a_motion() -> None:
    motion = motion_of(Mark(Meaning.COUNT))
    assert motion.lit_at(0) == 0
    assert motion.next_change(0) is None


def test_blinking_meanings_have_different_rhythms() -> None:
    """They can be on the same squares, and the mono matrix has no colours."""
    blinking = (Meaning.OFFER, Meaning.LIFT, Meaning.OWED, Meaning.CURSOR, Meaning.WARNING)
    rhythms = {motion_of(Mark(meaning, (1, 2))) for meaning in (*blinking, Meaning.ASSAM)}
    assert len(rhythms) == len(blinking) + 1
