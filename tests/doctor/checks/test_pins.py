"""The bus, the pin library and the groups, and the exact command that mends each."""

from __future__ import annotations

import pytest
from helpers.system.fake_machine import FakeMachine, only, patient_of

from companion.doctor.checks.pins import (
    check_groups,
    check_pins,
    check_spi,
    groups_needed,
    spare_pins,
)
from companion.doctor.machine import Ran

BOOT = "/boot/firmware/config.txt"


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


# --- SPI ----------------------------------------------------------------------------------


def test_the_bus_of_the_config_must_be_there(machine: FakeMachine) -> None:
    assert only(check_spi, patient_of(machine)) == ("good", "/dev/spidev0.0 is there", "")
    patient = patient_of(machine, "[matrix]\nchip_select = 1\n")
    assert only(check_spi, patient)[:2] == (
        "failed",
        "switched on, but /dev/spidev0.1 is not there yet",
    )


@pytest.mark.parametrize("line", ["#dtparam=spi=on", "dtparam=spi=off", "dtparam=i2c=on", ""])
def test_a_bus_that_is_switched_off_is_switched_on_by_a_command(
    machine: FakeMachine, line: str
) -> None:
    del machine.files["/dev/spidev0.0"]
    machine.files[BOOT] = f"[all]\n{line}\n"
    assert only(check_spi, patient_of(machine)) == (
        "failed",
        "the SPI bus is switched off: /dev/spidev0.0 is missing",
        "sudo raspi-config nonint do_spi 0 && sudo reboot",
    )


@pytest.mark.parametrize("line", ["dtparam=spi=on", "dtparam=spi", "dtparam=i2c=on,spi=on,i2s=on"])
def test_a_bus_that_is_switched_on_waits_for_a_reboot(machine: FakeMachine, line: str) -> None:
    del machine.files["/dev/spidev0.0"]
    machine.files[BOOT] = f"{line}  \n"
    assert only(check_spi, patient_of(machine)) == (
        "failed",
        "switched on, but /dev/spidev0.0 is not there yet",
        "sudo reboot",
    )


def test_an_older_system_has_its_boot_file_elsewhere(machine: FakeMachine) -> None:
    del machine.files["/dev/spidev0.0"]
    machine.files["/boot/config.txt"] = machine.files.pop(BOOT)
    assert only(check_spi, patient_of(machine))[2] == "sudo reboot"


def test_the_other_bus_needs_an_overlay(machine: FakeMachine) -> None:
    patient = patient_of(machine, "[matrix]\nbus = 1\n[buttons]\nwest = 12\n")
    assert only(check_spi, patient) == (
        "failed",
        "SPI bus 1 is switched off: /dev/spidev1.0 is missing",
        "add dtoverlay=spi1-2cs to /boot/firmware/config.txt, then sudo reboot",
    )


def test_python_must_reach_the_bus(machine: FakeMachine) -> None:
    machine.import_faults["spidev"] = "ModuleNotFoundError: No module named 'spidev'"
    assert only(check_spi, patient_of(machine)) == (
        "failed",
        "Python's spidev cannot be used (ModuleNotFoundError: No module named 'spidev')",
        "sudo apt install python3-spidev; or, in a checkout: sudo ./marrakech install",
    )


# --- Pins ---------------------------------------------------------------------------------


def test_the_pins_are_reached_by_lgpio(machine: FakeMachine) -> None:
    machine.files["/dev/gpiochip4"] = ""
    said = "lgpio, /dev/gpiochip0 and /dev/gpiochip4"
    assert only(check_pins, patient_of(machine)) == ("good", said, "")


def test_without_lgpio_no_button_is_heard(machine: FakeMachine) -> None:
    machine.import_faults["lgpio"] = "ModuleNotFoundError: No module named 'lgpio'"
    assert only(check_pins, patient_of(machine)) == (
        "failed",
        "Python's lgpio cannot be used (ModuleNotFoundError: No module named 'lgpio')",
        "sudo apt install python3-lgpio; or, in a checkout: sudo ./marrakech install",
    )


