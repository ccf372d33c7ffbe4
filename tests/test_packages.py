"""What tests need from Debian's packages is asked for, or its absence said aloud."""

from __future__ import annotations

from pathlib import Path

import pytest
from bootstrap_checkout import FAKE_APT, Checkout, as_user, checkout, make_program
from pad_tools import NEEDS

__all__ = ["checkout"]  # a fixture

LIST = Path(__file__).parent / "packages.txt"
LINES = [line.split(None, 2) for line in LIST.read_text().splitlines() if line[0] != "#"]


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
    make_program(checkout.programs / "apt-get", FAKE_APT)
    return checkout


def test_what_is_missing_is_installed(listing: Checkout) -> None:
    path = f"{listing.programs}:/usr/bin:/bin"
    code, lines = listing.start("test", change=as_user(0), PATH=path)
    assert (code, lines[0]) == (0, "marrakech: installing one two from Debian's packages ...")
    assert not any("NOT TESTED" in line for line in lines)
    assert "apt-get install -qq --no-install-recommends one two" in listing.log.read_text()


def test_what_cannot_be_installed_is_said_aloud_and_the_rest_is_tested(listing: Checkout) -> None:
    path = f"{listing.programs}:/usr/bin:/bin"
    code, lines = listing.start("test", change=as_user(0), PATH=path, FAKE_APT="false")
    assert code == 0
    assert lines[-2:] == [
        "marrakech: NOT TESTED: the sea; 'sudo apt install one two' brings it",
        "marrakech: NOT TESTED: the sky; 'sudo apt install one two' brings it",
    ]
    assert "tests/run.py" in listing.log.read_text()


def test_a_command_that_is_not_test_needs_none_of_it(listing: Checkout) -> None:
    assert listing.start("rules") == (0, [])
