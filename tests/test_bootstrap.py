"""The bootstrap script ./marrakech: setting up .venv, and running commands in it."""

from __future__ import annotations

import ast
import stat

import pytest
from helpers.patience import PATIENCE_S
from helpers.system.bootstrap_checkout import (
    CREATING,
    FIRST_START,
    INSTALLING,
    INSTALLING_SIMULATOR,
    INSTALLING_TESTS,
    NO_INSTALL,
    ROOT,
    BootstrapCheckout,
    checkout,
    make_program,
    pip_calls,
)

__all__ = ["checkout"]  # a fixture

# --- The file itself ----------------------------------------------------------------------


def test_script_has_the_syntax_of_python_3_6() -> None:
    """So that an old Python can print what is needed."""
    source = (ROOT / "marrakech").read_text()
    assert ast.parse(source, feature_version=(3, 6))


def test_script_is_executable() -> None:
    assert (ROOT / "marrakech").stat().st_mode & stat.S_IXUSR
    assert (ROOT / "marrakech").read_text().startswith("#!/usr/bin/env python3\n")


def test_script_and_package_need_the_same_python(checkout: BootstrapCheckout) -> None:
    minimum = checkout.module().MIN_PYTHON
    wanted = 'requires-python = ">={}.{}"'.format(*minimum)
    assert wanted in (ROOT / "pyproject.toml").read_text()


# --- Running a command --------------------------------------------------------------------


