"""Inputs: a roll on the pad."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import started_game

from companion.games.marrakech import Rolled
from companion.table.entries import Act
from companion.table.inputs import ROLL, InputKind, pad_roll


@pytest.mark.parametrize("pips", [1, 2, 3, 4])
def test_a_roll_of_the_pad_is_used_without_another_roll(pips: int) -> None:
    driver = started_game(rolls=[])
    driver.handle(pad_roll(pips))
    assert driver.entries == [Act(Rolled(pips), is_electronic=True)]


def test_a_roll_of_the_pad_has_the_same_kind_as_roll() -> None:
    assert pad_roll(3).kind is ROLL.kind is InputKind.ROLL
    assert ROLL.pips == 0
