"""`./marrakech test`: lint, types and tests, in three sizes. Other arguments go to pytest.

Every stage runs, so that one look shows everything that is wrong. The last lines say what came of
each stage and how many tests ran, and what a larger size would add.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO
from xml.etree import ElementTree

ROOT = Path(__file__).parent.parent
PYTHON = sys.executable
sys.path.append(str(ROOT / "tests"))  # -P leaves it out

from helpers.groups import GROUPS, NEED_TOOLS, WITHOUT_TOOLS  # noqa: E402 - only now
from helpers.processes import start, stop  # noqa: E402

SIZES = {"": "quick", "--all": "all", "--long": "long"}
LOOK_S = 0.05
PATIENCE_S = 30.0
"""How long a stage may take to end after Ctrl-C."""

PYTEST = [PYTHON, "-m", "pytest", "-q", "--dist", "worksteal"]
IN_ORDER = ["-p", "no:randomly"]
COVERAGE = [PYTHON, "-m", "coverage", "report"]


class Stage:
    """A command of the run."""

    def __init__(
        self, name: str, command: Sequence[str], environ: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.command = command
        self.environ = environ
        self.seconds: float | None = None

    def start(self, log: IO[bytes] | None) -> None:
        """What it prints goes to the log, or is seen at once."""
        self._began = time.monotonic()
        self._process = start(self.command, ROOT, output=log, environ=self.environ)

    def is_running(self) -> bool:
        if self.seconds is None and self._process.poll() is not None:
            self.seconds = time.monotonic() - self._began
        return self.seconds is None

    def stop(self) -> None:
        stop([self._process], PATIENCE_S)

    @property
    def has_failed(self) -> bool:
        return self._process.returncode != 0

    def result(self) -> str:
        return f"{self.name} {'FAILED' if self.has_failed else 'passed'} ({self.seconds:.0f} s)"


def main(words: list[str]) -> int:
    given = [word for word in words if word in SIZES]
    if given and len(words) > 1:
        print(f"{given[0]} stands alone: './marrakech test --help' says more", file=sys.stderr)
        return 2
    if words and not given:
        return subprocess.call([PYTHON, "-m", "pytest", *words], cwd=ROOT)
    with TemporaryDirectory(prefix="marrakech-tests-") as folder:
        return run_size(SIZES["".join(words)], Path(folder))


def run_size(size: str, folder: Path) -> int:
    counts = folder / "counts.xml"
    began = time.monotonic()
    done: list[Stage] = []
    for stages in plan(size, counts):
        run_together(stages, folder)
        done += stages
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    results = ", ".join(stage.result() for stage in done)
    print(f"\n{results}; {minutes} min {seconds} s in all")
    print(counted(counts))
    if size == "quick":
        added = ", ".join(GROUPS[name] for name in NEED_TOOLS)
        print(f"'./marrakech test --all' adds: {added}, coverage, and more examples.", flush=True)
    return int(any(stage.has_failed for stage in done))


def plan(size: str, counts: Path) -> Iterator[list[Stage]]:
    """What runs, in this order. Those of one list run side by side."""
    yield [Stage("style", [PYTHON, "-m", "ruff", "check", "."])]
    yield [Stage("format", [PYTHON, "-m", "ruff", "format", "--check", "."])]
    tests = [*PYTEST, *IN_ORDER, f"--junitxml={counts}", f"--hypothesis-profile={size}"]
    if size == "quick":
        tests += ["-n", str(cores()), "-m", WITHOUT_TOOLS]
    else:
        # One process more than cores: the tests of the service wait for disks most of the time.
        tests += ["-n", str(cores() + 1), "--cov", "--cov-report="]
        tests += ["-m", "not long"] if size == "all" else []
    yield [Stage("tests", tests), Stage("types", [PYTHON, "-m", "mypy"])]
    if size != "quick":
        yield [Stage("coverage", COVERAGE)]
        # The rules are the ground that everything stands on: no line or branch is untested.
        rules = [*COVERAGE, "--include=companion/games/*", "--fail-under=100"]
        yield [Stage("coverage of the rules", rules)]
    if size == "long":
        yield from ([stage] for stage in long_stages())


def long_stages() -> Iterator[Stage]:
    """The default tests in other surroundings, and what takes hours."""
    tests = [*PYTEST, "-m", WITHOUT_TOOLS]
    usual = [*tests, *IN_ORDER, "-n", "2"]
    for count in (1, 8):
        yield Stage(f"{count} processes", [*tests, *IN_ORDER, "-n", str(count)])
    for seed in (1, 2, 3):
        yield Stage(f"order {seed}", [*tests, "-n", "2", f"--randomly-seed={seed}"])
    for value in ("C", "tr_TR.UTF-8"):
        yield Stage(f"LC_ALL={value}", usual, {"LC_ALL": value})
    yield Stage("another time zone", usual, {"TZ": "Pacific/Kiritimati"})
    yield Stage("across midnight", [*usual, "-p", "helpers.midnight"], {"PYTHONPATH": "tests"})
    for name in ("mutation", "system/arm64", "system/fresh_machine"):
        yield Stage(name.rpartition("/")[2].replace("_", " "), [PYTHON, "-P", f"tests/{name}.py"])


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_together(stages: Sequence[Stage], folder: Path) -> None:
    """Until all have ended. The first is seen at once, the others afterwards. Ctrl-C ends them."""
    first, *others = stages
    print(f"\n=== {first.name} ===", flush=True)
    started: list[Stage] = []
    with ExitStack() as files:
        try:
            for stage in stages:
                is_first = stage is first
                log = None if is_first else files.enter_context((folder / stage.name).open("wb"))
                stage.start(log)
                started.append(stage)
            while [stage for stage in started if stage.is_running()]:
                time.sleep(LOOK_S)
        finally:
            for stage in started:
                stage.stop()
    for stage in others:
        printed = (folder / stage.name).read_text(errors="replace").rstrip()
        print(f"\n=== {stage.name} ===\n{printed}", flush=True)


def counted(counts: Path) -> str:
    """`8000 passed, 0 failed, 2 skipped`, from pytest's own report."""
    if not counts.exists():
        return "0 passed, 1 failed"  # pytest did not come to its end, and has said why
    (suite,) = ElementTree.parse(counts).getroot().iter("testsuite")
    total, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    return f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped"


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stages must not outlive this
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
