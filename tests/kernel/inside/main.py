"""Runs the tests inside the test kernel, and switches it off. Process 1, started by init.sh."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SHARED = Path("/run/shared")
"""A folder of the machine that runs the kernel."""
INSIDE = Path(__file__).parent
CHECKOUT = INSIDE.parents[2]
_POWER_OFF = 0x4321FEDC


def main() -> None:
    try:
        code = run_tests()
        (SHARED / "exit_code").write_text(str(code))
    finally:
        os.sync()
        ctypes.CDLL(None).reboot(_POWER_OFF)


def run_tests() -> int:
    """Each run has the arguments of one pytest process."""
    tools = SHARED / "tools"
    if tools.exists():
        shutil.copytree(tools, "/", symlinks=True, dirs_exist_ok=True)
    runs = json.loads((SHARED / "runs.json").read_text())
    return max(run_pytest(number, arguments) for number, arguments in enumerate(runs))


def run_pytest(number: int, arguments: list[str]) -> int:
    folder = Path(f"/run/tests{number}")  # lgpio creates a pipe in the working directory
    folder.mkdir()
    return subprocess.call(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"),
            *(f"--config-file={CHECKOUT / 'pyproject.toml'}", f"--rootdir={CHECKOUT}"),
            *(f"--junitxml={SHARED / f'results{number}.xml'}", f"--basetemp={folder}/temporary"),
            *arguments,
        ],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        env={
            "PATH": os.environ["PATH"],
            "HOME": "/run/home",
            "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(SHARED / "libraries"),
            "MARRAKECH_IN_TEST_KERNEL": "1",
        },
    )


if __name__ == "__main__":
    main()
