"""Skips are said loudly, and with CI=true a skip is a failure: nothing passes by not running.

And tests meet nobody: neither those of another process, nor a companion that runs on this machine.
"""

from __future__ import annotations

import os

import pytest

# Where a companion has its socket and speaks to systemd; without them it stays in its own folder.
MEETING_POINTS = ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "NOTIFY_SOCKET", "WATCHDOG_USEC")


def pytest_configure() -> None:
    for name in MEETING_POINTS:
        os.environ.pop(name, None)


def _skipped(config: pytest.Config) -> list[pytest.TestReport]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return list(reporter.stats.get("skipped", ())) if reporter else []


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    skipped = _skipped(config)
    if skipped:
        fails = ", and with CI=true that is a failure" if _is_ci() else ""
        terminalreporter.section("SKIPPED", red=True)
        terminalreporter.line(f"{len(skipped)} tests did NOT run{fails}.", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _is_ci() and _skipped(session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _is_ci() -> bool:
    return os.environ.get("CI") == "true"
