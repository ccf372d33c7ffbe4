"""Numbers, letters and codes on 7 x 7 LEDs."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from companion.light.digits import MAX_NUMBER, code_leds, letter_leds, number_leds
from companion.table.scenes.scene import RAIL

FIGURES = {
    7: """
        .......
        ..###..
        ....#..
        ....#..
        ...#...
        ...#...
        .......
    """,
    34: """
        .......
        ###.#.#
        ..#.#.#
        ###.###
        ..#...#
        ###...#
        .......
    """,
    208: """
        ##.....
        ###.###
        #.#.#.#
        #.#.###
        #.#.#.#
        ###.###
        .......
    """,
}


LETTERS = {
    "RY": """
        .......
        ##..#.#
        #.#.#.#
        ##...#.
        #.#..#.
        #.#..#.
        .......
    """,
    "BN": """
        .......
        ##..###
        #.#.#.#
        ##..#.#
        #.#.#.#
        ##..#.#
        .......
    """,
    "B": """
        .......
        ..##...
        ..#.#..
        ..##...
        ..#.#..
        ..##...
        .......
    """,
    "-": """
        .......
        .......
        .......
        ..###..
        .......
        .......
        .......
    """,
}


def rows_of(leds: Iterable[int]) -> list[str]:
    lit = set(leds)
    return ["".join("#" if y * 8 + x in lit else "." for x in range(7)) for y in range(7)]


@pytest.mark.parametrize("number", FIGURES)
def test_numbers_are_drawn_on_the_market(number: int) -> None:
    assert rows_of(number_leds(number)) == FIGURES[number].split()


@pytest.mark.parametrize("letters", LETTERS)
def test_one_letter_is_in_the_middle_and_two_are_side_by_side(letters: str) -> None:
    glyphs = letter_leds(letters)
    assert len(glyphs) == len(letters)
    assert rows_of(led for glyph in glyphs for led in glyph) == LETTERS[letters].split()


def test_no_letter_looks_like_another_or_like_a_digit() -> None:
    """Brown's N is open where 0 is closed, B is not 8."""
    letters = [frozenset(letter_leds(letter)[0]) for letter in "RYBN-"]
    digits = [frozenset(number_leds(number)) for number in range(10)]
    assert len({*letters, *digits}) == len(letters) + len(digits)
    assert not any(leds & RAIL for leds in letters)


def test_no_two_numbers_look_alike_and_none_touches_the_rail() -> None:
    shown = [frozenset(number_leds(number)) for number in range(MAX_NUMBER + 1)]
    assert len(set(shown)) == len(shown)
    assert not any(leds & RAIL for leds in shown)


@pytest.mark.parametrize("number", [-1, MAX_NUMBER + 1])
def test_a_number_that_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"^{number} cannot be shown: use 0 to 799$"):
        number_leds(number)


# --- A code -------------------------------------------------------------------------------

CODE = """
    ...#...   ..#.#..   .......
    .......   .......   .......
    ###.#.#   .#..###   .......
    #.#.#.#   ##....#   .......
    #.#.###   .#....#   .......
    #.#...#   .#...#.   .......
    ###...#   ###..#.   .......
"""


def test_a_code_shows_two_digits_at_a_time_with_dots_and_then_a_pause() -> None:
    rows = [rows_of(code_leds("0417", pair)) for pair in (1, 2, 0)]
    assert [list(row) for row in zip(*rows, strict=True)] == [
        row.split() for row in CODE.strip().splitlines()
    ]


def test_no_two_pairs_of_a_code_look_alike_or_like_a_number() -> None:
    """Each frame shows which digits they are, and whether they come first or last."""
    pairs = [f"{number:02}" for number in range(100)]
    seen = [frozenset(code_leds(pair * 2, place)) for pair in pairs for place in (1, 2)]
    numbers = {frozenset(number_leds(number)) for number in range(MAX_NUMBER + 1)}
    assert len({*seen, *numbers}) == len(seen) + len(numbers)
    assert not any(leds & RAIL for leds in seen)
