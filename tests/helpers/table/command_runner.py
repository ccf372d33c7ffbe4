"""A table that runs for as long as a command of `marrakech` is tried on it.

    told = at_table(tmp_path, ["press", "ok", "ok"], ["status"], capsys=capsys)

The commands block and run in a thread, on real time; the table is on the loop beside them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from helpers.table.control_caller import control_of


@dataclass(frozen=True)
class CommandResult:
    """What came of a command."""

    code: int
    out: str
    err: str


def at_table(
    folder: Path,
    *commands: Sequence[str],
    capsys: pytest.CaptureFixture[str],
    **table: Any,  # noqa: ANN401 - whatever control_of has
) -> list[CommandResult]:
    """Run commands one after the other at a table, and then stop it."""
    told: list[CommandResult] = []

    async def scenario() -> None:
        async with control_of(folder, **table) as desk:
            for command in commands:
                words = [*command, "--socket", str(desk.path)]
                code = await asyncio.to_thread(main, words)
                told.append(CommandResult(code, *capsys.readouterr()))

    asyncio.run(scenario())
    return told
