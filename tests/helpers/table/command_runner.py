"""Runs commands of `marrakech` against a running table.

    results = run_commands(tmp_path, ["press", "ok", "ok"], ["status"], capsys=capsys)

The commands block, so they run in a thread and in real time. The table runs on the loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from helpers.table.control_harness import open_control


@dataclass(frozen=True)
class CommandResult:
    code: int
    out: str
    err: str


def run_commands(
    folder: Path,
    *commands: Sequence[str],
    capsys: pytest.CaptureFixture[str],
    **table_arguments: Any,  # noqa: ANN401 - passed on to open_control
) -> list[CommandResult]:
    """Open a table, run the commands one after the other, close the table."""
    results: list[CommandResult] = []

    async def scenario() -> None:
        async with open_control(folder, **table_arguments) as harness:
            for command in commands:
                arguments = [*command, "--socket", str(harness.path)]
                code = await asyncio.to_thread(main, arguments)
                results.append(CommandResult(code, *capsys.readouterr()))

    asyncio.run(scenario())
    return results
