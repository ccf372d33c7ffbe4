"""Whole games at a real table, watched on three screens: they say what the table says.

After every turn each page is read as it is drawn and compared with the account of the table, and
after every press one of them.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from helpers.page.page_reader import sight_of
from helpers.page.page_watchers import Onlookers
from helpers.table.control_players import Guests

from companion.web.views.odds import odds_of

Plain = dict[str, Any]
MOST_PRESSES = 600


def play(onlookers: Onlookers, guests: Guests) -> tuple[Plain, Counter[str]]:
    """To the end; how the table is then, and what has happened on the way."""
    table = onlookers.table
    seen: Counter[str] = Counter()
    turn = None
    for _ in range(MOST_PRESSES):
        account = onlookers.glance()
        if (now := account["game"] and account["game"]["turn"]) != turn:
            account, turn = onlookers.compare(), now
        check_light(account)
        note(account, seen)
        if account["stage"] == "over":
            return onlookers.compare(), seen
        table.press(guests.next_press(account))
    raise AssertionError("the game does not end")


def check_light(account: Plain) -> None:
    """What the pages draw of the light is what the game is about."""
    sight, game = sight_of(account), account["game"]
    match account["stage"]:
        case "orient":
            odds = odds_of(game["position"])
            assert odds is not None
            row = odds[game["assam"]["facing"]]["pips"]
            ahead = {pips: square for square, all_pips in sight["previews"] for pips in all_pips}
            assert {str(one["pips"]): one["square"] for one in row}.items() <= ahead.items()
        case "pay":
            due = game["tribute"]
            assert [square for square, _ in sight["counted"]] == due["region"]
            assert sight["owed"] == sorted(due["region"])
            assert len(due["region"]) == due["dirhams"]
        case "lay":
            assert sight["steps"] == game["path"]
            (rug,) = sight["offered"]
            assert rug["colour"] == game["hand"]
            assert all(square in account["todo"][0] for square in rug["squares"])


def note(account: Plain, seen: Counter[str]) -> None:
    """What has been there."""
    seen[account["stage"]] += 1
    seen["refused"] += account["refused"] is not None
    game = account["game"]
    if game is None or (due := game["tribute"]) is None:
        return
    seen["tribute"] += 1
    seen["short"] += due["dirhams"] > game["players"][due["payer"]]["dirhams"]


def test_a_game_of_four_of_whom_one_goes_out(onlookers: Onlookers) -> None:
    table = onlookers.table
    table.ask("setup", players=4, names=["Amina", "Bruno", "Chloé", "<b>Dan</b>"])
    account, seen = play(onlookers, Guests(24, unlucky=3))
    assert [player["out"] for player in account["game"]["players"]] == [False, False, False, True]
    assert seen["tribute"] > 10
    assert seen["short"] > 0
    for stage in ("players", "setting", "orient", "pay", "lay", "put_back", "refused", "over"):
        assert seen[stage], stage


def test_a_game_of_two_with_two_colours_each(onlookers: Onlookers) -> None:
    table = onlookers.table
    table.ask("setup", players=2, names=["Amina", "Bruno"])
    account, seen = play(onlookers, Guests(6))
    assert not any(player["out"] for player in account["game"]["players"])
    assert set(account["game"]["players"][0]["rugs"].values()) == {0}
    for stage in ("draw", "tribute", "put_back", "over"):
        assert seen[stage], stage
