"""Check of the phone page: its address on the local network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from companion.doctor.checks.service import INSTALL
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, good, note, warning
from companion.machine.machine import Machine

AVAHI = "/run/avahi-daemon"
"""Exists while avahi is running."""
ANNOUNCEMENT = "/etc/avahi/services/marrakech.service"
"""The installed avahi service file of the page."""
_ALL_INTERFACES = ("0.0.0.0", "::", "")


def check_page(context: DoctorContext) -> Iterator[Finding]:
    web, machine = context.config.web, context.machine
    if not web.enabled:
        yield note("there is none: [web] enabled is false", "for a page, set it to true")
        return
    if _is_loopback(web.host):
        yield note(
            f"only this machine can open it: [web] host is {web.host}",
            'for phones, set [web] host = "0.0.0.0"',
        )
        return
    name = _host_name(machine)
    if web.host not in _ALL_INTERFACES:
        yield good(f"at {web.host}, port {web.port}")
    elif not name or not _is_avahi_running(machine):
        yield note(
            "phones need the IP address (marrakech status --page): avahi is not running",
            f"sudo apt install avahi-daemon, then {INSTALL}",
        )
        return
    else:
        yield good(f"http://{name}.local:{web.port}/")
    announced = _announced_port(machine)
    if announced not in (None, web.port):
        yield warning(f"avahi announces port {announced}, but [web] port is {web.port}", INSTALL)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host_name(machine: Machine) -> str:
    try:
        return machine.read_text("/etc/hostname").strip().partition(".")[0]
    except OSError:
        return ""


def _is_avahi_running(machine: Machine) -> bool:
    try:
        return bool(machine.names_in(AVAHI))
    except OSError:
        return False


def _announced_port(machine: Machine) -> int | None:
    """None if nothing is announced, as before an installation."""
    try:
        found = re.search(r"<port>(\d{1,5})</port>", machine.read_text(ANNOUNCEMENT))
    except OSError:
        return None
    return int(found[1]) if found else None
