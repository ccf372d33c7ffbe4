"""Checks of the SPI bus, the pin library and the groups, with the command that fixes each."""

from __future__ import annotations

import pytest
from helpers.system.gpio_chips import GPIO_CHIPS
from helpers.system.healthy_pi import HealthyPi, context_for, single_finding

from companion.doctor.checks.pins import (
    check_groups,
    check_pins,
    check_spi,
    groups_needed,
    spare_pins,
)
from companion.machine.commands import CommandResult

BOOT = "/boot/firmware/config.txt"


# --- SPI ----------------------------------------------------------------------------------


def test_spi_device_of_the_config_must_exist(machine: HealthyPi) -> None:
    assert single_finding(check_spi, context_for(machine)) == ("good", "/dev/spidev0.0 exists", "")
    context = context_for(machine, "[matrix]\nchip_select = 1\n")
    assert single_finding(check_spi, context)[:2] == (
        "failed",
        "switched on, but /dev/spidev0.1 does not exist yet",
    )


@pytest.mark.parametrize("line", ["#dtparam=spi=on", "dtparam=spi=off", "dtparam=i2c=on", ""])
def test_spi_that_is_off_fails_with_the_command_to_switch_it_on(
    machine: HealthyPi, line: str
) -> None:
    machine.delete("/dev/spidev0.0")
    machine.place(BOOT, f"[all]\n{line}\n")
    assert single_finding(check_spi, context_for(machine)) == (
        "failed",
        "the SPI bus is switched off: /dev/spidev0.0 is missing",
        "sudo raspi-config nonint do_spi 0 && sudo reboot",
    )


@pytest.mark.parametrize("line", ["dtparam=spi=on", "dtparam=spi", "dtparam=i2c=on,spi=on,i2s=on"])
def test_spi_that_was_switched_on_needs_a_reboot(machine: HealthyPi, line: str) -> None:
    machine.delete("/dev/spidev0.0")
    machine.place(BOOT, f"{line}  \n")
    assert single_finding(check_spi, context_for(machine)) == (
        "failed",
        "switched on, but /dev/spidev0.0 does not exist yet",
        "sudo reboot",
    )


def test_config_txt_of_an_older_system_is_found(machine: HealthyPi) -> None:
    machine.delete("/dev/spidev0.0")
    machine.place("/boot/config.txt", machine.read_text(BOOT))
    machine.delete(BOOT)
    assert single_finding(check_spi, context_for(machine))[2] == "sudo reboot"


def test_second_spi_bus_needs_an_overlay(machine: HealthyPi) -> None:
    context = context_for(machine, "[matrix]\nbus = 1\n[buttons]\nwest = 12\n")
    assert single_finding(check_spi, context) == (
        "failed",
        "SPI bus 1 is switched off: /dev/spidev1.0 is missing",
        "add dtoverlay=spi1-2cs to /boot/firmware/config.txt, then sudo reboot",
    )


def test_missing_spidev_module_fails(machine: HealthyPi) -> None:
    machine.import_errors["spidev"] = "ModuleNotFoundError: No module named 'spidev'"
    assert single_finding(check_spi, context_for(machine)) == (
        "failed",
        "Python's spidev cannot be imported (ModuleNotFoundError: No module named 'spidev')",
        "sudo apt install python3-spidev; or, in a checkout: sudo ./marrakech install",
    )


# --- Pins ---------------------------------------------------------------------------------


def test_lgpio_and_the_chip_of_the_header_are_reported(machine: HealthyPi) -> None:
    text = "lgpio, /dev/gpiochip0 (brcm,bcm2711-gpio)"
    assert single_finding(check_pins, context_for(machine)) == ("good", text, "")


def test_the_header_of_a_pi_5_is_found_on_a_current_kernel(machine: HealthyPi) -> None:
    machine.change_gpio_chips(GPIO_CHIPS["Pi 5, Linux 6.12.96"])
    text = "lgpio, /dev/gpiochip15 (raspberrypi,rp1-gpio)"
    assert single_finding(check_pins, context_for(machine)) == ("good", text, "")


def test_a_kernel_without_the_chip_of_the_header_fails(machine: HealthyPi) -> None:
    machine.change_gpio_chips({11: "brcm,brcmstb-gpio"})
    assert single_finding(check_pins, context_for(machine)) == (
        "failed",
        "none of its GPIO chips is a Raspberry Pi's header: /dev/gpiochip11 (brcm,brcmstb-gpio)",
        "sudo apt full-upgrade && sudo reboot",
    )


def test_a_missing_device_node_fails(machine: HealthyPi) -> None:
    machine.delete("/dev/gpiochip0")
    assert single_finding(check_pins, context_for(machine)) == (
        "failed",
        "/dev/gpiochip0 (brcm,bcm2711-gpio) is missing in /dev",
        "sudo udevadm trigger; or sudo reboot",
    )


