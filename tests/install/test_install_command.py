"""`marrakech install`, `upgrade`, `uninstall`: privileges, confirmation, exit codes."""

from __future__ import annotations

import argparse
import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.system.fake_pi import CRASHES, SPIDEV, FakePi, make_checkout

from companion.cli.main import add_arguments
from companion.install import main as command
from companion.install.checkout import Checkout
from companion.install.paths import CURRENT, GAMES, HOME, LOCK, UNIT
from companion.install.steps import InstallStep, StepRunner, print_text
from companion.machine.boot_config import BOOT_CONFIG

ROOT = Path(command.__file__).parents[2]


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path / "root")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    checkout = make_checkout(tmp_path / "one")
    monkeypatch.setattr(command, "find_checkout", lambda: checkout)
    return checkout


def run(machine: FakePi, name: str, *words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser, name)
    return command.run(name, parser.parse_args(words), machine)


@pytest.mark.parametrize("name", command.COMMANDS)
def test_without_root_the_sudo_command_is_printed(
    machine: FakePi, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.is_root = False
    assert run(machine, name) == 2
    assert capsys.readouterr() == ("", f"marrakech: run 'sudo ./marrakech {name}'\n")
    assert machine.changes == 0


def test_dry_run_needs_no_root(
    machine: FakePi, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.is_root = False
    assert run(machine, "install", "--dry-run") == 0
    assert "would be done" in capsys.readouterr().out
    assert machine.changes == 0


def test_install_upgrade_back_and_uninstall(
    machine: FakePi, checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(machine, "install") == 0
    first = machine.running
    newer = make_checkout(tmp_path / "two", "2.0.0")
    monkeypatch.setattr(command, "find_checkout", lambda: newer)
    assert run(machine, "upgrade") == 0
    assert machine.running != first
    assert run(machine, "upgrade", "--back") == 0
    assert machine.running == first
    assert run(machine, "uninstall") == 0
    assert not machine.exists(HOME)
    assert machine.exists(GAMES)


def test_virtual_needs_no_hardware(machine: FakePi, checkout: Checkout) -> None:
    machine.at(SPIDEV).unlink()
    machine.at(Path("/dev/gpiochip0")).unlink()
    assert run(machine, "install", "--virtual") == 0


def test_shutdown_button_is_added_and_removed_by_options(
    machine: FakePi, checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upgrade and an install without the option keep it."""
    before = machine.contents(Path(BOOT_CONFIG))
    assert run(machine, "install", "--shutdown-button") == 0
    assert b"\ndtoverlay=gpio-shutdown\n" in (machine.contents(Path(BOOT_CONFIG)) or b"")
    newer = make_checkout(tmp_path / "two", "2.0.0")
    monkeypatch.setattr(command, "find_checkout", lambda: newer)
    assert run(machine, "upgrade") == 0
    assert run(machine, "install") == 0
    assert b"\ndtoverlay=gpio-shutdown\n" in (machine.contents(Path(BOOT_CONFIG)) or b"")
    assert run(machine, "install", "--no-shutdown-button") == 0
    assert machine.contents(Path(BOOT_CONFIG)) == before


def test_failed_step_is_reported_with_reason_and_advice(
    machine: FakePi, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails_at = 1
    assert run(machine, "install") == 1
    out, err = capsys.readouterr()
    assert out == (
        "packages: python3-venv, python3-lgpio, python3-spidev and avrdude, if Debian has them ... "
        "FAILED\n"
    )
    assert err.splitlines() == [
        "marrakech: the step 'packages' failed: "
        "'apt-get -o DPkg::Lock::Timeout=300 update -qq' ended with code 1",
        "  | some output",
        "  | no network",
        "check the network, and that 'sudo apt update' works; the steps before it are done; run "
        "the same command again to continue",
    ]


def test_full_disk_is_reported_with_the_file(
    machine: FakePi, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    run(machine, "install")
    machine.remove(UNIT)
    machine.fails_at = machine.changes + 1
    assert run(machine, "install") == 1
    assert capsys.readouterr().err.splitlines()[0] == (
        f"marrakech: the step 'unit' failed: {UNIT}: No space left on device"
    )


def test_upgrade_that_was_rolled_back_ends_with_code_1(
    machine: FakePi, checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(machine, "install")
    newer = make_checkout(tmp_path / "two", "2.0.0")
    machine.behaviour[newer.version_name("3.11")] = CRASHES
    monkeypatch.setattr(command, "find_checkout", lambda: newer)
    assert run(machine, "upgrade") == 1


def test_second_installation_at_the_same_time_is_refused(
    machine: FakePi, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    with machine.exclusive(LOCK):
        assert run(machine, "install") == 1
    assert "another installation of the companion is running" in capsys.readouterr().err
    assert machine.changes == 0


def test_umask_of_root_and_sighup_do_not_matter(machine: FakePi, checkout: Checkout) -> None:
    """Both are restored afterwards."""
    seen: list[object] = []

    def record(path: Path) -> None:
        seen.append(signal.getsignal(signal.SIGHUP))
        mask = os.umask(0)
        os.umask(mask)
        seen.append(mask)

    machine.make_folder = record  # type: ignore[method-assign]
    handler, mask = signal.getsignal(signal.SIGHUP), os.umask(0o077)
    try:
        run(machine, "install")
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(mask)
    assert seen == [signal.SIG_IGN, 0o022]
    assert signal.getsignal(signal.SIGHUP) is handler


def test_closed_terminal_does_not_stop_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    class ClosedStream(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdout", ClosedStream())
    print_text("step ... ")


def test_control_c_ends_the_line_of_its_step() -> None:
    printed: list[str] = []

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        StepRunner(write=printed.append).run(InstallStep("version", "built", lambda: False, stop))
    assert printed == ["version: built ... ", "stopped\n"]


# --- Confirmation -------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("flag", ["--games", "--purge"])
@pytest.mark.parametrize("answer", ["", "y", "no", "YES!"])
def test_games_stay_unless_yes_is_typed(
    machine: FakePi, checkout: Checkout, monkeypatch: pytest.MonkeyPatch, flag: str, answer: str
) -> None:
    run(machine, "install")
    monkeypatch.setattr(sys, "stdin", Terminal(f"{answer}\n"))
    assert run(machine, "uninstall", flag) == 1
    assert machine.exists(GAMES)
    assert machine.exists(CURRENT)
    monkeypatch.setattr(sys, "stdin", Terminal("yes\n"))
    assert run(machine, "uninstall", flag) == 0
    assert not machine.exists(GAMES)


def test_script_must_use_the_option_yes(
    machine: FakePi,
    checkout: Checkout,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(machine, "install")
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n"))
    assert run(machine, "uninstall", "--games") == 1
    assert "add --yes to confirm" in capsys.readouterr().err
    assert machine.exists(GAMES)
    assert run(machine, "uninstall", "--games", "--yes") == 0
    assert not machine.exists(GAMES)


def test_without_games_there_is_no_confirmation(
    machine: FakePi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run(machine, "uninstall", "--purge") == 0


# --- Starting it --------------------------------------------------------------------------


@pytest.mark.parametrize("name", command.COMMANDS)
def test_installed_command_has_the_same_options(name: str) -> None:
    parser, other = argparse.ArgumentParser(), argparse.ArgumentParser()
    add_arguments(parser, name)
    command.add_arguments(other, name)
    assert parser.format_help() == other.format_help()


def test_installer_imports_only_the_standard_library() -> None:
    """Without site-packages, as the system's python3 runs it from a checkout."""
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import companion.install.main; "
        "print(*(name for name in sys.modules if name.partition('.')[0] not in "
        "{*sys.stdlib_module_names, '__main__', 'companion'}))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []


def test_unknown_option_and_help_are_handled_by_argparse(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as end:
        command.main(["install", "--vitrual"])
    assert end.value.code == 2
    with pytest.raises(SystemExit) as end:
        command.main(["uninstall", "--help"])
    assert end.value.code == 0
    assert "--purge" in capsys.readouterr().out
