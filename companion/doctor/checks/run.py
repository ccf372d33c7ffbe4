"""All checks in order. None of them hangs, and one that breaks is found out itself."""

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
from companion.doctor.checks.software import check_config, check_packages, check_python
from companion.doctor.checks.storage import check_card, check_disk, check_games
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, absent, failed, unknown

LIMIT_S = 20.0
"""How long a check may take: on a slow Pi, reading many games is the longest."""
REPORT = "tell us, with the file of: marrakech doctor --bundle marrakech.tar.gz"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    """Short, and the same for ever: others look for it."""
    look: Callable[[DoctorContext], Iterable[Finding]]
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
    Check("pad", check_pad, needs_pi=False),
    Check("modem", check_modem),
    Check("disk", check_disk, needs_pi=False),
    Check("card", check_card),
    Check("games", check_games, needs_pi=False),
    Check("service", check_service),
    Check("buttons", check_buttons),
    Check("page", check_page),
)


def run_checks(
    patient: DoctorContext, checks: Sequence[Check] = CHECKS, *, limit_s: float = LIMIT_S
) -> Iterator[Finding]:
    """What each check finds, as soon as it is found."""
    for check in checks:
        for finding in _examined(check, patient, limit_s):
            yield replace(finding, name=check.name)


def _examined(check: Check, patient: DoctorContext, limit_s: float) -> list[Finding]:
    if check.needs_pi and not patient.has_pi:
        return [absent()]
    found: list[Finding] = []

    def look() -> None:
        try:
            found.extend(check.look(patient))
        except Exception as error:  # whatever it is, the other checks go on
            told = f"this check broke ({type(error).__name__}: {error})"
            found.append(failed(told, REPORT))

    # A thread, and not for ever: a card that dies may never answer.
    looking = Thread(target=look, name=f"check {check.name}", daemon=True)
    looking.start()
    looking.join(limit_s)
    if looking.is_alive():
        told = f"no answer within {limit_s:g} s"
        return [unknown(told, "ask again; if it stays so: sudo reboot")]
    assert found, f"{check.name} finds nothing, and must say so"
    return found
