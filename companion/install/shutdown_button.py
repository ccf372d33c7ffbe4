"""`install --shutdown-button`: a button that shuts the Pi down, by a line in config.txt."""

from __future__ import annotations

from pathlib import Path

from companion.install.steps import InstallError, InstallStep
from companion.machine.boot_config import BOOT_CONFIG, SHUTDOWN_OVERLAY, shutdown_pin, uses_i2c
from companion.machine.writable_machine import WritableMachine

_CONFIG = Path(BOOT_CONFIG)
_MODEL = Path("/proc/device-tree/model")
_FILTER = b"[all]\n"
# With the filter, because the file may end with lines for one model only.
LINES = (
    b"\n# Marrakech companion: a button between pins 5 and 6 shuts the Pi down\n"
    + _FILTER
    + f"dtoverlay={SHUTDOWN_OVERLAY}\n".encode()
)
REBOOT = "Reboot ('sudo reboot') to switch the shutdown button on or off."
HAS_POWER_BUTTON = (
    "The shutdown button does not start a Raspberry Pi 5: its own power button does both."
)


def check_shutdown_button(machine: WritableMachine) -> None:
    """Refuse before anything is changed."""
    if (data := machine.contents(_CONFIG)) is None:
        raise InstallError(
            f"there is no {_CONFIG}: the shutdown button needs Raspberry Pi OS",
            advice="on another system, add the overlay 'gpio-shutdown' to its device tree",
        )
    text = data.decode(errors="replace")
    if shutdown_pin(text) is None and uses_i2c(text):
        raise InstallError(
            f"the I2C bus uses pin 5, where the shutdown button would be (see {_CONFIG})",
            advice="if nothing is connected to the I2C bus, switch it off with 'sudo raspi-config "
            "nonint do_i2c 1', reboot, and run this again",
        )


def shutdown_button_step(machine: WritableMachine) -> InstallStep:
    """A line of the owner's own counts as well, and is never changed."""

    def is_done() -> bool:
        return shutdown_pin((machine.contents(_CONFIG) or b"").decode(errors="replace")) is not None

    def add() -> None:
        data = machine.contents(_CONFIG) or b""
        is_ended = data.endswith(b"\n") or not data
        _replace(machine, data + (b"" if is_ended else b"\n") + LINES)

    return InstallStep(
        "button",
        f"a button between pins 5 and 6 shuts the Pi down ({_CONFIG})",
        is_done,
        add,
        f"add the line 'dtoverlay={SHUTDOWN_OVERLAY}' to {_CONFIG}",
    )


def shutdown_button_removal_step(machine: WritableMachine) -> InstallStep:
    def remove() -> None:
        before, _, after = (machine.contents(_CONFIG) or b"").partition(LINES)
        # Lines that were added later are for all models, too.
        _replace(machine, before + (_FILTER + after if after.strip() else b""))

    return InstallStep(
        "button",
        f"the shutdown button is removed from {_CONFIG}",
        lambda: LINES not in (machine.contents(_CONFIG) or b""),
        remove,
    )


def has_power_button(machine: WritableMachine) -> bool:
    """A Pi 5 or newer ignores the pin while it is off."""
    model = (machine.contents(_MODEL) or b"").decode(errors="replace")
    return model.startswith(("Raspberry Pi 5", "Raspberry Pi Compute Module 5"))


def _replace(machine: WritableMachine, data: bytes) -> None:
    machine.write(_CONFIG, data)
    machine.sync()  # the boot partition has no journal
