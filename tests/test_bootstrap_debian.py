"""The script ./marrakech where Python lacks a module, or is too old."""

from __future__ import annotations

import os
import sys

import pytest
from bootstrap_checkout import (
    FAKE_APT,
    FAKE_PYTHON,
    FAKE_SUDO,
    INSTALLING_TESTS,
    MAKING,
    NO_ENSUREPIP,
    NO_VENV_MODULE,
    Checkout,
    as_user,
    checkout,
    make_program,
)

__all__ = ["checkout"]  # a fixture


def test_a_missing_module_is_named_with_its_package(checkout: Checkout) -> None:
    """To play installs nothing on the system, whoever asks."""
    make_program(checkout.programs / "apt-get", FAKE_APT)
    path = str(checkout.programs)
    assert checkout.start("hotseat", change=as_user(0), PATH=path) == (2, [NO_VENV_MODULE])
    assert checkout.calls() == []
    assert not checkout.venv.exists()


def test_a_missing_module_does_not_matter_once_all_is_there(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("hotseat", change=NO_ENSUREPIP) == (0, [])


@pytest.mark.parametrize("user", [0, 1000], ids=["root", "sudo"])
def test_tests_install_the_missing_module_where_they_may(user: int, checkout: Checkout) -> None:
    make_program(checkout.programs / "apt-get", FAKE_APT)
    make_program(checkout.programs / "sudo", FAKE_SUDO)
    path = f"{checkout.programs}:{os.environ['PATH']}"
    package = "python{}.{}-venv".format(*sys.version_info)
    code, lines = checkout.start("test", change=as_user(user), PATH=path)
    assert (code, lines) == (
        0,
        [
            f"marrakech: installing {package} from Debian's packages ...",
            "words of apt-get",
            "words of apt-get",
            MAKING,
            INSTALLING_TESTS,
        ],
    )
    update, install = "update -qq", f"install -qq --no-install-recommends {package}"
    asked = ["sudo -n true"] * (user > 0)
    for words in (update, install):
        asked += [f"sudo -n apt-get {words}"] * (user > 0) + [f"apt-get {words}"]
    calls = checkout.calls()
    assert calls[: len(asked)] == asked
    assert calls[len(asked)] == "-m|venv|@/.venv"


def test_a_package_that_cannot_be_installed_is_named(checkout: Checkout) -> None:
    make_program(checkout.programs / "apt-get", FAKE_APT)
    path = f"{checkout.programs}:{os.environ['PATH']}"
    code, lines = checkout.start("test", change=as_user(0), PATH=path, FAKE_APT="false")
    assert (code, lines[-1]) == (2, NO_VENV_MODULE)


@pytest.mark.parametrize("has_sudo", [True, False])
def test_without_rights_the_package_is_only_named(has_sudo: bool, checkout: Checkout) -> None:
    make_program(checkout.programs / "apt-get", FAKE_APT)
    if has_sudo:
        make_program(checkout.programs / "sudo", FAKE_SUDO)
    start = checkout.start(
        "test", change=as_user(1000), PATH=str(checkout.programs), FAKE_SUDO="exit 1"
    )
    assert start == (2, [NO_VENV_MODULE])
    assert checkout.calls() == ["sudo -n true"] * has_sudo


def test_without_apt_the_package_is_only_named(checkout: Checkout) -> None:
    path = str(checkout.programs)
    assert checkout.start("test", change=as_user(0), PATH=path) == (2, [NO_VENV_MODULE])


# --- An old python3 -----------------------------------------------------------------------

OLD = "sys.version_info = (3, 8, 10, 'final', 0); sys.version = '3.8.10 (default, May 2021)'"


def test_an_old_python_says_what_it_needs(checkout: Checkout) -> None:
    assert checkout.start("hotseat", change=OLD, PATH=str(checkout.programs)) == (
        2,
        ["marrakech: needs Python 3.11 or newer, and this is 3.8.10: install a newer python3"],
    )
    assert not checkout.venv.exists()


def test_an_old_python_hands_over_to_a_newer_one(checkout: Checkout) -> None:
    """To the newest that works: a version manager may leave a name behind that does not."""
    for name in ("python3.12", "python3.11"):
        make_program(checkout.programs / name, FAKE_PYTHON)
    make_program(checkout.programs / "python3.13", "#!/bin/sh\nexit 127\n")
    started = checkout.start("hotseat", "--names", "A B,C", change=OLD, PATH=str(checkout.programs))
    assert started == (0, [])
    assert checkout.calls() == ["-c|", "@/marrakech|hotseat|--names|A B,C"]
