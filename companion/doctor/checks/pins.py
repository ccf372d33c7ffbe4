"""Checks of the SPI bus, the pin library and the groups; and which pins are free."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from companion.adapters.gpio.header_chip import header_chip, list_chips, no_header_text
from companion.config.model import Config
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, failed, good, note, warning
from companion.errors import listed
from companion.machine.machine import Machine

BOOT_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
INSTALL = "in a checkout: sudo ./marrakech install"
FACTORY = "GPIOZERO_PIN_FACTORY"
_REBOOT = "sudo reboot"


def check_spi(context: DoctorContext) -> Iterator[Finding]:
    matrix, machine = context.config.matrix, context.machine
    device = f"spidev{matrix.bus}.{matrix.chip_select}"
    if device not in machine.names_in("/dev"):
        if _is_switched_on(machine, matrix.bus):
            yield failed(f"switched on, but /dev/{device} does not exist yet", _REBOOT)
        elif matrix.bus == 0:
            advice = f"sudo raspi-config nonint do_spi 0 && {_REBOOT}"
            yield failed(f"the SPI bus is switched off: /dev/{device} is missing", advice)
        else:
            advice = f"add dtoverlay=spi1-2cs to {BOOT_FILES[0]}, then {_REBOOT}"
            yield failed(f"SPI bus 1 is switched off: /dev/{device} is missing", advice)
    elif error := machine.import_error("spidev"):
        advice = f"sudo apt install python3-spidev; or, {INSTALL}"
        yield failed(f"Python's spidev cannot be imported ({error})", advice)
    else:
        yield good(f"/dev/{device} exists")


def _is_switched_on(machine: Machine, bus: int) -> bool:
    pattern = r"dtparam=(.*,)?spi(=on)?(,.*)?" if bus == 0 else r"dtoverlay=spi1-.*"
    for file in BOOT_FILES:
        try:
            lines = machine.read_text(file).splitlines()
        except OSError:
            continue
        return any(re.fullmatch(pattern, line.strip()) for line in lines)
    return False


def check_pins(context: DoctorContext) -> Iterator[Finding]:
    machine = context.machine
    chips = list_chips(machine.at("/"))
    chip = header_chip(chips)
    if not chips:
        yield failed(
            "the kernel has no GPIO device: there is no /dev/gpiochip*", "sudo apt full-upgrade"
        )
    elif chip is None:
        yield failed(no_header_text(chips), f"sudo apt full-upgrade && {_REBOOT}")
    elif not machine.exists(f"/dev/gpiochip{chip.number}"):
        yield failed(f"{chip} is missing in /dev", f"sudo udevadm trigger; or {_REBOOT}")
    elif error := machine.import_error("lgpio"):
        advice = (
            f"sudo apt install python3-lgpio; or, {INSTALL}; Debian 13 has no such package: use "
            "Raspberry Pi OS"
        )
        yield failed(f"Python's lgpio cannot be imported ({error})", advice)
    elif (factory := machine.environ.get(FACTORY, "lgpio")) != "lgpio":
        yield note(f"{FACTORY} is {factory}: the companion uses lgpio anyway", f"unset {FACTORY}")
    else:
        yield good(f"lgpio, {chip}")


# --- Groups -------------------------------------------------------------------------------


def check_groups(context: DoctorContext) -> Iterator[Finding]:
    """Of the service's user if it is installed, else of the current user."""
    machine, service = context.machine, context.service
    needed = groups_needed(context.config)
    if absent := [group for group in needed if not machine.has_group(group)]:
        advice = f"sudo groupadd --system {absent[0]}; Raspberry Pi OS has it"
        yield warning(f"there is no group {listed(absent, 'and')} on this system", advice)
        return
    if service.is_installed:
        user, groups = service.user, machine.groups_of(service.user) | service.groups
        is_root = user == "root"
    else:
        user, groups, is_root = machine.user, machine.process_groups(), machine.is_root
    missing = [group for group in needed if group not in groups]
    if is_root:
        yield good(f"{user} may use all devices")
    elif not missing:
        yield good(f"{user} is in {listed(needed, 'and')}")
    elif not service.is_installed and machine.groups_of(user) >= set(missing):
        yield failed(
            f"{user} is in {listed(missing, 'and')}, but not in this login session", "log in again"
        )
    else:
        then = "sudo systemctl restart marrakech" if service.is_installed else "log in again"
        advice = f"sudo usermod -aG {','.join(missing)} {user}, then {then}"
        yield failed(f"{user} is not in {listed(missing, 'and')}", advice)


def groups_needed(config: Config) -> list[str]:
    return ["gpio", "spi", *(["dialout"] if config.pad.port != "none" else ())]


# --- Unused pins --------------------------------------------------------------------------

# Not 2, 3, 14, 15 and 18 (I2C, UART, PCM), nor 4 and 7 to 11 (1-Wire, SPI).
_CANDIDATES = (5, 6, 12, 13, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27)
_IDLE = re.compile(r"\s*(\d+):.*//.*GPIO\d+ = (?:input|none)\s*")
"""A line of `pinctrl get` for a pin without an alternate function."""


def spare_pins(machine: Machine, used: Collection[int]) -> list[int]:
    """Unused pins that a wire may be on by mistake.

    Only pins that `pinctrl` shows as idle: reading a pin makes it an input, which would disable
    any other function.
    """
    lines = machine.query("pinctrl", "get").output.splitlines()
    idle = {int(found[1]) for line in lines if (found := _IDLE.fullmatch(line))}
    return [pin for pin in _CANDIDATES if pin in idle and pin not in used]
