"""Somebody at the table, inside the container: plays by the control socket, as fast as it answers.

    python player.py SEED over        until the game is counted
    python player.py SEED 17          until the 17th turn is half played: rolled, and no rug laid

Runs with the installed companion's own Python. Prints how the table is then, as JSON. A game that
is over is put away first, and a new one begun.
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

from companion.control.client import ControlClient, open_client

WAYS = ("north", "east", "south", "west")
MOST_PRESSES = 2000
"""No game takes so many."""


def main(seed: str, goal: str) -> int:
    chance = Random(int(seed))
    presses = 0
    with open_client() as client:
        table = client.table()
        if table["stage"] == "over":
            table = press(client, button="ok")
        while not is_there(table, goal):
            table = press(client, **next_press(table, chance))
            presses += 1
            if presses > MOST_PRESSES:
                raise SystemExit(f"{presses} presses led nowhere: {table['title']}")
    print(json.dumps({"presses": presses, "table": table}))
    return 0


def is_there(table: dict[str, Any], goal: str) -> bool:
    if goal == "over" or table["stage"] == "over":
        return bool(table["stage"] == "over")
    return table["stage"] in ("pay", "lay") and table["game"]["turn"] >= int(goal)


def next_press(table: dict[str, Any], chance: Random) -> dict[str, object]:
    """Something that leads on. A direction may be refused: then another one is tried."""
    stage = table["stage"]
    if stage in ("orient", "lay") and chance.random() < 0.3:
        return {"button": chance.choice(WAYS)}
    if stage in ("orient", "roll"):
        return {"die": chance.randint(1, 4)}
    return {"button": "ok"}


def press(client: ControlClient, **members: object) -> dict[str, Any]:
    answer = client.ask("press", **members)
    if not answer["ok"] and not answer.get("refused"):
        raise SystemExit(answer["error"])
    if answer["ok"] and not answer["saved"]:
        raise SystemExit(f"{members} is not on the disk")
    table: dict[str, Any] = answer["table"]
    return table


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
