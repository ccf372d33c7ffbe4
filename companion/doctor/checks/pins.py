"""What stands between the companion and the header: the bus, the pin library, the groups."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from companion.config.model import Config
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, failed, good, note, warning
from companion.doctor.machine import Machine
from companion.errors import listed

BOOT_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
INSTALL = "in a checkout: sudo ./marrakech install"
FACTORY = "GPIOZERO_PIN_FACTORY"
_REBOOT = "sudo reboot"


def check_spi(patient: DoctorContext) -> Iterator[Finding]:
    matrix, machine = patient.config.matrix, patient.machine
    device = f"spidev{matrix.bus}.{matrix.chip_select}"
    if device not in machine.list("/dev"):
        if _is_switched_on(machine, matrix.bus):
            yield failed(f"switched on, but /dev/{device} is not there yet", _REBOOT)
        elif matrix.bus == 0:
            todo = f"sudo raspi-config nonint do_spi 0 && {_REBOOT}"
            yield failed(f"the SPI bus is switched off: /dev/{device} is missing", todo)
        else:
            todo = f"add dtoverlay=spi1-2cs to {BOOT_FILES[0]}, then {_REBOOT}"
            yield failed(f"SPI bus 1 is switched off: /dev/{device} is missing", todo)
    elif fault := machine.import_fault("spidev"):
        todo = f"sudo apt install python3-spidev; or, {INSTALL}"
        yield failed(f"Python's spidev cannot be used ({fault})", todo)
    else:
        yield good(f"/dev/{device} is there")


def _is_switched_on(machine: Machine, bus: int) -> bool:
    wanted = r"dtparam=(.*,)?spi(=on)?(,.*)?" if bus == 0 else r"dtoverlay=spi1-.*"
    for file in BOOT_FILES:
        try:
            lines = machine.read(file).splitlines()
        except OSError:
            continue
        return any(re.fullmatch(wanted, line.strip()) for line in lines)
    return False


def check_pins(patient: DoctorContext) -> Iterator[Finding]:
    machine = patient.machine
    chips = [name for name in machine.list("/dev") if name.startswith("gpiochip")]
    if not chips:
        yield failed(
            "the kernel shows no GPIO: there is no /dev/gpiochip*", "sudo apt full-upgrade"
        )
    elif fault := machine.import_fault("lgpio"):
        todo = f"sudo apt install python3-lgpio; or, {INSTALL}"
        yield failed(f"Python's lgpio cannot be used ({fault})", todo)
    elif (told := machine.environ.get(FACTORY, "lgpio")) != "lgpio":
        yield note(
            f"{FACTORY} is {told}: the companion uses lgpio all the same", f"unset {FACTORY}"
        )
    else:
        yield good(f"lgpio, {listed([f'/dev/{chip}' for chip in chips], 'and')}")


# --- Groups -------------------------------------------------------------------------------


def check_groups(patient: DoctorContext) -> Iterator[Finding]:
    """Of the service's user, if there is a service; else of whoever asks."""
    machine, service = patient.machine, patient.service
    needed = groups_needed(patient.config)
    if absent := [group for group in needed if not machine.has_group(group)]:
        todo = f"sudo groupadd --system {absent[0]}; Raspberry Pi OS has it"
        yield warning(f"there is no group {listed(absent, 'and')} on this system", todo)
        return
    if service.is_installed:
        who, has = service.user, machine.groups_of(service.user) | service.groups
        is_root = who == "root"
    else:
        who, has, is_root = machine.user, machine.groups(), machine.is_root
    missing = [group for group in needed if group not in has]
    if is_root:
        yield good(f"{who} may use everything")
    elif not missing:
        yield good(f"{who} is in {listed(needed, 'and')}")
    elif not service.is_installed and machine.groups_of(who) >= set(missing):
        yield failed(f"{who} is in {listed(missing, 'and')}, but not in this login", "log in again")
    else:
        then = "sudo systemctl restart marrakech" if service.is_installed else "log in again"
        todo = f"sudo usermod -aG {','.join(missing)} {who}, then {then}"
        yield failed(f"{who} is not in {listed(missing, 'and')}", todo)


def groups_needed(config: Config) -> list[str]:
    return ["gpio", "spi", *(["dialout"] if config.pad.port != "none" else ())]


# --- Pins that nobody uses ----------------------------------------------------------------

# Not 2, 3, 14, 15 and 18, which are left for other things, nor 4 and 7 to 11.
_CANDIDATES = (5, 6, 12, 13, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27)
_IDLE = re.compile(r"\s*(\d+):.*//.*GPIO\d+ = (?:input|none)\s*")
"""A line of `pinctrl get` on a pin that has no other function."""


def spare_pins(machine: Machine, used: Collection[int]) -> list[int]:
    """Free pins that a wire may have gone to by mistake, as far as they are idle for certain.

    One that has another function is not touched: looking at it would take the function away.
    """
    try:
        told = machine.run("pinctrl", "get").out
    except OSError:
        return []
    idle = {int(found[1]) for line in told.splitlines() if (found := _IDLE.fullmatch(line))}
    return [pin for pin in _CANDIDATES if pin in idle and pin not in used]
