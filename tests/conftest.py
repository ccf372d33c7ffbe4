"""Configuration of all tests: groups, skips, hypothesis profiles, environment.

Skips are reported at the end. With CI=true a skip is a failure, unless this kernel, container or
user may not run the test (helpers/requirements.py).
"""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest
from helpers.groups import BY_FIXTURE, GROUPS
from helpers.page.fonts import need_picture_fonts
from helpers.profiles import register_profiles
from helpers.requirements import FORBIDDEN

# Sockets of the companion and of systemd. Tests must not reach those of a running companion.
SOCKET_VARIABLES = ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "NOTIFY_SOCKET", "WATCHDOG_USEC")
# These would change the output of commands.
OUTPUT_VARIABLES = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "COLORTERM", "LANGUAGE")

register_profiles()


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background, with nohup
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in (*SOCKET_VARIABLES, *OUTPUT_VARIABLES):
        os.environ.pop(name, None)
    for name, description in GROUPS.items():
        config.addinivalue_line("markers", f"{name}: {description}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests by their fixtures. The longest test starts first, to use all cores."""
    for item in items:
        for fixture in getattr(item, "fixturenames", ()):
            if fixture in BY_FIXTURE:
                item.add_marker(BY_FIXTURE[fixture])
    items.sort(key=lambda item: item.get_closest_marker("system") is None)


@pytest.fixture(scope="session")
def picture_fonts() -> None:
    """The fonts of pictures with names in many scripts."""
    need_picture_fonts()


def _skip_reasons(config: pytest.Config) -> Counter[str]:
    """The number of skipped tests for each reason."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", ()) if reporter else ()
    return Counter(_reason(report.longrepr) for report in skipped)


def _reason(longrepr: object) -> str:
    """From pytest's tuple of file, line and reason."""
    reason = longrepr[2] if isinstance(longrepr, tuple) else longrepr
    return str(reason).removeprefix("Skipped: ")


def _is_failure(reason: str) -> bool:
    return os.environ.get("CI") == "true" and not reason.startswith(FORBIDDEN)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if reasons := _skip_reasons(config):
        terminalreporter.section("SKIPPED", red=True)
    for reason, count in reasons.items():
        fails = " With CI=true that is a failure." if _is_failure(reason) else ""
        terminalreporter.line(f"{count} tests did NOT run: {reason}.{fails}", red=True)
    for report in terminalreporter.getreports("passed"):
        if "test_installed_service.py" in report.nodeid:
            terminalreporter.write_line(report.capstdout)  # its table of steps


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    has_failed = any(map(_is_failure, _skip_reasons(session.config)))
    if has_failed and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