def test_command_runs_at_once_if_the_environment_is_up_to_date(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("hotseat", "--names", "A B,C", "", "--record=x*") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|hotseat|--names|A B,C||--record=x*"]


def test_without_arguments_the_companion_prints_its_help(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start() == (0, [])
    assert checkout.calls() == ["-P|-m|companion"]


def test_exit_code_is_that_of_the_command(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("verify", "x", FAKE_CODE="7") == (7, [])


def test_the_command_test_runs_the_test_script(checkout: BootstrapCheckout) -> None:
    checkout.make_environment("simulator", "test")
    assert checkout.start("test", "-k", "a b") == (0, [])
    assert checkout.calls() == ["-P|@/tests/run.py|-k|a b"]


def test_the_word_test_is_a_command_only_as_first_argument(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("show", "test") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|show|test"]


# --- install, upgrade, uninstall ----------------------------------------------------------

INSTALLER = """\
import os, sys
def main(words):
    with open(os.environ["FAKE_LOG"], "a") as log:
        print(words, sys.flags.safe_path, sys.dont_write_bytecode, sys.path[0], file=log)
        print(os.environ.get("PYTHONPATH"), file=log)
    return 7
"""


@pytest.mark.parametrize("word", ["install", "upgrade", "uninstall"])
def test_system_commands_write_nothing_into_the_checkout(
    word: str, checkout: BootstrapCheckout
) -> None:
    """They run as root, who would own .venv and compiled modules."""
    make_program(checkout.root / "companion/install/main.py", INSTALLER)
    before = sorted(checkout.root.rglob("*"))
    assert checkout.start(word, "--dry-run", PYTHONPATH="/elsewhere") == (7, [])
    assert checkout.calls() == [f"['{word}', '--dry-run'] True True @", "None"]
    assert sorted(checkout.root.rglob("*")) == before


def test_the_word_install_is_a_command_only_as_first_argument(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("show", "install") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|show|install"]


# --- Setting up ---------------------------------------------------------------------------


def test_only_the_first_start_creates_the_environment(
    checkout: BootstrapCheckout,
) -> None:
    assert checkout.start("rules") == (0, [CREATING, INSTALLING])
    assert checkout.calls() == [*FIRST_START, "-P|-m|companion|rules"]
    assert checkout.start("rules") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|rules"]


def test_packages_for_tests_are_added_to_the_environment(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("test") == (0, [INSTALLING_TESTS])
    assert checkout.calls() == [*pip_calls(".[simulator,test]"), "-P|@/tests/run.py"]
    assert checkout.start("hotseat") == (0, [])
    assert checkout.start("test") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|hotseat", "-P|@/tests/run.py"]


def test_packages_for_play_are_added_to_the_environment(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("play") == (0, [INSTALLING_SIMULATOR])
    assert checkout.calls() == [*pip_calls(".[simulator]"), "-P|-m|companion|play"]
    assert checkout.start("play") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|play"]


@pytest.mark.parametrize("name", ["constraints.txt", "pyproject.toml"])
def test_changed_pins_recreate_the_environment(name: str, checkout: BootstrapCheckout) -> None:
    checkout.make_environment("test")
    with (checkout.root / name).open("a") as file:
        file.write("\n# changed\n")
    assert checkout.start("rules") == (0, [CREATING, INSTALLING])
    assert checkout.calls() == [*FIRST_START, "-P|-m|companion|rules"]


def test_moved_checkout_recreates_the_environment(checkout: BootstrapCheckout) -> None:
    """A virtual environment contains its absolute path."""
    checkout.make_environment()
    moved = checkout.root.with_name("my other games")
    checkout.root.rename(moved)
    checkout.root, checkout.script = moved, moved / "marrakech"
    assert checkout.start("rules") == (0, [CREATING, INSTALLING])


def test_python_that_starts_the_script_does_not_matter(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    change = "sys.version = 'another'; sys.executable = '/opt/another/python3'"
    assert checkout.start("rules", change=change) == (0, [])


def test_another_python_of_the_environment_recreates_it(checkout: BootstrapCheckout) -> None:
    """For example after an upgrade of the system's python3."""
    checkout.make_environment()
    python = checkout.venv / "bin" / "python"
    newer = python.rename(checkout.root.parent / "python3.99")
    python.symlink_to(newer)
    assert checkout.start("rules") == (0, [CREATING, INSTALLING])


def test_script_can_be_started_through_a_link(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    link = checkout.programs / "marrakech"
    link.symlink_to(checkout.script)
    checkout.script = link
    assert checkout.start("rules") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|rules"]


@pytest.mark.parametrize("name", ["PYTHONPATH", "PIP_USER", "PIP_TARGET"])
def test_variables_of_python_and_pip_are_removed(name: str, checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("rules", FAKE_SHOWS=name, **{name: "elsewhere"}) == (0, [])
    assert checkout.calls() == ["-P|-m|companion|rules", ""]


def test_closed_streams_are_tolerated(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("rules", change="sys.stdout = sys.stderr = None") == (0, [])
    change = "sys.stdout = sys.stderr = None"
    checkout.stamp.unlink()
    assert checkout.start("rules", change=change) == (0, [])


@pytest.mark.parametrize("stamp", ["", "invalid"])
def test_damaged_stamp_recreates_the_environment(stamp: str, checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    checkout.stamp.write_text(stamp)
    assert checkout.start("rules") == (0, [CREATING, INSTALLING])


def test_environment_without_its_python_is_recreated(checkout: BootstrapCheckout) -> None:
    """For example after an upgrade of the system, which leaves a broken link."""
    checkout.make_environment()
    (checkout.venv / "bin" / "python").unlink()
    (checkout.venv / "bin" / "python").symlink_to("/nowhere/python3")
    assert checkout.start("rules") == (0, [CREATING, INSTALLING])
    assert checkout.calls() == [*FIRST_START, "-P|-m|companion|rules"]


COMPILING = "marrakech: compiling the message catalogues (once) ..."
NOT_COMPILED = (
    "marrakech: could not compile the message catalogues; see the lines above. Using the old ones."
)
COMPILED = [
    "-m|pip|install|--quiet|--disable-pip-version-check|--constraint|constraints.txt|--no-deps"
    "|--editable|.",
    "pins constraints.txt in @",
]


def test_changed_catalogues_are_compiled_at_the_next_start(checkout: BootstrapCheckout) -> None:
    checkout.make_environment("simulator")
    checkout.change_catalogue()
    assert checkout.start("play") == (0, [COMPILING])
    assert checkout.calls() == [*COMPILED, "-P|-m|companion|play"]
    assert checkout.start("play") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|play"]


def test_failed_compilation_is_retried_at_the_next_start(
    checkout: BootstrapCheckout,
) -> None:
    checkout.make_environment()
    checkout.change_catalogue()
    assert checkout.start("rules", FAKE_PIP="false") == (0, [COMPILING, NOT_COMPILED])
    checkout.calls()
    assert checkout.start("rules") == (0, [COMPILING])
    assert checkout.calls() == [*COMPILED, "-P|-m|companion|rules"]


def test_first_start_compiles_the_catalogues(checkout: BootstrapCheckout) -> None:
    checkout.change_catalogue()
    assert checkout.start("rules") == (0, [CREATING, INSTALLING])
    checkout.calls()
    assert checkout.start("rules") == (0, [])


def test_adding_packages_compiles_the_catalogues(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    checkout.change_catalogue()
    assert checkout.start("play") == (0, [INSTALLING_SIMULATOR])
    checkout.calls()
    assert checkout.start("play") == (0, [])


def test_failed_installation_is_reported_and_retried(checkout: BootstrapCheckout) -> None:
    assert checkout.start("rules", FAKE_PIP="false") == (2, [CREATING, INSTALLING, NO_INSTALL])
    assert not checkout.stamp.exists()
    assert checkout.calls() == FIRST_START
    assert checkout.start("rules") == (0, [CREATING, INSTALLING])
    assert checkout.calls() == [*FIRST_START, "-P|-m|companion|rules"]


def test_failed_addition_keeps_the_environment(checkout: BootstrapCheckout) -> None:
    checkout.make_environment()
    assert checkout.start("test", FAKE_PIP="false") == (2, [INSTALLING_TESTS, NO_INSTALL])
    checkout.calls()
    assert checkout.start("rules") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|rules"]


def test_environment_that_cannot_be_created_is_reported(checkout: BootstrapCheckout) -> None:
    error = "marrakech: could not create a virtual environment"
    assert checkout.start("rules", FAKE_VENV="false") == (2, [CREATING, error])
    assert checkout.calls() == ["-m|venv|@/.venv"]


def test_two_simultaneous_starts_install_once(checkout: BootstrapCheckout) -> None:
    """The second waits for the first."""
    with (
        checkout.begin("rules", FAKE_PIP="sleep 0.5") as one,
        checkout.begin("show", FAKE_PIP="sleep 0.5") as other,
    ):
        printed = [
            process.communicate(timeout=PATIENCE_S)[1].splitlines() for process in (one, other)
        ]
    assert sorted(printed) == [[], [CREATING, INSTALLING]]
    assert (one.returncode, other.returncode) == (0, 0)
    calls = checkout.calls()
    assert calls[:3] == FIRST_START
    assert sorted(calls[3:]) == ["-P|-m|companion|rules", "-P|-m|companion|show"]


def test_unwritable_checkout_is_reported_in_one_line(checkout: BootstrapCheckout) -> None:
    """A folder in place of the lock file makes it unwritable, also for root."""
    (checkout.root / ".venv.lock").mkdir()
    code, lines = checkout.start("rules")
    assert code == 2
    assert len(lines) == 1
    assert lines[0].startswith("marrakech: cannot write")


def test_control_c_while_installing_prints_no_traceback(checkout: BootstrapCheckout) -> None:
    stop = str(make_program(checkout.programs / "stop", "#!/bin/sh\nkill -INT $1\nsleep 0.2\n"))
    fake = checkout.python.read_text().replace("${FAKE_PIP:-true}", f"{stop} $PPID")
    make_program(checkout.python, fake)
    assert checkout.start("rules") == (130, [CREATING, INSTALLING])
    assert not checkout.stamp.exists()


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_of_test_sets_nothing_up(checkout: BootstrapCheckout, word: str) -> None:
    with checkout.begin("test", word) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, "")
    assert out.startswith("usage: ./marrakech test ")
    assert "--all" in out
    assert "--long" in out
    assert checkout.calls() == []
    assert not checkout.venv.exists()
