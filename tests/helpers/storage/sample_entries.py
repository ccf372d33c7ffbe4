"""A header and entries for tests of journals. No rules check them."""

from __future__ import annotations

from pathlib import Path

from companion.json_types import JsonObject
from companion.storage.journal_reader import read_journal

HEADER: JsonObject = {"players": ["Zoë", "Nour"]}
TURN: JsonObject = {"told": "turn", "to": "east"}
ROLL: JsonObject = {"told": "roll", "pips": 3}
PAY: JsonObject = {"told": "pay", "dirhams": 4}
LAY: JsonObject = {"told": "lay", "squares": [[0, 1], [0, 2]]}


def entries_in(path: Path) -> list[JsonObject]:
    """The entries of an intact journal with the header above."""
    content = read_journal(path)
    assert content.header == HEADER
    assert content.torn_bytes == 0
    return content.entries
