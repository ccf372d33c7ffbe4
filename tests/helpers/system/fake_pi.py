"""A Raspberry Pi to install on: files in a folder of its own, and commands that are played.

It has a clock that only waiting moves, and it can fail or lose its power at any change.
"""

from __future__ import annotations

import errno
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.install.checkout import Checkout
from companion.install.machine import CommandError, Outcome, System
from companion.install.places import (
    ANNOUNCEMENT,
    CURRENT,
    DROP_IN,
    GAMES,
    LOCK,
    PYTHON,
    RULES,
    UNIT,
    WANTED,
)
from companion.install.steps import StepRunner

UNIT_TEXT = "[Service]\nExecStart=/opt/marrakech/current/bin/marrakech serve --folder %S/games\n"
SPIDEV = Path("/dev/spidev0.0")
RASPI_CONFIG = Path("/usr/bin/raspi-config")
GOOD, DIES, FLAPS, HANGS = "good", "dies", "flaps", "hangs"
START_S, RESTART_S = 2.0, 5.0


class PowerCut(BaseException):
    """Nothing is done any more, not even clearing up."""


class FakePi(System):
    """As it comes: booted, with SPI, pins and avahi, and nothing of the companion."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.commands: list[str] = []
        """Those that change something."""
        self.changes = 0
        self.fails_at: int | None = None
        self.dies_at: int | None = None
        self.is_dead = False
        self.user_id = 0
        self.python = "3 11 64"
        self.packages: set[str] = set()
        self.candidates = {"python3-venv", "python3-lgpio", "python3-spidev"}
        self.has_no_page = False
        self.has_wheel = True
        self.groups: set[str] = {"dialout"}
        self.user_home: str | None = None
        self.user_groups: set[str] = set()
        self.unread_settings: set[str] = set()
        """Versions that cannot read them."""
        self.manners: dict[str, str] = {}
        """How the service of a version behaves, if not well."""
        self.loaded = ""
        """The unit and its drop-in as systemd knows them."""
        self.known_rules: bytes | None = None
        """As udev knows them."""
        self.running: str | None = None
        """The version the service was started with."""
        self._started_s = self._now_s = 100.0
        self._starts = 0
        for tool in ("apt-get", "systemctl", "raspi-config"):
            self.place(Path("/usr/bin") / tool)
        for path in ("/dev/gpiochip0", str(SPIDEV), "/run/udev/control"):
            self.place(Path(path))
        for folder in (Path("/run/systemd/system"), ANNOUNCEMENT.parent):
            self.at(folder).mkdir(parents=True)

    def place(self, path: Path, text: str = "") -> None:
        """As if it had always been there."""
        self.at(path).parent.mkdir(parents=True, exist_ok=True)
        self.at(path).write_text(text)

    @property
    def is_root(self) -> bool:
        return self.user_id == 0

    # --- Changes, and what comes between --------------------------------------------------

    def _change(self, what: str) -> None:
        if self.is_dead:
            raise PowerCut
        self.changes += 1
        if self.changes == self.dies_at:
            self.is_dead = True
            raise PowerCut
        if self.changes == self.fails_at:
            raise OSError(errno.ENOSPC, "No space left on device", what)

    def write(self, path: Path, data: bytes) -> None:
        self._change(str(path))
        super().write(path, data)

    def link(self, path: Path, target: Path) -> None:
        self._change(str(path))
        super().link(path, target)

    def make_folder(self, path: Path) -> None:
        self._change(str(path))
        super().make_folder(path)

    def remove(self, path: Path) -> None:
        self._change(str(path))
        super().remove(path)

    def sync(self) -> None:
        self._change("sync")

    def seconds(self) -> float:
        return self._now_s

    def wait(self, seconds: float) -> None:
        self._now_s += seconds

    def reboot(self) -> None:
        """The power comes back: everything is read anew, and what is enabled starts."""
        self.is_dead, self.dies_at, self.running = False, None, None
        self._load()
        self.known_rules = self.read(RULES)
        if self.exists(WANTED):
            self._start()

    # --- Commands -------------------------------------------------------------------------

    def query(self, *command: str | Path) -> Outcome:
        words = [str(word) for word in command]
        if words[0].startswith(f"{CURRENT}/"):  # its link leads to the real /opt
            words[0] = words[0].replace(str(CURRENT), str(self.link_target(CURRENT)))
        program = Path(words[0])
        if program == PYTHON:
            return Outcome(0, self.python)
        answers: dict[str, Callable[[list[str]], Outcome]] = {
            "dpkg-query": self._dpkg_query,
            "apt-cache": self._apt_cache,
            "raspi-config": lambda _: Outcome(0, "0\n" if self.exists(SPIDEV) else "1\n"),
            "getent": self._getent,
            "id": lambda _: Outcome(0, " ".join(self.user_groups)),
            "systemctl": self._ask_systemctl,
            "journalctl": lambda _: Outcome(0, "line one\nthe pins are gone\n"),
            "python": lambda _: Outcome(0 if self.exists(program.parents[1] / "lgpio") else 1),
            "marrakech": self._marrakech,
        }
        return answers[program.name](words)

    def run(
        self,
        *command: str | Path,
        environment: Mapping[str, str] | None = None,  # noqa: ARG002 - as the real one has it
        folder: Path | None = None,
    ) -> str:
        words = [str(word) for word in command]
        try:
            self._change(shlex.join(words))
        except OSError:
            raise CommandError(words, Outcome(1, "some words\nno network\n")) from None
        self.commands.append(shlex.join(words))
        program = Path(words[0])
        if program.name == "marrakech":
            told = self._marrakech(words)
            if not told.is_good:
                raise CommandError(words, told)
            return told.text
        doers: dict[str, Callable[[list[str]], object]] = {
            "python3": lambda words: self.place(Path(words[-1]) / "bin" / "python"),
            "python": lambda words: self._pip(words, folder),
            "apt-get": self._apt_get,
            "raspi-config": lambda _: self.place(SPIDEV),
            "groupadd": lambda words: self.groups.add(words[-1]),
            "useradd": lambda words: setattr(self, "user_home", words[4]),
            "usermod": lambda words: self.user_groups.update(words[3].split(",")),
            "userdel": lambda _: setattr(self, "user_home", None),
            "udevadm": lambda _: setattr(self, "known_rules", self.read(RULES)),
            "systemctl": self._tell_systemctl,
        }
        doers[program.name](words)
        return ""

    # --- Debian ---------------------------------------------------------------------------

    def _dpkg_query(self, words: list[str]) -> Outcome:
        return Outcome(0, "installed") if words[-1] in self.packages else Outcome(1, "no such")

    def _apt_cache(self, words: list[str]) -> Outcome:
        has = words[-1] in self.candidates
        return Outcome(0, f"{words[-1]}:\n  Candidate: 1.0-1\n" if has else "")

    def _apt_get(self, words: list[str]) -> None:
        if "install" in words:
            names = words[words.index("--no-install-recommends") + 1 :]
            assert set(names) <= self.candidates
            self.packages |= set(names)

    def _getent(self, words: list[str]) -> Outcome:
        if words[1] == "group":
            return Outcome(0 if words[2] in self.groups else 2)
        if self.user_home is None:
            return Outcome(2)
        return Outcome(0, f"marrakech:x:999:999::{self.user_home}:/usr/sbin/nologin\n")

    # --- The versions ---------------------------------------------------------------------

    def _pip(self, words: list[str], folder: Path | None) -> None:
        assert folder is not None
        assert self.exists(folder / "pyproject.toml")
        binaries = Path(words[0]).parent
        if "lgpio>=0.2.2" in words:
            if not self.has_wheel:
                raise CommandError(words, Outcome(1, "ERROR: No matching distribution for lgpio\n"))
            self.place(binaries.parent / "lgpio")
        self.place(binaries / "marrakech", "the companion")

    def _marrakech(self, words: list[str]) -> Outcome:
        if self.read(Path(words[0])) is None:
            return Outcome(127, "not found")
        if words[1] == "doctor":
            return Outcome(0, f"all is well {' '.join(words[2:])}\n")
        if words[1] == "status":
            assert words[2:] == ["--page"]
            return Outcome(2, "no page\n") if self.has_no_page else Outcome(0, "\nat home\n")
        assert words[1] == "config"
        if "--default" in words:
            return Outcome(0, '# the defaults\n[journal]\nfolder = ""\n')
        if Path(words[0]).parents[1].name in self.unread_settings:
            return Outcome(2, "marrakech: marrakech.toml: unknown key 'x'\n")
        return Outcome(0, "fine\n")

    # --- systemd --------------------------------------------------------------------------

    def _ask_systemctl(self, words: list[str]) -> Outcome:
        if words[1] == "is-enabled":
            is_on = self.exists(WANTED) and self.exists(UNIT)
            return Outcome(0, "enabled\n") if is_on else Outcome(1, "disabled\n")
        state = self._state()
        if words[1] == "is-active":
            return Outcome(0, state["ActiveState"] + "\n")
        assert words[1] == "show"
        return Outcome(0, "".join(f"{key}={value}\n" for key, value in state.items()))

    def _state(self) -> dict[str, str]:
        if self.running is None:
            return {"ActiveState": "inactive", "SubState": "dead", "InvocationID": ""}
        passed_s = self._now_s - self._started_s
        manner = self.manners.get(self.running, GOOD)
        again = int(passed_s / RESTART_S) if manner in (DIES, FLAPS) else 0
        is_up = {
            GOOD: passed_s >= START_S,
            FLAPS: 1 <= passed_s % RESTART_S < RESTART_S - 1,
        }.get(manner, False)
        return {
            "ActiveState": "active" if is_up else "activating",
            "SubState": "running" if is_up else "start",
            "InvocationID": f"{self._starts:08x}{again:08x}",
            "NRestarts": str(again),
        }

    def _tell_systemctl(self, words: list[str]) -> None:
        told = next(word for word in words[1:] if not word.startswith("-"))
        if told == "enable":
            self.at(WANTED).parent.mkdir(parents=True, exist_ok=True)
            self.at(WANTED).unlink(missing_ok=True)
            self.at(WANTED).symlink_to(UNIT)
            self._load()
        elif told == "disable":
            assert self.exists(UNIT)
            self.at(WANTED).unlink()
        elif told == "daemon-reload":
            self._load()
        elif told == "stop":
            self.running = None
        elif told == "restart":
            self._start()
        else:
            assert told == "reset-failed"

    def _load(self) -> None:
        self.loaded = b"".join(self.read(path) or b"" for path in (UNIT, DROP_IN)).decode()

    def _start(self) -> None:
        target = self.link_target(CURRENT)
        if target is None or not self.exists(target / "bin" / "marrakech"):
            self.running = None
            return
        self.running, self._started_s = target.name, self._now_s
        self._starts += 1
        self.at(GAMES).mkdir(parents=True, exist_ok=True)

    # --- What it looks like ---------------------------------------------------------------

    def picture(self) -> dict[str, object]:
        """All that an installation may change."""
        found: dict[str, object] = {}
        for path in sorted(self.at(Path("/")).rglob("*")):
            name = "/" + str(path.relative_to(self.at(Path("/"))))
            if path.is_symlink():
                found[name] = f"-> {path.readlink()}"
            elif path.is_file() and name != str(LOCK):
                found[name] = path.read_text()
        sets = (self.packages, self.groups, self.user_groups)
        state = (*map(sorted, sets), self.user_home, self.known_rules, self.running)
        return {**found, "state": state}


def make_checkout(folder: Path, version: str = "1.0.0", unit: str = UNIT_TEXT) -> Checkout:
    """The least that can be installed."""
    texts = {
        "companion/__init__.py": f'"""A companion."""\n\n__version__ = "{version}"\n',
        "companion/py.typed": "",
        "companion/games/rules.py": "RULES = 1\n",
        "firmware/release/pad-1.0.0.hex": ":00000001FF\n",
        "systemd/marrakech.service": unit,
        "systemd/60-marrakech.rules": f"# of {version}\n",
        "systemd/avahi/marrakech.service": f"<!-- {version} --><port>8080</port>\n",
        "pyproject.toml": "[project]\n",
        "README.md": "# A companion\n",
        "LICENSE": "MIT\n",
        "constraints.txt": "pyserial==3.5\n",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return Checkout(folder)


class Diary:
    """Somebody who writes down what a workman says."""

    def __init__(self, *, is_dry: bool = False) -> None:
        self.text = ""
        self.workman = StepRunner(is_dry=is_dry, say=self.hear)

    def hear(self, text: str) -> None:
        self.text += text

    def results(self) -> dict[str, str]:
        """How each step ended: `{"packages": "done", ...}`."""
        lines = [line for line in self.text.splitlines() if " ... " in line]
        return {line.split(":")[0]: line.rpartition(" ... ")[2] for line in lines}
