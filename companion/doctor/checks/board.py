"""The Pi itself: its model, system, clock, supply and warmth."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, absent, failed, good, note, unknown, warning
from companion.doctor.machine import Machine

RELEASES = ("bookworm", "trixie")
IMAGE = "write 64-bit Raspberry Pi OS onto the card with Raspberry Pi Imager"
LAPTOP = "run this on the Pi; on a laptop: marrakech doctor --virtual"

HWMON = "/sys/class/hwmon"
HEAT = "/sys/class/thermal/thermal_zone0/temp"
WARM_C, HOT_C = 70, 80
"""From 80 °C the Pi slows itself down."""

# The bits of `vcgencmd get_throttled`; 16 higher is the same since the Pi was started.
UNDERVOLTAGE, CAPPED, THROTTLED, SOFT_LIMIT = 1, 2, 4, 8
SINCE_BOOT = 16
SUPPLY = "use the Pi's own supply and a short, thick cable; feed LEDs from another supply"
AIR = "give it air or a heat sink"


def check_pi(patient: DoctorContext) -> Iterator[Finding]:
    if patient.is_virtual:
        yield absent()
    elif patient.has_pi:
        yield good(patient.model)
    else:
        what = patient.model or patient.machine.architecture
        yield failed(f"this is no Raspberry Pi ({what})", LAPTOP)


def check_system(patient: DoctorContext) -> Iterator[Finding]:
    told = _os_release(patient.machine)
    name = told.get("PRETTY_NAME", "an unknown system")
    if not patient.has_pi:
        yield good(f"{name}, {patient.machine.architecture}")
    elif not patient.machine.is_64_bit:
        yield warning(f"{name}, 32-bit: not every package can be had for it", IMAGE)
    elif told.get("VERSION_CODENAME") not in RELEASES:
        yield warning(f"{name} was never tried with the companion", IMAGE)
    else:
        yield good(f"{name}, 64-bit")


def _os_release(machine: Machine) -> dict[str, str]:
    try:
        words = shlex.split(machine.read("/etc/os-release"), comments=True)
    except (OSError, ValueError):
        return {}
    return dict(word.split("=", 1) for word in words if "=" in word)


def check_clock(patient: DoctorContext) -> Iterator[Finding]:
    """A Pi without network does not know the date: games would carry a wrong one."""
    try:
        ran = patient.machine.run("timedatectl", "show", "--property=NTPSynchronized")
    except OSError as error:
        yield unknown(f"timedatectl cannot be asked ({error.strerror or error})", "date")
        return
    if ran.out.strip() == "NTPSynchronized=yes":
        yield good("set by the network")
    elif ran.out.strip() == "NTPSynchronized=no":
        todo = "connect it to a network, then: sudo timedatectl set-ntp true"
        yield warning("not set by the network: games may get a wrong date", todo)
    else:
        yield unknown((ran.err.strip() or "timedatectl says nothing").splitlines()[0], "date")


# --- Power and warmth ---------------------------------------------------------------------


def check_power(patient: DoctorContext) -> Iterator[Finding]:
    """Too little voltage spoils cards and games before anything else is seen of it."""
    bits = _throttled(patient.machine)
    if bits is None:
        yield from _check_alarm(patient.machine)
    elif bits & UNDERVOLTAGE:
        yield failed("the voltage is too low just now", SUPPLY)
    elif bits >> SINCE_BOOT & UNDERVOLTAGE:
        yield warning("the voltage was too low since the Pi was started", SUPPLY)
    elif bits & (CAPPED | THROTTLED | SOFT_LIMIT):
        yield warning("slowed down just now, because it is hot", AIR)
    elif bits >> SINCE_BOOT:
        yield note("was slowed down by heat since the Pi was started", AIR)
    else:
        yield good("enough voltage, never slowed down since the Pi was started")


def _throttled(machine: Machine) -> int | None:
    try:
        ran = machine.run("vcgencmd", "get_throttled")
    except OSError:
        return None
    found = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", ran.out.strip())
    return int(found[1], 16) if found else None


def _check_alarm(machine: Machine) -> Iterator[Finding]:
    """Where the firmware is not asked, the kernel has an alarm for the voltage."""
    try:
        for name in machine.list(HWMON):
            if machine.read(f"{HWMON}/{name}/name").strip() == "rpi_volt":
                if machine.read(f"{HWMON}/{name}/in0_lcrit_alarm").strip() != "0":
                    yield failed("the voltage is too low", SUPPLY)
                else:
                    yield good("enough voltage")
                return
    except OSError:
        pass
    yield unknown("neither vcgencmd nor the kernel tells", "sudo vcgencmd get_throttled")


def check_heat(patient: DoctorContext) -> Iterator[Finding]:
    try:
        degrees = int(patient.machine.read(HEAT)) / 1000
    except (OSError, ValueError):
        yield unknown("the kernel does not tell", "vcgencmd measure_temp")
        return
    told = f"{degrees:.0f} °C"
    if degrees >= HOT_C:
        yield warning(f"{told}: the Pi slows itself down", AIR)
    elif degrees >= WARM_C:
        yield note(f"{told}, it slows down at {HOT_C} °C", AIR)
    else:
        yield good(told)
