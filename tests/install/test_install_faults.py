"""After any failure or power cut, running the same command again has the same result."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from helpers.system.fake_machine import PowerCut
from helpers.system.fake_pi import FakePi, Transcript, make_checkout

from companion.install.installation import go_back, install, upgrade
from companion.install.paths import CURRENT
from companion.install.removal import uninstall
from companion.install.steps import InstallError
from companion.install.versions import Versions

Command = Callable[[FakePi, Path], int]


@pytest.fixture(autouse=True)
def no_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here depends on fsync."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def do_nothing(machine: FakePi, folder: Path) -> int:
    return 0


def install_one(machine: FakePi, folder: Path) -> int:
    checkout = make_checkout(folder / "one")
    return install(machine, checkout, Transcript().runner, is_virtual=False)


def install_virtual(machine: FakePi, folder: Path) -> int:
    return install(machine, make_checkout(folder / "one"), Transcript().runner, is_virtual=True)


def install_with_button(machine: FakePi, folder: Path) -> int:
    return install(
        machine,
        make_checkout(folder / "one"),
        Transcript().runner,
        is_virtual=False,
        has_shutdown_button=True,
    )


def upgrade_to_two(machine: FakePi, folder: Path) -> int:
    unit = "# new\n[Service]\nExecStart=/opt/marrakech/current/bin/marrakech serve\n"
    return upgrade(machine, make_checkout(folder / "two", "2.0.0", unit), Transcript().runner)


def install_both(machine: FakePi, folder: Path) -> int:
    return install_one(machine, folder) or upgrade_to_two(machine, folder)


def remove_all(machine: FakePi, folder: Path) -> int:
    return uninstall(machine, Transcript().runner, without_games=True, without_settings=True)


CASES = {
    "install": (do_nothing, install_one),
    "simulate": (install_one, install_virtual),
    "upgrade": (install_one, upgrade_to_two),
    "add the shutdown button": (install_one, install_with_button),
    "uninstall": (install_virtual, remove_all),
    "uninstall the shutdown button": (install_with_button, remove_all),
}


def run_clean(folder: Path, before: Command, command: Command) -> tuple[dict[str, object], int]:
    """The state after a run without failures, and the number of changes."""
    machine = FakePi(folder / "clean")
    before(machine, folder)
    changes = machine.changes
    assert command(machine, folder) == 0
    return machine.state(), machine.changes - changes


def check_current_is_complete(machine: FakePi) -> None:
    if machine.exists(CURRENT):
        assert Versions(machine).current is not None


@pytest.mark.parametrize("case", CASES)
def test_next_run_completes_after_any_failed_change(case: str, tmp_path: Path) -> None:
    before, command = CASES[case]
    wanted, changes = run_clean(tmp_path, before, command)
    for number in range(1, changes + 1):
        machine = FakePi(tmp_path / str(number))
        before(machine, tmp_path)
        machine.fails_at = machine.changes + number
        with suppress(InstallError):
            command(machine, tmp_path)
        assert machine.changes >= machine.fails_at
        check_current_is_complete(machine)
        assert command(machine, tmp_path) == 0
        assert machine.state() == wanted


@pytest.mark.parametrize("case", CASES)
def test_next_run_completes_after_a_power_cut_at_any_change(case: str, tmp_path: Path) -> None:
    before, command = CASES[case]
    wanted, changes = run_clean(tmp_path, before, command)
    for number in range(1, changes + 1):
        machine = FakePi(tmp_path / str(number))
        before(machine, tmp_path)
        machine.dies_at = machine.changes + number
        with pytest.raises(PowerCut):
            command(machine, tmp_path)
        check_current_is_complete(machine)
        machine.reboot()
        assert command(machine, tmp_path) == 0
        assert machine.state() == wanted


def test_upgrade_that_fails_leaves_a_running_version(
    tmp_path: Path,
) -> None:
    """At whichever change it fails, the service runs when the command ends."""
    _, changes = run_clean(tmp_path, install_one, upgrade_to_two)
    for number in range(1, changes + 1):
        machine = FakePi(tmp_path / str(number))
        install_one(machine, tmp_path)
        machine.fails_at = machine.changes + number
        with suppress(InstallError):
            upgrade_to_two(machine, tmp_path)
        assert machine.running == Versions(machine).current
        assert machine.loaded_unit.encode() == machine.contents(
            Path("/etc/systemd/system/marrakech.service")
        )


def test_going_back_that_fails_leaves_a_running_version(tmp_path: Path) -> None:
    machine = FakePi(tmp_path / "clean")
    install_both(machine, tmp_path)
    changes = machine.changes
    assert go_back(machine, Transcript().runner) == 0
    for number in range(1, machine.changes - changes + 1):
        machine = FakePi(tmp_path / str(number))
        install_both(machine, tmp_path)
        names = set(machine.names_in(Path("/opt/marrakech/versions")))
        machine.fails_at = machine.changes + number
        go_back(machine, Transcript().runner)
        versions = Versions(machine)
        assert {versions.current, versions.previous} == names
        assert machine.running == versions.current
