"""What tests need from Debian's packages is asked for, or its absence said aloud."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.pad.tools import NEEDS
from helpers.system.bootstrap_checkout import (
    FAKE_APT,
    FAKE_SUDO,
    Checkout,
    as_user,
    checkout,
    make_program,
)

__all__ = ["checkout"]  # a fixture

LISTS = [Path(__file__).with_name(name) for name in ("packages.txt", "packages_long.txt")]
TEXT = "".join(path.read_text() for path in LISTS)
LINES = [line.split(None, 2) for line in TEXT.splitlines() if line[0] != "#"]


def test_every_line_names_a_file_a_package_and_what_is_not_tested_without_it() -> None:
    assert all(len(line) == 3 for line in LINES)
    assert len({line[0] for line in LINES}) == len(LINES)


def test_what_the_firmware_needs_is_on_the_list() -> None:
    listed = {line[0]: line[1] for line in LINES}
    for needs in NEEDS.values():
        for tool, package in needs.items():
            assert listed[tool] == package


@pytest.fixture
def listing(checkout: Checkout) -> Checkout:
    """A checkout whose tests need a program that is there, and two things that are not."""
    checkout.make_environment("simulator", "test")
    (checkout.root / "tests").mkdir()
    (checkout.root / "tests" / "packages.txt").write_text(
        "# what is needed\nsh  dash  the shell\nno-such-program  one  the sea\n"
        "/no/such/*.h  two  the sea\n\n/no/other  two  the sky\n"
    )
    (checkout.root / "tests" / "packages_long.txt").write_text("no-such-clock  three  midnight\n")
    make_program(checkout.programs / "apt-get", FAKE_APT)
    return checkout


def programs(listing: Checkout) -> str:
    return f"{listing.programs}:/usr/bin:/bin"


@pytest.mark.parametrize(("size", "packages"), [("--all", "one two"), ("--long", "one three two")])
@pytest.mark.parametrize("user", [0, 1000], ids=["root", "sudo"])
def test_what_is_missing_is_installed(
    listing: Checkout, user: int, size: str, packages: str
) -> None:
    """Another program may be at it already: apt waits for the end of that."""
    make_program(listing.programs / "sudo", FAKE_SUDO)
    code, lines = listing.start("test", size, change=as_user(user), PATH=programs(listing))
    assert (code, lines[0]) == (0, f"marrakech: installing {packages} from Debian's packages ...")
    assert not any("NOT TESTED" in line for line in lines)
    asked = [line for line in listing.calls() if line.startswith(("apt-get", "sudo"))]
    apt = "apt-get -qq -o DPkg::Lock::Timeout=300"
    words = [f"{apt} update", f"{apt} install --no-install-recommends {packages}"]
    if user:
        words = [line for word in words for line in (f"sudo -n {word}", word)]
        words.insert(0, "sudo -n true")
    assert asked == words


def test_what_cannot_be_installed_is_said_aloud_and_the_rest_is_tested(listing: Checkout) -> None:
    code, lines = listing.start(
        "test", "--all", change=as_user(0), PATH=programs(listing), FAKE_APT="false"
    )
    assert code == 0
    assert lines[-2:] == [
        "marrakech: NOT TESTED: the sea; 'sudo apt install one two' brings it",
        "marrakech: NOT TESTED: the sky; 'sudo apt install one two' brings it",
    ]
    assert "tests/run.py|--all" in listing.log.read_text()


@pytest.mark.parametrize("has_sudo", [True, False])
def test_without_rights_the_packages_are_only_named(listing: Checkout, has_sudo: bool) -> None:
    if has_sudo:
        make_program(listing.programs / "sudo", FAKE_SUDO)
    path = str(listing.programs)
    code, lines = listing.start(
        "test", "--all", change=as_user(1000), PATH=path, FAKE_SUDO="exit 1"
    )
    assert (code, len(lines)) == (0, 3)  # the shell is missing on that path, too
    assert all("NOT TESTED" in line for line in lines)
    assert [line for line in listing.calls() if line.startswith("apt-get")] == []


@pytest.mark.parametrize("words", [["rules"], ["test"], ["test", "-k", "rug"]])
def test_other_commands_and_the_default_tests_need_none_of_it(
    listing: Checkout, words: list[str]
) -> None:
    assert listing.start(*words, change=as_user(0), PATH=programs(listing)) == (0, [])
    assert not any(line.startswith("apt-get") for line in listing.calls())
