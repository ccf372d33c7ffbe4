"""Players who choose what to press from the table's snapshot, at random.

The same seed gives the same presses. One player may be unlucky: every roll of theirs costs as much
tribute as possible.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.web.views.odds import odds_of

JsonObject = dict[str, Any]
DIRECTIONS = ("north", "east", "south", "west")
DIE_FACES = "122334"


class RandomPlayers:
    def __init__(self, seed: int, *, unlucky: int | None = None) -> None:
        self._random = Random(seed)
        self._unlucky = unlucky

    def next_press(self, snapshot: JsonObject) -> str:
        """A key name for `TableProcess.press`."""
        choose, is_likely = self._random.choice, self._is_likely
        match snapshot["stage"]:
            case "orient" | "lay" if is_likely(0.04):
                return "back"
            case "orient" | "roll":
                return self._roll(snapshot["game"])
            case "draw":
                return choose(("east", "west"))
            case "lay" if is_likely(0.25):
                return choose(DIRECTIONS)  # refused if there is no placement that way
            case "put_back":
                return choose(("ok", "east", "back"))
        return "ok"

    def _roll(self, game: JsonObject) -> str:
        """A die key, sometimes a direction before it."""
        odds = odds_of(game["position"])
        assert odds is not None
        directions = list(odds)
        if game["players"][self._unlucky or 0]["to_play"] and self._unlucky is not None:
            _, direction, pips = max(
                (row["dirhams"], direction, row["pips"])
                for direction in directions
                for row in odds[direction]["pips"]
            )
            return str(pips) if direction == game["assam"]["facing"] else str(direction)
        if self._is_likely(0.25):
            return self._random.choice(directions)
        return self._random.choice(DIE_FACES)

    def _is_likely(self, probability: float) -> bool:
        return self._random.random() < probability
