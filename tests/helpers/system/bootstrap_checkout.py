"""A copy of the bootstrap script ./marrakech with a fake Python: nothing is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from helpers.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]

# A fake Python. It logs its arguments, one call per line, copies itself into a new environment, and
# runs the commands in FAKE_VENV and FAKE_PIP.
FAKE_PYTHON = """\
#!/bin/sh
line=
for word in "$@"; do line="$line|$word"; done
printf '%s\\n' "${line#|}" >> "$FAKE_LOG"
case "$1 $2" in
"-m venv") ${FAKE_VENV:-true} && mkdir -p "$word/bin" && cp "$0" "$word/bin/python" ;;
"-m pip") printf 'pins %s in %s\\n' "$PIP_CONSTRAINT" "$PWD" >> "$FAKE_LOG"; ${FAKE_PIP:-true} ;;
*) [ -z "$FAKE_SHOWS" ] || printf '%s\\n' "$(printenv $FAKE_SHOWS)" >> "$FAKE_LOG"
   exit "${FAKE_CODE:-0}" ;;
esac
"""

# Starts the script like `python3 marrakech`, after a change to the running Python.
RUNNER = """\
import os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore SIGINT
sys.modules["ensurepip"] = sys  # Debian's python3 lacks it
{change}
sys._base_executable = os.environ["FAKE_PYTHON"]
sys.argv = [sys.argv[1], *sys.argv[2:]]
runpy.run_path(sys.argv[0], run_name="__main__")
"""

CREATING = "marrakech: creating a virtual environment in .venv (once) ..."
INSTALLING = "marrakech: installing the companion (once) ..."
INSTALLING_TESTS = "marrakech: installing the companion and simulator and test (once) ..."
INSTALLING_SIMULATOR = "marrakech: installing the companion and simulator (once) ..."
NO_INSTALL = "marrakech: could not install; see the lines above (the first start needs the network)"
NO_VENV_MODULE = (
    "marrakech: Python cannot create virtual environments here: install its module 'venv'"
)


def make_program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class BootstrapCheckout:
    """A copy of the files that the script needs, in a folder with a space in its name."""

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
        """Create an environment that is up to date."""
        make_program(self.venv / "bin" / "python", FAKE_PYTHON)
        script = self.module()
        self.stamp.write_text(" ".join([script.fingerprint(), script.catalogues_hash(), *extras]))

    def change_catalogue(self, text: str = "msgid") -> None:
        po = self.root / "companion" / "i18n" / "locale" / "cs" / "LC_MESSAGES" / "x.po"
        po.parent.mkdir(parents=True, exist_ok=True)
        po.write_text(text)

    def begin(self, *words: str, change: str = "", **environment: str) -> subprocess.Popen[str]:
        variables = {"FAKE_LOG": str(self.log), "FAKE_PYTHON": str(self.python), **environment}
        return subprocess.Popen(
            [sys.executable, "-c", RUNNER.format(change=change), str(self.script), *words],
            env={**os.environ, **variables},
            cwd=self.root.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def start(self, *words: str, change: str = "", **environment: str) -> tuple[int, list[str]]:
        """The exit code, and the lines on standard error."""
        with self.begin(*words, change=change, **environment) as process:
            out, err = process.communicate(timeout=PATIENCE_S)
        assert out == ""
        return process.returncode, err.splitlines()

    def calls(self) -> list[str]:
        """The calls of the fake Python since the last time, with @ for the checkout."""
        if not self.log.exists():
            return []
        lines = self.log.read_text().replace(str(self.root), "@").splitlines()
        self.log.unlink()
        return lines


@pytest.fixture
def checkout(tmp_path: Path) -> BootstrapCheckout:
    return BootstrapCheckout(tmp_path)


def pip_calls(target: str) -> list[str]:
    return [
        "-m|pip|install|--quiet|--disable-pip-version-check"
        f"|--constraint|constraints.txt|--editable|{target}",
        "pins constraints.txt in @",
    ]


FIRST_START = ["-m|venv|@/.venv", *pip_calls(".")]


# --- Debian ---------------------------------------------------------------------------------

NO_ENSUREPIP = "sys.modules['ensurepip'] = None"
FAKE_APT = """\
#!/bin/sh
printf 'apt-get %s\\n' "$*" >> "$FAKE_LOG"
echo "output of apt-get" && [ "$1" = update ] || ${FAKE_APT:-true}
"""
FAKE_SUDO = """\
#!/bin/sh
printf 'sudo %s\\n' "$*" >> "$FAKE_LOG"
shift
${FAKE_SUDO:-true} && exec "$@"
"""


def as_user(number: int) -> str:
    return f"{NO_ENSUREPIP}; os.geteuid = lambda: {number}"
