"""Check of the button that shuts the Pi down: `install --shutdown-button`."""

from __future__ import annotations

from collections.abc import Iterator

from companion.adapters.hardware import pins_of
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, failed, good, note
from companion.doctor.header import contact_label
from companion.errors import listed
from companion.machine.boot_config import BOOT_CONFIG, SHUTDOWN_PIN, shutdown_pin, uses_i2c

OVERLAY_NODES = ("/proc/device-tree/shutdown_button", "/proc/device-tree/soc/shutdown_button")
"""Where the overlay adds its node, depending on the kernel."""


def check_shutdown(context: DoctorContext) -> Iterator[Finding]:
    machine = context.machine
    try:
        text = machine.read_text(BOOT_CONFIG)
    except OSError:
        text = ""
    pin = shutdown_pin(text)
    is_active = any(machine.exists(node) for node in OVERLAY_NODES)
    if pin is None and is_active:
        yield note("the shutdown button is removed, but active until a reboot", "sudo reboot")
    elif pin is None:
        yield good("no shutdown button")
    elif users := [
        contact_label(key) for key, used in pins_of(context.config).items() if used == pin
    ]:
        advice = f"change gpio_pin in {BOOT_CONFIG}, or the pin in {context.origin}"
        yield failed(f"BCM {pin} is the shutdown button and {listed(users, 'and')}", advice)
    elif pin == SHUTDOWN_PIN and uses_i2c(text):
        advice = "sudo raspi-config nonint do_i2c 1 && sudo reboot, if nothing is connected to it"
        yield failed(f"BCM {pin} is the shutdown button and the I2C bus", advice)
    elif not is_active:
        yield note("the shutdown button is added, and active after a reboot", "sudo reboot")
    else:
        yield good(f"a button between BCM {pin} and ground shuts the Pi down")
