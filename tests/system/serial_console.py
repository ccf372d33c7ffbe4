"""Runs commands in a root shell at the other end of a serial line.

The line carries nothing but text, and the kernel prints on it as well. So the result of a command
is one record: its number, the exit code and both outputs in base64, between two bytes that nothing
else prints.
"""

from __future__ import annotations

import os
import re
import select
import shlex
import time
from base64 import b64decode
from collections.abc import Callable

from system.errors import StepFailedError

COMMAND_TIMEOUT_S = 900.0
"""For an emulated machine on a busy one."""
RESEND_S = 5.0
POLL_S = 0.2
MAX_LINE_BYTES = 4000
"""A terminal cuts lines off after 4095 bytes."""
_RECORD = re.compile(rb"\x1e(\d+) (\d+) ([A-Za-z0-9+/=]*) ([A-Za-z0-9+/=]*)\x1e")
_PRINT = (
    'printf "\\036%s %s %s %s\\036\\n" {number} $code '
    '"$(base64 --wrap=0 {folder}/out)" "$(base64 --wrap=0 {folder}/err)"'
)
# No echo and no prompt; the kernel prints only what stops it.
_SET_UP = "stty -echo; PS1=; export HOME=/root LANG=C.UTF-8; dmesg --console-level emerg"


class SerialConsole:
    """`descriptor` is an open socket or terminal. `folder` is at the other end, for the outputs."""

    def __init__(self, descriptor: int, *, folder: str = "/run/console") -> None:
        self._descriptor = descriptor
        self._folder = shlex.quote(folder)
        self._number = 0
        self._shown = b""
        """What has come since the last command was sent."""

    def wait_for_shell(self, timeout_s: float, is_alive: Callable[[], bool]) -> None:
        """Wait until a shell answers. What is sent before it is there gets lost: send it again."""
        end = time.monotonic() + timeout_s
        self._number += 1
        while True:
            os.write(self._descriptor, f"{_SET_UP}; mkdir -p {self._folder}\n".encode())
            if self._send_and_wait("true", RESEND_S):
                return
            if not is_alive():
                raise StepFailedError(f"the machine has stopped\n{self._last_lines()}")
            if time.monotonic() > end:
                raise StepFailedError(f"no shell within {timeout_s:.0f} s\n{self._last_lines()}")

    def run(self, command: str, timeout_s: float = COMMAND_TIMEOUT_S) -> tuple[int, str, str]:
        """Run a line of shell. Returns the exit code, the standard output and standard error."""
        self._number += 1
        found = self._send_and_wait(command, timeout_s)
        if found is None:
            raise StepFailedError(
                f"'{command}' has not ended within {timeout_s:.0f} s\n{self._last_lines()}"
            )
        out, err = (b64decode(found[n]).decode(errors="replace") for n in (3, 4))
        return int(found[2]), out, err

    def read_until(self, is_true: Callable[[], bool], what: str, timeout_s: float) -> None:
        """Wait for something else, and read what the machine prints meanwhile.

        QEMU stops the whole machine while nobody reads what it prints: after about 300 characters.
        """
        end = time.monotonic() + timeout_s
        while not is_true():
            if not self._read(POLL_S):
                raise StepFailedError(f"the machine has stopped\n{self._last_lines()}")
            if time.monotonic() > end:
                raise StepFailedError(f"not within {timeout_s:.0f} s: {what}\n{self._last_lines()}")

    def _send_and_wait(self, command: str, timeout_s: float) -> re.Match[bytes] | None:
        """The record of a command; None after the timeout, or if the other end was closed."""
        files = f"</dev/null >{self._folder}/out 2>{self._folder}/err"
        record = _PRINT.format(number=self._number, folder=self._folder)
        line = f"( {command} ) {files}; code=$?; {record}\n".encode()
        assert len(line) <= MAX_LINE_BYTES, f"too long for a terminal: {command}"
        self._shown = b""
        os.write(self._descriptor, line)
        end = time.monotonic() + timeout_s
        while (left_s := end - time.monotonic()) > 0:
            if not self._read(left_s):
                return None
            for found in _RECORD.finditer(self._shown):
                if int(found[1]) == self._number:
                    return found
        return None

    def _read(self, timeout_s: float) -> bool:
        """Wait for more; False when the other end is closed."""
        if not select.select([self._descriptor], [], [], timeout_s)[0]:
            return True
        try:
            more = os.read(self._descriptor, 65536)
        except OSError:  # a terminal without a program at its other end
            more = b""
        self._shown += more
        return bool(more)

    def _last_lines(self) -> str:
        return readable_tail(self._shown)


def shell_line(*words: str, folder: str = "/") -> str:
    """The command line for a shell, in a folder."""
    return f"cd {shlex.quote(folder)} && {shlex.join(words)}"


def readable_tail(log: bytes, size: int = 3000) -> str:
    """The end of a log, without the records."""
    return _RECORD.sub(b"", log)[-size:].decode(errors="replace")
