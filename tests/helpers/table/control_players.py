"""People who play at the control socket: what they press next, by what the account says.

By chance, and the same each time for a seed. One of them may be unlucky: whatever he rolls costs
him as much as can be.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.web.views.odds import odds_of

Plain = dict[str, Any]
WAYS = ("north", "east", "south", "west")
DIE = "122334"


class Guests:
    def __init__(self, seed: int, *, unlucky: int | None = None) -> None:
        self._chance = Random(seed)
        self._unlucky = unlucky

    def next_press(self, account: Plain) -> str:
        """A word of `ServedTable.press`."""
        choose, is_likely = self._chance.choice, self._is_likely
        match account["stage"]:
            case "orient" | "lay" if is_likely(0.04):
                return "back"
            case "orient" | "roll":
                return self._roll(account["game"])
            case "draw":
                return choose(("east", "west"))
            case "lay" if is_likely(0.25):
                return choose(WAYS)  # refused, where there is no place that way
            case "put_back":
                return choose(("ok", "east", "back"))
        return "ok"

    def _roll(self, game: Plain) -> str:
        """Turn Assam, perhaps, and then the die."""
        odds = odds_of(game["position"])
        assert odds is not None
        ways = list(odds)
        if game["players"][self._unlucky or 0]["to_play"] and self._unlucky is not None:
            _, way, pips = max(
                (row["dirhams"], way, row["pips"]) for way in ways for row in odds[way]["pips"]
            )
            return str(pips) if way == game["assam"]["facing"] else str(way)
        return self._chance.choice(ways) if self._is_likely(0.25) else self._chance.choice(DIE)

    def _is_likely(self, how: float) -> bool:
        return self._chance.random() < how
