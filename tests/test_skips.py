"""A skipped test is loud, and fails where CI=true."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPING = """
import pytest
def test_runs(): assert True
def test_skips(): pytest.skip("no such tool")
"""


def run_pytest(folder: Path, ci: str, source: str) -> subprocess.CompletedProcess[str]:
    shutil.copy(Path(__file__).with_name("conftest.py"), folder)
    (folder / "test_some.py").write_text(source)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(folder)],
        env={**os.environ, "CI": ci},
        cwd=folder,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("false", 0), ("", 0)])
def test_a_skip_is_loud_everywhere_and_fails_in_ci(tmp_path: Path, ci: str, code: int) -> None:
    result = run_pytest(tmp_path, ci, SKIPPING)
    assert result.returncode == code
    assert "1 tests did NOT run" in result.stdout
    assert ("with CI=true that is a failure" in result.stdout) == (ci == "true")


def test_without_skips_ci_passes_and_says_nothing_of_them(tmp_path: Path) -> None:
    result = run_pytest(tmp_path, "true", "def test_runs(): assert True\n")
    assert result.returncode == 0
    assert "NOT run" not in result.stdout
