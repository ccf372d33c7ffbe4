"""Captures what this package logs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.logs import ROOT


class CallbackHandler(logging.Handler):
    """Passes the text of every record to a function."""

    def __init__(self, handle_text: Callable[[str], None]) -> None:
        super().__init__()
        self._handle_text = handle_text

    def emit(self, record: logging.LogRecord) -> None:
        self._handle_text(record.getMessage())

    @contextmanager
    def attached(self) -> Iterator[None]:
        logger = logging.getLogger(ROOT)
        level = logger.level
        logger.addHandler(self)
        logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.removeHandler(self)
            logger.setLevel(level)


@contextmanager
def captured_log() -> Iterator[list[str]]:
    """The texts of all records that are logged inside, as a growing list."""
    lines: list[str] = []
    with CallbackHandler(lines.append).attached():
        yield lines
