"""What holds for all tests: groups, skips, hypothesis profiles, and their own environment.

Skips are loud. With CI=true a skip is a failure, since nothing may pass by not running, unless the
reason is that this kernel, container or user may not do it (helpers/requirements.py).
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from helpers.groups import BY_FIXTURE, GROUPS
from helpers.page.fonts import need_picture_fonts
from helpers.profiles import register_profiles
from helpers.requirements import FORBIDDEN

# Where a companion has its socket and speaks to systemd; without them it stays in its own folder.
# Tests meet neither those of another process, nor a companion that runs on this machine.
MEETING_POINTS = ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "NOTIFY_SOCKET", "WATCHDOG_USEC")
# These would change what a command prints, or where it looks.
SETTINGS = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "COLORTERM", "LANGUAGE")

register_profiles()


def pytest_configure(config: pytest.Config) -> None:
    for name in (*MEETING_POINTS, *SETTINGS):
        os.environ.pop(name, None)
    for name, about in GROUPS.items():
        config.addinivalue_line("markers", f"{name}: {about}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests by what they need. The longest begins first: at the end it would run alone."""
    for item in items:
        for fixture in getattr(item, "fixturenames", ()):
            if fixture in BY_FIXTURE:
                item.add_marker(BY_FIXTURE[fixture])
    items.sort(key=lambda item: item.get_closest_marker("system") is None)


@pytest.fixture(scope="session")
def picture_fonts() -> None:
    """What a picture needs for names of all scripts."""
    need_picture_fonts()


def _reasons_of_skips(config: pytest.Config) -> Counter[str]:
    """How many tests were skipped for which reason."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", ()) if reporter else ()
    return Counter(_reason(report.longrepr) for report in skipped)


def _reason(longrepr: object) -> str:
    """pytest has a file, a line and the reason there, and the reason after a word of its own."""
    told = longrepr[2] if isinstance(longrepr, tuple) else longrepr
    return str(told).removeprefix("Skipped: ")


def _is_failure(reason: str) -> bool:
    return os.environ.get("CI") == "true" and not reason.startswith(FORBIDDEN)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if reasons := _reasons_of_skips(config):
        terminalreporter.section("SKIPPED", red=True)
    for reason, count in reasons.items():
        fails = " With CI=true that is a failure." if _is_failure(reason) else ""
        terminalreporter.line(f"{count} tests did NOT run: {reason}.{fails}", red=True)
    for report in terminalreporter.getreports("passed"):
        if "test_installed_service.py" in report.nodeid:
            terminalreporter.write_line(report.capstdout)  # the table of its times


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    has_failed = any(map(_is_failure, _reasons_of_skips(session.config)))
    if has_failed and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
