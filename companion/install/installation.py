"""`install` and `upgrade`: the same steps, with a rollback if the new version does not start."""

from __future__ import annotations

from companion.install.avahi import NO_AVAHI, has_avahi
from companion.install.checkout import Checkout, SystemFiles
from companion.install.deployment import (
    SIMULATED,
    deployment_steps,
    last_working_version,
    settings_step,
)
from companion.install.paths import CURRENT, DROP_IN, VERSIONS
from companion.install.service import SystemdService
from companion.install.shutdown_button import (
    HAS_POWER_BUTTON,
    REBOOT,
    check_shutdown_button,
    has_power_button,
    shutdown_button_removal_step,
    shutdown_button_step,
)
from companion.install.steps import InstallError, InstallStep, StepRunner
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
from companion.machine.writable_machine import WritableMachine


def install(
    machine: WritableMachine,
    checkout: Checkout,
    runner: StepRunner,
    *,
    is_virtual: bool,
    has_shutdown_button: bool | None = None,
) -> int:
    """Install this checkout's version and start it. Returns the exit code.

    `has_shutdown_button` adds or removes the button; None leaves it as it is.
    """
    python = check_machine(machine, is_virtual=is_virtual)
    check_user(machine)
    if has_shutdown_button:
        check_shutdown_button(machine)
    if is_virtual:
        runner.write(f"{SIMULATED}\n")
    runner.run(packages_step(machine, python, is_virtual=is_virtual))
    if not (is_virtual or has_no_spi_switch(machine)):
        runner.run(spi_step(machine))
    button_hints = _set_shutdown_button(machine, runner, is_wanted=has_shutdown_button)
    runner.run(user_step(machine))
    extras = [LGPIO_WHEEL] if needs_lgpio_wheel(machine, is_virtual=is_virtual) else []
    name = checkout.version_name(python, *extras)
    runner.run(version_step(machine, checkout, name, extras))
    runner.run(settings_step(machine, name))
    is_started = is_virtual or not needs_reboot(machine)
    deployment = Deployment(machine, runner, is_started=is_started)
    if not deployment.deploy(name, checkout.system_files(), is_virtual=is_virtual):
        return 1
    runner.run(cleanup_step(machine))
    if not has_avahi(machine):
        runner.write(f"{NO_AVAHI}\n")
    if not runner.is_dry:
        _print_result(machine, runner, is_virtual=is_virtual, is_started=is_started)
        runner.write("".join(f"{hint}\n" for hint in button_hints))
    return 0


def _set_shutdown_button(
    machine: WritableMachine, runner: StepRunner, *, is_wanted: bool | None
) -> list[str]:
    """Run its step. Returns what is left to say at the end."""
    if is_wanted is None:
        return []
    step = shutdown_button_step if is_wanted else shutdown_button_removal_step
    hints = [REBOOT] if runner.run(step(machine)) else []
    return [*hints, HAS_POWER_BUTTON] if is_wanted and has_power_button(machine) else hints


def upgrade(machine: WritableMachine, checkout: Checkout, runner: StepRunner) -> int:
    """Like `install`, if a version is installed. A simulated table stays simulated."""
    if Versions(machine).current is None:
        raise InstallError("nothing is installed yet", advice="run 'sudo ./marrakech install'")
    return install(machine, checkout, runner, is_virtual=machine.exists(DROP_IN))


def go_back(machine: WritableMachine, runner: StepRunner) -> int:
    """`upgrade --back`: use the previous version again."""
    versions = Versions(machine)
    name = versions.previous
    if name is None or name == versions.current:
        raise InstallError("there is no previous version to go back to")
    runner.run(settings_step(machine, name))
    deployment = Deployment(machine, runner, is_started=True)
    is_virtual = machine.exists(DROP_IN)
    if not deployment.deploy(name, versions.system_files(name), is_virtual=is_virtual):
        return 1
    runner.write(f"to undo this, run it again: {versions.previous} is kept\n")
    return 0


