"""Loads an image onto a board with avrdude, and explains its errors.

The functions block. avrdude's output is passed on as it comes, with its progress.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from companion.adapters.bootloader import Bootloader
from companion.errors import CompanionError, one_line

TRIES = 2
"""A Nano sometimes misses a reset."""
SYNC_ATTEMPTS = 3
"""avrdude waits 5 s in each, and would make ten."""
_NO_ANSWER = ("not in sync", "not responding")


class AvrdudeError(CompanionError):
    """avrdude is missing, or has failed."""


def check_avrdude() -> None:
    if shutil.which("avrdude") is None:
        raise AvrdudeError("flashing needs avrdude: sudo apt install avrdude")


def run_avrdude(
    port: str, image: Path, bootloader: Bootloader, write: Callable[[str], object]
) -> None:
    """Write the image and read it back. `write` gets avrdude's output."""
    for number in range(TRIES):
        code, output = _run(port, image, bootloader, write)
        if code == 0:
            return
        if number + 1 < TRIES and _is_unanswered(output):
            write("no answer; trying again\n")
        else:
            raise AvrdudeError(_explanation(port, output))


def _run(
    port: str, image: Path, bootloader: Bootloader, write: Callable[[str], object]
) -> tuple[int, str]:
    """Returns the exit code and the output."""
    options = ["-p", bootloader.part, "-c", "arduino", "-P", port, "-b", str(bootloader.baud)]
    options += ["-x", f"attempts={SYNC_ATTEMPTS}", "-D", "-U", f"flash:w:{image.name}:i"]
    with subprocess.Popen(
        ["avrdude", *options],
        cwd=image.parent,  # avrdude would misread a colon in the image's path
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        output = ""
        while some := process.stdout.read(1):  # its progress has no line ends
            output += some
            write(some)
        return process.wait(), output


def _is_unanswered(output: str) -> bool:
    return any(text in output for text in _NO_ANSWER)


def _explanation(port: str, output: str) -> str:
    if _is_unanswered(output):
        return (
            f"the bootloader on {port} answered at first, and then not to avrdude: plug the board "
            "into the Pi without a hub, and flash again"
        )
    if "mismatch" in output or "verification error" in output:
        return (
            "the image was written, but reads back differently: flash again; if that fails too, "
            "use another board"
        )
    lines = [line for line in output.splitlines() if line.strip() and "Thank you" not in line]
    return f"avrdude failed: {one_line(lines[-1] if lines else 'no reason given')}"
