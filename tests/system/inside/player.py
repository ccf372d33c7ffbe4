"""Plays a game through the control socket, inside the container.

    python player.py SEED over        until the game is counted
    python player.py SEED 17          until the middle of turn 17: rolled, but no rug laid

Runs with the installed companion's Python. Prints the number of presses and the table's snapshot as
JSON. A game that is over is archived first, and a new one started.
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

from companion.control.client import ControlClient, open_client

DIRECTIONS = ("north", "east", "south", "west")
MAX_PRESSES = 2000
"""More than any game needs."""


def main(seed: str, goal: str) -> int:
    random = Random(int(seed))
    presses = 0
    with open_client() as client:
        table = client.table()
        if table["stage"] == "over":
            table = press(client, button="ok")
        while not is_goal_reached(table, goal):
            table = press(client, **next_press(table, random))
            presses += 1
            if presses > MAX_PRESSES:
                raise SystemExit(f"{presses} presses did not reach the goal: {table['title']}")
    print(json.dumps({"presses": presses, "table": table}))
    return 0


def is_goal_reached(table: dict[str, Any], goal: str) -> bool:
    if goal == "over" or table["stage"] == "over":
        return bool(table["stage"] == "over")
    return table["stage"] in ("pay", "lay") and table["game"]["turn"] >= int(goal)


def next_press(table: dict[str, Any], random: Random) -> dict[str, object]:
    """A press that moves the game on. A refused direction is followed by another try."""
    stage = table["stage"]
    if stage in ("orient", "lay") and random.random() < 0.3:
        return {"button": random.choice(DIRECTIONS)}
    if stage in ("orient", "roll"):
        return {"die": random.randint(1, 4)}
    return {"button": "ok"}


def press(client: ControlClient, **members: object) -> dict[str, Any]:
    answer = client.ask("press", **members)
    if not answer["ok"] and not answer.get("refused"):
        raise SystemExit(answer["error"])
    if answer["ok"] and not answer["saved"]:
        raise SystemExit(f"{members} is not saved")
    table: dict[str, Any] = answer["table"]
    return table


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
