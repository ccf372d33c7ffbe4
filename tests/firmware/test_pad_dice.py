"""The electronic die, in C: no face is favoured, and no two pads roll alike."""

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
    made = Dice()
    library.c.dice_init(byref(made))
    for value in stirred:
        library.c.dice_stir(byref(made), value)
    return made


def chi_square(seen: Counter[int], expected: dict[int, float]) -> float:
    assert seen.keys() == expected.keys()
    return sum((seen[face] - many) ** 2 / many for face, many in expected.items())


def test_it_is_pcg32(library: Library) -> None:
    """The reference's demo with its own seed: pcg32_random_r of the initial state and stream."""
    state, expected = 0x853C49E6748FEA9B, []
    for _ in range(100):
        word, turn = ((state >> 18) ^ state) >> 27 & 0xFFFFFFFF, state >> 59
        expected.append((word >> turn | word << (-turn & 31)) & 0xFFFFFFFF)
        state = (state * 6364136223846793005 + 0xDA3E39CB94B95BDB) % 2**64
    made = dice(library)
    assert [library.c.dice_next(byref(made)) for _ in range(100)] == expected


@pytest.mark.parametrize("seed", [0, 1, 0xFFFFFFFF])
def test_each_of_the_six_faces_comes_as_often_as_it_should(library: Library, seed: int) -> None:
    """Chi-square with 3 degrees of freedom: above 16.3 once in a thousand tries."""
    made = dice(library, seed)
    seen = Counter(library.c.dice_roll(byref(made)) for _ in range(ROLLS))
    value = chi_square(seen, {pips: ROLLS * many / 6 for pips, many in FACES.items()})
    print(f"seed {seed:#x}: {sorted(seen.items())}, chi-square {value:.2f} of 16.3")
    assert value < 16.3


def test_three_bits_are_drawn_until_they_are_below_six(library: Library) -> None:
    """So each face has the same chance: what is 6 or 7 is drawn again, not folded."""
    made, twin = dice(library, 3), dice(library, 3)
    drawn: Counter[int] = Counter()
    for _ in range(30_000):
        while (bits := library.c.dice_next(byref(twin)) >> 29) >= 6:
            drawn[bits] += 1
        drawn[bits] += 1
        assert library.c.dice_roll(byref(made)) == (1, 2, 2, 3, 3, 4)[bits]
    many = drawn.total() / 8  # and all eight come alike; 7 degrees of freedom: 24.3
    assert chi_square(drawn, dict.fromkeys(range(8), many)) < 24.3


def test_one_roll_tells_nothing_of_the_next(library: Library) -> None:
    """Pairs, 15 degrees of freedom: above 37.7 once in a thousand tries."""
    made = dice(library, 5)
    rolls = [library.c.dice_roll(byref(made)) for _ in range(ROLLS // 2)]
    pairs = Counter(a * 10 + b for a, b in zip(rolls[::2], rolls[1::2], strict=True))
    many = len(rolls) / 2 / 36
    assert (
        chi_square(pairs, {a * 10 + b: many * FACES[a] * FACES[b] for a in FACES for b in FACES})
        < 37.7
    )


@given(
    st.lists(st.integers(0, 0xFFFFFFFF), min_size=1, max_size=5),
    st.integers(0, 4),
    st.integers(0, 31),
)
def test_one_bit_of_chance_changes_everything_after_it(
    library: Library, stirred: list[int], at: int, bit: int
) -> None:
    other = list(stirred)
    other[at % len(other)] ^= 1 << bit
    one, two = dice(library, *stirred), dice(library, *other)
    assert one.state != two.state
    rolls = [[library.c.dice_roll(byref(made)) for _ in range(64)] for made in (one, two)]
    assert rolls[0] != rolls[1]


def test_the_same_chance_is_the_same_game(library: Library) -> None:
    one, two = dice(library, 1, 2, 3), dice(library, 1, 2, 3)
    for _ in range(100):
        assert library.c.dice_roll(byref(one)) == library.c.dice_roll(byref(two))


def test_roll_is_the_die_and_stays_what_it_was_when_it_is_repeated(library: Library) -> None:
    pad, twin = Pad(library), dice(library, 0xC0FFEE)
    pad.stir(0xC0FFEE)
    pad.hear(hello(1))
    for number in range(1, 101):
        pad.said()
        pad.press(ROLL, ms=150)
        told = [one.report for data in pad.said() for one in parse(data)[0] if one.type == REPORT]
        assert told == [(number, ROLL, library.c.dice_roll(byref(twin)))] * 3
        pad.hear(ack(1, number))
