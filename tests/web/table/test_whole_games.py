"""Whole games at a real table, watched on three screens.

After every turn all pages, and after every press one page, are compared with the table's snapshot.
"""

from __future__ import annotations

from collections import Counter

from helpers.page.page_reader import expected_page
from helpers.page.page_watchers import PageWatchers
from helpers.table.random_players import RandomPlayers

from companion.json_types import JsonObject
from companion.web.views.odds import odds_of

MAX_PRESSES = 600


def play(watchers: PageWatchers, players: RandomPlayers) -> tuple[JsonObject, Counter[str]]:
    """Play to the end. Returns the last snapshot and counts of what was seen."""
    table = watchers.table
    seen: Counter[str] = Counter()
    turn = None
    for _ in range(MAX_PRESSES):
        snapshot = watchers.compare_one()
        if (now := snapshot["game"] and snapshot["game"]["turn"]) != turn:
            snapshot, turn = watchers.compare(), now
        check_light(snapshot)
        record(snapshot, seen)
        if snapshot["stage"] == "over":
            return watchers.compare(), seen
        table.press(players.next_press(snapshot))
    raise AssertionError("the game does not end")


def check_light(snapshot: JsonObject) -> None:
    """What the pages draw from the LEDs agrees with the game."""
    page, game = expected_page(snapshot), snapshot["game"]
    match snapshot["stage"]:
        case "orient":
            odds = odds_of(game["position"])
            assert odds is not None
            row = odds[game["assam"]["facing"]]["pips"]
            ahead = {pips: square for square, all_pips in page["previews"] for pips in all_pips}
            assert {str(one["pips"]): one["square"] for one in row}.items() <= ahead.items()
        case "pay":
            due = game["tribute"]
            assert [square for square, _ in page["counted"]] == due["region"]
            assert page["owed"] == sorted(due["region"])
            assert len(due["region"]) == due["dirhams"]
        case "lay":
            assert page["steps"] == game["path"]
            (rug,) = page["offered"]
            assert rug["colour"] == game["hand"]
            assert all(square in snapshot["todo"][0] for square in rug["squares"])


def record(snapshot: JsonObject, seen: Counter[str]) -> None:
    """Count stages, refusals and tributes."""
    seen[snapshot["stage"]] += 1
    seen["refused"] += snapshot["refused"] is not None
    game = snapshot["game"]
    if game is None or (due := game["tribute"]) is None:
        return
    seen["tribute"] += 1
    seen["short"] += due["dirhams"] > game["players"][due["payer"]]["dirhams"]


def test_a_game_of_four_with_one_player_out(watchers: PageWatchers) -> None:
    table = watchers.table
    table.request("setup", players=4, names=["Amina", "Bruno", "Chloé", "<b>Dan</b>"])
    snapshot, seen = play(watchers, RandomPlayers(24, unlucky=3))
    assert [player["out"] for player in snapshot["game"]["players"]] == [False, False, False, True]
    assert seen["tribute"] > 10
    assert seen["short"] > 0
    for stage in ("players", "setting", "orient", "pay", "lay", "put_back", "refused", "over"):
        assert seen[stage], stage


def test_a_game_of_two_with_two_colours_each(watchers: PageWatchers) -> None:
    table = watchers.table
    table.request("setup", players=2, names=["Amina", "Bruno"])
    snapshot, seen = play(watchers, RandomPlayers(6))
    assert not any(player["out"] for player in snapshot["game"]["players"])
    assert set(snapshot["game"]["players"][0]["rugs"].values()) == {0}
    for stage in ("draw", "tribute", "put_back", "over"):
        assert seen[stage], stage
