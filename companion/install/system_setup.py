"""What every version needs from the machine: Debian packages, the SPI bus, a user."""

from __future__ import annotations

from pathlib import Path

from companion.errors import listed
from companion.install.paths import CURRENT, GAMES, GROUPS, PYTHON, USER
from companion.install.service import SystemdService
from companion.install.steps import InstallError, InstallStep
from companion.machine.writable_machine import WritableMachine

MIN_PYTHON = (3, 11)
VENV, LGPIO, SPIDEV, AVRDUDE = "python3-venv", "python3-lgpio", "python3-spidev", "avrdude"
LGPIO_WHEEL = "lgpio>=0.2.2"
"""For systems without python3-lgpio. Older releases on PyPI are empty placeholders."""
LGPIO_WHEEL_PYTHONS = ((3, 11), (3, 12))
"""For other versions of Python it would have to be compiled."""
SUPPORTED = "64-bit Raspberry Pi OS 12 (bookworm) or 13 (trixie), or 64-bit Debian 12"
SPI_DEVICE = Path("/dev/spidev0.0")
RASPI_CONFIG = Path("/usr/bin/raspi-config")
_PRINT_VERSION = "import sys; print(*sys.version_info[:2], sys.maxsize.bit_length() + 1)"
_FIND_LGPIO = "import sys, importlib.util as u; sys.exit(u.find_spec('lgpio') is None)"


def check_machine(machine: WritableMachine, *, is_virtual: bool) -> str:
    """Refuse an unsuitable machine before anything is changed. Returns its Python's version."""
    for tool in ("apt-get", "systemctl"):
        if not machine.exists(Path("/usr/bin") / tool):
            raise InstallError(
                f"this system has no {tool}: the companion is installed on {SUPPORTED}"
            )
    printed = machine.query(PYTHON, "-I", "-c", _PRINT_VERSION).output
    numbers = [int(word) for word in printed.split() if word.isdecimal()]
    if tuple(numbers[:2]) < MIN_PYTHON:
        raise InstallError(
            f"{PYTHON} must be Python {MIN_PYTHON[0]}.{MIN_PYTHON[1]} or newer: use {SUPPORTED}"
        )
    if numbers[2:] != [64]:
        raise InstallError("this is a 32-bit system: write the 64-bit Raspberry Pi OS to the card")
    has_pins = any(name.startswith("gpiochip") for name in machine.names_in(Path("/dev")))
    if SystemdService(machine).is_booted and not (is_virtual or has_pins):
        raise InstallError(
            "this machine has no GPIO",
            advice="on a laptop, './marrakech play' runs the whole table; 'install --virtual' "
            "installs a service without hardware",
        )
    if not is_virtual and _has_package_lists(machine):
        check_lgpio(machine, (numbers[0], numbers[1]))
    return f"{numbers[0]}.{numbers[1]}"


# --- Debian packages ----------------------------------------------------------------------

# Waits for an update that runs after the boot.
_WAIT_FOR_LOCK = ("-o", "DPkg::Lock::Timeout=300")
_NONINTERACTIVE = {"DEBIAN_FRONTEND": "noninteractive"}


def packages_step(machine: WritableMachine, python: str, *, is_virtual: bool) -> InstallStep:
    """avrdude is for `marrakech firmware flash`."""
    wanted = [VENV] if is_virtual else [VENV, LGPIO, SPIDEV, AVRDUDE]

    def install() -> None:
        machine.run("apt-get", *_WAIT_FOR_LOCK, "update", "-qq", environ=_NONINTERACTIVE)
        if not is_virtual:  # a new card has no package lists before the update
            check_lgpio(machine, tuple(map(int, python.split("."))))
        names = [name for name in wanted if not is_installed(machine, name)]
        if needs_lgpio_wheel(machine, is_virtual=is_virtual):
            names.remove(LGPIO)
        if names:
            words = ("install", "-qq", "--no-install-recommends", *names)
            machine.run("apt-get", *_WAIT_FOR_LOCK, *words, environ=_NONINTERACTIVE)

    return InstallStep(
        "packages",
        f"{listed(wanted, 'and')}, if Debian has them",
        lambda: all(_is_available(machine, name) for name in wanted),
        install,
        "check the network, and that 'sudo apt update' works",
    )


