"""`marrakech watch`: a line for every change, until the table stops."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.table.control_harness import open_control

from companion.cli.main import main

GONE = (
    "marrakech: the table has closed the connection: it was stopped, or this client read too slowly"
)


def watched(
    folder: Path, words: str, *options: str, capsys: pytest.CaptureFixture[str]
) -> tuple[int, Sequence[str], str]:
    """The output of `watch` while keys are pressed, until the table stops."""

    async def scenario() -> int:
        async with open_control(folder) as harness:
            watch = ["watch", *options, "--socket", str(harness.path)]
            watching = asyncio.create_task(asyncio.to_thread(main, watch))
            while not harness.control._watchers:
                await asyncio.sleep(0.01)
            client = await harness.connect()
            for word in words.split():
                await client.press(word)
            harness.control.close()
            return await watching

    code = asyncio.run(scenario())
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def test_every_change_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Except changes of the status LEDs only."""
    code, lines, err = watched(tmp_path, "3 ok ok ok ok 3", capsys=capsys)
    assert lines[:4] == [
        "SIMULATED: this is not a real table",
        "A new game. 4 players. Directions change it, OK goes on.",
        "✗ The game has not begun: agree on the set-up first. A new game. 4 players. "
        "Directions change it, OK goes on.",
        "A new game. Booklet 1: English. East and west leaf through them, OK goes on. Assam is "
        "turned before the roll. North or south changes the order.",
    ]
    assert lines[-1] == (
        "✓ Red rolled 3: Assam walks to d7 and faces south. Red: your turn. Lay the red rug on "
        "b7 and c7. Directions offer another place, OK when it lies there."
    )
    assert len(lines) == 8
    assert (code, err) == (2, f"{GONE}\n")


def test_json_has_every_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, err = watched(tmp_path, "ok", "--json", capsys=capsys)
    tables = [json.loads(line) for line in lines]
    assert [table["sequence"] for table in tables] == list(range(len(tables)))
    assert (tables[0]["stage"], tables[-1]["stage"]) == ("players", "booklet")
    assert (code, err) == (2, f"{GONE}\n")
