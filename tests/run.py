"""What `./marrakech test` runs: style, types, tests, coverage. With arguments: pytest with them.

Every stage runs, so that one look shows everything that is wrong.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

ROOT = Path(__file__).parent.parent
PYTHON = sys.executable
sys.path.append(str(ROOT / "tests"))  # -P leaves it out

from processes import start, stop  # noqa: E402 - only now

STAGES = {
    "style": [PYTHON, "-m", "ruff", "check", "."],
    "format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "types": [PYTHON, "-m", "mypy"],
    "tests": [PYTHON, "-P", "tests/crew.py"],
    "coverage": [PYTHON, "-m", "coverage", "report"],
    # The rules are the ground that everything stands on: no line or branch of them is untested.
    "coverage of the rules": [
        PYTHON, "-m", "coverage", "report", "--include=companion/games/*", "--fail-under=100",
    ],
}  # fmt: skip
# A stage of its own, if it is there. It waits for disks and networks most of the time, so it runs
# while the tests do, and is shown after them.
SYSTEM = "tests/system/run.py"
SKIPPED = 77
"""The exit code of a stage that could not do its work here."""
LOOK_S = 0.05
PATIENCE_S = 30.0  # longer than the workers of the tests have


class Stage:
    """A stage under way. What it says is seen at once, or goes to a file."""

    def __init__(self, command: list[str], output: IO[bytes] | None = None) -> None:
        self._began = time.monotonic()
        self.process = start(command, ROOT, output=output)
        self.seconds: float | None = None

    def is_running(self) -> bool:
        if self.seconds is None and self.process.poll() is not None:
            self.seconds = time.monotonic() - self._began
        return self.seconds is None

    def result(self) -> str:
        code = self.process.returncode
        word = "FAILED" if code else "passed"
        if code == SKIPPED:
            is_ci = os.environ.get("CI") == "true"
            word = (
                "FAILED (it was SKIPPED, and CI=true)" if is_ci else "SKIPPED, so it did NOT run,"
            )
        return f"{word} in {self.seconds:.1f} s"


def main(words: list[str]) -> int:
    if words:
        return subprocess.call([PYTHON, "-m", "pytest", *words], cwd=ROOT)
    results: dict[str, str] = {}
    for name, command in STAGES.items():
        print(f"\n=== {name} ===", flush=True)
        with TemporaryFile() as said:
            stages = {name: Stage(command)}
            if name == "tests" and (ROOT / SYSTEM).exists():
                stages["system"] = Stage([PYTHON, "-P", SYSTEM], said)
            wait_for(stages.values())
            if "system" in stages:
                said.seek(0)
                print("\n=== system ===", said.read().decode(errors="replace"), sep="\n")
        results |= {each: stage.result() for each, stage in stages.items()}
    print("\n=== all stages ===")
    for name, result in results.items():
        print(f"{name}: {result}")
    return int(any("FAILED" in result for result in results.values()))


def wait_for(stages: Collection[Stage]) -> None:
    """Until all have ended. Ctrl-C ends them."""
    try:
        while [stage for stage in stages if stage.is_running()]:
            time.sleep(LOOK_S)
    finally:
        stop([stage.process for stage in stages], PATIENCE_S)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stages must not outlive this
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
