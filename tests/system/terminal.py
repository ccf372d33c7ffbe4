"""Runs `./marrakech play` in a terminal: waits for its screen, presses a key, and quits."""

from __future__ import annotations

import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from fcntl import ioctl
from pathlib import Path

from system.errors import StepFailedError

TIMEOUT_S = 600.0
"""The first start installs everything."""
SCREEN = b"SIMULATED"
"""Part of its screen."""
_ROWS, _COLUMNS = 50, 160


class Terminal:
    """A program in a pseudo-terminal. Its output is in `shown`."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        self.shown = b""
        self._host, terminal = pty.openpty()
        ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            command,
            env=dict(environ),
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)

    def type(self, keys: bytes) -> None:
        os.write(self._host, keys)

    def read_until(self, is_true: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + TIMEOUT_S
        while not is_true():
            if time.monotonic() > end or not self._read():
                raise StepFailedError(
                    f"timeout: {what}\n{self.shown[-2000:].decode(errors='replace')}"
                )

    def _read(self) -> bool:
        """Wait a moment for more; False when the program has closed its terminal."""
        if select.select([self._host], [], [], 0.1)[0]:
            try:
                more = os.read(self._host, 65536)
            except OSError:  # Linux: the other end is closed
                return False
            self.shown += more
            return bool(more)
        return True

    def wait(self) -> int:
        """Wait for its end. Returns the exit code."""
        while self._read():
            pass
        return self.process.wait(TIMEOUT_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._host)


def play_in_terminal(command: Sequence[str], environ: Mapping[str, str], log: Path) -> str:
    """Start it, press Enter, quit with q. Returns how long its screen took to appear."""
    began = time.monotonic()
    terminal = Terminal(command, environ)
    try:
        terminal.read_until(lambda: SCREEN in terminal.shown, "its screen")
        took = time.monotonic() - began
        seen = len(terminal.shown)
        terminal.type(b"\r")
        terminal.read_until(lambda: len(terminal.shown) > seen, "a reaction to Enter")
        terminal.type(b"q")
        code = terminal.wait()
    finally:
        log.write_bytes(terminal.shown)
        terminal.close()
    if code:
        raise StepFailedError(
            f"exit code {code}\n{terminal.shown[-2000:].decode(errors='replace')}"
        )
    return f"screen after {took:.0f} s; exit code 0"