def is_installed(machine: WritableMachine, package: str) -> bool:
    result = machine.query("dpkg-query", "--show", "--showformat=${db:Status-Status}", package)
    return result.is_ok and result.output == "installed"


def _is_available(machine: WritableMachine, package: str) -> bool:
    """lgpio may also come from a wheel in the current version."""
    return is_installed(machine, package) or (
        package == LGPIO and machine.query(CURRENT / "bin/python", "-c", _FIND_LGPIO).is_ok
    )


def needs_lgpio_wheel(machine: WritableMachine, *, is_virtual: bool) -> bool:
    """Raspberry Pi OS has python3-lgpio, Debian does not."""
    return not (is_virtual or is_installed(machine, LGPIO) or _has_candidate(machine, LGPIO))


def check_lgpio(machine: WritableMachine, python: tuple[int, ...]) -> None:
    """Refuse a system that has neither the package python3-lgpio nor a wheel, as Debian 13."""
    if needs_lgpio_wheel(machine, is_virtual=False) and python not in LGPIO_WHEEL_PYTHONS:
        raise InstallError(
            f"this system has no {LGPIO}, which reads the pins, and there is none for its Python "
            f"{'.'.join(map(str, python))}",
            advice=f"write {SUPPORTED} to the card; 'install --virtual' installs a service without "
            "hardware",
        )


def _has_package_lists(machine: WritableMachine) -> bool:
    return _has_candidate(machine, SPIDEV) or is_installed(machine, SPIDEV)


def _has_candidate(machine: WritableMachine, package: str) -> bool:
    policy = machine.query("apt-cache", "policy", package).output
    return "Candidate:" in policy and "Candidate: (none)" not in policy


# --- The SPI bus --------------------------------------------------------------------------


def spi_step(machine: WritableMachine) -> InstallStep:
    def is_on() -> bool:
        setting = machine.query(RASPI_CONFIG, "nonint", "get_spi").output.strip()
        return machine.exists(SPI_DEVICE) or setting == "0"

    def switch_on() -> None:
        if not machine.exists(RASPI_CONFIG):
            raise InstallError(f"{SPI_DEVICE} is missing, and there is no raspi-config to add it")
        machine.run(RASPI_CONFIG, "nonint", "do_spi", "0")

    return InstallStep(
        "spi",
        "the SPI bus is switched on, for the matrix",
        is_on,
        switch_on,
        "add the line 'dtparam=spi=on' to config.txt on the boot partition, and reboot",
    )


def has_no_spi_switch(machine: WritableMachine) -> bool:
    """True while a card image of plain Debian is built: its config.txt is made elsewhere."""
    return not (SystemdService(machine).is_booted or machine.exists(RASPI_CONFIG))


def needs_reboot(machine: WritableMachine) -> bool:
    """Whether the SPI bus is switched on, but appears only after a reboot."""
    return not machine.exists(SPI_DEVICE)


# --- The user of the service --------------------------------------------------------------


def user_step(machine: WritableMachine) -> InstallStep:
    def create() -> None:
        for group in GROUPS:
            if not machine.query("getent", "group", group).is_ok:
                machine.run("groupadd", "--system", group)
        if home_of_user(machine) is None:
            options = ("--home-dir", GAMES, "--no-create-home", "--shell", "/usr/sbin/nologin")
            machine.run("useradd", "--system", "--user-group", *options, USER)
        machine.run("usermod", "--append", "--groups", ",".join(GROUPS), USER)

    def is_done() -> bool:
        groups = machine.query("id", "--name", "--groups", USER).output.split()
        return home_of_user(machine) == str(GAMES) and set(GROUPS) <= set(groups)

    text = f"the system user '{USER}', in the groups {listed(GROUPS, 'and')}"
    return InstallStep("user", text, is_done, create)


def home_of_user(machine: WritableMachine) -> str | None:
    result = machine.query("getent", "passwd", USER)
    return result.output.strip().split(":")[5] if result.is_ok else None


def check_user(machine: WritableMachine) -> None:
    """Refuse if a person's account has the name of the service's user."""
    home = home_of_user(machine)
    if home not in (None, str(GAMES)):
        raise InstallError(
            f"there is already a user '{USER}' with the home {home}: the service needs a user of "
            f"that name with the home {GAMES}"
        )
