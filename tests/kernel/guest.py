"""Boots the test kernel on this machine's files, and runs tests inside it."""

from __future__ import annotations

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
INIT, MAIN = FOLDER / "inside/init.sh", FOLDER / "inside/main.py"
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
        (self._shared / "pytest_arguments").write_text("\n".join(arguments))
        console = self._shared / "console.log"
        code = self._boot(console)
        print(console.read_text(errors="replace"), flush=True)
        if code is None:
            raise StepFailedError("the test kernel has crashed: see its last lines above")
        text = ", ".join(f"{count} {name}" for name, count in self._counts().items())
        if code:
            raise StepFailedError(text)
        return text

    def _counts(self) -> Counter[str]:
        """How many tests ran, failed, and so on, from pytest's own reports."""
        counts: Counter[str] = Counter()
        for report in self._shared.glob("results*.xml"):
            for suite in ElementTree.parse(report).getroot().iter("testsuite"):
                for name in ("tests", "failures", "errors", "skipped"):
                    counts[name] += int(suite.get(name, 0))
        return counts

    def _boot(self, console: Path) -> int | None:
        """Returns pytest's exit code; None after a crash or the timeout."""
        with console.open("wb") as output:
            environ = {"TMPDIR": str(self._memory_folder())}
            process = start(self._command(), self._shared, output=output, environ=environ)
            try:
                process.wait(TIMEOUT_S)
            except subprocess.TimeoutExpired:
                output.write(f"\nnot finished after {TIMEOUT_S:.0f} s\n".encode())
            finally:
                stop([process], STOP_TIMEOUT_S)
        code = self._shared / "exit_code"
        return int(code.read_text()) if code.exists() else None

    def _command(self) -> list[str]:
        """`time-travel=inf-cpu`: computing takes no time, and waiting ends at once.

        So tests that wait for milliseconds do not depend on the speed of this machine.
        """
        tree = self._shared / "pi.dtb"
        subprocess.run([self._kernel.dtc, "-q", "-O", "dtb", "-o", tree, DEVICE_TREE], check=True)
        return [
            *(str(self._kernel.program), f"mem={MEMORY_MB}M", f"dtb={tree}"),
            *("time-travel=inf-cpu", "dummy_hcd.num=2", "quiet"),
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
