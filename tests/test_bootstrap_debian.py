"""The bootstrap script ./marrakech with a Python that lacks a module or is too old."""

from __future__ import annotations

import subprocess
import sys
from zipfile import ZipFile

from helpers.system.bootstrap_checkout import (
    CREATING,
    FAKE_PYTHON,
    INSTALLING,
    NO_ENSUREPIP,
    NO_VENV_MODULE,
    ROOT,
    BootstrapCheckout,
    checkout,
    make_program,
    pip_calls,
)

__all__ = ["checkout"]  # a fixture
PIP = "companion/install/pip-26.3-py3-none-any.whl"


def test_without_ensurepip_the_bundled_pip_is_used(
    checkout: BootstrapCheckout,
) -> None:
    """As on Debian and Ubuntu. Needs neither root nor apt."""
    assert checkout.start("hotseat", change=NO_ENSUREPIP) == (0, [CREATING, INSTALLING])
    assert checkout.calls() == [
        "-m|venv|--without-pip|@/.venv",
        f"@/{PIP}/pip|install|--quiet|--no-index|@/{PIP}",
        *pip_calls("."),
        "-P|-m|companion|hotseat",
    ]


def test_bundled_pip_is_intact_and_runs() -> None:
    with ZipFile(ROOT / PIP) as wheel:
        assert wheel.testzip() is None
    words = [sys.executable, "-I", str(ROOT / PIP / "pip"), "--version"]
    printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert printed.startswith(f"pip {PIP.split('-')[1]} from ")


def test_without_the_module_venv_nothing_is_created(checkout: BootstrapCheckout) -> None:
    start = checkout.start("hotseat", change="sys.modules['venv'] = None")
    assert start == (2, [NO_VENV_MODULE])
    assert checkout.calls() == []
    assert not checkout.venv.exists()


def test_missing_module_does_not_matter_after_the_set_up(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("hotseat", change=NO_ENSUREPIP) == (0, [])


# --- An old python3 -----------------------------------------------------------------------

OLD = "sys.version_info = (3, 8, 10, 'final', 0); sys.version = '3.8.10 (default, May 2021)'"


def test_old_python_prints_the_required_version(checkout: BootstrapCheckout) -> None:
    assert checkout.start("hotseat", change=OLD, PATH=str(checkout.programs)) == (
        2,
        ["marrakech: needs Python 3.11 or newer, and this is 3.8.10: install a newer python3"],
    )
    assert not checkout.venv.exists()


def test_old_python_starts_a_newer_one(checkout: BootstrapCheckout) -> None:
    """The newest that works: a version manager may leave broken commands."""
    for name in ("python3.12", "python3.11"):
        make_program(checkout.programs / name, FAKE_PYTHON)
    make_program(checkout.programs / "python3.13", "#!/bin/sh\nexit 127\n")
    started = checkout.start("hotseat", "--names", "A B,C", change=OLD, PATH=str(checkout.programs))
    assert started == (0, [])
    assert checkout.calls() == ["-c|", "@/marrakech|hotseat|--names|A B,C"]
