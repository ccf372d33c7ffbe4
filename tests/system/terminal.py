"""`./marrakech play` in a terminal: until its screen is there, a press, and out again."""

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

from system.failure import SceneError

PATIENCE_S = 600.0
"""The first start installs everything."""
SCREEN = b"SIMULATED"
"""What its screen says, once it is there."""
_ROWS, _COLUMNS = 50, 160


class Terminal:
    """A program in a terminal. What it has written is in `shown`."""

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

    def read_until(self, is_so: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            if time.monotonic() > end or not self._read():
                raise SceneError(f"never: {what}\n{self.shown[-2000:].decode(errors='replace')}")

    def _read(self) -> bool:
        """Wait a moment for more; False when the program has closed its terminal."""
        if select.select([self._host], [], [], 0.1)[0]:
            try:
                more = os.read(self._host, 65536)
            except OSError:  # how Linux says that nobody is at the other end
                return False
            self.shown += more
            return bool(more)
        return True

    def wait(self) -> int:
        """Until it has ended; its exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._host)


def play_in_terminal(command: Sequence[str], environ: Mapping[str, str], log: Path) -> str:
    """Start it, press Enter, leave with q; how long it took until there was a screen."""
    began = time.monotonic()
    terminal = Terminal(command, environ)
    try:
        terminal.read_until(lambda: SCREEN in terminal.shown, "its screen")
        took = time.monotonic() - began
        seen = len(terminal.shown)
        terminal.type(b"\r")
        terminal.read_until(lambda: len(terminal.shown) > seen, "an answer to Enter")
        terminal.type(b"q")
        code = terminal.wait()
    finally:
        log.write_bytes(terminal.shown)
        terminal.close()
    if code:
        raise SceneError(f"exit code {code}\n{terminal.shown[-2000:].decode(errors='replace')}")
    return f"its screen after {took:.0f} s; leaves with 0"
