"""Checks of the systemd service and of the buttons it reads."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.doctor.finding import Finding, failed, good, note, unknown, warning
from companion.errors import counted, one_line
from companion.machine.machine import Machine

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
class ServiceState:
    """The unit's state according to systemd."""

    query_error: str = ""
    """Why systemctl failed; empty if it did not."""
    is_installed: bool = False
    active_state: str = "inactive"
    is_restarting: bool = False
    """Whether systemd waits before it restarts the service after a failure."""
    is_enabled: bool = False
    restarts: int = 0
    result: str = "success"
    user: str = ""
    groups: frozenset[str] = frozenset()
    """SupplementaryGroups= of the unit."""
    environ: Mapping[str, str] = field(default_factory=dict)
    """Used to find its config and its games, unless its command names them."""
    config: Path | None = None
    folder: Path | None = None
    is_simulated: bool = False
    has_watchdog: bool = False
    """Whether WatchdogSec= is set."""

    @property
    def is_running(self) -> bool:
        """Whether it uses pins and ports now, or soon will."""
        return self.active_state in ("active", "activating", "reloading", "deactivating")


@dataclass(frozen=True, slots=True)
class ServiceReply:
    """What the running service reports about its hardware; None is not reported."""

    is_gpio_alive: bool | None = None
    """Whether the thread that delivers GPIO events is alive."""
    pad_message: str | None = None
    """The players' message about the die pad; empty while it is connected."""
    pad_firmware: tuple[int, int, int] | None = None
    """The version on the connected die pad."""


AskService = Callable[[], ServiceReply | None]
"""Asks the running service, with a short timeout; None if it does not answer."""


def parse_service_reply(snapshot: Mapping[str, Any]) -> ServiceReply:
    """From the snapshot of a running table (companion.control.snapshot)."""
    pad = snapshot.get("pad")
    if not pad:
        return ServiceReply()
    if pad["state"] != "connected":
        return ServiceReply(pad_message=pad["said"] or f"it is {pad['state']}")
    major, minor, patch = map(int, pad["firmware"].split("."))
    return ServiceReply(pad_message="", pad_firmware=(major, minor, patch))


def read_service(machine: Machine) -> ServiceState:
    names = f"--property={','.join(_PROPERTIES)}"
    result = machine.query("systemctl", "show", names, f"{UNIT}.service")
    if not result.is_ok:
        first = (result.error_output.strip().splitlines() or ["systemctl fails"])[0]
        return ServiceState(query_error=one_line(first))
    shown = dict(line.split("=", 1) for line in result.output.splitlines() if "=" in line)
    command = _command(shown.get("ExecStart", ""))
    return ServiceState(
        is_installed=shown.get("LoadState") == "loaded",
        active_state=shown.get("ActiveState", ""),
        is_restarting=shown.get("SubState") == "auto-restart",
        is_enabled=shown.get("UnitFileState", "").startswith("enabled"),
        restarts=_number(shown.get("NRestarts", "")),
        result=shown.get("Result", ""),
        user=shown.get("User", "") or "root",
        groups=frozenset(shown.get("SupplementaryGroups", "").split()),
        environ=_environ(shown),
        config=_path_after("--config", command),
        folder=_path_after("--folder", command),
        is_simulated="--virtual" in command,
        has_watchdog=shown.get("WatchdogUSec", "0") not in ("0", "infinity"),
    )


def _environ(shown: Mapping[str, str]) -> dict[str, str]:
    try:
        words = shlex.split(shown.get("Environment", ""))
    except ValueError:  # an unclosed quote
        words = []
    environ = dict(word.split("=", 1) for word in words if "=" in word)
    if folders := shown.get("StateDirectory", "").split():
        environ["STATE_DIRECTORY"] = f"{STATE_FOLDERS}/{folders[0]}"
    return environ


def _command(exec_start: str) -> list[str]:
    """The words of `{ path=... ; argv[]=... ; ignore_errors=no ; ... }`."""
    _, _, rest = exec_start.partition("argv[]=")
    return rest.partition(" ; ")[0].split()


def _path_after(option: str, command: list[str]) -> Path | None:
    for word, following in pairwise(command):
        if word == option:
            return Path(following)
    return None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


# --- Checks -------------------------------------------------------------------------------


def check_service(context: DoctorContext) -> Iterator[Finding]:
    service = context.service
    if service.query_error:
        yield unknown(service.query_error, "start the table without it: marrakech serve")
    elif not service.is_installed:
        yield note("not installed: the table runs only while 'marrakech serve' runs", INSTALL)
    elif service.active_state == "failed":
        yield failed(f"it has failed ({service.result or 'unknown reason'})", LOG)
    elif service.is_restarting:
        yield failed(f"it keeps failing ({counted(service.restarts, 'restart')})", LOG)
    elif service.active_state == "activating":
        yield note("starting", "run this again in a minute: marrakech doctor")
    elif not service.is_running:
        yield from _check_stopped(service)
    elif service.restarts:
        restarts = counted(service.restarts, "restart")
        yield warning(f"running, after {restarts} since its last manual start or boot", LOG)
    elif service.is_simulated:
        yield warning("running SIMULATED: buttons and matrix are not used", INSTALL)
    elif not service.is_enabled:
        advice = f"sudo systemctl enable {UNIT}"
        yield warning("running, but it does not start at boot", advice)
    else:
        yield good("running, and starts at boot")


def _check_stopped(service: ServiceState) -> Iterator[Finding]:
    if service.is_enabled:
        yield warning("stopped", f"sudo systemctl start {UNIT}")
    else:
        yield note("installed, but stopped", f"sudo systemctl enable --now {UNIT}")


def check_buttons(context: DoctorContext) -> Iterator[Finding]:
    """An exception in lgpio's thread disables all buttons while the service stays up."""
    service = context.service
    if not service.is_running or service.is_simulated:
        yield unknown("no running service uses them", "marrakech doctor --walk")
        return
    reply = context.ask_service() or ServiceReply()
    if reply.is_gpio_alive is False:
        advice = f"sudo systemctl restart {UNIT}; the game continues"
        yield failed("the service no longer reads them: its GPIO thread has died", advice)
    elif reply.is_gpio_alive:
        yield good("the service reads them")
    elif service.has_watchdog and service.active_state == "active":
        # It is only pinged while that thread is alive: see companion.daemon.watchdog.
        yield good("the service reads them: its watchdog is satisfied")
    else:
        yield unknown(
            "the service does not report whether it reads them", "press one and look at the matrix"
        )
