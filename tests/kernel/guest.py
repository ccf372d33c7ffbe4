"""Boots the test kernel on this machine's files, and runs tests inside it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from helpers.processes import start, stop
from kernel.kernel_build import Kernel
from system.errors import StepFailedError

FOLDER = Path(__file__).parent
DEVICE_TREE = FOLDER / "pi.dts"
INSIDE = FOLDER / "inside"
INIT, MAIN = INSIDE / "init.sh", INSIDE / "main.py"
REAL_TIME = ("test_removed_chip.py",)
"""Files whose tests have a thread that never waits: virtual time would stand still."""
MEMORY_MB = 768
TIMEOUT_S = 1800.0
"""For a very busy machine."""
STOP_TIMEOUT_S = 10.0


class Guest:
    """The kernel and the folder that it shares with this machine (inside: /run/shared)."""

    def __init__(self, kernel: Kernel, shared: Path) -> None:
        self._kernel = kernel
        self._shared = shared
        self.libraries = shared / "libraries"
        self.tools = shared / "tools"
        """Copied into the root file system."""
        shared.mkdir()

    def run_tests(self, arguments: Sequence[str]) -> str:
        """Run pytest with these arguments, by default all tests. Returns the number of tests."""
        counts: Counter[str] = Counter()
        codes = []
        for runs, is_real_time in plan_boots(arguments):
            self._clear_results()
            (self._shared / "runs.json").write_text(json.dumps(runs))
            console = self._shared / "console.log"
            code = self._boot(console, is_real_time=is_real_time)
            print(console.read_text(errors="replace"), flush=True)
            if code is None:
                raise StepFailedError("the test kernel has crashed: see its last lines above")
            codes.append(code)
            counts.update(self._counts())
        text = ", ".join(f"{count} {name}" for name, count in counts.items())
        if any(codes):
            raise StepFailedError(text)
        return text

    def _results(self) -> list[Path]:
        return list(self._shared.glob("results*.xml"))

    def _clear_results(self) -> None:
        for path in (*self._results(), self._shared / "exit_code"):
            path.unlink(missing_ok=True)

    def _counts(self) -> Counter[str]:
        """How many tests ran, failed, and so on, from pytest's own reports."""
        counts: Counter[str] = Counter()
        for report in self._results():
            for suite in ElementTree.parse(report).getroot().iter("testsuite"):
                for name in ("tests", "failures", "errors", "skipped"):
                    counts[name] += int(suite.get(name, 0))
        return counts

    def _boot(self, console: Path, *, is_real_time: bool) -> int | None:
        """Returns pytest's exit code; None after a crash or the timeout."""
        with console.open("wb") as output:
            environ = {"TMPDIR": str(self._memory_folder())}
            command = self._command(is_real_time=is_real_time)
            process = start(command, self._shared, output=output, environ=environ)
            try:
                process.wait(TIMEOUT_S)
            except subprocess.TimeoutExpired:
                output.write(f"\nnot finished after {TIMEOUT_S:.0f} s\n".encode())
            finally:
                stop([process], STOP_TIMEOUT_S)
        code = self._shared / "exit_code"
        return int(code.read_text()) if code.exists() else None

    def _command(self, *, is_real_time: bool) -> list[str]:
        """`time-travel=inf-cpu`: computing takes no time, and waiting ends at once.

        So tests that wait for milliseconds do not depend on the speed of this machine.
        """
        tree = self._shared / "pi.dtb"
        subprocess.run([self._kernel.dtc, "-q", "-O", "dtb", "-o", tree, DEVICE_TREE], check=True)
        return [
            *(str(self._kernel.program), f"mem={MEMORY_MB}M", f"dtb={tree}"),
            *([] if is_real_time else ["time-travel=inf-cpu"]),
            *("dummy_hcd.num=2", "quiet"),
            *("root=none", "rootfstype=hostfs", "hostfs=/", "ro", f"init={INIT}"),
            *("con=null", "con0=null,fd:1"),
            *(f"SHARED={self._shared}", f"PYTHON={sys.executable}", f"MAIN={MAIN}"),
        ]

    def _memory_folder(self) -> Path:
        """The kernel's memory is a file. In containers /dev/shm is often too small for it."""
        memory = Path("/dev/shm")
        is_usable = os.access(memory, os.W_OK)
        has_room = is_usable and shutil.disk_usage(memory).free > MEMORY_MB * 2**20
        return memory if has_room else self._shared


def plan_boots(arguments: Sequence[str]) -> list[tuple[list[list[str]], bool]]:
    """For each boot its pytest runs, and whether it is in real time.

    Without arguments each file has a run of its own: lgpio's thread cannot be started again.
    """
    if arguments:
        return [([[*arguments]], any(name in word for name in REAL_TIME for word in arguments))]
    files = sorted(INSIDE.glob("test_*.py"))
    return [
        ([[str(path)] for path in files if (path.name in REAL_TIME) == is_real_time], is_real_time)
        for is_real_time in (False, True)
    ]
