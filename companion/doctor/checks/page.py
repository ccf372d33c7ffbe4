"""The page for phones: by which name they find it in the house."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from companion.doctor.checks.service import INSTALL
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, good, note, warning
from companion.doctor.machine import Machine

AVAHI = "/run/avahi-daemon"
"""There while avahi tells the house what this machine is called."""
ANNOUNCEMENT = "/etc/avahi/services/marrakech.service"
"""What it tells of the page, as it was installed."""
_EVERYWHERE = ("0.0.0.0", "::", "")


def check_page(patient: DoctorContext) -> Iterator[Finding]:
    web, machine = patient.config.web, patient.machine
    if not web.enabled:
        yield note("there is none: [web] enabled is false", "if phones want one, change that")
        return
    if _is_for_nobody_else(web.host):
        yield note(
            f"only this machine can open it: [web] host is {web.host}",
            'if phones want it, set [web] host = "0.0.0.0"',
        )
        return
    name = _host_name(machine)
    if web.host not in _EVERYWHERE:
        yield good(f"at {web.host}, port {web.port}")
    elif not name or not _has(machine, AVAHI):
        yield note(
            "phones must type numbers (marrakech status --page): no avahi to tell them a name",
            f"sudo apt install avahi-daemon, then {INSTALL}",
        )
        return
    else:
        yield good(f"http://{name}.local:{web.port}/")
    told = _announced_port(machine)
    if told not in (None, web.port):
        yield warning(f"avahi tells of port {told}, but [web] port is {web.port}", INSTALL)


def _is_for_nobody_else(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host_name(machine: Machine) -> str:
    try:
        return machine.read("/etc/hostname").strip().partition(".")[0]
    except OSError:
        return ""


def _has(machine: Machine, folder: str) -> bool:
    try:
        return bool(machine.list(folder))
    except OSError:
        return False


def _announced_port(machine: Machine) -> int | None:
    """None where nothing is told, as before an installation."""
    try:
        found = re.search(r"<port>(\d{1,5})</port>", machine.read(ANNOUNCEMENT))
    except OSError:
        return None
    return int(found[1]) if found else None
