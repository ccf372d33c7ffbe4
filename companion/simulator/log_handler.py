"""Shows log records on the simulator's screen: standard error is not visible there."""

from __future__ import annotations

import logging
from collections.abc import Callable


class LogHandler(logging.Handler):
    """Passes the text of warnings and errors to `show`."""

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._show = show

    def emit(self, record: logging.LogRecord) -> None:
        self._show(record.getMessage())
