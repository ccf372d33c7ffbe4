"""Start processes that lead a process group of their own, and stop them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO


def start(
    command: Sequence[str],
    folder: Path,
    *,
    output: IO[bytes] | None = None,
    environ: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a command; with `output`, all that it prints goes there. `environ` is added to the
    environment.

    It leads a process group of its own: Ctrl-C at the keyboard reaches whoever started it, and from
    there, by `stop`, everything below it once.
    """
    return subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output else None,
        env={**os.environ, **(environ or {})},
        process_group=0,
    )


def stop(processes: Sequence[subprocess.Popen[bytes]], patience_s: float) -> None:
    """Interrupt what still runs, and kill what does not end in that time, or by a second Ctrl-C."""
    end = time.monotonic() + patience_s
    running = [process for process in processes if process.poll() is None]
    for process in running:
        os.killpg(process.pid, signal.SIGINT)
    for process in running:
        try:
            process.wait(max(0.0, end - time.monotonic()))
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
