"""Logging for operators: one line per record on standard error.

Modules log with `logging.getLogger(__name__)`. Under systemd each line begins with its priority,
as journald reads it (`<3>` error, `<4>` warning, `<6>` info); in a terminal with `marrakech:`.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

from companion.errors import one_line

ROOT = "companion"
_PRIORITIES = ((logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG_PRIORITY = 7


class LineHandler(logging.Handler):
    """Writes records as single lines. A closed or full stream never stops the program."""

    def __init__(self, stream: TextIO | None, *, has_priorities: bool) -> None:
        super().__init__()
        self._stream = stream
        self._has_priorities = has_priorities

    def emit(self, record: logging.LogRecord) -> None:
        if self._stream is None:
            return
        text = one_line(record.getMessage(), max_length=1000)
        prefix = f"<{_priority(record.levelno)}>" if self._has_priorities else "marrakech: "
        with suppress(OSError, ValueError):  # the next line may succeed
            print(f"{prefix}{text}", file=self._stream, flush=True)


def _priority(level: int) -> int:
    return next((number for least, number in _PRIORITIES if level >= least), _DEBUG_PRIORITY)


def _is_journal(stream: TextIO | None, environ: Mapping[str, str]) -> bool:
    """Whether a stream is connected to journald: systemd names its device and inode."""
    try:
        found = os.fstat(stream.fileno()) if stream is not None else None
    except (OSError, ValueError):  # closed, or not a file
        return False
    return found is not None and environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def parse_line(line: str) -> tuple[int, str] | None:
    """The level and text of a line with a priority; None for any other line."""
    if found := re.match(r"<([0-7])>(.*)", line, re.DOTALL):
        priority = int(found[1])
        level = next((level for level, least in _PRIORITIES if priority <= least), logging.DEBUG)
        return level, found[2]
    return None


def configure(
    environ: Mapping[str, str] = os.environ, *, has_priorities: bool | None = None
) -> None:
    """Send this package's records to standard error. Idempotent."""
    if has_priorities is None:
        has_priorities = _is_journal(sys.stderr, environ)
    logger = logging.getLogger(ROOT)
    for handler in [one for one in logger.handlers if isinstance(one, LineHandler)]:
        logger.removeHandler(handler)
    logger.addHandler(LineHandler(sys.stderr, has_priorities=has_priorities))
    logger.setLevel(logging.INFO)
    logger.propagate = False
