"""The script ./marrakech: handing over, and setting up what is handed over to."""

from __future__ import annotations

import ast
import stat

import pytest
from helpers.patience import PATIENCE_S
from helpers.system.bootstrap_checkout import (
    FIRST_START,
    INSTALLING,
    INSTALLING_SIMULATOR,
    INSTALLING_TESTS,
    MAKING,
    NO_INSTALL,
    ROOT,
    Checkout,
    checkout,
    make_program,
    pip_calls,
)

__all__ = ["checkout"]  # a fixture

# --- The file itself ----------------------------------------------------------------------


def test_an_old_python_can_read_the_script() -> None:
    """So that it can say what it needs."""
    source = (ROOT / "marrakech").read_text()
    assert ast.parse(source, feature_version=(3, 6))


def test_the_script_can_be_started() -> None:
    assert (ROOT / "marrakech").stat().st_mode & stat.S_IXUSR
    assert (ROOT / "marrakech").read_text().startswith("#!/usr/bin/env python3\n")


def test_the_script_and_the_package_want_the_same_python(checkout: Checkout) -> None:
    oldest = checkout.module().OLDEST
    wanted = 'requires-python = ">={}.{}"'.format(*oldest)
    assert wanted in (ROOT / "pyproject.toml").read_text()


# --- Handing over -------------------------------------------------------------------------


