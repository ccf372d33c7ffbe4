"""All tests, as several pytest processes side by side: `python -P tests/crew.py`.

Each worker (crew_worker.py) takes the next test file that nobody has taken, so that none is idle
while there is work. A line is said for each file, then what each worker said, whole, and what came
of it all. Nothing passes by not running: a worker that dies, or a file of which no test ran, is a
failure.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parent
sys.path.append(str(HERE))  # -P leaves it out

from processes import start, stop  # noqa: E402 - only now

COVERAGE = [sys.executable, "-m", "coverage"]
WORKER = str(HERE / "crew_worker.py")
MOST_WORKERS = 4
MOST_LISTED = 10
PATIENCE_S = 20.0


@dataclass
class Tally:
    """What came of each file so far."""

    files: list[str]
    collected: int = 0
    begun: list[str] = field(default_factory=list)
    tests: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, event: dict[str, Any]) -> str:
        """How many tests there are, a file that is begun, or one that is done. Returns what is to
        be said of it."""
        if "collected" in event:
            self.collected = event["collected"]
            return ""
        if "begun" in event:
            self.begun.append(event["begun"])
            return ""
        self.tests += event["tests"]
        self.counts.update(event["counts"])
        self.seconds[event["file"]] = event["seconds"]
        return f"{event['seconds']:6.1f} s  {event['file']}: {_listed(event['counts'])}"

    def summary(self) -> list[str]:
        """The slowest files and the sum of all."""
        slowest = sorted(self.seconds.items(), key=lambda each: -each[1])[:MOST_LISTED]
        counts = {"passed": 0, "failed": 0, "skipped": 0, **self.counts}
        return [
            "--- the slowest files ---",
            *(f"{seconds:6.1f} s  {file}" for file, seconds in slowest),
            f"--- {_listed(counts)}, of {self.collected} tests in {len(self.files)} files ---",
        ]

    def faults(self) -> list[str]:
        """What should have been run, and was not."""
        missing = [file for file in self.files if file not in self.seconds]
        if len(missing) > MOST_LISTED:
            missing[MOST_LISTED:] = [f"{len(missing) - MOST_LISTED} more"]
        if not missing and self.tests != self.collected:
            return [f"{self.collected} tests were found, but {self.tests} RUN"]
        return [f"{file}: NOT RUN" for file in missing]

    def under_way(self) -> list[str]:
        return [f"{file}: under way" for file in self.begun if file not in self.seconds]


def main() -> int:
    return run_crew(HERE.parent, max(1, min(os.cpu_count() or 1, MOST_WORKERS)))


def run_crew(root: Path, count: int) -> int:
    """Run the tests of a checkout by so many workers; the exit code. Their coverage is put together
    in the checkout's `.coverage`."""
    tally = Tally(sorted(str(p.relative_to(root)) for p in (root / "tests").rglob("test_*.py")))
    print(f"{len(tally.files)} files; pytest processes side by side: {count}", flush=True)
    with TemporaryDirectory(prefix="marrakech-tests-") as name:
        folder = Path(name)
        try:
            codes = _run_workers(root, folder, count, tally)
        except KeyboardInterrupt:
            _show_workers(folder, count)
            print(*tally.under_way(), sep="\n", flush=True)
            raise
        _show_workers(folder, count)
        faults = [*_faults_of(codes), *tally.faults()]
        (root / ".coverage").unlink(missing_ok=True)
        if subprocess.call([*COVERAGE, "combine", "--quiet", name], cwd=root):
            faults.append("what the tests cover could not be put together")
    print(*tally.summary(), *faults, sep="\n", flush=True)
    return int(bool(faults))


def _run_workers(root: Path, folder: Path, count: int, tally: Tally) -> list[int]:
    """Their exit codes. What they say is in files named after their numbers."""
    (folder / "files").write_text("\n".join(tally.files))
    command = [*COVERAGE, "run", "-p", f"--data-file={folder / '.coverage'}", WORKER, str(folder)]
    reading, writing = os.pipe()
    workers = []
    try:
        for number in range(1, count + 1):
            with (folder / f"{number}.txt").open("wb") as output:
                told = [*command, str(writing)]
                workers.append(start(told, root, output=output, pass_fds=[writing]))
        os.close(writing)
        with os.fdopen(reading) as events:  # ends when the last worker has
            for event in events:
                if line := tally.add(json.loads(event)):
                    print(line, flush=True)
        return [worker.wait() for worker in workers]
    finally:
        stop(workers, PATIENCE_S)


def _show_workers(folder: Path, count: int) -> None:
    """Print what each of them said."""
    shown: list[list[str]] = []
    for number in range(1, count + 1):
        print(f"\n--- worker {number} of {count} ---")
        lines = (folder / f"{number}.txt").read_text(errors="replace").strip().splitlines()
        if len(lines) > 1 and lines[:-1] in shown:  # without its last line, which tells the time
            print("the same")
        else:
            print(*lines, sep="\n")
        shown.append(lines[:-1])


def _faults_of(codes: list[int]) -> Iterator[str]:
    for number, code in enumerate(codes, 1):
        if code < 0:
            yield f"worker {number} DIED: {signal.Signals(-code).name}"
        elif code:
            yield f"worker {number} FAILED with code {code}"


def _listed(counts: dict[str, int]) -> str:
    """`12 passed, 1 FAILED`: what is not well is loud."""
    return ", ".join(
        f"{count} {what.upper() if count and what != 'passed' else what}"
        for what, count in counts.items()
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
