"""Checks of the board: each problem is reported with advice."""

from __future__ import annotations

import pytest
from helpers.system.healthy_pi import MODEL, HealthyPi, context_for, single_finding

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
from companion.machine.commands import TIMED_OUT, CommandResult

SUPPLY = "use the Pi's own power supply and a short, thick cable; power LEDs separately"
COOLING = "improve its ventilation, or add a heat sink"
IMAGE = "write 64-bit Raspberry Pi OS onto the card with Raspberry Pi Imager"


def test_pi_is_reported_with_its_model(machine: HealthyPi) -> None:
    assert single_finding(check_pi, context_for(machine)) == (
        "good",
        "Raspberry Pi 4 Model B Rev 1.4",
        "",
    )


def test_laptop_fails_with_advice_to_use_virtual(machine: HealthyPi) -> None:
    machine.delete(MODEL)
    machine.architecture = "x86_64"
    assert single_finding(check_pi, context_for(machine)) == (
        "failed",
        "this is not a Raspberry Pi (x86_64)",
        "run this on the Pi; on a laptop: marrakech doctor --virtual",
    )


def test_other_board_is_reported_with_its_name(machine: HealthyPi) -> None:
    machine.place(MODEL, "Orange Pi 5\0")
    assert (
        single_finding(check_pi, context_for(machine))[1]
        == "this is not a Raspberry Pi (Orange Pi 5)"
    )


def test_check_is_absent_for_a_virtual_table(machine: HealthyPi) -> None:
    context = DoctorContext(machine, hardware=VirtualHardware(Config()))
    assert single_finding(check_pi, context) == ("absent", "not on this machine", "")


# --- The system ---------------------------------------------------------------------------


def test_bookworm_and_trixie_are_supported(machine: HealthyPi) -> None:
    text = "Debian GNU/Linux 12 (bookworm), 64-bit"
    assert single_finding(check_system, context_for(machine)) == ("good", text, "")
    machine.place("/etc/os-release", 'PRETTY_NAME="Debian 13"\nVERSION_CODENAME=trixie\n')
    assert single_finding(check_system, context_for(machine)) == ("good", "Debian 13, 64-bit", "")


def test_32_bit_system_on_a_64_bit_kernel_is_a_warning(machine: HealthyPi) -> None:
    machine.is_64_bit = False
    assert machine.architecture == "aarch64"
    assert single_finding(check_system, context_for(machine)) == (
        "warning",
        "Debian GNU/Linux 12 (bookworm), 32-bit: some packages are not available for it",
        IMAGE,
    )


def test_untested_system_is_a_warning(machine: HealthyPi) -> None:
    machine.place("/etc/os-release", 'PRETTY_NAME="Raspbian 11"\nVERSION_CODENAME=bullseye\n')
    assert single_finding(check_system, context_for(machine)) == (
        "warning",
        "Raspbian 11 is not tested with the companion",
        IMAGE,
    )


@pytest.mark.parametrize("text", ['PRETTY_NAME="no end', "just words", "= =", ""])
def test_invalid_os_release_is_an_unknown_system(machine: HealthyPi, text: str) -> None:
    machine.place("/etc/os-release", text)
    text = "an unknown system is not tested with the companion"
    assert single_finding(check_system, context_for(machine)) == ("warning", text, IMAGE)


# --- Power --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bits", "found"),
    [
        ("0x0", ("good", "enough voltage, not slowed down since boot", "")),
        ("0x1", ("failed", "the voltage is too low now", SUPPLY)),
        ("0x50005", ("failed", "the voltage is too low now", SUPPLY)),
        ("0x50000", ("warning", "the voltage was too low at some time since boot", SUPPLY)),
        ("0x10004", ("warning", "the voltage was too low at some time since boot", SUPPLY)),
        ("0x2", ("warning", "slowed down now because of heat", COOLING)),
        ("0x4", ("warning", "slowed down now because of heat", COOLING)),
        ("0xe0008", ("warning", "slowed down now because of heat", COOLING)),
        ("0xE0000", ("note", "was slowed down because of heat since boot", COOLING)),
    ],
)
def test_throttling_bits_are_decoded(
    machine: HealthyPi, bits: str, found: tuple[str, str, str]
) -> None:
    machine.answers["vcgencmd get_throttled"] = CommandResult(0, f"throttled={bits}\n")
    assert single_finding(check_power, context_for(machine)) == found


@pytest.mark.parametrize(
    ("alarm", "found"),
    [
        ("0\n", ("good", "enough voltage", "")),
        ("1\n", ("failed", "the voltage is too low", SUPPLY)),
    ],
)
def test_without_vcgencmd_the_kernels_alarm_is_used(
    machine: HealthyPi, alarm: str, found: tuple[str, str, str]
) -> None:
    machine.answers["vcgencmd get_throttled"] = CommandResult(255, "VCHI initialization failed\n")
    machine.place("/sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    machine.place("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    machine.place("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", alarm)
    assert single_finding(check_power, context_for(machine)) == found


def test_power_is_unknown_without_vcgencmd_and_kernel_alarm(machine: HealthyPi) -> None:
    del machine.answers["vcgencmd get_throttled"]
    assert single_finding(check_power, context_for(machine)) == (
        "unknown",
        "neither vcgencmd nor the kernel reports the voltage",
        "sudo vcgencmd get_throttled",
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("69999\n", ("good", "70 °C", "")),
        ("70000\n", ("note", "70 °C, it slows down at 80 °C", COOLING)),
        ("80000\n", ("warning", "80 °C: the Pi is slowed down", COOLING)),
        ("hot\n", ("unknown", "the kernel reports no temperature", "vcgencmd measure_temp")),
    ],
)
def test_temperature_levels(machine: HealthyPi, text: str, found: tuple[str, str, str]) -> None:
    machine.place("/sys/class/thermal/thermal_zone0/temp", text)
    assert single_finding(check_heat, context_for(machine)) == found


# --- The clock ----------------------------------------------------------------------------


def test_unsynchronised_clock_is_a_warning(machine: HealthyPi) -> None:
    assert single_finding(check_clock, context_for(machine)) == ("good", "set by the network", "")
    machine.answers["timedatectl show"] = CommandResult(0, "NTPSynchronized=no\n")
    assert single_finding(check_clock, context_for(machine)) == (
        "warning",
        "not set by the network: games may get a wrong date",
        "connect it to a network, then: sudo timedatectl set-ntp true",
    )


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (CommandResult(1, "", "Failed to connect to bus\nmore\n"), "Failed to connect to bus"),
        (CommandResult(0, ""), "timedatectl prints nothing"),
        (CommandResult(TIMED_OUT, "", "timedatectl: no answer"), "timedatectl: no answer"),
    ],
)
def test_clock_is_unknown_if_timedatectl_fails(
    machine: HealthyPi, result: CommandResult, text: str
) -> None:
    machine.answers["timedatectl show"] = result
    level, found, advice = single_finding(check_clock, context_for(machine))
    assert (level, advice) == ("unknown", "date")
    assert found.startswith(text)
