"""A payment in coins: the fewest, and advice just where a purse could lack the 1s."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from helpers.rules.sample_positions import POSITIONS, START, THREE_RED, written

from companion.web.views.coins import fewest_coins, least_ones, payment_of

CHANGE = "Too few 1s? Give {} and take {} back."
FIRST = "Too few 1s? Change a 5 first, with another player or in the box."
ALL = "That is all there is: every coin goes over."


def payment(due: int, purse: int, owners: int = 30) -> dict[str, Any]:
    """Yellow, with such a purse, owes red so much."""
    position = written(THREE_RED, "e5e", "pay", "Y", f"R:{owners}:13,Y:{purse}:15,B:0:15")
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


def test_a_payment_says_who_gives_what_to_whom() -> None:
    assert payment(7, 33) == {
        "payer": 1,
        "owner": 0,
        "dirhams": 7,
        "coins": [5, 1, 1],
        "advice": None,
    }


def test_nothing_is_paid_where_nothing_is_due() -> None:
    assert payment_of(START, None) is None


def test_a_position_that_cannot_be_read_tells_of_no_payment() -> None:
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
def test_advice_is_given_where_the_purse_may_lack_the_ones(
    due: int, purse: int, advice: str | None
) -> None:
    assert payment(due, purse, 0 if purse > 90 else 30)["advice"] == advice


def test_who_has_nothing_cannot_give_change() -> None:
    assert payment(7, 30, owners=2)["advice"] == FIRST
    assert payment(7, 30, owners=3)["advice"] == CHANGE.format(10, 3)


@pytest.mark.parametrize(("due", "purse"), [(8, 8), (12, 8)])
def test_a_whole_purse_goes_over_in_whatever_coins_it_has(due: int, purse: int) -> None:
    """Also where it is not enough: what changes hands is what there is."""
    found = payment(due, purse)
    assert (found["dirhams"], found["coins"], found["advice"]) == (8, [5, 1, 1, 1], ALL)


def test_an_empty_purse_gives_nothing_and_needs_no_advice() -> None:
    found = payment(3, 0)
    assert (found["dirhams"], found["coins"], found["advice"]) == (0, [], None)


def test_the_account_of_a_position_is_enough() -> None:
    tribute = {"payer": 1, "owner": 0, "colour": "red", "dirhams": 3, "region": ["e5"]}
    found = payment_of(POSITIONS["to pay"], tribute)
    assert found is not None
    assert (found["coins"], found["advice"]) == ([1, 1, 1], CHANGE.format(5, 2))


# --- Every purse there can be -------------------------------------------------------------


def purses(worth: int) -> Iterator[tuple[int, int]]:
    """The 1s and 5s that such a purse may hold; the box has twenty of each."""
    for fives in range(min(20, worth // 5) + 1):
        if worth - 5 * fives <= 20:
            yield worth - 5 * fives, fives


def can_pay(ones: int, fives: int, dirhams: int) -> bool:
    return any(0 <= dirhams - 5 * given <= ones for given in range(fives + 1))


def test_advice_is_given_if_and_only_if_some_purse_could_not_pay_to_the_coin() -> None:
    """And whoever cannot has the 5s that he is told to give."""
    for worth in range(121):
        held = list(purses(worth))
        assert least_ones(worth) == min(ones for ones, _ in held)
        for due in range(1, min(49, worth)):
            unable = [(ones, fives) for ones, fives in held if not can_pay(ones, fives, due)]
            advice = payment(due, worth, min(30, 120 - worth))["advice"]
            assert (advice is not None) == bool(unable), (worth, due)
            given = -(-due // 5) * 5
            assert all(5 * fives >= given for _, fives in unable)
