"""`./marrakech test`: all stages run, and the last lines show the results."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryFile

import pytest
import run
from helpers.groups import WITHOUT_TOOLS
from helpers.patience import PATIENCE_S
from helpers.processes import start, stop
from system import workspace

RIGHT = [sys.executable, "-c", ""]
WRONG = [sys.executable, "-c", "raise SystemExit(3)"]
CANNOT_RUN = [sys.executable, "-c", "raise SystemExit(77)"]
COUNTS = """\
<testsuites><testsuite errors="1" failures="2" skipped="3" tests="100"/></testsuites>
"""


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> list[list[run.Stage]]:
    """The stages to run, filled by the test."""
    stages: list[list[run.Stage]] = []
    monkeypatch.setattr(run, "plan", lambda *_: stages)
    return stages


def without_times(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if line]
    return [re.sub(r" \(\d+ s\)|; \d+ min \d+ s total", "", line) for line in lines]


def test_all_stages_run_even_if_one_fails(
    plan: list[list[run.Stage]], capsys: pytest.CaptureFixture[str]
) -> None:
    plan += [[run.Stage("style", WRONG)], [run.Stage("tests", RIGHT), run.Stage("types", WRONG)]]
    assert run.main(["--all"]) == 1
    assert without_times(capsys.readouterr().out) == [
        "=== style ===",
        "=== tests ===",
        "=== types ===",
        "style FAILED, tests passed, types FAILED",
        "0 passed, 1 failed",
    ]


def test_a_stage_that_cannot_run_is_shown_as_skipped_and_is_no_failure(
    plan: list[list[run.Stage]], capsys: pytest.CaptureFixture[str]
) -> None:
    plan += [[run.Stage("arm64", CANNOT_RUN)], [run.Stage("fresh machine", RIGHT)]]
    assert run.main(["--long"]) == 0
    assert "arm64 SKIPPED, fresh machine passed" in without_times(capsys.readouterr().out)


def test_default_run_ends_with_the_counts_and_what_all_adds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def plan(size: str, counts: Path) -> list[list[run.Stage]]:
        counts.write_text(COUNTS)
        return [[run.Stage("tests", RIGHT)]]

    monkeypatch.setattr(run, "plan", plan)
    assert run.main([]) == 0
    *_, results, counts, more = without_times(capsys.readouterr().out)
    assert (results, counts) == ("tests passed", "94 passed, 3 failed, 3 skipped")
    assert more.startswith("'./marrakech test --all' adds: the page in a real browser, ")


def test_arguments_are_passed_to_pytest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text(
        '#!/bin/sh\nprintf "%s\\n" "$PWD" "$@" > "${0%/*}/called"\nexit 5\n', encoding="utf-8"
    )
    fake.chmod(0o755)
    monkeypatch.setattr(run, "PYTHON", str(fake))
    assert run.main(["-k", "two words"]) == 5
    called = (tmp_path / "called").read_text().splitlines()
    assert called == [str(run.ROOT), "-m", "pytest", "-k", "two words"]


@pytest.mark.parametrize("words", [["--all", "-x"], ["tests", "--long"], ["--all", "--long"]])
def test_size_cannot_be_combined_with_other_arguments(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(words) == 2
    assert "cannot be combined" in capsys.readouterr().err


# --- Stages -------------------------------------------------------------------------------


def commands(size: str) -> dict[str, list[str]]:
    return {
        stage.name: list(stage.command)
        for stages in run.plan(size, Path("counts.xml"))
        for stage in stages
    }


def test_default_run_needs_only_python() -> None:
    found = commands("quick")
    assert list(found) == ["style", "format", "tests", "types"]
    tests = found["tests"]
    assert tests[tests.index("-m", 3) + 1] == WITHOUT_TOOLS
    assert "--hypothesis-profile=quick" in tests
    assert all(command[0] == sys.executable for command in found.values())


def test_all_excludes_only_long_tests_and_measures_coverage() -> None:
    found = commands("all")
    assert list(found) == ["style", "format", "tests", "types", "coverage", "coverage of the rules"]
    tests = found["tests"]
    assert tests[tests.index("-m", 3) + 1] == "not long"
    assert "--cov" in tests
    assert "--fail-under=100" in found["coverage of the rules"]


def test_long_includes_all() -> None:
    in_all, found = commands("all"), commands("long")
    assert list(found)[: len(in_all)] == list(in_all)
    assert "not long" not in found["tests"]
    added = list(found)[len(in_all) :]
    assert added == [
        "1 processes", "8 processes", "order 1", "order 2", "order 3", "LC_ALL=C",
        "LC_ALL=tr_TR.UTF-8", "another time zone", "across midnight", "mutation", "arm64",
        "real kernel", "emulated Pi", "fresh machine",
    ]  # fmt: skip
    scripts = ("mutation", "arm64", "real kernel", "emulated Pi", "fresh machine")
    for name in scripts:
        assert (run.ROOT / found[name][-1]).is_file()


def test_exit_code_of_skipped_scripts_is_that_of_the_system_tests() -> None:
    assert run.SKIPPED == workspace.SKIPPED


# --- Ctrl-C -------------------------------------------------------------------------------

WAITS = """\
import os, signal, time
from pathlib import Path
Path("{me}.new").write_text(str(os.getpid()))
Path("{me}.new").rename("{me}.txt")  # atomic
end = time.monotonic() + 60
while not Path("{other}.txt").exists() and time.monotonic() < end:
    time.sleep(0.01)
{then}
time.sleep(100)
"""


def test_control_c_ends_the_running_stages(
    plan: list[list[run.Stage]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The stage 'tests' sends SIGINT once the stage 'types' is running."""
    monkeypatch.setattr(run, "ROOT", tmp_path)
    kill = f"os.kill({os.getpid()}, signal.SIGINT)"
    tests = [sys.executable, "-c", WAITS.format(me="tests", other="types", then=kill)]
    types = [sys.executable, "-c", WAITS.format(me="types", other="tests", then="")]
    plan += [[run.Stage("tests", tests), run.Stage("types", types)], [run.Stage("later", RIGHT)]]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run.main([])
    finally:
        signal.signal(signal.SIGINT, before)
    for name in ("tests", "types"):
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / f"{name}.txt").read_text()), 0)
    assert "later" not in capfd.readouterr().out


