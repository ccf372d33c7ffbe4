"""The Pi itself: each thing that can be wrong with it is told with what to do."""

from __future__ import annotations

import pytest
from helpers.system.fake_machine import MODEL, FakeMachine, only, patient_of

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.doctor.checks.board import (
    check_clock,
    check_heat,
    check_pi,
    check_power,
    check_system,
)
from companion.doctor.context import DoctorContext
from companion.doctor.machine import Ran

SUPPLY = "use the Pi's own supply and a short, thick cable; feed LEDs from another supply"
AIR = "give it air or a heat sink"
IMAGE = "write 64-bit Raspberry Pi OS onto the card with Raspberry Pi Imager"


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


def test_a_pi_is_called_by_its_model(machine: FakeMachine) -> None:
    assert only(check_pi, patient_of(machine)) == ("good", "Raspberry Pi 4 Model B Rev 1.4", "")


def test_another_machine_is_no_table_and_is_told_of_virtual(machine: FakeMachine) -> None:
    del machine.files[MODEL]
    machine.architecture = "x86_64"
    assert only(check_pi, patient_of(machine)) == (
        "failed",
        "this is no Raspberry Pi (x86_64)",
        "run this on the Pi; on a laptop: marrakech doctor --virtual",
    )


def test_another_board_is_called_by_its_name(machine: FakeMachine) -> None:
    machine.files[MODEL] = "Orange Pi 5\0"
    assert only(check_pi, patient_of(machine))[1] == "this is no Raspberry Pi (Orange Pi 5)"


def test_a_virtual_table_has_no_pi_even_on_one(machine: FakeMachine) -> None:
    patient = DoctorContext(machine, hardware=VirtualHardware(Config()))
    assert only(check_pi, patient) == ("absent", "not on this machine", "")


# --- The system ---------------------------------------------------------------------------


def test_bookworm_and_trixie_are_known(machine: FakeMachine) -> None:
    told = "Debian GNU/Linux 12 (bookworm), 64-bit"
    assert only(check_system, patient_of(machine)) == ("good", told, "")
    machine.files["/etc/os-release"] = 'PRETTY_NAME="Debian 13"\nVERSION_CODENAME=trixie\n'
    assert only(check_system, patient_of(machine)) == ("good", "Debian 13, 64-bit", "")


def test_a_32_bit_system_is_found_under_a_64_bit_kernel(machine: FakeMachine) -> None:
    machine.is_64_bit = False
    assert machine.architecture == "aarch64"
    assert only(check_system, patient_of(machine)) == (
        "warning",
        "Debian GNU/Linux 12 (bookworm), 32-bit: not every package can be had for it",
        IMAGE,
    )


def test_a_system_that_was_never_tried_is_a_warning(machine: FakeMachine) -> None:
    machine.files["/etc/os-release"] = 'PRETTY_NAME="Raspbian 11"\nVERSION_CODENAME=bullseye\n'
    assert only(check_system, patient_of(machine)) == (
        "warning",
        "Raspbian 11 was never tried with the companion",
        IMAGE,
    )


@pytest.mark.parametrize("text", ['PRETTY_NAME="no end', "just words", "= =", ""])
def test_an_os_release_that_makes_no_sense_is_an_unknown_system(
    machine: FakeMachine, text: str
) -> None:
    machine.files["/etc/os-release"] = text
    said = "an unknown system was never tried with the companion"
    assert only(check_system, patient_of(machine)) == ("warning", said, IMAGE)


# --- Power --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bits", "found"),
    [
        ("0x0", ("good", "enough voltage, never slowed down since the Pi was started", "")),
        ("0x1", ("failed", "the voltage is too low just now", SUPPLY)),
        ("0x50005", ("failed", "the voltage is too low just now", SUPPLY)),
        ("0x50000", ("warning", "the voltage was too low since the Pi was started", SUPPLY)),
        ("0x10004", ("warning", "the voltage was too low since the Pi was started", SUPPLY)),
        ("0x2", ("warning", "slowed down just now, because it is hot", AIR)),
        ("0x4", ("warning", "slowed down just now, because it is hot", AIR)),
        ("0xe0008", ("warning", "slowed down just now, because it is hot", AIR)),
        ("0xE0000", ("note", "was slowed down by heat since the Pi was started", AIR)),
    ],
)
def test_the_bits_of_the_firmware_are_read(
    machine: FakeMachine, bits: str, found: tuple[str, str, str]
) -> None:
    machine.runs["vcgencmd get_throttled"] = Ran(0, f"throttled={bits}\n")
    assert only(check_power, patient_of(machine)) == found


@pytest.mark.parametrize(
    ("alarm", "found"),
    [
        ("0\n", ("good", "enough voltage", "")),
        ("1\n", ("failed", "the voltage is too low", SUPPLY)),
    ],
)
def test_without_vcgencmd_the_kernels_alarm_counts(
    machine: FakeMachine, alarm: str, found: tuple[str, str, str]
) -> None:
    machine.runs["vcgencmd get_throttled"] = Ran(255, "VCHI initialization failed\n")
    machine.files["/sys/class/hwmon/hwmon0/name"] = "cpu_thermal\n"
    machine.files["/sys/class/hwmon/hwmon1/name"] = "rpi_volt\n"
    machine.files["/sys/class/hwmon/hwmon1/in0_lcrit_alarm"] = alarm
    assert only(check_power, patient_of(machine)) == found


def test_where_nobody_tells_it_cannot_be_told(machine: FakeMachine) -> None:
    del machine.runs["vcgencmd get_throttled"]
    assert only(check_power, patient_of(machine)) == (
        "unknown",
        "neither vcgencmd nor the kernel tells",
        "sudo vcgencmd get_throttled",
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("69999\n", ("good", "70 °C", "")),
        ("70000\n", ("note", "70 °C, it slows down at 80 °C", AIR)),
        ("80000\n", ("warning", "80 °C: the Pi slows itself down", AIR)),
        ("hot\n", ("unknown", "the kernel does not tell", "vcgencmd measure_temp")),
    ],
)
def test_heat_is_told_in_steps(
    machine: FakeMachine, text: str, found: tuple[str, str, str]
) -> None:
    machine.files["/sys/class/thermal/thermal_zone0/temp"] = text
    assert only(check_heat, patient_of(machine)) == found


# --- The clock ----------------------------------------------------------------------------


def test_a_clock_that_is_not_set_is_only_a_warning(machine: FakeMachine) -> None:
    assert only(check_clock, patient_of(machine)) == ("good", "set by the network", "")
    machine.runs["timedatectl show"] = Ran(0, "NTPSynchronized=no\n")
    assert only(check_clock, patient_of(machine)) == (
        "warning",
        "not set by the network: games may get a wrong date",
        "connect it to a network, then: sudo timedatectl set-ntp true",
    )


@pytest.mark.parametrize(
    ("ran", "said"),
    [
        (Ran(1, "", "Failed to connect to bus\nmore\n"), "Failed to connect to bus"),
        (Ran(0, ""), "timedatectl says nothing"),
        (TimeoutError("timedatectl does not answer"), "timedatectl cannot be asked (timedatectl"),
    ],
)
def test_a_clock_that_nobody_tells_of_cannot_be_told(
    machine: FakeMachine, ran: Ran | OSError, said: str
) -> None:
    machine.runs["timedatectl show"] = ran
    level, told, todo = only(check_clock, patient_of(machine))
    assert (level, todo) == ("unknown", "date")
    assert told.startswith(said)
