"""A Raspberry Pi to install on: a `FakeMachine` with stateful apt, pip, udev and systemd."""

from __future__ import annotations

from pathlib import Path

from companion.install.checkout import Checkout
from companion.install.paths import (
    ANNOUNCEMENT,
    CURRENT,
    DROP_IN,
    GAMES,
    LOCK,
    RULES,
    UNIT,
    WANTED,
)
from companion.install.steps import StepRunner
from companion.machine.boot_config import BOOT_CONFIG
from companion.machine.commands import NOT_FOUND, CommandError, CommandResult
from helpers.system.fake_machine import FakeMachine

UNIT_TEXT = "[Service]\nExecStart=/opt/marrakech/current/bin/marrakech serve --folder %S/games\n"
SPIDEV = Path("/dev/spidev0.0")
RASPI_CONFIG = Path("/usr/bin/raspi-config")
GOOD, CRASHES, FLAPS, HANGS = "good", "crashes", "flaps", "hangs"
"""How a version's service behaves: FLAPS comes up and crashes again, HANGS never comes up."""
START_S, RESTART_S = 2.0, 5.0


class FakePi(FakeMachine):
    """Booted, with SPI, pins and avahi; the companion is not installed."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.is_root = True
        self.system_groups = {"dialout"}
        self.python_output = "3 11 64"
        self.apt_packages: set[str] = set()
        self.apt_candidates = {"python3-venv", "python3-lgpio", "python3-spidev", "avrdude"}
        self.has_package_lists = True
        """A new card has none before `apt-get update`."""
        self.has_page = True
        self.has_lgpio_wheel = True
        self.user_home: str | None = None
        self.user_groups: set[str] = set()
        self.rejects_settings: set[str] = set()
        """Versions that cannot read the settings."""
        self.behaviour: dict[str, str] = {}
        """How the service of a version behaves, if not GOOD."""
        self.loaded_unit = ""
        """The unit and its drop-in, as systemd has loaded them."""
        self.loaded_rules: bytes | None = None
        """The rules that udev has loaded."""
        self.running: str | None = None
        """The version the service was started with."""
        self._started_s = self.now_s
        self._starts = 0
        self.answers |= {
            "python3": lambda _: CommandResult(0, self.python_output),
            "dpkg-query": self._dpkg_query,
            "apt-cache": self._apt_cache,
            "raspi-config": lambda _: CommandResult(0, "0\n" if self.exists(SPIDEV) else "1\n"),
            "getent": self._getent,
            "id": lambda _: CommandResult(0, " ".join(self.user_groups)),
            "systemctl": self._query_systemctl,
            "journalctl": lambda _: CommandResult(0, "line one\nthe pins are gone\n"),
            "python": self._import_lgpio,
            "marrakech": self._marrakech,
        }
        self.effects |= {
            "python3": lambda words, _: self.place(Path(words[-1]) / "bin" / "python"),
            "python": self._pip,
            "apt-get": self._apt_get,
            "raspi-config": lambda _words, _: self.place(SPIDEV),
            "groupadd": lambda words, _: self.system_groups.add(words[-1]),
            "useradd": lambda words, _: setattr(self, "user_home", words[4]),
            "usermod": lambda words, _: self.user_groups.update(words[3].split(",")),
            "userdel": lambda _words, _: setattr(self, "user_home", None),
            "udevadm": lambda _words, _: setattr(self, "loaded_rules", self.contents(RULES)),
            "systemctl": self._run_systemctl,
            "marrakech": self._run_marrakech,
        }
        for tool in ("apt-get", "systemctl", "raspi-config"):
            self.place(Path("/usr/bin") / tool)
        for path in ("/dev/gpiochip0", SPIDEV, "/run/udev/control"):
            self.place(path)
        self.place(BOOT_CONFIG, "dtparam=spi=on\n[cm5]\ndtoverlay=dwc2\n")
        for folder in (Path("/run/systemd/system"), ANNOUNCEMENT.parent):
            self.at(folder).mkdir(parents=True)

    def reboot(self) -> None:
        """Power is back: systemd and udev load their files, and enabled services start."""
        self.is_dead, self.dies_at, self.running = False, None, None
        self._load_unit()
        self.loaded_rules = self.contents(RULES)
        if self.exists(WANTED):
            self._start_service()

    # --- Debian ---------------------------------------------------------------------------

    def _dpkg_query(self, words: list[str]) -> CommandResult:
        if words[-1] in self.apt_packages:
            return CommandResult(0, "installed")
        return CommandResult(1, "no such package")

    def _apt_cache(self, words: list[str]) -> CommandResult:
        has = self.has_package_lists and words[-1] in self.apt_candidates
        return CommandResult(0, f"{words[-1]}:\n  Candidate: 1.0-1\n" if has else "")

    def _apt_get(self, words: list[str], _: Path | None) -> None:
        if "update" in words:
            self.has_package_lists = True
        if "install" in words:
            names = words[words.index("--no-install-recommends") + 1 :]
            assert set(names) <= self.apt_candidates
            self.apt_packages |= set(names)

    def _getent(self, words: list[str]) -> CommandResult:
        if words[1] == "group":
            return CommandResult(0 if words[2] in self.system_groups else 2)
        if self.user_home is None:
            return CommandResult(2)
        return CommandResult(0, f"marrakech:x:999:999::{self.user_home}:/usr/sbin/nologin\n")

    # --- The versions ---------------------------------------------------------------------

    def _real_path(self, program: str) -> Path:
        """Follows CURRENT, whose target is a path below the root."""
        return Path(program.replace(str(CURRENT), str(self.link_target(CURRENT))))

    def _import_lgpio(self, words: list[str]) -> CommandResult:
        environment = self._real_path(words[0]).parents[1]
        return CommandResult(0 if self.exists(environment / "lgpio") else 1)

    def _pip(self, words: list[str], folder: Path | None) -> None:
        assert folder is not None
        assert self.exists(folder / "pyproject.toml")
        programs = Path(words[0]).parent
        if "lgpio>=0.2.2" in words:
            if not self.has_lgpio_wheel:
                error = "ERROR: No matching distribution for lgpio\n"
                raise CommandError(words, CommandResult(1, error))
            self.place(programs.parent / "lgpio")
        self.place(programs / "marrakech", "the companion")

    def _marrakech(self, words: list[str]) -> CommandResult:
        program = self._real_path(words[0])
        if self.contents(program) is None:
            return CommandResult(NOT_FOUND, "not found")
        if words[1] == "doctor":
            return CommandResult(0, f"all is well {' '.join(words[2:])}\n")
        if words[1] == "status":
            assert words[2:] == ["--page"]
            return CommandResult(0, "\nat home\n") if self.has_page else CommandResult(2, "none\n")
        assert words[1] == "config"
        if "--default" in words:
            return CommandResult(0, '# the defaults\n[journal]\nfolder = ""\n')
        if program.parents[1].name in self.rejects_settings:
            return CommandResult(2, "marrakech: marrakech.toml: unknown key 'x'\n")
        return CommandResult(0, "fine\n")

    def _run_marrakech(self, words: list[str], _: Path | None) -> str:
        result = self._marrakech(words)
        if not result.is_ok:
            raise CommandError(words, result)
        return result.output

    # --- systemd --------------------------------------------------------------------------

    def _query_systemctl(self, words: list[str]) -> CommandResult:
        if words[1] == "is-enabled":
            is_on = self.exists(WANTED) and self.exists(UNIT)
            return CommandResult(0, "enabled\n") if is_on else CommandResult(1, "disabled\n")
        state = self.service_state()
        if words[1] == "is-active":
            return CommandResult(0, state["ActiveState"] + "\n")
        assert words[1] == "show"
        return CommandResult(0, "".join(f"{key}={value}\n" for key, value in state.items()))

    def service_state(self) -> dict[str, str]:
        if self.running is None:
            return {"ActiveState": "inactive", "SubState": "dead", "InvocationID": ""}
        passed_s = self.now_s - self._started_s
        behaviour = self.behaviour.get(self.running, GOOD)
        restarts = int(passed_s / RESTART_S) if behaviour in (CRASHES, FLAPS) else 0
        is_up = {
            GOOD: passed_s >= START_S,
            FLAPS: 1 <= passed_s % RESTART_S < RESTART_S - 1,
        }.get(behaviour, False)
        return {
            "ActiveState": "active" if is_up else "activating",
            "SubState": "running" if is_up else "start",
            "InvocationID": f"{self._starts:08x}{restarts:08x}",
            "NRestarts": str(restarts),
        }

    def _run_systemctl(self, words: list[str], _: Path | None) -> None:
        command = next(word for word in words[1:] if not word.startswith("-"))
        if command == "enable":
            self.at(WANTED).parent.mkdir(parents=True, exist_ok=True)
            self.at(WANTED).unlink(missing_ok=True)
            self.at(WANTED).symlink_to(UNIT)
            self._load_unit()
        elif command == "disable":
            assert self.exists(UNIT)
            self.at(WANTED).unlink()
        elif command == "daemon-reload":
            self._load_unit()
        elif command == "stop":
            self.running = None
        elif command == "restart":
            self._start_service()
        else:
            assert command == "reset-failed"

    def _load_unit(self) -> None:
        files = (self.contents(path) or b"" for path in (UNIT, DROP_IN))
        self.loaded_unit = b"".join(files).decode()

    def _start_service(self) -> None:
        target = self.link_target(CURRENT)
        if target is None or not self.exists(target / "bin" / "marrakech"):
            self.running = None
            return
        self.running, self._started_s = target.name, self.now_s
        self._starts += 1
        self.at(GAMES).mkdir(parents=True, exist_ok=True)

    # --- Its state ------------------------------------------------------------------------

    def state(self) -> dict[str, object]:
        """Everything that an installation may change."""
        found: dict[str, object] = {}
        for path in sorted(self.at("/").rglob("*")):
            name = "/" + str(path.relative_to(self.at("/")))
            if path.is_symlink():
                found[name] = f"-> {path.readlink()}"
            elif path.is_file() and name != str(LOCK):
                found[name] = path.read_text()
        sets = (self.apt_packages, self.system_groups, self.user_groups)
        state = (*map(sorted, sets), self.user_home, self.loaded_rules, self.running)
        return {**found, "state": state}


def make_checkout(folder: Path, version: str = "1.0.0", unit: str = UNIT_TEXT) -> Checkout:
    """The smallest checkout that can be installed."""
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


class Transcript:
    """A `StepRunner`, and everything it has printed."""

    def __init__(self, *, is_dry: bool = False) -> None:
        self.text = ""
        self.runner = StepRunner(is_dry=is_dry, write=self._write)

    def _write(self, text: str) -> None:
        self.text += text

    def results(self) -> dict[str, str]:
        """How each step ended: `{"packages": "done", ...}`."""
        lines = [line for line in self.text.splitlines() if " ... " in line]
        return {line.split(":")[0]: line.rpartition(" ... ")[2] for line in lines}