def test_a_kernel_without_gpio_is_told(machine: FakeMachine) -> None:
    del machine.files["/dev/gpiochip0"]
    assert only(check_pins, patient_of(machine)) == (
        "failed",
        "the kernel shows no GPIO: there is no /dev/gpiochip*",
        "sudo apt full-upgrade",
    )


def test_another_pin_factory_is_only_worth_a_note(machine: FakeMachine) -> None:
    machine.environ = {"GPIOZERO_PIN_FACTORY": "pigpio"}
    assert only(check_pins, patient_of(machine)) == (
        "note",
        "GPIOZERO_PIN_FACTORY is pigpio: the companion uses lgpio all the same",
        "unset GPIOZERO_PIN_FACTORY",
    )


# --- Groups -------------------------------------------------------------------------------


def test_whoever_asks_must_be_in_all_groups(machine: FakeMachine) -> None:
    said = "ana is in gpio, spi and dialout"
    assert only(check_groups, patient_of(machine)) == ("good", said, "")


def test_a_missing_group_is_told_with_the_command(machine: FakeMachine) -> None:
    machine.groups_now = {"ana", "spi"}
    machine.groups_written["ana"] = {"ana", "spi"}
    assert only(check_groups, patient_of(machine)) == (
        "failed",
        "ana is not in gpio and dialout",
        "sudo usermod -aG gpio,dialout ana, then log in again",
    )


def test_who_was_added_after_the_login_need_only_log_in_again(machine: FakeMachine) -> None:
    machine.groups_now = {"ana", "spi", "dialout"}
    assert only(check_groups, patient_of(machine)) == (
        "failed",
        "ana is in gpio, but not in this login",
        "log in again",
    )


def test_root_needs_no_group(machine: FakeMachine) -> None:
    machine.user, machine.is_root, machine.groups_now = "root", True, {"root"}
    assert only(check_groups, patient_of(machine)) == ("good", "root may use everything", "")


def test_of_a_service_its_user_counts_with_the_groups_of_the_unit(machine: FakeMachine) -> None:
    machine.groups_now = set()
    machine.install_service()
    said = "marrakech is in gpio, spi and dialout"
    assert only(check_groups, patient_of(machine)) == ("good", said, "")
    machine.install_service(SupplementaryGroups="gpio")
    assert only(check_groups, patient_of(machine)) == (
        "failed",
        "marrakech is not in spi and dialout",
        "sudo usermod -aG spi,dialout marrakech, then sudo systemctl restart marrakech",
    )


def test_a_table_without_a_pad_needs_no_serial_ports(machine: FakeMachine) -> None:
    patient = patient_of(machine, '[pad]\nport = "none"\n')
    assert groups_needed(patient.config) == ["gpio", "spi"]
    assert groups_needed(patient_of(machine).config) == ["gpio", "spi", "dialout"]


def test_a_system_without_the_groups_is_told(machine: FakeMachine) -> None:
    machine.system_groups = {"dialout"}
    assert only(check_groups, patient_of(machine)) == (
        "warning",
        "there is no group gpio and spi on this system",
        "sudo groupadd --system gpio; Raspberry Pi OS has it",
    )


# --- Pins that nobody uses ----------------------------------------------------------------

PINCTRL = """\
 4: ip    pu | hi // GPIO4 = input
 5: ip    pu | hi // GPIO5 = input
12: ip    pd | lo // GPIO12 = input
14: a0    pn | hi // GPIO14 = TXD0
20: a0    pn | lo // GPIO20 = PCM_DIN
21: no    pd | -- // GPIO21 = none
24: op dl pn | lo // GPIO24 = output
"""


def test_only_idle_pins_that_are_left_for_nothing_else_are_spare(machine: FakeMachine) -> None:
    """To look at a pin is to make it an input: what plays music or heats must not be touched."""
    machine.runs["pinctrl get"] = Ran(0, PINCTRL)
    assert spare_pins(machine, [5, 6, 13]) == [12, 21]
    assert spare_pins(machine, [12]) == [5, 21]


def test_where_nobody_says_which_are_idle_none_is(machine: FakeMachine) -> None:
    assert spare_pins(machine, []) == []
