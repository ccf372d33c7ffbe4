"""Start processes in their own process groups, and stop them."""

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
    """Start a command in a new process group; `environ` is added to the environment.

    Ctrl-C in the terminal does not reach the group: the caller must call `stop`, which signals all
    its processes once.
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


def stop(processes: Sequence[subprocess.Popen[bytes]], timeout_s: float) -> None:
    """Interrupt running processes; kill them after the timeout, or at a second Ctrl-C."""
    end = time.monotonic() + timeout_s
    running = [process for process in processes if process.poll() is None]
    for process in running:
        os.killpg(process.pid, signal.SIGINT)
    for process in running:
        try:
            process.wait(max(0.0, end - time.monotonic()))
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
