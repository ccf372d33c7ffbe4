"""Python, packages and settings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from helpers.system.fake_machine import PACKAGES, FakeMachine, only, patient_of, told

from companion import __version__
from companion.doctor.checks.software import (
    check_config,
    check_packages,
    check_python,
    is_allowed,
    needed_packages,
)

AGAIN = "rm .venv/marrakech-stamp && ./marrakech --version, in the checkout"


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


def test_versions_are_told(machine: FakeMachine) -> None:
    said = f"companion {__version__}, Python 3.11.2"
    assert only(check_python, patient_of(machine)) == ("good", said, "")
    machine.python = (3, 10, 9)
    assert only(check_python, patient_of(machine)) == (
        "failed",
        f"companion {__version__}, Python 3.10.9 is too old",
        "sudo apt install python3, 3.11 or newer",
    )


def test_every_package_of_the_project_file_is_looked_for(machine: FakeMachine) -> None:
    assert list(needed_packages()) == list(PACKAGES)
    assert only(check_packages, patient_of(machine)) == (
        "good",
        "gpiozero 2.0.1.post3, luma.led_matrix 1.9.0, pyserial 3.5, aiohttp 3.14.5, "
        "segno 1.6.6, pillow 12.0.0",
        "",
    )


def test_missing_and_broken_packages_are_told_apart(machine: FakeMachine) -> None:
    del machine.packages["pyserial"]
    machine.packages["gpiozero"] = "2.0.1.post2"
    machine.packages["pillow"] = "14.0.0"
    assert told(check_packages(patient_of(machine))) == [
        ("failed", "pyserial cannot be found", AGAIN),
        ("failed", "gpiozero 2.0.1.post2 and pillow 14.0.0 cannot be used", AGAIN),
    ]


@pytest.mark.parametrize(
    ("version", "versions", "is_so"),
    [
        ("2.0.1", ">=2.0.1,!=2.0.1.post1,!=2.0.1.post2", True),
        ("2.0.1.post1", ">=2.0.1,!=2.0.1.post1,!=2.0.1.post2", False),
        ("2.0.1.post3", ">=2.0.1,!=2.0.1.post1,!=2.0.1.post2", True),
        ("2.0", ">=2.0.1", False),
        ("2.0.10", ">=2.0.9", True),
        ("13.1", ">=10.1,<14", True),
        ("14", "<14", False),
        ("14.0.0", "<14", False),
        ("1.9.0", "==1.9", True),
        ("anything", "", True),
        ("1.0", "~=9", True),
    ],
)
def test_versions_compare_as_pip_has_it(version: str, versions: str, is_so: bool) -> None:
    assert is_allowed(version, versions) == is_so


def test_without_a_checkout_the_installation_says_what_is_needed(tmp_path: Path) -> None:
    assert "gpiozero" in needed_packages(tmp_path)
    assert "pytest" not in needed_packages(tmp_path)


def test_a_config_is_told_by_its_origin_or_by_all_its_faults(machine: FakeMachine) -> None:
    patient = patient_of(machine)
    origin = "the defaults: no marrakech.toml was found; looked in: a, b"
    assert only(check_config, replace(patient, origin=origin)) == (
        "good",
        "the defaults: no marrakech.toml was found",
        "",
    )
    todo = "change it there; every key is explained by: marrakech config --default"
    assert told(check_config(replace(patient, faults=("a: b", "c: d")))) == [
        ("failed", "a: b", todo),
        ("failed", "c: d", todo),
    ]


def test_a_config_that_only_root_may_read_is_no_fault(machine: FakeMachine) -> None:
    faults = ("cannot read /etc/marrakech/marrakech.toml: Permission denied",)
    patient = replace(patient_of(machine), faults=faults)
    assert only(check_config, patient) == ("unknown", faults[0], "sudo marrakech doctor")
    machine.is_root = True
    assert only(check_config, patient)[0] == "failed"
