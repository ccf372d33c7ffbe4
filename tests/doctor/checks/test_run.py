"""All checks together: timeouts, crashes, and a healthy Pi."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from helpers.system.fake_machine import FakeMachine
from helpers.system.healthy_pi import MODEL, HealthyPi, context_for

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.doctor.checks.run import CHECKS, Check, run_checks
from companion.doctor.checks.service import ServiceReply
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, Level, good
from companion.doctor.report import has_failed
from companion.machine.machine import FreeSpace


def levels(found: Iterator[Finding]) -> dict[str, str]:
    return {one.name: one.level.value for one in found}


def test_all_checks_are_good_on_a_healthy_pi(machine: HealthyPi, tmp_path: Path) -> None:
    machine.install_service()
    machine.free_spaces[str(tmp_path)] = machine.free_spaces["/"]
    reply = ServiceReply(is_gpio_alive=True, pad_message="", pad_firmware=(1, 0, 0))
    found = levels(run_checks(context_for(machine, folder=tmp_path, reply=reply)))
    assert found == {check.name: "good" for check in CHECKS}


def test_no_check_crashes_on_an_empty_pi(tmp_path: Path) -> None:
    """No files, commands, packages or groups."""
    machine = FakeMachine(tmp_path / "machine")
    machine.place(MODEL, "Raspberry Pi 5\0")
    machine.free_spaces["/"] = FreeSpace(20_000_000_000, 900_000)
    context = context_for(machine, '[pad]\nport = "none"\n', folder=tmp_path / "games")
    found = list(run_checks(context))
    assert [one.text for one in found if "crashed" in one.text] == []
    assert {one.name for one in found} == {check.name for check in CHECKS}


def test_check_that_crashes_is_a_finding_and_the_others_run(machine: HealthyPi) -> None:
    def crash(context: DoctorContext) -> Iterator[Finding]:
        yield good("before")
        raise KeyError("two\nlines")

    checks = [Check("broken", crash), Check("working", lambda _: [good("fine")])]
    found = list(run_checks(context_for(machine), checks))
    assert [(one.name, one.level, one.text) for one in found] == [
        ("broken", Level.GOOD, "before"),
        ("broken", Level.FAILED, "this check crashed (KeyError: 'two\\nlines')"),
        ("working", Level.GOOD, "fine"),
    ]
    assert (
        found[1].advice
        == "report a bug, with the file of: marrakech doctor --bundle marrakech.tar.gz"
    )
    assert has_failed(found)


def test_check_that_hangs_times_out(machine: HealthyPi) -> None:
    is_released = Event()

    def hang(_: DoctorContext) -> Iterator[Finding]:
        is_released.wait()
        yield good("at last")

    checks = [Check("card", hang), Check("working", lambda _: [good("fine")])]
    found = list(run_checks(context_for(machine), checks, timeout_s=0.01))
    is_released.set()
    assert [(one.name, one.level, one.text, one.advice) for one in found] == [
        (
            "card",
            Level.UNKNOWN,
            "no answer within 0.01 s",
            "try again; then: sudo reboot",
        ),
        ("working", Level.GOOD, "fine", ""),
    ]


@pytest.mark.parametrize("is_virtual", [False, True])
def test_checks_of_a_pi_are_absent_on_a_laptop(
    machine: HealthyPi, tmp_path: Path, is_virtual: bool
) -> None:
    machine.delete(MODEL)
    context = context_for(machine, '[pad]\nport = "none"\n', folder=tmp_path)
    if is_virtual:
        context = replace(context, hardware=VirtualHardware(Config()))
    machine.queries.clear()
    machine.free_spaces[str(tmp_path)] = machine.free_spaces["/"]
    found = levels(run_checks(context))
    assert found.pop("pi") == ("absent" if is_virtual else "failed")
    for_all_machines = ("system", "python", "packages", "config", "pad", "disk", "games", "log")
    for name, level in found.items():
        assert level == ("good" if name in for_all_machines else "absent"), name
    assert machine.queries == []


def test_names_of_checks_are_short_and_unique() -> None:
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 8
