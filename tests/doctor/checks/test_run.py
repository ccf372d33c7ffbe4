"""All checks together: none hangs, none breaks the others, and a healthy Pi is told so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from helpers.system.fake_machine import MODEL, FakeMachine, patient_of

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.doctor.checks.run import CHECKS, Check, run_checks
from companion.doctor.checks.service import Word
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, Level, good
from companion.doctor.report import has_failed


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


def levels(found: Iterator[Finding]) -> dict[str, str]:
    return {one.name: one.level.value for one in found}


def test_on_a_healthy_pi_everything_is_good(machine: FakeMachine, tmp_path: Path) -> None:
    machine.install_service()
    machine.spaces[str(tmp_path)] = machine.spaces["/"]
    says = Word(hears_buttons=True, pad="", firmware=(1, 0, 0))
    found = levels(run_checks(patient_of(machine, folder=tmp_path, says=says)))
    assert found == {check.name: "good" for check in CHECKS}


def test_a_machine_where_nothing_answers_breaks_no_check(tmp_path: Path) -> None:
    """Not even the model can be wrong with it: every check has a word for it."""

    class Nothing(FakeMachine):
        def list(self, folder: str) -> list[str]:
            return [] if folder == "/dev" else super().list(folder)

    machine = Nothing()
    machine.files = {MODEL: "Raspberry Pi 5\0"}
    machine.runs, machine.packages, machine.environ = {}, {}, {}
    machine.groups_now, machine.system_groups = set(), set()
    machine.spaces = {"/": machine.spaces["/"]}
    patient = patient_of(machine, '[pad]\nport = "none"\n', folder=tmp_path / "games")
    found = list(run_checks(patient))
    assert [one.said for one in found if "broke" in one.said] == []
    assert {one.name for one in found} == {check.name for check in CHECKS}


def test_a_check_that_breaks_is_a_finding_and_the_others_go_on(machine: FakeMachine) -> None:
    def look(patient: DoctorContext) -> Iterator[Finding]:
        yield good("before")
        raise KeyError("mended\nsoon")

    checks = [Check("broken", look), Check("whole", lambda _: [good("fine")])]
    found = list(run_checks(patient_of(machine), checks))
    assert [(one.name, one.level, one.said) for one in found] == [
        ("broken", Level.GOOD, "before"),
        ("broken", Level.FAILED, "this check broke (KeyError: 'mended\\nsoon')"),
        ("whole", Level.GOOD, "fine"),
    ]
    assert found[1].todo == "tell us, with the file of: marrakech doctor --bundle marrakech.tar.gz"
    assert has_failed(found)


def test_a_check_that_hangs_is_left_behind(machine: FakeMachine) -> None:
    mended = Event()

    def hang(_: DoctorContext) -> Iterator[Finding]:
        mended.wait()
        yield good("at last")

    checks = [Check("card", hang), Check("whole", lambda _: [good("fine")])]
    found = list(run_checks(patient_of(machine), checks, limit_s=0.01))
    mended.set()
    assert [(one.name, one.level, one.said, one.todo) for one in found] == [
        (
            "card",
            Level.UNKNOWN,
            "no answer within 0.01 s",
            "ask again; if it stays so: sudo reboot",
        ),
        ("whole", Level.GOOD, "fine", ""),
    ]


@pytest.mark.parametrize("is_virtual", [False, True])
def test_what_a_laptop_cannot_have_is_not_looked_for(
    machine: FakeMachine, tmp_path: Path, is_virtual: bool
) -> None:
    del machine.files[MODEL]
    patient = patient_of(machine, '[pad]\nport = "none"\n', folder=tmp_path)
    if is_virtual:
        patient = replace(patient, hardware=VirtualHardware(Config()))
    machine.asked.clear()
    machine.spaces[str(tmp_path)] = machine.spaces["/"]
    found = levels(run_checks(patient))
    assert found.pop("pi") == ("absent" if is_virtual else "failed")
    elsewhere = ("system", "python", "packages", "config", "pad", "disk", "games")
    for name, level in found.items():
        assert level == ("good" if name in elsewhere else "absent"), name
    assert machine.asked == []


def test_names_are_short_and_each_is_there_once() -> None:
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 8
