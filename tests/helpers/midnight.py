"""A pytest plugin that shifts the clock so that midnight is 30 s after the start of the tests.

    pytest -p helpers.midnight

Shifts the wall clock of all pytest processes, but not of programs that tests start, and not the
monotonic clock.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import time_machine

BEFORE_MIDNIGHT = timedelta(seconds=30)
_clock = pytest.StashKey[time_machine.travel]()


def pytest_sessionstart(session: pytest.Session) -> None:
    now = datetime.now().astimezone()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    clock = time_machine.travel(midnight - BEFORE_MIDNIGHT, tick=True)
    clock.start()
    session.config.stash[_clock] = clock


def pytest_sessionfinish(session: pytest.Session) -> None:
    session.config.stash[_clock].stop()
