"""A pytest plugin: half a minute after the tests begin, it is midnight. For the long run:

    pytest -p helpers.midnight

Every process of pytest gets the shifted clock; programs that tests start keep the real one. Only
the wall clock is shifted: waits and timers go on as they are.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import time_machine

BEFORE = timedelta(seconds=30)
_clock = pytest.StashKey[time_machine.travel]()


def pytest_sessionstart(session: pytest.Session) -> None:
    now = datetime.now().astimezone()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    clock = time_machine.travel(midnight - BEFORE, tick=True)
    clock.start()
    session.config.stash[_clock] = clock


def pytest_sessionfinish(session: pytest.Session) -> None:
    session.config.stash[_clock].stop()
