"""Skips are said loudly, and with CI=true a skip is a failure: nothing passes by not running."""

from __future__ import annotations

import os

import pytest


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
