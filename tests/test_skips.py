"""Skipped tests are reported at the end, and fail with CI=true unless they are forbidden."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPING = """
from helpers.requirements import missing_tool
def test_runs(): assert True
def test_skips(): missing_tool("no-such-tool", "package")
"""
FORBIDDEN = """
from helpers.requirements import forbidden_here
def test_runs(): assert True
def test_needs_root(): forbidden_here("only root may do it")
"""


def run_pytest(folder: Path, ci: str, source: str, *words: str) -> subprocess.CompletedProcess[str]:
    tests = Path(__file__).parent
    shutil.copy(tests / "conftest.py", folder)
    (folder / "test_some.py").write_text(source)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words, str(folder)],
        env={**os.environ, "CI": ci, "PYTHONPATH": str(tests)},
        cwd=folder,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("words", [(), ("-n", "1")], ids=["alone", "xdist"])
@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("false", 0), ("", 0)])
def test_missing_tool_is_reported_and_fails_in_ci(
    tmp_path: Path, ci: str, code: int, words: tuple[str, ...]
) -> None:
    result = run_pytest(tmp_path, ci, SKIPPING, *words)
    assert result.returncode == code, result.stdout
    line = "1 tests did NOT run: no-such-tool is missing: run 'sudo apt install package'."
    assert line in result.stdout
    assert ("With CI=true that is a failure." in result.stdout) == (ci == "true")


@pytest.mark.parametrize("words", [(), ("-n", "1")], ids=["alone", "xdist"])
@pytest.mark.parametrize("ci", ["true", ""])
def test_forbidden_test_is_reported_and_never_fails(
    tmp_path: Path, ci: str, words: tuple[str, ...]
) -> None:
    result = run_pytest(tmp_path, ci, FORBIDDEN, *words)
    assert result.returncode == 0, result.stdout
    assert "1 tests did NOT run: forbidden here: only root may do it." in result.stdout
    assert "that is a failure" not in result.stdout


def test_without_skips_ci_passes_without_a_report(tmp_path: Path) -> None:
    result = run_pytest(tmp_path, "true", "def test_runs(): assert True\n")
    assert result.returncode == 0
    assert "NOT run" not in result.stdout