def test_process_that_ignores_control_c_is_killed() -> None:
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    command = f"{ignore}; print(flush=True); signal.pause()"
    with TemporaryFile() as output:
        process = start([sys.executable, "-c", command], Path.cwd(), output=output)
        while not os.fstat(output.fileno()).st_size:
            time.sleep(0.01)
        stop([process], timeout_s=0)
    assert process.returncode == -signal.SIGKILL


# Each worker runs one of these until it is interrupted.
WORKER_TEST = """\
import os, time
from pathlib import Path
import pytest

@pytest.fixture
def tool():
    yield
    Path(f"closed-{os.getpid()}").touch()

@pytest.mark.parametrize("number", range(8))
def test_waits(number, tool):
    Path(f"started-{os.getpid()}").touch()
    time.sleep(600)
"""


@pytest.mark.parametrize("target", ["first process", "all processes"])
def test_control_c_ends_all_workers_and_tears_down_fixtures(target: str, tmp_path: Path) -> None:
    """Ctrl-C in the terminal reaches all processes, `kill` only the first."""
    (tmp_path / "test_some.py").write_text(WORKER_TEST)
    words = ["-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "worksteal", "test_some.py"]
    with (tmp_path / "output").open("wb") as output:
        process = start([sys.executable, "-m", "pytest", *words], tmp_path, output=output)
        try:
            while len(list(tmp_path.glob("started-*"))) < 2 and process.poll() is None:
                time.sleep(0.05)
            if target == "all processes":
                os.killpg(process.pid, signal.SIGINT)
            else:
                process.send_signal(signal.SIGINT)
            code = process.wait(PATIENCE_S)
        finally:
            stop([process], timeout_s=0)
    started, closed = (
        {path.name.partition("-")[2] for path in tmp_path.glob(f"{state}-*")}
        for state in ("started", "closed")
    )
    assert (code, len(started)) == (2, 2), (tmp_path / "output").read_text()
    assert closed == started
    for number in started:
        with pytest.raises(ProcessLookupError):
            os.kill(int(number), 0)
