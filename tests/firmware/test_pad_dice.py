"""The electronic die in C: fair, and different on every pad."""

from __future__ import annotations

from collections import Counter
from ctypes import byref

import pytest
from helpers.pad.client import REPORT, ack, hello, parse
from helpers.pad.library import ROLL, Dice, Library, Pad
from hypothesis import given
from hypothesis import strategies as st

ROLLS = 240_000
FACES = {1: 1, 2: 2, 3: 2, 4: 1}  # of six


def dice(library: Library, *stirred: int) -> Dice:
    die = Dice()
    library.c.dice_init(byref(die))
    for value in stirred:
        library.c.dice_stir(byref(die), value)
    return die


def chi_square(seen: Counter[int], expected: dict[int, float]) -> float:
    assert seen.keys() == expected.keys()
    return sum(
        (seen[face] - expected_count) ** 2 / expected_count
        for face, expected_count in expected.items()
    )


def test_the_generator_is_pcg32(library: Library) -> None:
    """The same numbers as pcg32_random_r of the reference implementation."""
    state, expected = 0x853C49E6748FEA9B, []
    for _ in range(100):
        word, turn = ((state >> 18) ^ state) >> 27 & 0xFFFFFFFF, state >> 59
        expected.append((word >> turn | word << (-turn & 31)) & 0xFFFFFFFF)
        state = (state * 6364136223846793005 + 0xDA3E39CB94B95BDB) % 2**64
    die = dice(library)
    assert [library.c.dice_next(byref(die)) for _ in range(100)] == expected


@pytest.mark.parametrize("seed", [0, 1, 0xFFFFFFFF])
def test_the_six_faces_are_equally_likely(library: Library, seed: int) -> None:
    """Chi-square with 3 degrees of freedom: above 16.3 in one of a thousand runs."""
    die = dice(library, seed)
    seen = Counter(library.c.dice_roll(byref(die)) for _ in range(ROLLS))
    value = chi_square(
        seen, {pips: ROLLS * expected_count / 6 for pips, expected_count in FACES.items()}
    )
    print(f"seed {seed:#x}: {sorted(seen.items())}, chi-square {value:.2f} of 16.3")
    assert value < 16.3


def test_rolls_use_rejection_sampling(library: Library) -> None:
    """6 and 7 of three random bits are drawn again, so that all faces are equally likely."""
    die, other_die = dice(library, 3), dice(library, 3)
    drawn: Counter[int] = Counter()
    for _ in range(30_000):
        while (bits := library.c.dice_next(byref(other_die)) >> 29) >= 6:
            drawn[bits] += 1
        drawn[bits] += 1
        assert library.c.dice_roll(byref(die)) == (1, 2, 2, 3, 3, 4)[bits]
    expected_count = drawn.total() / 8  # and all eight come alike; 7 degrees of freedom: 24.3
    assert chi_square(drawn, dict.fromkeys(range(8), expected_count)) < 24.3


def test_successive_rolls_are_independent(library: Library) -> None:
    """Pairs, 15 degrees of freedom: above 37.7 in one of a thousand runs."""
    die = dice(library, 5)
    rolls = [library.c.dice_roll(byref(die)) for _ in range(ROLLS // 2)]
    pairs = Counter(a * 10 + b for a, b in zip(rolls[::2], rolls[1::2], strict=True))
    expected_count = len(rolls) / 2 / 36
    assert (
        chi_square(
            pairs, {a * 10 + b: expected_count * FACES[a] * FACES[b] for a in FACES for b in FACES}
        )
        < 37.7
    )


@given(
    st.lists(st.integers(0, 0xFFFFFFFF), min_size=1, max_size=5),
    st.integers(0, 4),
    st.integers(0, 31),
)
def test_one_bit_of_entropy_changes_all_later_rolls(
    library: Library, stirred: list[int], at: int, bit: int
) -> None:
    other = list(stirred)
    other[at % len(other)] ^= 1 << bit
    one, two = dice(library, *stirred), dice(library, *other)
    assert one.state != two.state
    rolls = [[library.c.dice_roll(byref(die)) for _ in range(64)] for die in (one, two)]
    assert rolls[0] != rolls[1]


def test_the_same_entropy_gives_the_same_rolls(library: Library) -> None:
    one, two = dice(library, 1, 2, 3), dice(library, 1, 2, 3)
    for _ in range(100):
        assert library.c.dice_roll(byref(one)) == library.c.dice_roll(byref(two))


def test_repeated_reports_of_a_roll_have_the_same_pips(library: Library) -> None:
    pad, other_die = Pad(library), dice(library, 0xC0FFEE)
    pad.stir(0xC0FFEE)
    pad.receive(hello(1))
    for number in range(1, 101):
        pad.take_sent()
        pad.press(ROLL, ms=150)
        reported = [
            one.report for data in pad.take_sent() for one in parse(data)[0] if one.type == REPORT
        ]
        assert reported == [(number, ROLL, library.c.dice_roll(byref(other_die)))] * 3
        pad.receive(ack(1, number))
