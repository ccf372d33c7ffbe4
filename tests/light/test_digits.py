"""Numbers that can be read on 7 x 7 LEDs."""

from __future__ import annotations

import pytest

from companion.light.digits import HIGHEST, number_leds
from companion.table.scene import RAIL

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


@pytest.mark.parametrize("number", FIGURES)
def test_numbers_are_drawn_on_the_market(number: int) -> None:
    lit = set(number_leds(number))
    rows = ["".join("#" if y * 8 + x in lit else "." for x in range(7)) for y in range(7)]
    assert rows == FIGURES[number].split()


def test_no_two_numbers_look_alike_and_none_touches_the_rail() -> None:
    shown = [frozenset(number_leds(number)) for number in range(HIGHEST + 1)]
    assert len(set(shown)) == len(shown)
    assert not any(leds & RAIL for leds in shown)


@pytest.mark.parametrize("number", [-1, HIGHEST + 1])
def test_a_number_that_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"^{number} cannot be shown: 0 to 799 can$"):
        number_leds(number)
