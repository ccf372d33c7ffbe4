"""`uninstall`: what was installed goes, whatever is left of it. Games and settings stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.install.deployment import is_our_command, put_or_remove, put_rules
from companion.install.machine import System
from companion.install.places import (
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
from companion.install.service import Service
from companion.install.steps import Step, StepRunner
from companion.install.system_setup import home_of_user


def uninstall(
    system: System, workman: StepRunner, *, without_games: bool, without_settings: bool
) -> int:
    for step in removing_steps(
        system, without_games=without_games, without_settings=without_settings
    ):
        workman.take(step)
    kept = [str(path) for path in (GAMES, SETTINGS.parent) if system.exists(path)]
    if kept and not workman.is_dry:
        workman.say(
            f"kept: {' and '.join(kept)} ('uninstall --purge' removes games and settings)\n"
        )
    workman.say("left as they are: Debian's packages, the SPI bus, and the groups of the devices\n")
    return 0


def removing_steps(
    system: System, *, without_games: bool, without_settings: bool
) -> Iterator[Step]:
    """In the order in which they depend on each other. Each looks for itself what is there."""

    def removal(name: str, path: Path) -> Step:
        text, is_gone = f"{path} is removed", lambda: not system.exists(path)
        return Step(name, text, is_gone, lambda: system.remove(path))

    service = Service(system)
    yield Step(
        "service",
        f"{SERVICE} is stopped, and does not start again",
        lambda: service.is_off,
        service.switch_off,
    )
    yield Step(
        "unit",
        f"{UNIT} is removed",
        lambda: not (system.exists(UNIT) or system.exists(DROP_IN)),
        lambda: _remove_units(system, service),
    )
    yield Step(
        "udev",
        f"{RULES} is removed",
        lambda: not system.exists(RULES),
        lambda: put_rules(system, None),
    )
    yield removal("avahi", ANNOUNCEMENT)
    yield Step(
        "command",
        f"{COMMAND} is removed",
        lambda: not is_our_command(system),
        lambda: system.remove(COMMAND),
    )
    yield removal("versions", HOME)
    if without_games:
        yield removal("games", GAMES)
    if without_settings:
        yield removal("settings", SETTINGS.parent)
    if without_games or not system.exists(GAMES):  # else games would belong to nobody
        yield Step(
            "user",
            f"the user '{USER}' is removed",
            lambda: home_of_user(system) != str(GAMES),
            lambda: system.run("userdel", USER),
        )


def _remove_units(system: System, service: Service) -> None:
    put_or_remove(system, DROP_IN, None)
    system.remove(UNIT)
    if service.is_booted:
        service.reload_units()
