"""Runs all checks in order, each with a timeout. A check that raises is a finding itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Thread

from companion.doctor.checks.board import (
    check_clock,
    check_heat,
    check_pi,
    check_power,
    check_system,
)
from companion.doctor.checks.pad import check_modem, check_pad
from companion.doctor.checks.page import check_page
from companion.doctor.checks.pins import check_groups, check_pins, check_spi
from companion.doctor.checks.service import check_buttons, check_service
from companion.doctor.checks.shutdown import check_shutdown
from companion.doctor.checks.software import check_config, check_packages, check_python
from companion.doctor.checks.storage import check_card, check_disk, check_games, check_log
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, absent, failed, unknown

CHECK_TIMEOUT_S = 20.0
"""Reading many games on a slow Pi takes longest."""
REPORT_BUG = "report a bug, with the file of: marrakech doctor --bundle marrakech.tar.gz"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    """Short, and part of the JSON output: must not change."""
    run: Callable[[DoctorContext], Iterable[Finding]]
    needs_pi: bool = True


CHECKS = (
    Check("pi", check_pi, needs_pi=False),
    Check("system", check_system, needs_pi=False),
    Check("python", check_python, needs_pi=False),
    Check("packages", check_packages, needs_pi=False),
    Check("config", check_config, needs_pi=False),
    Check("power", check_power),
    Check("heat", check_heat),
    Check("clock", check_clock),
    Check("spi", check_spi),
    Check("pins", check_pins),
    Check("groups", check_groups),
    Check("shutdown", check_shutdown),
    Check("pad", check_pad, needs_pi=False),
    Check("modem", check_modem),
    Check("disk", check_disk, needs_pi=False),
    Check("card", check_card),
    Check("games", check_games, needs_pi=False),
    Check("log", check_log, needs_pi=False),
    Check("service", check_service),
    Check("buttons", check_buttons),
    Check("page", check_page),
)


def run_checks(
    context: DoctorContext, checks: Sequence[Check] = CHECKS, *, timeout_s: float = CHECK_TIMEOUT_S
) -> Iterator[Finding]:
    """Yields the findings of each check as soon as it ends."""
    for check in checks:
        for finding in _run_check(check, context, timeout_s):
            yield replace(finding, name=check.name)


def _run_check(check: Check, context: DoctorContext, timeout_s: float) -> list[Finding]:
    if check.needs_pi and not context.has_pi:
        return [absent()]
    found: list[Finding] = []

    def run() -> None:
        try:
            found.extend(check.run(context))
        except Exception as error:  # the other checks must go on
            text = f"this check crashed ({type(error).__name__}: {error})"
            found.append(failed(text, REPORT_BUG))

    # In a thread with a timeout: reading from a dying card may never return.
    thread = Thread(target=run, name=f"check {check.name}", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if thread.is_alive():
        return [unknown(f"no answer within {timeout_s:g} s", "try again; then: sudo reboot")]
    assert found, f"{check.name} must yield a finding"
    return found
