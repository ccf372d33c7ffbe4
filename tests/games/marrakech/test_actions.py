"""Actions: one immutable object each."""

from __future__ import annotations

import copy
import pickle

import pytest

from companion.errors import NotationError
from companion.games.marrakech import (
    Action,
    Colour,
    Drew,
    Facing,
    Lay,
    Orient,
    Pay,
    Pivot,
    ReturnRug,
    Rolled,
)

ALL = [
    (Orient(Facing.EAST), "Orient(EAST)", "face east"),
    (Rolled(3), "Rolled(3)", "a roll of 3"),
    (Pay(), "Pay()", "pay"),
    (Drew(Colour.BLUE), "Drew(BLUE)", "draw blue"),
    (Lay(24, 25), "Lay(d4, e4)", "lay d4-e4"),
    (ReturnRug(), "ReturnRug()", "return the rug to the box"),
    (Pivot(Facing.WEST), "Pivot(WEST)", "turn west"),
]


@pytest.mark.parametrize(("action", "code", "words"), ALL)
def test_an_action_has_a_repr_and_a_description(action: Action, code: str, words: str) -> None:
    assert repr(action) == code
    assert str(action) == words


@pytest.mark.parametrize("action", [row[0] for row in ALL])
def test_there_is_one_object_for_each_action(action: Action) -> None:
    assert pickle.loads(pickle.dumps(action)) is action
    assert copy.deepcopy(action) is action


def test_actions_of_different_kinds_are_different() -> None:
    different = [Orient(Facing.EAST), Rolled(1), Drew(Colour.YELLOW), Pivot(Facing.EAST)]
    assert len(set(different)) == 4


def test_a_rug_is_laid_on_its_squares_in_either_order() -> None:
    assert Lay(25, 24) is Lay(24, 25)


def test_actions_are_immutable() -> None:
    with pytest.raises(AttributeError, match=r"^Rolled\(3\) is an action: actions are immutable$"):
        Rolled(3).pips = 4


@pytest.mark.parametrize("pips", [0, 5, -1])
def test_the_die_shows_one_to_four(pips: int) -> None:
    with pytest.raises(NotationError) as error:
        Rolled(pips)
    assert str(error.value) == f"the die cannot show {pips}: it has 1, 2, 3 or 4 slippers"
