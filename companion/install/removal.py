"""`uninstall`: removes what was installed. Games and settings stay unless asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.install.deployment import is_our_command, set_rules, write_or_remove
from companion.install.paths import (
    ANNOUNCEMENT,
    COMMAND,
    DROP_IN,
    GAMES,
    HOME,
    RULES,
    SERVICE,
    SETTINGS,
    UNIT,
    USER,
)
from companion.install.service import SystemdService
from companion.install.shutdown_button import shutdown_button_removal_step
from companion.install.steps import InstallStep, StepRunner
from companion.install.system_setup import home_of_user
from companion.machine.writable_machine import WritableMachine


def uninstall(
    machine: WritableMachine, runner: StepRunner, *, without_games: bool, without_settings: bool
) -> int:
    """Run all removal steps. Returns the exit code."""
    for step in removal_steps(
        machine, without_games=without_games, without_settings=without_settings
    ):
        runner.run(step)
    kept = [str(path) for path in (GAMES, SETTINGS.parent) if machine.exists(path)]
    if kept and not runner.is_dry:
        runner.write(
            f"kept: {' and '.join(kept)} ('uninstall --purge' removes games and settings)\n"
        )
    runner.write("unchanged: Debian's packages, the SPI bus, and the device groups\n")
    return 0


def removal_steps(
    machine: WritableMachine, *, without_games: bool, without_settings: bool
) -> Iterator[InstallStep]:
    """In the order of their dependencies. Any of the files may be missing."""

    def removal(name: str, path: Path) -> InstallStep:
        text, is_gone = f"{path} is removed", lambda: not machine.exists(path)
        return InstallStep(name, text, is_gone, lambda: machine.remove(path))

    service = SystemdService(machine)
    yield InstallStep(
        "service",
        f"{SERVICE} is stopped and disabled",
        lambda: service.is_off,
        service.switch_off,
    )
    yield InstallStep(
        "unit",
        f"{UNIT} is removed",
        lambda: not (machine.exists(UNIT) or machine.exists(DROP_IN)),
        lambda: _remove_units(machine, service),
    )
    yield InstallStep(
        "udev",
        f"{RULES} is removed",
        lambda: not machine.exists(RULES),
        lambda: set_rules(machine, None),
    )
    yield removal("avahi", ANNOUNCEMENT)
    yield shutdown_button_removal_step(machine)
    yield InstallStep(
        "command",
        f"{COMMAND} is removed",
        lambda: not is_our_command(machine),
        lambda: machine.remove(COMMAND),
    )
    yield removal("versions", HOME)
    if without_games:
        yield removal("games", GAMES)
    if without_settings:
        yield removal("settings", SETTINGS.parent)
    if without_games or not machine.exists(GAMES):  # the user owns the games
        yield InstallStep(
            "user",
            f"the user '{USER}' is removed",
            lambda: home_of_user(machine) != str(GAMES),
            lambda: machine.run("userdel", USER),
        )


def _remove_units(machine: WritableMachine, service: SystemdService) -> None:
    write_or_remove(machine, DROP_IN, None)
    machine.remove(UNIT)
    if service.is_booted:
        service.reload_units()