def test_an_up_to_date_environment_hands_over_at_once(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("hotseat", "--names", "A B,C", "", "--record=x*") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|hotseat|--names|A B,C||--record=x*"]


def test_without_words_the_companion_explains_itself(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start() == (0, [])
    assert checkout.calls() == ["-P|-m|companion"]


def test_the_exit_code_is_the_companions(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("verify", "x", FAKE_CODE="7") == (7, [])


def test_test_runs_the_stages(checkout: Checkout) -> None:
    checkout.make_environment("simulator", "test")
    assert checkout.start("test", "-k", "a b") == (0, [])
    assert checkout.calls() == ["-P|@/tests/run.py|-k|a b"]


def test_test_is_a_command_only_in_the_first_place(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("show", "test") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|show|test"]


# --- Installing on a system ---------------------------------------------------------------

INSTALLER = """\
import os, sys
def main(words):
    with open(os.environ["FAKE_LOG"], "a") as log:
        print(words, sys.flags.safe_path, sys.dont_write_bytecode, sys.path[0], file=log)
        print(os.environ.get("PYTHONPATH"), file=log)
    return 7
"""


@pytest.mark.parametrize("word", ["install", "upgrade", "uninstall"])
def test_work_on_the_system_leaves_the_checkout_as_it_is(word: str, checkout: Checkout) -> None:
    """Root does it: neither .venv nor a compiled module may be left there in root's name."""
    make_program(checkout.root / "companion/install/main.py", INSTALLER)
    before = sorted(checkout.root.rglob("*"))
    assert checkout.start(word, "--dry-run", PYTHONPATH="/elsewhere") == (7, [])
    assert checkout.calls() == [f"['{word}', '--dry-run'] True True @", "None"]
    assert sorted(checkout.root.rglob("*")) == before


def test_installing_is_a_command_only_in_the_first_place(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("show", "install") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|show|install"]


# --- Setting up ---------------------------------------------------------------------------


def test_the_first_start_makes_the_environment_and_the_second_does_not(
    checkout: Checkout,
) -> None:
    assert checkout.start("rules") == (0, [MAKING, INSTALLING])
    assert checkout.calls() == [*FIRST_START, "-P|-m|companion|rules"]
    assert checkout.start("rules") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|rules"]


def test_tests_need_more_and_get_it_in_the_same_environment(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("test") == (0, [INSTALLING_TESTS])
    assert checkout.calls() == [*pip_calls(".[simulator,test]"), "-P|@/tests/run.py"]
    assert checkout.start("hotseat") == (0, [])
    assert checkout.start("test") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|hotseat", "-P|@/tests/run.py"]


def test_play_needs_the_simulator_and_gets_it_in_the_same_environment(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("play") == (0, [INSTALLING_SIMULATOR])
    assert checkout.calls() == [*pip_calls(".[simulator]"), "-P|-m|companion|play"]
    assert checkout.start("play") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|play"]


@pytest.mark.parametrize("name", ["constraints.txt", "pyproject.toml"])
def test_changed_pins_make_the_environment_anew(name: str, checkout: Checkout) -> None:
    checkout.make_environment("test")
    with (checkout.root / name).open("a") as file:
        file.write("\n# changed\n")
    assert checkout.start("rules") == (0, [MAKING, INSTALLING])
    assert checkout.calls() == [*FIRST_START, "-P|-m|companion|rules"]


def test_a_checkout_that_was_moved_makes_its_environment_anew(checkout: Checkout) -> None:
    """An environment knows its place and does not work in another."""
    checkout.make_environment()
    moved = checkout.root.with_name("my other games")
    checkout.root.rename(moved)
    checkout.root, checkout.script = moved, moved / "marrakech"
    assert checkout.start("rules") == (0, [MAKING, INSTALLING])


def test_it_does_not_matter_which_python_starts_it(checkout: Checkout) -> None:
    checkout.make_environment()
    change = "sys.version = 'another'; sys.executable = '/opt/another/python3'"
    assert checkout.start("rules", change=change) == (0, [])


def test_another_python_under_the_environment_makes_it_anew(checkout: Checkout) -> None:
    """As when the system's python3 becomes a newer one."""
    checkout.make_environment()
    python = checkout.venv / "bin" / "python"
    newer = python.rename(checkout.root.parent / "python3.99")
    python.symlink_to(newer)
    assert checkout.start("rules") == (0, [MAKING, INSTALLING])


def test_it_can_be_started_through_a_link(checkout: Checkout) -> None:
    checkout.make_environment()
    link = checkout.programs / "marrakech"
    link.symlink_to(checkout.script)
    checkout.script = link
    assert checkout.start("rules") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|rules"]


@pytest.mark.parametrize("name", ["PYTHONPATH", "PIP_USER", "PIP_TARGET"])
def test_settings_of_other_programs_do_not_lead_it_astray(name: str, checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("rules", FAKE_SHOWS=name, **{name: "elsewhere"}) == (0, [])
    assert checkout.calls() == ["-P|-m|companion|rules", ""]


def test_closed_streams_are_no_trouble(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("rules", change="sys.stdout = sys.stderr = None") == (0, [])
    change = "sys.stdout = sys.stderr = None"
    checkout.stamp.unlink()
    assert checkout.start("rules", change=change) == (0, [])


@pytest.mark.parametrize("stamp", ["", "of another time"])
def test_a_damaged_stamp_makes_the_environment_anew(stamp: str, checkout: Checkout) -> None:
    checkout.make_environment()
    checkout.stamp.write_text(stamp)
    assert checkout.start("rules") == (0, [MAKING, INSTALLING])


def test_an_environment_without_its_python_is_made_anew(checkout: Checkout) -> None:
    """As after an upgrade of the system, which leaves a link to nowhere."""
    checkout.make_environment()
    (checkout.venv / "bin" / "python").unlink()
    (checkout.venv / "bin" / "python").symlink_to("/nowhere/python3")
    assert checkout.start("rules") == (0, [MAKING, INSTALLING])
    assert checkout.calls() == [*FIRST_START, "-P|-m|companion|rules"]


COMPILING = "marrakech: compiling the words (once) ..."
NOT_COMPILED = (
    "marrakech: could not compile the words; the lines above say why. "
    "Going on with those from before."
)
COMPILED = [
    "-m|pip|install|--quiet|--disable-pip-version-check|--constraint|constraints.txt|--no-deps"
    "|--editable|.",
    "pins constraints.txt in @",
]


def test_corrected_words_are_compiled_at_the_next_start(checkout: Checkout) -> None:
    checkout.make_environment("simulator")
    checkout.correct_words()
    assert checkout.start("play") == (0, [COMPILING])
    assert checkout.calls() == [*COMPILED, "-P|-m|companion|play"]
    assert checkout.start("play") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|play"]


def test_words_that_cannot_be_compiled_are_tried_again_and_nobody_waits(
    checkout: Checkout,
) -> None:
    checkout.make_environment()
    checkout.correct_words()
    assert checkout.start("rules", FAKE_PIP="false") == (0, [COMPILING, NOT_COMPILED])
    checkout.calls()
    assert checkout.start("rules") == (0, [COMPILING])
    assert checkout.calls() == [*COMPILED, "-P|-m|companion|rules"]


def test_a_first_start_compiles_the_words_with_the_rest(checkout: Checkout) -> None:
    checkout.correct_words()
    assert checkout.start("rules") == (0, [MAKING, INSTALLING])
    checkout.calls()
    assert checkout.start("rules") == (0, [])


def test_what_is_added_compiles_the_words_as_well(checkout: Checkout) -> None:
    checkout.make_environment()
    checkout.correct_words()
    assert checkout.start("play") == (0, [INSTALLING_SIMULATOR])
    checkout.calls()
    assert checkout.start("play") == (0, [])


def test_a_failed_installation_is_said_and_tried_again(checkout: Checkout) -> None:
    assert checkout.start("rules", FAKE_PIP="false") == (2, [MAKING, INSTALLING, NO_INSTALL])
    assert not checkout.stamp.exists()
    assert checkout.calls() == FIRST_START
    assert checkout.start("rules") == (0, [MAKING, INSTALLING])
    assert checkout.calls() == [*FIRST_START, "-P|-m|companion|rules"]


def test_a_failed_addition_leaves_what_worked(checkout: Checkout) -> None:
    checkout.make_environment()
    assert checkout.start("test", FAKE_PIP="false") == (2, [INSTALLING_TESTS, NO_INSTALL])
    checkout.calls()
    assert checkout.start("rules") == (0, [])
    assert checkout.calls() == ["-P|-m|companion|rules"]


def test_an_environment_that_cannot_be_made_is_said(checkout: Checkout) -> None:
    trouble = "marrakech: could not make a virtual environment"
    assert checkout.start("rules", FAKE_VENV="false") == (2, [MAKING, trouble])
    assert checkout.calls() == ["-m|venv|@/.venv"]


def test_two_starts_at_once_install_once(checkout: Checkout) -> None:
    """The second waits for the first, and finds everything done."""
    with (
        checkout.begin("rules", FAKE_PIP="sleep 0.5") as one,
        checkout.begin("show", FAKE_PIP="sleep 0.5") as other,
    ):
        told = [process.communicate(timeout=PATIENCE_S)[1].splitlines() for process in (one, other)]
    assert sorted(told) == [[], [MAKING, INSTALLING]]
    assert (one.returncode, other.returncode) == (0, 0)
    calls = checkout.calls()
    assert calls[:3] == FIRST_START
    assert sorted(calls[3:]) == ["-P|-m|companion|rules", "-P|-m|companion|show"]


def test_a_checkout_that_cannot_be_written_is_said_in_one_line(checkout: Checkout) -> None:
    """A folder where the lock should be stands for a place without the right to write."""
    (checkout.root / ".venv.lock").mkdir()
    code, lines = checkout.start("rules")
    assert code == 2
    assert len(lines) == 1
    assert lines[0].startswith("marrakech: cannot write")


def test_control_c_while_installing_leaves_no_traceback(checkout: Checkout) -> None:
    stop = str(make_program(checkout.programs / "stop", "#!/bin/sh\nkill -INT $1\nsleep 0.2\n"))
    fake = checkout.python.read_text().replace("${FAKE_PIP:-true}", f"{stop} $PPID")
    make_program(checkout.python, fake)
    assert checkout.start("rules") == (130, [MAKING, INSTALLING])
    assert not checkout.stamp.exists()


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_the_help_of_test_is_only_printed(checkout: Checkout, word: str) -> None:
    with checkout.begin("test", word) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, "")
    assert out.startswith("usage: ./marrakech test ")
    assert "--all" in out
    assert "--long" in out
    assert checkout.calls() == []
    assert not checkout.venv.exists()
