"""Child processes of benchmarks: modules of this folder, which is not installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def module_command(module: str) -> list[str]:
    """The command that runs `benchmarks.MODULE`. Start it with `module_environ`."""
    return [sys.executable, "-P", "-m", f"benchmarks.{module}"]


def module_environ() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
