"""The account of a table as text: for a terminal, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.cli.arguments import fold
from companion.cli.market_text import draw_players
from companion.errors import counted, one_line
from companion.games.marrakech import parse_position

SIMULATED = "SIMULATED: this is no real table"
_LONGEST = 500
Plain = dict[str, Any]


def draw_table(table: Plain, *, is_coloured: bool = False) -> Iterator[str]:
    """All of it: what to do, who has what, the light, and how the companion is."""
    if table["simulated"]:
        yield SIMULATED
    yield from draw_words(table)
    if game := table["game"]:
        yield ""
        yield from _draw_game(game, is_coloured)
    yield ""
    yield from (" ".join(row).replace(".", "·") for row in map(one_line, table["light"]["frame"]))
    yield ""
    yield _pad_line(table)
    yield _companion_line(table)


def draw_words(table: Plain) -> Iterator[str]:
    """Where the table is, what happened, what to do, and what is wrong."""
    yield told(table["title"])
    for news in table["news"]:
        yield fold(f"  ✓ {told(news)}")
    for todo in table["todo"]:
        yield fold(f"  {told(todo)}")
    if table["refused"]:
        yield fold(f"  ✗ {told(table['refused'])}")
    if pairing := table.get("pairing"):
        yield fold(f"  {told(pairing)}")
    for trouble in table["trouble"]:
        yield fold(f"  ! {told(trouble)}")


def told(text: str) -> str:
    """Names are whatever people write into a config."""
    return one_line(text, _LONGEST)


def _draw_game(game: Plain, is_coloured: bool) -> Iterator[str]:
    state = parse_position(game["position"])
    assam = f"Assam is on {game['assam']['square']} and faces {game['assam']['facing']}."
    if not game["finished"]:
        yield f"Turn {game['turn']}. {assam}"
    names = [player["name"] for player in game["players"]]
    yield from draw_players(state, names, is_coloured=is_coloured)


def _pad_line(table: Plain) -> str:
    if (pad := table["pad"]) is None:
        return f"Die pad: {_LINKS.get(table['status']['link'], 'unknown')}."
    at = f" at {told(pad['port'])}" if pad["port"] else ""
    firmware = f", firmware {told(pad['firmware'])}" if pad["firmware"] else ""
    said = f". {told(pad['said'])}" if pad["said"] else "."
    return fold(f"Die pad: {told(pad['state'])}{at}{firmware}{said}")


_LINKS = {"none": "none", "up": "it answers", "down": "it does not answer any more"}


def _companion_line(table: Plain) -> str:
    saved = "NOT saved" if table["status"]["unsaved"] else "saved"
    entries = ""
    if game := table["game"]:
        entries = f", {counted(game['told'], 'thing')} told, {saved}"
    running = _span(float(table["uptime_s"]))
    return f"Companion {told(table['companion'])}, running for {running}{entries}."


def _span(seconds: float) -> str:
    """`12 s`, `5 min`, `3 h 20 min`, `2 d 4 h`"""
    minutes, hours, days = int(seconds // 60), int(seconds // 3600), int(seconds // 86400)
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{int(seconds)} s"