def test_missing_lgpio_module_fails(machine: HealthyPi) -> None:
    machine.import_errors["lgpio"] = "ModuleNotFoundError: No module named 'lgpio'"
    assert single_finding(check_pins, context_for(machine)) == (
        "failed",
        "Python's lgpio cannot be imported (ModuleNotFoundError: No module named 'lgpio')",
        "sudo apt install python3-lgpio; or, in a checkout: sudo ./marrakech install; "
        "Debian 13 has no such package: use Raspberry Pi OS",
    )


def test_missing_gpio_device_fails(machine: HealthyPi) -> None:
    machine.change_gpio_chips({})
    assert single_finding(check_pins, context_for(machine)) == (
        "failed",
        "the kernel has no GPIO device: there is no /dev/gpiochip*",
        "sudo apt full-upgrade",
    )


def test_other_pin_factory_is_a_note(machine: HealthyPi) -> None:
    machine.environ = {"GPIOZERO_PIN_FACTORY": "pigpio"}
    assert single_finding(check_pins, context_for(machine)) == (
        "note",
        "GPIOZERO_PIN_FACTORY is pigpio: the companion uses lgpio anyway",
        "unset GPIOZERO_PIN_FACTORY",
    )


# --- Groups -------------------------------------------------------------------------------


def test_user_in_all_groups_is_good(machine: HealthyPi) -> None:
    text = "ana is in gpio, spi and dialout"
    assert single_finding(check_groups, context_for(machine)) == ("good", text, "")


def test_missing_group_fails_with_the_command_to_add_it(machine: HealthyPi) -> None:
    machine.current_groups = {"ana", "spi"}
    machine.user_database["ana"] = {"ana", "spi"}
    assert single_finding(check_groups, context_for(machine)) == (
        "failed",
        "ana is not in gpio and dialout",
        "sudo usermod -aG gpio,dialout ana, then log in again",
    )


def test_group_added_after_the_login_needs_a_new_login(machine: HealthyPi) -> None:
    machine.current_groups = {"ana", "spi", "dialout"}
    assert single_finding(check_groups, context_for(machine)) == (
        "failed",
        "ana is in gpio, but not in this login session",
        "log in again",
    )


def test_root_needs_no_group(machine: HealthyPi) -> None:
    machine.user, machine.is_root, machine.current_groups = "root", True, {"root"}
    assert single_finding(check_groups, context_for(machine)) == (
        "good",
        "root may use all devices",
        "",
    )


def test_groups_of_the_service_are_those_of_its_user_and_unit(machine: HealthyPi) -> None:
    machine.current_groups = set()
    machine.install_service()
    text = "marrakech is in gpio, spi and dialout"
    assert single_finding(check_groups, context_for(machine)) == ("good", text, "")
    machine.install_service(SupplementaryGroups="gpio")
    assert single_finding(check_groups, context_for(machine)) == (
        "failed",
        "marrakech is not in spi and dialout",
        "sudo usermod -aG spi,dialout marrakech, then sudo systemctl restart marrakech",
    )


def test_table_without_a_pad_does_not_need_dialout(machine: HealthyPi) -> None:
    context = context_for(machine, '[pad]\nport = "none"\n')
    assert groups_needed(context.config) == ["gpio", "spi"]
    assert groups_needed(context_for(machine).config) == ["gpio", "spi", "dialout"]


def test_missing_system_group_is_a_warning(machine: HealthyPi) -> None:
    machine.system_groups = {"dialout"}
    assert single_finding(check_groups, context_for(machine)) == (
        "warning",
        "there is no group gpio and spi on this system",
        "sudo groupadd --system gpio; Raspberry Pi OS has it",
    )


# --- Unused pins --------------------------------------------------------------------------

PINCTRL = """\
 4: ip    pu | hi // GPIO4 = input
 5: ip    pu | hi // GPIO5 = input
12: ip    pd | lo // GPIO12 = input
14: a0    pn | hi // GPIO14 = TXD0
20: a0    pn | lo // GPIO20 = PCM_DIN
21: no    pd | -- // GPIO21 = none
24: op dl pn | lo // GPIO24 = output
"""


def test_only_idle_pins_are_spare(machine: HealthyPi) -> None:
    """Reading a pin makes it an input, which would disable audio or a fan."""
    machine.answers["pinctrl get"] = CommandResult(0, PINCTRL)
    assert spare_pins(machine, [5, 6, 13]) == [12, 21]
    assert spare_pins(machine, [12]) == [5, 21]


def test_without_pinctrl_no_pin_is_spare(machine: HealthyPi) -> None:
    assert spare_pins(machine, []) == []
