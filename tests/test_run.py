"""`./marrakech test`: every stage runs, and what failed is said at the end."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import run

RIGHT = [sys.executable, "-c", ""]
WRONG = [sys.executable, "-c", "raise SystemExit(3)"]


def summary(text: str) -> list[str]:
    """The last lines, without the times."""
    lines = text.splitlines()
    return [re.sub(r" in \d+\.\d s$", "", line) for line in lines[lines.index(END) + 1 :]]


END = "=== all stages ==="


def test_every_stage_runs_although_one_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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


def test_the_stages_are_all_of_the_pinned_tools() -> None:
    assert {command[2] for command in run.STAGES.values()} == {"ruff", "mypy", "coverage"}
    assert "pytest" in run.STAGES["tests"]