def version_step(
    machine: WritableMachine, checkout: Checkout, name: str, extras: list[str]
) -> InstallStep:
    versions = Versions(machine)
    advice = "check the network, and the free space on the card ('df -h /opt')"
    if extras:
        advice += "; Debian has no python3-lgpio, Raspberry Pi OS has it"
    return InstallStep(
        "version",
        f"{VERSIONS / name}, from {checkout.folder} (this takes some minutes)",
        lambda: versions.is_complete(name),
        lambda: versions.build(name, checkout, extras),
        advice,
    )


def cleanup_step(machine: WritableMachine) -> InstallStep:
    versions = Versions(machine)
    text = "versions older than the previous one are removed"
    return InstallStep("cleanup", text, lambda: not versions.unused(), versions.remove_unused)


class Deployment:
    """Puts a version in use, and restores the one before if the new one does not start."""

    def __init__(self, machine: WritableMachine, runner: StepRunner, *, is_started: bool) -> None:
        self._machine, self._runner, self._is_started = machine, runner, is_started
        self._versions = Versions(machine)
        self._current, self._previous = self._versions.current, self._versions.previous
        self._was_virtual = machine.exists(DROP_IN)

    def deploy(self, name: str, files: SystemFiles, *, is_virtual: bool) -> bool:
        """Whether the version is in use now. If not, the one before is again."""
        try:
            self._run_steps(name, files, is_virtual=is_virtual)
        except InstallError as error:
            before = self._version_before(name)
            if before is None:
                raise
            why = error.report(has_advice=False)
            self._runner.write(f"marrakech: {why}\nGOING BACK to {before}\n")
            self._roll_back(before, name)
            return False
        return True

    def _run_steps(self, name: str, files: SystemFiles, *, is_virtual: bool) -> None:
        for step in deployment_steps(
            self._machine, name, files, is_virtual=is_virtual, is_started=self._is_started
        ):
            self._runner.run(step)

    def _version_before(self, name: str) -> str | None:
        """The version in use before, or the last that worked if a try stopped after the switch."""
        for found in (self._current, last_working_version(self._machine)):
            if found not in (None, name) and self._versions.is_complete(found):
                return found
        return None

    def _roll_back(self, before: str, failed: str) -> None:
        previous = self._previous if self._previous != before else None
        files = self._versions.system_files(before)
        self._runner.run(
            InstallStep(
                "back",
                f"{CURRENT} links to {before} again",
                lambda: False,
                lambda: self._versions.restore(before, previous),
            )
        )
        self._run_steps(before, files, is_virtual=self._was_virtual)
        self._runner.write(f"marrakech: {failed} did not start; {before} is in use again\n")


def _print_result(
    machine: WritableMachine, runner: StepRunner, *, is_virtual: bool, is_started: bool
) -> None:
    """Print what is left to do by hand, or the doctor's report and the page's address."""
    if not SystemdService(machine).is_booted:
        runner.write("systemd is not running here: the table starts at the next boot\n")
        return
    if not is_started:
        runner.write("REBOOT now ('sudo reboot'): it enables the SPI bus, and starts the table\n")
        return
    words = ["doctor", "--virtual"] if is_virtual else ["doctor"]
    report = machine.query(CURRENT / "bin" / "marrakech", *words).text
    runner.write(report if report.endswith("\n") else f"{report}\n")
    if is_virtual:
        runner.write(f"{SIMULATED}\n")
    page = machine.query(CURRENT / "bin" / "marrakech", "status", "--page")
    if page.is_ok:  # if there is none, the settings or the log have the reason
        runner.write(f"{page.output.rstrip()}\n")
    runner.write(
        "The table is running: 'sudo marrakech status' shows it, 'journalctl -u marrakech' its "
        "log.\n"
        "To flash a die pad, run 'sudo marrakech firmware flash'.\n"
    )
