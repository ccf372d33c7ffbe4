"""What `./marrakech test` runs: style, types, tests, coverage. With arguments: pytest with them.

Every stage runs, so that one look shows everything that is wrong.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = sys.executable

STAGES = {
    "style": [PYTHON, "-m", "ruff", "check", "."],
    "format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "types": [PYTHON, "-m", "mypy"],
    "tests": [PYTHON, "-m", "coverage", "run", "-m", "pytest"],
    "coverage": [PYTHON, "-m", "coverage", "report"],
    # The rules are the ground that everything stands on: no line or branch of them is untested.
    "coverage of the rules": [
        PYTHON, "-m", "coverage", "report", "--include=companion/games/*", "--fail-under=100",
    ],
}  # fmt: skip


def main(words: list[str]) -> int:
    if words:
        return subprocess.call([PYTHON, "-m", "pytest", *words], cwd=ROOT)
    results: dict[str, str] = {}
    for name, command in STAGES.items():
        print(f"\n=== {name} ===", flush=True)
        began = time.monotonic()
        code = subprocess.call(command, cwd=ROOT)
        spent = time.monotonic() - began
        results[name] = f"{'passed' if code == 0 else 'FAILED'} in {spent:.1f} s"
    print("\n=== all stages ===")
    for name, result in results.items():
        print(f"{name}: {result}")
    return int(any("FAILED" in result for result in results.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
