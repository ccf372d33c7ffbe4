"""The service on the Pi: what systemd knows of it, and what it says of itself."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.doctor.finding import Finding, failed, good, note, unknown, warning
from companion.doctor.machine import Machine
from companion.errors import counted, one_line

if TYPE_CHECKING:
    from companion.doctor.context import DoctorContext

UNIT = "marrakech"
STATE_FOLDERS = "/var/lib"
INSTALL = "sudo ./marrakech install, in the checkout"
LOG = f"journalctl -u {UNIT} -n 50"
_PROPERTIES = (
    "LoadState", "ActiveState", "SubState", "UnitFileState", "NRestarts", "Result", "User",
    "SupplementaryGroups", "Environment", "StateDirectory", "ExecStart", "WatchdogUSec",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Service:
    """What systemd says of the unit."""

    why_unknown: str = ""
    """Why systemd could not be asked; empty if it was."""
    is_installed: bool = False
    active: str = "inactive"
    is_restarting: bool = False
    """Whether systemd waits to start it again, after it has failed."""
    is_enabled: bool = False
    restarts: int = 0
    result: str = "success"
    user: str = ""
    groups: frozenset[str] = frozenset()
    """Those that the unit adds to the user's own."""
    environ: Mapping[str, str] = field(default_factory=dict)
    """What decides which config it reads and where its games are, unless its command does."""
    config: Path | None = None
    folder: Path | None = None
    is_simulated: bool = False
    has_watchdog: bool = False
    """Whether systemd starts it again when its heart stops."""

    @property
    def is_running(self) -> bool:
        """Whether pins and ports are, or will be in a moment, in its hands."""
        return self.active in ("active", "activating", "reloading", "deactivating")


@dataclass(frozen=True, slots=True)
class Word:
    """What the running service says of itself; None is what it does not say."""

    hears_buttons: bool | None = None
    """Whether the thread that brings the edges of the pins is alive."""
    pad: str | None = None
    """What players are told of the die pad; empty while it is connected and all is well."""
    firmware: tuple[int, int, int] | None = None
    """Of the die pad that is connected."""


AskService = Callable[[], Word | None]
"""Asks the running service; None if it does not answer. It may not wait for long."""


def word_of(account: Mapping[str, Any]) -> Word:
    """What the account of a running table (companion.control.snapshot) says of its hardware."""
    pad = account.get("pad")
    if not pad:
        return Word()
    if pad["state"] != "connected":
        return Word(pad=pad["said"] or f"it is {pad['state']}")
    major, minor, patch = map(int, pad["firmware"].split("."))
    return Word(pad="", firmware=(major, minor, patch))


def read_service(machine: Machine) -> Service:
    words = [f"--property={','.join(_PROPERTIES)}", f"{UNIT}.service"]
    try:
        ran = machine.run("systemctl", "show", *words)
    except OSError as error:
        return Service(why_unknown=f"systemctl cannot be asked ({error.strerror or error})")
    if ran.code:
        first = (ran.err.strip().splitlines() or ["systemctl fails"])[0]
        return Service(why_unknown=one_line(first))
    told = dict(line.split("=", 1) for line in ran.out.splitlines() if "=" in line)
    command = _command(told.get("ExecStart", ""))
    return Service(
        is_installed=told.get("LoadState") == "loaded",
        active=told.get("ActiveState", ""),
        is_restarting=told.get("SubState") == "auto-restart",
        is_enabled=told.get("UnitFileState", "").startswith("enabled"),
        restarts=_number(told.get("NRestarts", "")),
        result=told.get("Result", ""),
        user=told.get("User", "") or "root",
        groups=frozenset(told.get("SupplementaryGroups", "").split()),
        environ=_environ(told),
        config=_path_after("--config", command),
        folder=_path_after("--folder", command),
        is_simulated="--virtual" in command,
        has_watchdog=told.get("WatchdogUSec", "0") not in ("0", "infinity"),
    )


def _environ(told: Mapping[str, str]) -> dict[str, str]:
    try:
        words = shlex.split(told.get("Environment", ""))
    except ValueError:  # a quote that does not end
        words = []
    environ = dict(word.split("=", 1) for word in words if "=" in word)
    if folders := told.get("StateDirectory", "").split():
        environ["STATE_DIRECTORY"] = f"{STATE_FOLDERS}/{folders[0]}"
    return environ


def _command(told: str) -> list[str]:
    """The words of `{ path=... ; argv[]=... ; ignore_errors=no ; ... }`."""
    _, _, rest = told.partition("argv[]=")
    return rest.partition(" ; ")[0].split()


def _path_after(option: str, command: list[str]) -> Path | None:
    for word, following in pairwise(command):
        if word == option:
            return Path(following)
    return None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


# --- Checks -------------------------------------------------------------------------------


def check_service(patient: DoctorContext) -> Iterator[Finding]:
    service = patient.service
    if service.why_unknown:
        yield unknown(service.why_unknown, "start the table by hand: marrakech serve")
    elif not service.is_installed:
        yield note("not installed: the table runs while 'marrakech serve' does", INSTALL)
    elif service.active == "failed":
        yield failed(f"it has failed ({service.result or 'no word why'})", LOG)
    elif service.is_restarting:
        yield failed(f"it fails again and again ({counted(service.restarts, 'restart')})", LOG)
    elif service.active == "activating":
        yield note("starting", "ask again in a minute: marrakech doctor")
    elif not service.is_running:
        yield from _check_stopped(service)
    elif service.restarts:
        restarts = counted(service.restarts, "restart")
        yield warning(f"running, after {restarts} since it was started by hand or at boot", LOG)
    elif service.is_simulated:
        yield warning("running SIMULATED: no button and no matrix is used", INSTALL)
    elif not service.is_enabled:
        todo = f"sudo systemctl enable {UNIT}"
        yield warning("running, but it will not come back after a reboot", todo)
    else:
        yield good("running, and comes back after a reboot")


def _check_stopped(service: Service) -> Iterator[Finding]:
    if service.is_enabled:
        yield warning("stopped", f"sudo systemctl start {UNIT}")
    else:
        yield note("installed, but stopped", f"sudo systemctl enable --now {UNIT}")


def check_buttons(patient: DoctorContext) -> Iterator[Finding]:
    """An exception in lgpio's only thread leaves all buttons dead, and the service alive."""
    service = patient.service
    if not service.is_running or service.is_simulated:
        yield unknown("no service is running that hears them", "marrakech doctor --walk")
        return
    word = patient.ask_service() or Word()
    if word.hears_buttons is False:
        todo = f"sudo systemctl restart {UNIT}; the game goes on where it is"
        yield failed("the service has gone deaf: no button is heard", todo)
    elif word.hears_buttons:
        yield good("the service hears them")
    elif service.has_watchdog and service.active == "active":
        # It is fed only while that thread lives: see companion.daemon.watchdog.
        yield good("the service hears them: its watchdog is content")
    else:
        yield unknown("the service does not say whether it hears them", "press one, and look")
