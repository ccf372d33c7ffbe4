"""A payment in coins: the fewest coins, and advice if the payer may lack 1s."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from helpers.rules.sample_positions import POSITIONS, START, THREE_RED, written

from companion.web.views.coins import fewest_coins, least_ones, payment_of

CHANGE = "Too few 1s? Give {} and take {} back."
FIRST = "Too few 1s? Change a 5 first, with another player or in the box."
ALL = "That is all there is: every coin goes over."


def payment(due: int, purse: int, owner_purse: int = 30) -> dict[str, Any]:
    """The payment if yellow, with so much money, owes red so much."""
    position = written(THREE_RED, "e5e", "pay", "Y", f"R:{owner_purse}:13,Y:{purse}:15,B:0:15")
    tribute = {"payer": 1, "owner": 0, "colour": "red", "dirhams": due, "region": []}
    found = payment_of(position, tribute)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("dirhams", "coins"),
    [(0, []), (1, [1]), (4, [1] * 4), (5, [5]), (7, [5, 1, 1]), (14, [5, 5, 1, 1, 1, 1])],
)
def test_the_fewest_coins_are_named(dirhams: int, coins: list[int]) -> None:
    assert fewest_coins(dirhams) == coins


def test_a_payment_has_payer_owner_and_coins() -> None:
    assert payment(7, 33) == {
        "payer": 1,
        "owner": 0,
        "dirhams": 7,
        "coins": [5, 1, 1],
        "advice": None,
    }


def test_without_tribute_there_is_no_payment() -> None:
    assert payment_of(START, None) is None


def test_an_unreadable_position_has_no_payment() -> None:
    assert payment_of("nonsense", {"payer": 0, "owner": 1, "dirhams": 1}) is None


@pytest.mark.parametrize(
    ("due", "purse", "advice"),
    [
        (7, 30, CHANGE.format(10, 3)),  # six 5s, perhaps
        (4, 33, CHANGE.format(5, 1)),  # three 1s at least, and four are wanted
        (3, 33, None),
        (5, 33, None),
        (7, 9, None),  # 5 and four 1s, or nothing but 1s
        (2, 105, None),  # the box has only twenty 5s
    ],
)
def test_advice_is_given_if_the_payer_may_lack_ones(
    due: int, purse: int, advice: str | None
) -> None:
    assert payment(due, purse, 0 if purse > 90 else 30)["advice"] == advice


def test_an_owner_without_money_cannot_give_change() -> None:
    assert payment(7, 30, owner_purse=2)["advice"] == FIRST
    assert payment(7, 30, owner_purse=3)["advice"] == CHANGE.format(10, 3)


@pytest.mark.parametrize(("due", "purse"), [(8, 8), (12, 8)])
def test_paying_everything_needs_no_change(due: int, purse: int) -> None:
    """Also if it is not enough: then the payer gives everything."""
    found = payment(due, purse)
    assert (found["dirhams"], found["coins"], found["advice"]) == (8, [5, 1, 1, 1], ALL)


def test_a_payer_without_money_needs_no_advice() -> None:
    found = payment(3, 0)
    assert (found["dirhams"], found["coins"], found["advice"]) == (0, [], None)


def test_the_snapshots_tribute_is_accepted() -> None:
    tribute = {"payer": 1, "owner": 0, "colour": "red", "dirhams": 3, "region": ["e5"]}
    found = payment_of(POSITIONS["to pay"], tribute)
    assert found is not None
    assert (found["coins"], found["advice"]) == ([1, 1, 1], CHANGE.format(5, 2))


# --- All combinations of coins -------------------------------------------------------------


def purses(worth: int) -> Iterator[tuple[int, int]]:
    """All numbers of 1s and 5s with this value; the box has twenty of each."""
    for fives in range(min(20, worth // 5) + 1):
        if worth - 5 * fives <= 20:
            yield worth - 5 * fives, fives


def can_pay(ones: int, fives: int, dirhams: int) -> bool:
    return any(0 <= dirhams - 5 * given <= ones for given in range(fives + 1))


def test_advice_is_given_only_if_some_coins_could_not_pay_exactly() -> None:
    """And then the payer always has the 5s that the advice needs."""
    for worth in range(121):
        held = list(purses(worth))
        assert least_ones(worth) == min(ones for ones, _ in held)
        for due in range(1, min(49, worth)):
            unable = [(ones, fives) for ones, fives in held if not can_pay(ones, fives, due)]
            advice = payment(due, worth, min(30, 120 - worth))["advice"]
            assert (advice is not None) == bool(unable), (worth, due)
            given = -(-due // 5) * 5
            assert all(5 * fives >= given for _, fives in unable)
