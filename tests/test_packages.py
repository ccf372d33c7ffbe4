"""`./marrakech test --all` installs the Debian packages of tests, or reports what is not tested."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.pad.tools import NEEDS
from helpers.system.bootstrap_checkout import (
    FAKE_APT,
    FAKE_SUDO,
    BootstrapCheckout,
    as_user,
    checkout,
    make_program,
)
from kernel.kernel_build import TOOLS as KERNEL_TOOLS

__all__ = ["checkout"]  # a fixture

LISTS = [Path(__file__).with_name(name) for name in ("packages.txt", "packages_long.txt")]
TEXT = "".join(path.read_text() for path in LISTS)
LINES = [line.split(None, 2) for line in TEXT.splitlines() if line[0] != "#"]


def test_every_line_has_a_file_a_package_and_a_description() -> None:
    assert all(len(line) == 3 for line in LINES)
    assert len({line[0] for line in LINES}) == len(LINES)


def test_tools_of_the_firmware_are_listed() -> None:
    listed = {line[0]: line[1] for line in LINES}
    for needs in NEEDS.values():
        for tool, package in needs.items():
            assert listed[tool] == package


def test_tools_of_the_kernel_build_are_listed() -> None:
    listed = {line[0]: line[1] for line in LINES}
    for tool, packages in KERNEL_TOOLS.items():
        assert tool == "apt-get" or listed[tool] == packages.split()[0]


@pytest.fixture
def listing(checkout: BootstrapCheckout) -> BootstrapCheckout:
    """A checkout whose tests need one program that exists, and tools that do not."""
    checkout.make_environment("simulator", "test")
    (checkout.root / "tests").mkdir()
    (checkout.root / "tests" / "packages.txt").write_text(
        "# a comment\nsh  dash  the shell\nno-such-program  one  the sea\n"
        "/no/such/*.h  two  the sea\n\n/no/other  two  the sky\n"
    )
    (checkout.root / "tests" / "packages_long.txt").write_text("no-such-clock  three  midnight\n")
    make_program(checkout.programs / "apt-get", FAKE_APT)
    return checkout


def programs(listing: BootstrapCheckout) -> str:
    return f"{listing.programs}:/usr/bin:/bin"


@pytest.mark.parametrize(("size", "packages"), [("--all", "one two"), ("--long", "one three two")])
@pytest.mark.parametrize("user", [0, 1000], ids=["root", "sudo"])
def test_missing_packages_are_installed(
    listing: BootstrapCheckout, user: int, size: str, packages: str
) -> None:
    """apt waits while another program installs packages."""
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


def test_failed_installation_is_reported_and_the_tests_run(listing: BootstrapCheckout) -> None:
    code, lines = listing.start(
        "test", "--all", change=as_user(0), PATH=programs(listing), FAKE_APT="false"
    )
    assert code == 0
    assert lines[-2:] == [
        "marrakech: NOT TESTED: the sea; run 'sudo apt install one two' to test it",
        "marrakech: NOT TESTED: the sky; run 'sudo apt install one two' to test it",
    ]
    assert "tests/run.py|--all" in listing.log.read_text()


@pytest.mark.parametrize("has_sudo", [True, False])
def test_without_privileges_the_packages_are_only_reported(
    listing: BootstrapCheckout, has_sudo: bool
) -> None:
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
def test_other_commands_and_the_default_tests_install_nothing(
    listing: BootstrapCheckout, words: list[str]
) -> None:
    assert listing.start(*words, change=as_user(0), PATH=programs(listing)) == (0, [])
    assert not any(line.startswith("apt-get") for line in listing.calls())
