"""`./marrakech test`: lint, types and tests, in three sizes. Other arguments go to pytest.

All stages run, even if one fails. The last lines are the results of the stages, the number of
tests, and what a larger size would add.
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

from helpers.groups import GROUPS, NEED_TOOLS, WITHOUT_TOOLS  # noqa: E402
from helpers.processes import start, stop  # noqa: E402

SIZES = {"": "quick", "--all": "all", "--long": "long"}
SKIPPED = 77
"""Exit code of a script that this machine cannot run. It has printed why."""
POLL_S = 0.05
STOP_TIMEOUT_S = 30.0
"""How long a stage may take to end after Ctrl-C."""

PYTEST = [PYTHON, "-m", "pytest", "-q", "--dist", "worksteal"]
IN_ORDER = ["-p", "no:randomly"]
COVERAGE = [PYTHON, "-m", "coverage", "report"]


class Stage:
    """A command of the test run."""

    def __init__(
        self, name: str, command: Sequence[str], environ: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.command = command
        self.environ = environ
        self.seconds: float | None = None

    def start(self, log: IO[bytes] | None) -> None:
        """Start the command; its output goes to the log, or to the terminal."""
        self._began = time.monotonic()
        self._process = start(self.command, ROOT, output=log, environ=self.environ)

    def is_running(self) -> bool:
        if self.seconds is None and self._process.poll() is not None:
            self.seconds = time.monotonic() - self._began
        return self.seconds is None

    def stop(self) -> None:
        stop([self._process], STOP_TIMEOUT_S)

    @property
    def has_failed(self) -> bool:
        return self._process.returncode not in (0, SKIPPED)

    def result(self) -> str:
        words = {0: "passed", SKIPPED: "SKIPPED"}
        word = words.get(self._process.returncode, "FAILED")
        return f"{self.name} {word} ({self.seconds:.0f} s)"


def main(words: list[str]) -> int:
    given = [word for word in words if word in SIZES]
    if given and len(words) > 1:
        print(
            f"{given[0]} cannot be combined with other arguments: see './marrakech test --help'",
            file=sys.stderr,
        )
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
    print(f"\n{results}; {minutes} min {seconds} s total")
    print(counted(counts))
    if size == "quick":
        added = ", ".join(GROUPS[name] for name in NEED_TOOLS)
        print(f"'./marrakech test --all' adds: {added}, coverage, and more examples.", flush=True)
    return int(any(stage.has_failed for stage in done))


def plan(size: str, counts: Path) -> Iterator[list[Stage]]:
    """The stages in order. Those of one list run in parallel."""
    yield [Stage("style", [PYTHON, "-m", "ruff", "check", "."])]
    yield [Stage("format", [PYTHON, "-m", "ruff", "format", "--check", "."])]
    tests = [*PYTEST, *IN_ORDER, f"--junitxml={counts}", f"--hypothesis-profile={size}"]
    if size == "quick":
        tests += ["-n", str(cores()), "-m", WITHOUT_TOOLS]
    else:
        # One more process than cores: the system test mostly waits for disks.
        tests += ["-n", str(cores() + 1), "--cov", "--cov-report="]
        tests += ["-m", "not long"] if size == "all" else []
    yield [Stage("tests", tests), Stage("types", [PYTHON, "-m", "mypy"])]
    if size != "quick":
        yield [Stage("coverage", COVERAGE)]
        # The rules must be covered completely.
        rules = [*COVERAGE, "--include=companion/games/*", "--fail-under=100"]
        yield [Stage("coverage of the rules", rules)]
    if size == "long":
        yield from ([stage] for stage in long_stages())


def long_stages() -> Iterator[Stage]:
    """The default tests in other environments, and tests that take hours."""
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
    scripts = {
        "mutation": "mutation",
        "arm64": "system/arm64",
        "real kernel": "kernel/run_in_kernel",
        "emulated Pi": "system/emulated_pi",
        "fresh machine": "system/fresh_machine",
    }
    for name, script in scripts.items():
        yield Stage(name, [PYTHON, "-P", f"tests/{script}.py"])


def cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_together(stages: Sequence[Stage], folder: Path) -> None:
    """Run stages in parallel; show the output of the first live, of the others at the end."""
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
                time.sleep(POLL_S)
        finally:
            for stage in started:
                stage.stop()
    for stage in others:
        printed = (folder / stage.name).read_text(errors="replace").rstrip()
        print(f"\n=== {stage.name} ===\n{printed}", flush=True)


def counted(counts: Path) -> str:
    """`8000 passed, 0 failed, 2 skipped`, from pytest's own report."""
    if not counts.exists():
        return "0 passed, 1 failed"  # pytest crashed, and has printed why
    (suite,) = ElementTree.parse(counts).getroot().iter("testsuite")
    total, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    return f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped"


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stops the stages, too
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
