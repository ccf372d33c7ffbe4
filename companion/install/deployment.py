"""Putting a version in its place: links, unit, udev rules, what avahi tells, and the service."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from companion.install.avahi import announcement_step, has_avahi
from companion.install.checkout import Parts
from companion.install.machine import System
from companion.install.places import (
    COMMAND,
    CURRENT,
    DROP_IN,
    GAMES,
    RULES,
    RUNNING,
    SERVICE,
    SETTINGS,
    UNIT,
    VERSIONS,
)
from companion.install.service import Service
from companion.install.steps import InstallError, Step
from companion.install.versions import Versions

SIMULATED = "SIMULATED: the service runs on mock pins and a virtual matrix, nothing is wired"


def placing_steps(
    system: System, name: str, parts: Parts, *, is_virtual: bool, is_started: bool = True
) -> Iterator[Step]:
    """All that makes `name` the version in use. Each step is made when its turn comes."""
    versions = Versions(system)
    yield Step(
        "switch",
        f"{CURRENT} leads to {name}",
        lambda: versions.current == name,
        lambda: versions.switch_to(name),
    )
    yield command_step(system)
    yield rules_step(system, parts.rules)
    yield unit_step(system, parts.unit)
    if has_avahi(system):
        yield announcement_step(system, parts.announcement)
    drop_in = virtual_drop_in(parts.unit) if is_virtual else None
    yield drop_in_step(system, drop_in)
    stamp = hashlib.sha256(parts.unit + (drop_in or b"")).hexdigest()
    yield service_step(system, name, stamp, is_started=is_started)


def settings_step(system: System, name: str) -> Step:
    """Before the switch: a version that cannot read the settings is not for this table."""
    command = VERSIONS / name / "bin" / "marrakech"
    if not system.exists(SETTINGS):
        return Step(
            "settings",
            f"{SETTINGS}, with the defaults",
            lambda: False,
            lambda: system.write(
                SETTINGS, first_settings(system.run(command, "config", "--default"))
            ),
        )
    return Step(
        "settings",
        f"{SETTINGS} is kept, and this version can read it",
        lambda: system.query(command, "config", "--config", SETTINGS).is_good,
        lambda: system.run(command, "config", "--config", SETTINGS),
        f"nothing was switched; mend {SETTINGS}",
    )


def first_settings(defaults: str) -> bytes:
    """The defaults, and where the service keeps games: so `sudo marrakech games` finds them."""
    told = f'folder = "{GAMES / "games"}"'
    return re.sub(r'^folder = ""$', told, defaults, count=1, flags=re.MULTILINE).encode()


def command_step(system: System) -> Step:
    target = CURRENT / "bin" / "marrakech"

    def link() -> None:
        if system.exists(COMMAND) and not is_our_command(system):
            raise InstallError(f"{COMMAND} is there already, and is not the companion's")
        system.link(COMMAND, target)

    return Step(
        "command",
        f"{COMMAND}, for everybody",
        lambda: system.link_target(COMMAND) == target,
        link,
        f"move {COMMAND} away",
    )


def is_our_command(system: System) -> bool:
    target = system.link_target(COMMAND)
    return target is not None and target.is_relative_to(CURRENT.parent)


# --- The files of udev and systemd --------------------------------------------------------


def rules_step(system: System, rules: bytes) -> Step:
    return Step(
        "udev",
        f"{RULES}, so that the service may use the pins, the matrix and the die pad",
        lambda: system.read(RULES) == rules,
        lambda: put_rules(system, rules),
    )


def unit_step(system: System, unit: bytes) -> Step:
    return Step(
        "unit",
        str(UNIT),
        lambda: system.read(UNIT) == unit,
        lambda: system.write(UNIT, unit),
    )


def drop_in_step(system: System, drop_in: bytes | None) -> Step:
    return Step(
        "hardware",
        "the real one" if drop_in is None else SIMULATED,
        lambda: system.read(DROP_IN) == drop_in,
        lambda: put_or_remove(system, DROP_IN, drop_in),
    )


def put_rules(system: System, rules: bytes | None) -> None:
    """Write them (or with None remove them), and tell udev.

    If that fails the old ones come back, so that the next try does both.
    """
    before = system.read(RULES)
    try:
        put_or_remove(system, RULES, rules)
        reload_udev(system)
    except BaseException:
        put_or_remove(system, RULES, before)
        raise


def put_or_remove(system: System, path: Path, data: bytes | None) -> None:
    if data is not None:
        system.write(path, data)
        return
    system.remove(path)
    if path == DROP_IN and not system.names_in(path.parent):
        system.remove(path.parent)  # there may be others in it, of `systemctl edit`


def virtual_drop_in(unit: bytes) -> bytes:
    lines = unit.decode().splitlines()
    start = next(line for line in lines if line.startswith("ExecStart="))
    start = re.sub(r"--folder (\S+)", r"--folder \1/simulated", start)  # games are kept apart
    about = "Description=Marrakech companion: a SIMULATED table"
    return f"[Unit]\n{about}\n\n[Service]\nExecStart=\n{start} --virtual\n".encode()


def reload_udev(system: System) -> None:
    """The devices that are there get their groups at once, those to come when they come."""
    if system.exists(Path("/run/udev/control")):
        system.run("udevadm", "control", "--reload")
        kinds = [f"--subsystem-match={kind}" for kind in ("gpio", "spidev", "tty", "usb")]
        system.run("udevadm", "trigger", *kinds)


# --- The service --------------------------------------------------------------------------


def service_step(system: System, name: str, stamp: str, *, is_started: bool) -> Step:
    """`is_started`: now. Else, and where systemd does not run, with the next boot.

    `stamp` tells one unit from another: a new one counts from the next start.
    """
    service = Service(system)
    is_now = is_started and service.is_booted
    wanted = f"{name}\n{stamp}\n".encode()

    def is_done() -> bool:
        is_up = not is_now or (system.read(RUNNING) == wanted and service.is_active)
        return service.is_enabled and is_up

    def start() -> None:
        if not is_now:
            service.enable()
            return
        # First: from here on nobody knows what runs, until it has come up.
        system.write(RUNNING, f"{last_good(system) or ''}\n".encode())
        service.enable()
        service.reload_units()
        if not service.restart():
            raise InstallError(
                f"{SERVICE} does not come up, or does not stay up; its last words:",
                lines=service.last_words(),
            )
        system.write(RUNNING, wanted)

    when = "now, and with every boot" if is_now else "with the next boot"
    advice = f"'journalctl -u {SERVICE}' has all it said, 'marrakech doctor' looks for the cause"
    return Step("service", f"{SERVICE} starts {when}", is_done, start, advice)


def last_good(system: System) -> str | None:
    """The version that came up last."""
    told = (system.read(RUNNING) or b"").decode(errors="replace").splitlines()
    return told[0] if told and told[0] else None
