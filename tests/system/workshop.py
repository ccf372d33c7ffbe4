"""Where the work is done: what it takes, a folder that is cleared away, a table of times."""

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

from system.failure import ForbiddenError, StageError
from system.root import APART

CHECKOUT = Path(__file__).parents[2]
SKIPPED = 77
FAILED = 1
WORK = Path("/var/tmp")
"""On a disk: /tmp may be in memory."""
ROOM_BYTES = 2_000_000_000
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
TOOLS = ("debootstrap", "apt-get", "dpkg-deb", "nsenter", "unshare", "setpriv")


def parse_words(about: str | None, words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--root", type=Path, metavar="FOLDER", help="copy this root, or keep it")
    return parser.parse_args(words)


def check_machine() -> None:
    """What can be known before anything is done."""
    if os.geteuid() != 0:
        raise ForbiddenError("only root can make a Debian and boot it: run it with sudo")
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise StageError(f"{missing[0]} is missing: 'apt install debootstrap' on a Debian")
    done = subprocess.run([*APART, "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ForbiddenError(
            f"this machine lets nobody make namespaces ({done.stderr.strip()}): run it in a "
            "virtual machine, or in a privileged container"
        )
    if shutil.disk_usage(WORK).free < ROOM_BYTES:
        raise StageError(f"less than {ROOM_BYTES // 10**9} GB are free in {WORK}: make room")


@contextmanager
def signals_interrupt() -> Iterator[None]:
    """Whatever asks us to end raises KeyboardInterrupt, so that we clear up first."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def work_folder() -> Iterator[Path]:
    """Removed in the end, however that comes."""
    work = Path(tempfile.mkdtemp(prefix="marrakech-system-", dir=WORK))
    try:
        yield work
    finally:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # until it is done
        if str(work) in Path("/proc/self/mountinfo").read_text():
            print(f"{work} is left: something is mounted in it", flush=True)
        else:
            shutil.rmtree(work)


def copy_tree(target: Path) -> Path:
    """The checkout without what .gitignore names: others may be at work in it."""
    lines = (CHECKOUT / ".gitignore").read_text().split()
    junk = shutil.ignore_patterns(".git", *(line.strip("/") for line in lines))
    return Path(shutil.copytree(CHECKOUT, target, ignore=junk))


class Schedule:
    """What was done, how long it took, and what it has shown."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._rows: list[tuple[str, float, str]] = []

    def take(self, name: str, do: Callable[[], str]) -> None:
        """Do it. What it says goes into the table; what it raises goes on."""
        print(f"{name} ...", flush=True)
        began, shown = time.monotonic(), "FAILED"
        try:
            shown = do()
        finally:
            self._rows.append((name, time.monotonic() - began, shown))

    def print_table(self) -> None:
        width = max((len(name) for name, _, _ in self._rows), default=0)
        print(f"\n{'scene':{width}}  seconds  what was shown")
        for name, took, shown in self._rows:
            print(f"{name:{width}}  {took:7.1f}  {shown}")
        print(f"{'':{width}}  {time.monotonic() - self._began:7.1f}  in all", flush=True)
