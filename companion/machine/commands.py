"""Running a command without a terminal, and its result."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError

NOT_FOUND = 127
"""Exit code for a command that could not be started, as in a shell."""
TIMED_OUT = 124
"""Exit code for a command that was killed after its timeout, as `timeout` has it."""
MAX_OUTPUT_BYTES = 1_000_000
_ENVIRON = {"LC_ALL": "C.UTF-8", "SYSTEMD_PAGER": "", "SYSTEMD_COLORS": "0"}


@dataclass(frozen=True, slots=True)
class CommandResult:
    code: int
    output: str = ""
    error_output: str = ""

    @property
    def is_ok(self) -> bool:
        return self.code == 0

    @property
    def has_run(self) -> bool:
        """Whether the command was started and ended by itself."""
        return self.code not in (NOT_FOUND, TIMED_OUT)

    @property
    def text(self) -> str:
        """Standard output, then standard error."""
        return self.output + self.error_output

    def last_lines(self, count: int = 10) -> list[str]:
        """The last lines that are not blank."""
        return [line for line in self.text.splitlines() if line.strip()][-count:]


class CommandError(CompanionError):
    """A command that had to succeed failed."""

    def __init__(self, command: Sequence[str], result: CommandResult) -> None:
        super().__init__(f"'{' '.join(command)}' ended with code {result.code}")
        self.lines = result.last_lines()


def run_command(
    command: Sequence[str],
    *,
    timeout_s: float | None = None,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    is_merged: bool = False,
) -> CommandResult:
    """Run a command with an empty standard input and messages in English.

    A command that cannot be started or takes too long is a result as well, see `has_run`.
    With `is_merged`, standard error is part of `output`, in the order it was written.
    """
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **_ENVIRON, **(environ or {})},
            cwd=folder or "/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if is_merged else subprocess.PIPE,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return CommandResult(
            TIMED_OUT, error_output=f"{command[0]}: no answer within {timeout_s:g} s"
        )
    except OSError as error:
        return CommandResult(NOT_FOUND, error_output=f"{command[0]}: {error.strerror}")
    return CommandResult(done.returncode, _decode(done.stdout), _decode(done.stderr))


def _decode(data: bytes | None) -> str:
    return (data or b"")[-MAX_OUTPUT_BYTES:].decode(errors="replace")
