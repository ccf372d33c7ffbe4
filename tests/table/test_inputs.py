"""What players can do, where it is more than a word."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import begun

from companion.games.marrakech import Rolled
from companion.table.entries import Act
from companion.table.inputs import ROLL, Key, pad_roll


@pytest.mark.parametrize("pips", [1, 2, 3, 4])
def test_what_the_pad_has_rolled_is_taken_and_nobody_rolls_again(pips: int) -> None:
    talk = begun(rolls=[])
    talk.hear(pad_roll(pips))
    assert talk.told == [Act(Rolled(pips), is_electronic=True)]


def test_a_roll_of_the_pad_is_a_roll() -> None:
    assert pad_roll(3).key is ROLL.key is Key.ROLL
    assert ROLL.pips == 0
