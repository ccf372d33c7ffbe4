"""The check of the shutdown button."""

from __future__ import annotations

import pytest
from helpers.system.healthy_pi import HealthyPi, context_for, single_finding

from companion.doctor.checks.shutdown import check_shutdown
from companion.machine.boot_config import BOOT_CONFIG

OVERLAY = "dtoverlay=gpio-shutdown"


def found(machine: HealthyPi, config: str) -> tuple[str, str, str]:
    machine.place(BOOT_CONFIG, config)
    return single_finding(check_shutdown, context_for(machine))


def test_without_a_button_there_is_nothing_to_do(machine: HealthyPi) -> None:
    assert single_finding(check_shutdown, context_for(machine)) == (
        *("good", "no shutdown button"),
        "",
    )
    machine.delete(BOOT_CONFIG)
    assert single_finding(check_shutdown, context_for(machine))[0] == "good"


@pytest.mark.parametrize("folder", ["/proc/device-tree", "/proc/device-tree/soc"])
def test_button_is_active_once_the_kernel_has_it(machine: HealthyPi, folder: str) -> None:
    assert found(machine, OVERLAY) == (
        "note",
        "the shutdown button is added, and active after a reboot",
        "sudo reboot",
    )
    machine.place(f"{folder}/shutdown_button/compatible", "gpio-keys")
    text = "a button between BCM 3 and ground shuts the Pi down"
    assert found(machine, OVERLAY) == ("good", text, "")
    assert found(machine, "") == (
        "note",
        "the shutdown button is removed, but active until a reboot",
        "sudo reboot",
    )


def test_pin_of_a_table_button_fails(machine: HealthyPi) -> None:
    level, text, advice = found(machine, f"{OVERLAY},gpio_pin=26")
    assert (level, text) == ("failed", "BCM 26 is the shutdown button and button OK")
    assert advice.startswith("change gpio_pin in /boot/firmware/config.txt, or the pin in ")


def test_pin_of_the_i2c_bus_fails(machine: HealthyPi) -> None:
    level, text, _ = found(machine, f"{OVERLAY}\ndtparam=i2c_arm=on\n")
    assert (level, text) == ("failed", "BCM 3 is the shutdown button and the I2C bus")
    assert found(machine, f"{OVERLAY},gpio_pin=21\ndtparam=i2c_arm=on\n")[0] == "note"
