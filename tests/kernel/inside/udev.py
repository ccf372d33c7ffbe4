"""A running udev with the companion's rules, inside the test kernel."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helpers.patience import PATIENCE_S

DAEMON = "/usr/lib/systemd/systemd-udevd"
RULES = Path(__file__).parents[3] / "systemd/60-marrakech.rules"
GROUPS = ("dialout", "gpio", "spi")
"""`marrakech install` creates those that Debian does not have."""
_FIRST_GROUP = 30_000


@contextmanager
def udev_running() -> Iterator[None]:
    add_groups()
    target = Path("/etc/udev/rules.d")
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(RULES, target)
    with subprocess.Popen([DAEMON]) as daemon:
        try:
            udevadm("control", "--ping")
            udevadm("trigger", "--action=add")
            udevadm("settle")
            yield
        finally:
            daemon.terminate()


def add_groups() -> None:
    path = Path("/etc/group")
    text = path.read_text()
    for number, name in enumerate(GROUPS, start=_FIRST_GROUP):
        if f"\n{name}:" not in text:
            text += f"{name}:x:{number}:\n"
    path.write_text(text)


def udevadm(*words: str) -> str:
    done = subprocess.run(["udevadm", *words], capture_output=True, text=True, check=True)
    return done.stdout


def wait_for_port(*, is_present: bool = True) -> None:
    """Wait until the kernel has found or removed a USB serial port, and udev has named it."""
    end = time.monotonic() + PATIENCE_S
    while any(Path("/dev").glob("ttyACM*")) != is_present:
        assert time.monotonic() < end, "the kernel has not found the USB device"
        time.sleep(0.1)
    udevadm("settle")


def properties(device: Path) -> dict[str, str]:
    """What udev's rules said about a device."""
    lines = udevadm("info", "--query=property", str(device)).splitlines()
    return dict(line.split("=", 1) for line in lines)
