"""Checks of the board: model, system, clock, power supply and temperature."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, absent, failed, good, note, unknown, warning
from companion.machine.machine import Machine

RELEASES = ("bookworm", "trixie")
IMAGE = "write 64-bit Raspberry Pi OS onto the card with Raspberry Pi Imager"
LAPTOP = "run this on the Pi; on a laptop: marrakech doctor --virtual"

HWMON = "/sys/class/hwmon"
TEMPERATURE = "/sys/class/thermal/thermal_zone0/temp"
WARM_C, HOT_C = 70, 80
"""At 80 °C the Pi reduces its clock speed."""

# The bits of `vcgencmd get_throttled`. Shifted by 16: the same, at any time since boot.
UNDERVOLTAGE, CAPPED, THROTTLED, SOFT_LIMIT = 1, 2, 4, 8
SINCE_BOOT = 16
SUPPLY = "use the Pi's own power supply and a short, thick cable; power LEDs separately"
COOLING = "improve its ventilation, or add a heat sink"


def check_pi(context: DoctorContext) -> Iterator[Finding]:
    if context.is_virtual:
        yield absent()
    elif context.has_pi:
        yield good(context.model)
    else:
        name = context.model or context.machine.architecture
        yield failed(f"this is not a Raspberry Pi ({name})", LAPTOP)


def check_system(context: DoctorContext) -> Iterator[Finding]:
    release = _os_release(context.machine)
    name = release.get("PRETTY_NAME", "an unknown system")
    if not context.has_pi:
        yield good(f"{name}, {context.machine.architecture}")
    elif not context.machine.is_64_bit:
        yield warning(f"{name}, 32-bit: some packages are not available for it", IMAGE)
    elif release.get("VERSION_CODENAME") not in RELEASES:
        yield warning(f"{name} is not tested with the companion", IMAGE)
    else:
        yield good(f"{name}, 64-bit")


def _os_release(machine: Machine) -> dict[str, str]:
    try:
        words = shlex.split(machine.read_text("/etc/os-release"), comments=True)
    except (OSError, ValueError):
        return {}
    return dict(word.split("=", 1) for word in words if "=" in word)


def check_clock(context: DoctorContext) -> Iterator[Finding]:
    """A Pi without network does not know the date, and would save games with a wrong one."""
    result = context.machine.query("timedatectl", "show", "--property=NTPSynchronized")
    if result.output.strip() == "NTPSynchronized=yes":
        yield good("set by the network")
    elif result.output.strip() == "NTPSynchronized=no":
        advice = "connect it to a network, then: sudo timedatectl set-ntp true"
        yield warning("not set by the network: games may get a wrong date", advice)
    else:
        yield unknown(
            (result.error_output.strip() or "timedatectl prints nothing").splitlines()[0], "date"
        )


# --- Power and temperature ----------------------------------------------------------------


def check_power(context: DoctorContext) -> Iterator[Finding]:
    """Undervoltage damages cards and games before anything else shows it."""
    bits = _throttled(context.machine)
    if bits is None:
        yield from _check_voltage_alarm(context.machine)
    elif bits & UNDERVOLTAGE:
        yield failed("the voltage is too low now", SUPPLY)
    elif bits >> SINCE_BOOT & UNDERVOLTAGE:
        yield warning("the voltage was too low at some time since boot", SUPPLY)
    elif bits & (CAPPED | THROTTLED | SOFT_LIMIT):
        yield warning("slowed down now because of heat", COOLING)
    elif bits >> SINCE_BOOT:
        yield note("was slowed down because of heat since boot", COOLING)
    else:
        yield good("enough voltage, not slowed down since boot")


def _throttled(machine: Machine) -> int | None:
    output = machine.query("vcgencmd", "get_throttled").output
    found = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", output.strip())
    return int(found[1], 16) if found else None


def _check_voltage_alarm(machine: Machine) -> Iterator[Finding]:
    """The kernel's undervoltage alarm, if vcgencmd does not work."""
    try:
        for name in machine.names_in(HWMON):
            if machine.read_text(f"{HWMON}/{name}/name").strip() == "rpi_volt":
                if machine.read_text(f"{HWMON}/{name}/in0_lcrit_alarm").strip() != "0":
                    yield failed("the voltage is too low", SUPPLY)
                else:
                    yield good("enough voltage")
                return
    except OSError:
        pass
    yield unknown(
        "neither vcgencmd nor the kernel reports the voltage", "sudo vcgencmd get_throttled"
    )


def check_heat(context: DoctorContext) -> Iterator[Finding]:
    try:
        degrees = int(context.machine.read_text(TEMPERATURE)) / 1000
    except (OSError, ValueError):
        yield unknown("the kernel reports no temperature", "vcgencmd measure_temp")
        return
    text = f"{degrees:.0f} °C"
    if degrees >= HOT_C:
        yield warning(f"{text}: the Pi is slowed down", COOLING)
    elif degrees >= WARM_C:
        yield note(f"{text}, it slows down at {HOT_C} °C", COOLING)
    else:
        yield good(text)
