"""`./marrakech test`: every stage runs, and what failed is said at the end."""

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
from processes import start, stop

RIGHT = [sys.executable, "-c", ""]
WRONG = [sys.executable, "-c", "raise SystemExit(3)"]


def summary(text: str) -> list[str]:
    """The last lines, without the times."""
    lines = text.splitlines()
    return [re.sub(r" in \d+\.\d s$", "", line) for line in lines[lines.index(END) + 1 :]]


END = "=== all stages ==="


def test_every_stage_runs_although_one_fails(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "STAGES", {"style": WRONG, "types": RIGHT, "tests": WRONG})
    assert run.main([]) == 1
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("===")] == [
        "=== style ===",
        "=== types ===",
        "=== tests ===",
        END,
    ]
    assert summary(out) == ["style: FAILED", "types: passed", "tests: FAILED"]


def test_all_is_well_when_every_stage_passes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "STAGES", {"style": RIGHT, "tests": RIGHT})
    assert run.main([]) == 0
    assert summary(capsys.readouterr().out) == ["style: passed", "tests: passed"]


def test_arguments_go_to_pytest_as_they_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "python"
    fake.write_text(
        '#!/bin/sh\nprintf "%s\\n" "$PWD" "$@" > "${0%/*}/called"\nexit 5\n', encoding="utf-8"
    )
    fake.chmod(0o755)
    monkeypatch.setattr(run, "PYTHON", str(fake))
    assert run.main(["-k", "two words"]) == 5
    called = (tmp_path / "called").read_text().splitlines()
    assert called == [str(run.ROOT), "-m", "pytest", "-k", "two words"]


def test_the_stages_are_of_the_pinned_tools_and_the_crew() -> None:
    crew = run.STAGES["tests"]
    assert crew == [sys.executable, "-P", "tests/crew.py"]
    tools = {command[2] for command in run.STAGES.values() if command != crew}
    assert tools == {"ruff", "mypy", "coverage"}


# --- The system stage ---------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a system stage that is yet to be written."""
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "tests" / "system").mkdir(parents=True)
    return tmp_path


def test_the_system_stage_runs_beside_the_tests_and_is_shown_whole_after_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each of the two waits for the other, and says something before and after."""
    meet = """\
import sys, time
from pathlib import Path
print("{me} begins", flush=True)
Path("{me}.txt").touch()
end = time.monotonic() + 60
while not Path("{other}.txt").exists() and time.monotonic() < end:
    time.sleep(0.01)
print("{me} met {other}", Path("{other}.txt").exists(), file=sys.stderr, flush=True)
"""
    (folder / run.SYSTEM).write_text(meet.format(me="system", other="tests"))
    tests = [sys.executable, "-c", meet.format(me="tests", other="system")]
    monkeypatch.setattr(run, "STAGES", {"style": RIGHT, "tests": tests, "coverage": RIGHT})
    assert run.main([]) == 0
    said = capfd.readouterr()
    assert said.err == "tests met system True\n"
    assert [line for line in said.out.splitlines() if line][:7] == [
        "=== style ===",
        "=== tests ===",
        "tests begins",
        "=== system ===",
        "system begins",
        "system met tests True",
        "=== coverage ===",
    ]
    assert summary(said.out) == [
        "style: passed",
        "tests: passed",
        "system: passed",
        "coverage: passed",
    ]


@pytest.mark.parametrize(
    ("exit_code", "ci", "code", "said"),
    [
        (0, "true", 0, "passed"),
        (1, "", 1, "FAILED"),
        (77, "", 0, "SKIPPED, so it did NOT run,"),
        (77, "false", 0, "SKIPPED, so it did NOT run,"),
        (77, "true", 1, "FAILED (it was SKIPPED, and CI=true)"),
    ],
)
def test_a_system_stage_that_could_not_run_is_loud_and_fails_in_ci(
    exit_code: int,
    ci: str,
    code: int,
    said: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / run.SYSTEM).write_text(f"raise SystemExit({exit_code})")
    monkeypatch.setattr(run, "STAGES", {"tests": RIGHT})
    monkeypatch.setenv("CI", ci)
    assert run.main([]) == code
    assert summary(capsys.readouterr().out) == ["tests: passed", f"system: {said}"]


def test_control_c_ends_the_stages_that_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The tests wait until the system stage is under way; then they interrupt it all."""
    waits = """\
import os, signal, time
from pathlib import Path
Path("{me}.new").write_text(str(os.getpid()))
Path("{me}.new").rename("{me}.txt")  # whole, as soon as it is there
end = time.monotonic() + 60
while not Path("{other}.txt").exists() and time.monotonic() < end:
    time.sleep(0.01)
{then}
time.sleep(100)
"""
    (folder / run.SYSTEM).write_text(waits.format(me="system", other="tests", then=""))
    then = "os.kill(os.getppid(), signal.SIGINT)"
    tests = [sys.executable, "-c", waits.format(me="tests", other="system", then=then)]
    monkeypatch.setattr(run, "STAGES", {"tests": tests, "coverage": RIGHT})
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run.main([])
    finally:
        signal.signal(signal.SIGINT, before)
    for name in ("tests", "system"):
        with pytest.raises(ProcessLookupError):
            os.kill(int((folder / f"{name}.txt").read_text()), 0)
    assert "coverage" not in capfd.readouterr().out


def test_what_does_not_listen_to_control_c_is_killed() -> None:
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    deaf = f"{ignore}; print(flush=True); signal.pause()"
    with TemporaryFile() as output:
        process = start([sys.executable, "-c", deaf], Path.cwd(), output=output)
        while not os.fstat(output.fileno()).st_size:
            time.sleep(0.01)
        stop([process], patience_s=0)
    assert process.returncode == -signal.SIGKILL
