"""The snapshot of a running table as lines of text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.cli.arguments import fold
from companion.cli.market_text import draw_players
from companion.errors import one_line
from companion.games.marrakech import parse_position

SIMULATED = "SIMULATED: this is not a real table"
_MAX_TEXT_LENGTH = 500
Json = Mapping[str, Any]


def draw_snapshot(snapshot: Json, *, is_coloured: bool = False) -> Iterator[str]:
    """Yield all of it: messages, players, LEDs, die pad and companion."""
    if snapshot["simulated"]:
        yield SIMULATED
    yield from draw_messages(snapshot)
    if game := snapshot["game"]:
        yield ""
        yield from _draw_game(game, is_coloured)
    yield ""
    yield from (
        " ".join(row).replace(".", "·") for row in map(one_line, snapshot["light"]["frame"])
    )
    yield ""
    yield _pad_line(snapshot)
    yield _companion_line(snapshot)


def draw_messages(snapshot: Json) -> Iterator[str]:
    """Yield the title, the news, the instructions and the problems."""
    yield printable(snapshot["title"])
    for news in snapshot["news"]:
        yield fold(f"  ✓ {printable(news)}")
    for todo in snapshot["todo"]:
        yield fold(f"  {printable(todo)}")
    if snapshot["refused"]:
        yield fold(f"  ✗ {printable(snapshot['refused'])}")
    if pairing := snapshot.get("pairing"):
        yield fold(f"  {printable(pairing)}")
    for trouble in snapshot["trouble"]:
        yield fold(f"  ! {printable(trouble)}")


def printable(text: str) -> str:
    """Text from the snapshot on one line of limited length: it contains players' names."""
    return one_line(text, _MAX_TEXT_LENGTH)


def _draw_game(game: Json, is_coloured: bool) -> Iterator[str]:
    state = parse_position(game["position"])
    assam = f"Assam is on {game['assam']['square']} and faces {game['assam']['facing']}."
    if not game["finished"]:
        yield f"Turn {game['turn']}. {assam}"
    names = [player["name"] for player in game["players"]]
    yield from draw_players(state, names, is_coloured=is_coloured)


def _pad_line(snapshot: Json) -> str:
    if (pad := snapshot["pad"]) is None:
        return f"Die pad: {_PAD_LINK_TEXTS.get(snapshot['status']['link'], 'unknown')}."
    at = f" at {printable(pad['port'])}" if pad["port"] else ""
    firmware = f", firmware {printable(pad['firmware'])}" if pad["firmware"] else ""
    message = f". {printable(pad['said'])}" if pad["said"] else "."
    return fold(f"Die pad: {printable(pad['state'])}{at}{firmware}{message}")


_PAD_LINK_TEXTS = {"none": "none", "up": "connected", "down": "no longer responding"}


def _companion_line(snapshot: Json) -> str:
    saved = "NOT saved" if snapshot["status"]["unsaved"] else "saved"
    entries = ""
    if game := snapshot["game"]:
        count = int(game["told"])
        entries = f", {count} {'entry' if count == 1 else 'entries'}, {saved}"
    running = _duration_text(float(snapshot["uptime_s"]))
    return f"Companion {printable(snapshot['companion'])}, running for {running}{entries}."


def _duration_text(seconds: float) -> str:
    """`12 s`, `5 min`, `3 h 20 min`, `2 d 4 h`"""
    minutes, hours, days = int(seconds // 60), int(seconds // 3600), int(seconds // 86400)
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{int(seconds)} s"
