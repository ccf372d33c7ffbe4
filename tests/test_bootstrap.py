"""The script ./marrakech, in checkouts of its own with a fake Python: nothing is installed."""

from __future__ import annotations

import ast
import os
import shutil
import stat
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent

# A Python with hands. It writes down what it is told, one call in a line, makes an environment of
# itself, and does what FAKE_VENV and FAKE_PIP say.
FAKE_PYTHON = """\
#!/bin/sh
line=
for word in "$@"; do line="$line|$word"; done
printf '%s\\n' "${line#|}" >> "$FAKE_LOG"
case "$1 $2" in
"-m venv") ${FAKE_VENV:-true} && mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
"-m pip") printf 'pins %s in %s\\n' "$PIP_CONSTRAINT" "$PWD" >> "$FAKE_LOG"; ${FAKE_PIP:-true} ;;
*) [ -z "$FAKE_SHOWS" ] || printf '%s\\n' "$(printenv $FAKE_SHOWS)" >> "$FAKE_LOG"
   exit "${FAKE_CODE:-0}" ;;
esac
"""

# Starts the script as `python3 marrakech` does, in a Python that was changed a little.
RUNNER = """\
import os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background may ignore it
{change}
sys._base_executable = os.environ["FAKE_PYTHON"]
sys.argv = [sys.argv[1], *sys.argv[2:]]
runpy.run_path(sys.argv[0], run_name="__main__")
"""

MAKING = "marrakech: making a virtual environment in .venv (once) ..."
INSTALLING = "marrakech: installing the companion (once) ..."
INSTALLING_TESTS = "marrakech: installing the companion and simulator and test (once) ..."
INSTALLING_SIMULATOR = "marrakech: installing the companion and simulator (once) ..."
NO_INSTALL = (
    "marrakech: could not install; the lines above say why (the first start needs the network)"
)
NO_VENV_MODULE = (
    "marrakech: Python cannot make virtual environments here: on Debian or Ubuntu, run "
    "'sudo apt install python{}.{}-venv' and start again"
).format(*sys.version_info)


def make_program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class Checkout:
    """A copy of what the script needs, in a folder with a space in its name."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "my games"
        self.root.mkdir()
        for name in ("marrakech", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.root / name)
        self.script = self.root / "marrakech"
        self.venv = self.root / ".venv"
        self.stamp = self.venv / "marrakech-stamp"
        self.log = folder / "log"
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.python = make_program(folder / "python", FAKE_PYTHON)

    def module(self) -> ModuleType:
        """The script as a module, without running it."""
        loader = SourceFileLoader("marrakech_script", str(self.script))
        spec = spec_from_loader(loader.name, loader)
        assert spec is not None
        module = module_from_spec(spec)
        loader.exec_module(module)
        return module

    def make_environment(self, *extras: str) -> None:
        """An environment that is up to date."""
        make_program(self.venv / "bin" / "python", FAKE_PYTHON)
        script = self.module()
        self.stamp.write_text(" ".join([script.fingerprint(), script.catalogues(), *extras]))

    def correct_words(self, text: str = "msgid") -> None:
        """As a translator does."""
        po = self.root / "companion" / "catalogues" / "locale" / "cs" / "LC_MESSAGES" / "x.po"
        po.parent.mkdir(parents=True, exist_ok=True)
        po.write_text(text)

    def begin(self, *words: str, change: str = "", **environment: str) -> subprocess.Popen[str]:
        told = {"FAKE_LOG": str(self.log), "FAKE_PYTHON": str(self.python), **environment}
        return subprocess.Popen(
            [sys.executable, "-c", RUNNER.format(change=change), str(self.script), *words],
            env={**os.environ, **told},
            cwd=self.root.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def start(self, *words: str, change: str = "", **environment: str) -> tuple[int, list[str]]:
        """The exit code, and the lines on standard error."""
        with self.begin(*words, change=change, **environment) as process:
            out, err = process.communicate(timeout=60)
        assert out == ""
        return process.returncode, err.splitlines()

    def calls(self) -> list[str]:
        """What the fake Python was told, with @ for the checkout; forgotten once read."""
        if not self.log.exists():
            return []
        lines = self.log.read_text().replace(str(self.root), "@").splitlines()
        self.log.unlink()
        return lines


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def pip_calls(target: str) -> list[str]:
    return [
        "-m|pip|install|--quiet|--disable-pip-version-check"
        f"|--constraint|constraints.txt|--editable|{target}",
        "pins constraints.txt in @",
    ]


FIRST_START = ["-m|venv|@/.venv", *pip_calls(".")]


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
        told = [process.communicate(timeout=60)[1].splitlines() for process in (one, other)]
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


# --- Debian without python3-venv ----------------------------------------------------------

NO_ENSUREPIP = "sys.modules['ensurepip'] = None"
FAKE_APT = """\
#!/bin/sh
printf 'apt-get %s\\n' "$*" >> "$FAKE_LOG"
echo "words of apt-get" && [ "$1" = update ] || ${FAKE_APT:-true}
"""
FAKE_SUDO = """\
#!/bin/sh
printf 'sudo %s\\n' "$*" >> "$FAKE_LOG"
shift
${FAKE_SUDO:-true} && exec "$@"
"""


def as_user(number: int) -> str:
    return f"{NO_ENSUREPIP}; os.geteuid = lambda: {number}"


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
