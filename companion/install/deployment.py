"""The steps that put a version in use: links, udev rules, unit, avahi file, and the service."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from companion.install.avahi import announcement_step, has_avahi
from companion.install.checkout import SystemFiles
from companion.install.paths import (
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
from companion.install.service import SystemdService
from companion.install.steps import InstallError, InstallStep
from companion.install.versions import Versions
from companion.machine.writable_machine import WritableMachine

SIMULATED = "SIMULATED: the service runs on mock pins and a virtual matrix, nothing is wired"


def deployment_steps(
    machine: WritableMachine,
    name: str,
    files: SystemFiles,
    *,
    is_virtual: bool,
    is_started: bool = True,
) -> Iterator[InstallStep]:
    """The steps that make `name` the version in use. Each is built when the one before is done."""
    versions = Versions(machine)
    yield InstallStep(
        "switch",
        f"{CURRENT} links to {name}",
        lambda: versions.current == name,
        lambda: versions.switch_to(name),
    )
    yield command_step(machine)
    yield rules_step(machine, files.rules)
    yield unit_step(machine, files.unit)
    if has_avahi(machine):
        yield announcement_step(machine, files.announcement)
    drop_in = virtual_drop_in(files.unit) if is_virtual else None
    yield drop_in_step(machine, drop_in)
    unit_hash = hashlib.sha256(files.unit + (drop_in or b"")).hexdigest()
    yield service_step(machine, name, unit_hash, is_started=is_started)


def settings_step(machine: WritableMachine, name: str) -> InstallStep:
    """Write the first settings, or check before the switch that this version can read them."""
    command = VERSIONS / name / "bin" / "marrakech"
    if not machine.exists(SETTINGS):
        return InstallStep(
            "settings",
            f"{SETTINGS}, with the defaults",
            lambda: False,
            lambda: machine.write(
                SETTINGS, first_settings(machine.run(command, "config", "--default"))
            ),
        )
    return InstallStep(
        "settings",
        f"{SETTINGS} is kept, and this version can read it",
        lambda: machine.query(command, "config", "--config", SETTINGS).is_ok,
        lambda: machine.run(command, "config", "--config", SETTINGS),
        f"the version in use is unchanged; correct {SETTINGS}",
    )


def first_settings(defaults: str) -> bytes:
    """The defaults, with the service's games folder, so that `sudo marrakech games` finds it."""
    folder = f'folder = "{GAMES / "games"}"'
    return re.sub(r'^folder = ""$', folder, defaults, count=1, flags=re.MULTILINE).encode()


def command_step(machine: WritableMachine) -> InstallStep:
    target = CURRENT / "bin" / "marrakech"

    def link() -> None:
        if machine.exists(COMMAND) and not is_our_command(machine):
            raise InstallError(f"{COMMAND} exists already, and does not belong to the companion")
        machine.link(COMMAND, target)

    return InstallStep(
        "command",
        f"{COMMAND}, for all users",
        lambda: machine.link_target(COMMAND) == target,
        link,
        f"move {COMMAND} away",
    )


def is_our_command(machine: WritableMachine) -> bool:
    target = machine.link_target(COMMAND)
    return target is not None and target.is_relative_to(CURRENT.parent)


# --- The files of udev and systemd --------------------------------------------------------


def rules_step(machine: WritableMachine, rules: bytes) -> InstallStep:
    return InstallStep(
        "udev",
        f"{RULES}, so that the service may use the pins, the matrix and the die pad",
        lambda: machine.contents(RULES) == rules,
        lambda: set_rules(machine, rules),
    )


def unit_step(machine: WritableMachine, unit: bytes) -> InstallStep:
    return InstallStep(
        "unit",
        str(UNIT),
        lambda: machine.contents(UNIT) == unit,
        lambda: machine.write(UNIT, unit),
    )


def drop_in_step(machine: WritableMachine, drop_in: bytes | None) -> InstallStep:
    return InstallStep(
        "hardware",
        "real pins and matrix" if drop_in is None else SIMULATED,
        lambda: machine.contents(DROP_IN) == drop_in,
        lambda: write_or_remove(machine, DROP_IN, drop_in),
    )


def set_rules(machine: WritableMachine, rules: bytes | None) -> None:
    """Write the udev rules (None: remove them), and reload udev.

    If that fails, the old rules are restored, so that the next try does both again.
    """
    before = machine.contents(RULES)
    try:
        write_or_remove(machine, RULES, rules)
        reload_udev(machine)
    except BaseException:
        write_or_remove(machine, RULES, before)
        raise


def write_or_remove(machine: WritableMachine, path: Path, data: bytes | None) -> None:
    if data is not None:
        machine.write(path, data)
        return
    machine.remove(path)
    if path == DROP_IN and not machine.names_in(path.parent):
        machine.remove(path.parent)  # unless `systemctl edit` has put other drop-ins there


def virtual_drop_in(unit: bytes) -> bytes:
    lines = unit.decode().splitlines()
    start = next(line for line in lines if line.startswith("ExecStart="))
    start = re.sub(r"--folder (\S+)", r"--folder \1/simulated", start)  # keeps its games apart
    description = "Description=Marrakech companion: a SIMULATED table"
    return f"[Unit]\n{description}\n\n[Service]\nExecStart=\n{start} --virtual\n".encode()


def reload_udev(machine: WritableMachine) -> None:
    """Apply the rules to future devices and to those that exist."""
    if machine.exists(Path("/run/udev/control")):
        machine.run("udevadm", "control", "--reload")
        subsystems = [f"--subsystem-match={name}" for name in ("gpio", "spidev", "tty", "usb")]
        machine.run("udevadm", "trigger", *subsystems)


# --- The service --------------------------------------------------------------------------


def service_step(
    machine: WritableMachine, name: str, unit_hash: str, *, is_started: bool
) -> InstallStep:
    """Enable the service, and with `is_started` (re)start it now if systemd is running.

    The service is restarted if the version or the unit differ from those of its last start.
    """
    service = SystemdService(machine)
    is_now = is_started and service.is_booted
    wanted = f"{name}\n{unit_hash}\n".encode()

    def is_done() -> bool:
        is_up = not is_now or (machine.contents(RUNNING) == wanted and service.is_active)
        return service.is_enabled and is_up

    def start() -> None:
        if not is_now:
            service.enable()
            return
        # Drop the unit's hash first: until the service is up, it is not known what is running.
        machine.write(RUNNING, f"{last_working_version(machine) or ''}\n".encode())
        service.enable()
        service.reload_units()
        if not service.restart():
            raise InstallError(
                f"{SERVICE} does not start, or does not stay up; its last log lines:",
                lines=service.last_log_lines(),
            )
        machine.write(RUNNING, wanted)

    when = "now and at every boot" if is_now else "at the next boot"
    advice = f"'journalctl -u {SERVICE}' shows its log, 'marrakech doctor' looks for the cause"
    return InstallStep("service", f"{SERVICE} starts {when}", is_done, start, advice)


def last_working_version(machine: WritableMachine) -> str | None:
    """The version that last started successfully."""
    lines = (machine.contents(RUNNING) or b"").decode(errors="replace").splitlines()
    return lines[0] if lines and lines[0] else None
