"""Checks of Python, packages and settings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from helpers.system.healthy_pi import PACKAGES, HealthyPi, as_tuples, context_for, single_finding

from companion import __version__
from companion.doctor.checks.software import (
    check_config,
    check_packages,
    check_python,
    is_allowed,
    needed_packages,
)

AGAIN = "rm .venv/marrakech-stamp && ./marrakech --version, in the checkout"


def test_versions_are_reported_and_an_old_python_fails(machine: HealthyPi) -> None:
    text = f"companion {__version__}, Python 3.11.2"
    assert single_finding(check_python, context_for(machine)) == ("good", text, "")
    machine.python = (3, 10, 9)
    assert single_finding(check_python, context_for(machine)) == (
        "failed",
        f"companion {__version__}, Python 3.10.9 is too old",
        "sudo apt install python3, 3.11 or newer",
    )


def test_all_dependencies_are_checked(machine: HealthyPi) -> None:
    assert list(needed_packages()) == list(PACKAGES)
    assert single_finding(check_packages, context_for(machine)) == (
        "good",
        "gpiozero 2.0.1.post3, luma.led_matrix 1.9.0, pyserial 3.5, aiohttp 3.14.5, "
        "segno 1.6.6, pillow 12.0.0",
        "",
    )


def test_missing_and_unsupported_packages_fail(machine: HealthyPi) -> None:
    del machine.python_packages["pyserial"]
    machine.python_packages["gpiozero"] = "2.0.1.post2"
    machine.python_packages["pillow"] = "14.0.0"
    assert as_tuples(check_packages(context_for(machine))) == [
        ("failed", "not installed: pyserial", AGAIN),
        ("failed", "unsupported version: gpiozero 2.0.1.post2 and pillow 14.0.0", AGAIN),
    ]


@pytest.mark.parametrize(
    ("version", "specifiers", "is_match"),
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
def test_versions_are_matched_like_pip_does(version: str, specifiers: str, is_match: bool) -> None:
    assert is_allowed(version, specifiers) == is_match


def test_without_a_checkout_the_installed_metadata_is_used(tmp_path: Path) -> None:
    assert "gpiozero" in needed_packages(tmp_path)
    assert "pytest" not in needed_packages(tmp_path)


def test_config_is_reported_with_its_origin_or_its_errors(machine: HealthyPi) -> None:
    context = context_for(machine)
    origin = "the defaults: no marrakech.toml was found; looked in: a, b"
    assert single_finding(check_config, replace(context, origin=origin)) == (
        "good",
        "the defaults: no marrakech.toml was found",
        "",
    )
    advice = "correct it; this explains every key: marrakech config --default"
    assert as_tuples(check_config(replace(context, faults=("a: b", "c: d")))) == [
        ("failed", "a: b", advice),
        ("failed", "c: d", advice),
    ]


def test_config_that_only_root_may_read_is_unknown(machine: HealthyPi) -> None:
    faults = ("cannot read /etc/marrakech/marrakech.toml: Permission denied",)
    context = replace(context_for(machine), faults=faults)
    assert single_finding(check_config, context) == ("unknown", faults[0], "sudo marrakech doctor")
    machine.is_root = True
    assert single_finding(check_config, context)[0] == "failed"
