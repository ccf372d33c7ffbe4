"""What all system tests share: requirements, a temporary folder, and a log of steps."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from system.errors import CannotRunError, ForbiddenError
from system.root import ISOLATED

CHECKOUT = Path(__file__).parents[2]
SKIPPED = 77
FAILED = 1
PARENT_FOLDER = Path("/var/tmp")
"""/tmp may be in memory."""
MIN_FREE_BYTES = 2_000_000_000
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TOOLS = ("debootstrap", "apt-get", "dpkg-deb", "nsenter", "unshare", "setpriv")


def parse_arguments(description: str | None, words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument(
        "--root", type=Path, metavar="FOLDER", help="use a copy of this root; create it if missing"
    )
    return parser.parse_args(words)


def check_machine() -> None:
    """Check the requirements before the test starts."""
    if os.geteuid() != 0:
        raise ForbiddenError("only root can create and boot a Debian root: run it with sudo")
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise CannotRunError(f"{missing[0]} is missing: 'apt install debootstrap' on a Debian")
    done = subprocess.run([*ISOLATED, "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ForbiddenError(
            f"this machine does not allow namespaces ({done.stderr.strip()}): run it in a "
            "virtual machine, or in a privileged container"
        )
    if shutil.disk_usage(PARENT_FOLDER).free < MIN_FREE_BYTES:
        raise CannotRunError(
            f"less than {MIN_FREE_BYTES // 10**9} GB are free in {PARENT_FOLDER}: free some space"
        )


@contextmanager
def interrupt_on_signals() -> Iterator[None]:
    """Signals raise KeyboardInterrupt, so that everything is cleaned up."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is removed at the end, even after an error."""
    work = Path(tempfile.mkdtemp(prefix="marrakech-system-", dir=PARENT_FOLDER))
    try:
        yield work
    finally:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # until it is removed
        if str(work) in Path("/proc/self/mountinfo").read_text():
            print(f"{work} is not removed: something is mounted in it", flush=True)
        else:
            shutil.rmtree(work)


def copy_tree(target: Path) -> Path:
    """A copy of the checkout without the files in .gitignore."""
    lines = (CHECKOUT / ".gitignore").read_text().split()
    ignore = shutil.ignore_patterns(".git", *(line.strip("/") for line in lines))
    return Path(shutil.copytree(CHECKOUT, target, ignore=ignore))


class StepLog:
    """Runs steps, and prints a table of their times and results."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._rows: list[tuple[str, float, str]] = []

    def run(self, name: str, step: Callable[[], str]) -> None:
        """Run a step. Its return value goes into the table."""
        print(f"{name} ...", flush=True)
        began, result = time.monotonic(), "FAILED"
        try:
            result = step()
        finally:
            self._rows.append((name, time.monotonic() - began, result))

    def print_table(self) -> None:
        width = max((len(name) for name, _, _ in self._rows), default=0)
        print(f"\n{'step':{width}}  seconds  result")
        for name, took_s, result in self._rows:
            print(f"{name:{width}}  {took_s:7.1f}  {result}")
        print(f"{'':{width}}  {time.monotonic() - self._began:7.1f}  total", flush=True)
