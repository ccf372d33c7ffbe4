"""`install` and `upgrade`: the same steps. A version that does not come up is taken back."""

from __future__ import annotations

from companion.install.avahi import NO_AVAHI, has_avahi
from companion.install.checkout import Checkout, Parts
from companion.install.deployment import SIMULATED, last_good, placing_steps, settings_step
from companion.install.machine import System
from companion.install.places import CURRENT, DROP_IN, VERSIONS
from companion.install.service import Service
from companion.install.steps import InstallError, Step, StepRunner
from companion.install.system_setup import (
    LGPIO_WHEEL,
    check_machine,
    check_user,
    has_no_spi_switch,
    needs_lgpio_wheel,
    needs_reboot,
    packages_step,
    spi_step,
    user_step,
)
from companion.install.versions import Versions


def install(system: System, checkout: Checkout, workman: StepRunner, *, is_virtual: bool) -> int:
    """Have this checkout's version installed and running. The exit code."""
    python = check_machine(system, is_virtual=is_virtual)
    check_user(system)
    if is_virtual:
        workman.say(f"{SIMULATED}\n")
    workman.take(packages_step(system, is_virtual=is_virtual))
    if not (is_virtual or has_no_spi_switch(system)):
        workman.take(spi_step(system))
    workman.take(user_step(system))
    extras = [LGPIO_WHEEL] if needs_lgpio_wheel(system, is_virtual=is_virtual) else []
    name = checkout.version_name(python, *extras)
    workman.take(version_step(system, checkout, name, extras))
    workman.take(settings_step(system, name))
    is_started = is_virtual or not needs_reboot(system)
    placed = Placed(system, workman, is_started=is_started)
    if not placed.put(name, checkout.parts(), is_virtual=is_virtual):
        return 1
    workman.take(unused_step(system))
    if not has_avahi(system):
        workman.say(f"{NO_AVAHI}\n")
    if not workman.is_dry:
        _finish(system, workman, is_virtual=is_virtual, is_started=is_started)
    return 0


def upgrade(system: System, checkout: Checkout, workman: StepRunner) -> int:
    """The same where there is a version already; a simulated table stays one."""
    if Versions(system).current is None:
        raise InstallError("nothing is installed yet", advice="run 'sudo ./marrakech install'")
    return install(system, checkout, workman, is_virtual=system.exists(DROP_IN))


def go_back(system: System, workman: StepRunner) -> int:
    """`upgrade --back`: use the previous version again, by hand."""
    versions = Versions(system)
    name = versions.previous
    if name is None or name == versions.current:
        raise InstallError("there is no previous version to go back to")
    workman.take(settings_step(system, name))
    placed = Placed(system, workman, is_started=True)
    if not placed.put(name, versions.parts(name), is_virtual=system.exists(DROP_IN)):
        return 1
    workman.say(f"to undo this, go back once more: {versions.previous} is kept\n")
    return 0


def version_step(system: System, checkout: Checkout, name: str, extras: list[str]) -> Step:
    versions = Versions(system)
    advice = "is the network there, and some room on the card ('df -h /opt')?"
    if extras:
        advice += " Debian itself has no python3-lgpio: Raspberry Pi OS does"
    return Step(
        "version",
        f"{VERSIONS / name}, from {checkout.folder} (this takes some minutes)",
        lambda: versions.is_complete(name),
        lambda: versions.make(name, checkout, extras),
        advice,
    )


def unused_step(system: System) -> Step:
    versions = Versions(system)
    text = "versions older than the previous one are removed"
    return Step("clearing up", text, lambda: not versions.unused(), versions.remove_unused)


class Placed:
    """Which version is in use; a new one that fails is taken back."""

    def __init__(self, system: System, workman: StepRunner, *, is_started: bool) -> None:
        self._system, self._workman, self._is_started = system, workman, is_started
        self._versions = Versions(system)
        self._current, self._previous = self._versions.current, self._versions.previous
        self._was_virtual = system.exists(DROP_IN)

    def put(self, name: str, parts: Parts, *, is_virtual: bool) -> bool:
        """Whether it is in use now. Else the one before is, and it was said why."""
        try:
            self._take_steps(name, parts, is_virtual=is_virtual)
        except InstallError as error:
            before = self._before(name)
            if before is None:
                raise
            why = error.told(has_advice=False)
            self._workman.say(f"marrakech: {why}\nGOING BACK to {before}\n")
            self._take_back(before, name)
            return False
        return True

    def _take_steps(self, name: str, parts: Parts, *, is_virtual: bool) -> None:
        for step in placing_steps(
            self._system, name, parts, is_virtual=is_virtual, is_started=self._is_started
        ):
            self._workman.take(step)

    def _before(self, name: str) -> str | None:
        """What was in use, or came up last if an earlier try was cut short after the switch."""
        for found in (self._current, last_good(self._system)):
            if found not in (None, name) and self._versions.is_complete(found):
                return found
        return None

    def _take_back(self, before: str, failed: str) -> None:
        previous = self._previous if self._previous != before else None
        parts = self._versions.parts(before)
        self._workman.take(
            Step(
                "back",
                f"{CURRENT} leads to {before} again",
                lambda: False,
                lambda: self._versions.restore(before, previous),
            )
        )
        self._take_steps(before, parts, is_virtual=self._was_virtual)
        self._workman.say(f"marrakech: {failed} did not come up; {before} is in use again\n")


def _finish(system: System, workman: StepRunner, *, is_virtual: bool, is_started: bool) -> None:
    """What is still to be done by hand, and how to see the table."""
    if not Service(system).is_booted:
        workman.say("systemd does not run here: the table starts with the next boot\n")
        return
    if not is_started:
        workman.say("REBOOT now ('sudo reboot'): then the SPI bus is there, and the table starts\n")
        return
    words = ["doctor", "--virtual"] if is_virtual else ["doctor"]
    told = system.query(CURRENT / "bin" / "marrakech", *words)
    workman.say(told.text if told.text.endswith("\n") else f"{told.text}\n")
    if is_virtual:
        workman.say(f"{SIMULATED}\n")
    page = system.query(CURRENT / "bin" / "marrakech", "status", "--page")
    if page.is_good:  # without one, the settings say so, or the log does
        workman.say(f"{page.text.rstrip()}\n")
    workman.say(
        "The table runs: 'sudo marrakech status' shows it, 'journalctl -u marrakech' says what "
        "happened.\n"
        "A die pad is flashed by 'sudo marrakech firmware flash', which needs avrdude "
        "('sudo apt install avrdude').\n"
    )
