"""What the machine itself needs, for all versions: Debian's packages, the SPI bus, a user."""

from __future__ import annotations

from pathlib import Path

from companion.errors import listed
from companion.install.machine import System
from companion.install.places import CURRENT, GAMES, GROUPS, PYTHON, USER
from companion.install.service import Service
from companion.install.steps import InstallError, Step

OLDEST = (3, 11)
VENV, LGPIO, SPIDEV = "python3-venv", "python3-lgpio", "python3-spidev"
LGPIO_WHEEL = "lgpio>=0.2.2"
"""Where Debian has none: an older one on the index is nothing but a name."""
SPI_DEVICE = Path("/dev/spidev0.0")
RASPI_CONFIG = Path("/usr/bin/raspi-config")
_ABOUT = "import sys; print(*sys.version_info[:2], sys.maxsize.bit_length() + 1)"
_HAS_LGPIO = "import sys, importlib.util as u; sys.exit(u.find_spec('lgpio') is None)"


def check_machine(system: System, *, is_virtual: bool) -> str:
    """Refuse what cannot work before anything is changed. The version of the system's Python."""
    for tool in ("apt-get", "systemctl"):
        if not system.exists(Path("/usr/bin") / tool):
            raise InstallError(
                f"this system has no {tool}: the companion is installed on Raspberry Pi OS or "
                "Debian, 12 (bookworm) or newer"
            )
    told = system.query(PYTHON, "-I", "-c", _ABOUT).text
    numbers = [int(word) for word in told.split() if word.isdecimal()]
    if tuple(numbers[:2]) < OLDEST:
        raise InstallError(
            f"{PYTHON} must be Python {OLDEST[0]}.{OLDEST[1]} or newer: that is Raspberry Pi OS or "
            "Debian, 12 (bookworm) or newer"
        )
    if numbers[2:] != [64]:
        raise InstallError("this is a 32-bit system: write the 64-bit Raspberry Pi OS to the card")
    has_pins = any(name.startswith("gpiochip") for name in system.names_in(Path("/dev")))
    if Service(system).is_booted and not (is_virtual or has_pins):
        raise InstallError(
            "this machine has no GPIO",
            advice="on a laptop './marrakech play' is the whole table; 'install --virtual' makes "
            "a service without hardware",
        )
    return f"{numbers[0]}.{numbers[1]}"


# --- Debian's packages --------------------------------------------------------------------


def packages_step(system: System, *, is_virtual: bool) -> Step:
    wanted = [VENV] if is_virtual else [VENV, LGPIO, SPIDEV]

    def install() -> None:
        system.run("apt-get", *_PATIENT, "update", "-qq", environment=_QUIET)
        names = [name for name in wanted if not is_installed(system, name)]
        if needs_lgpio_wheel(system, is_virtual=is_virtual):
            names.remove(LGPIO)
        if names:
            words = ("install", "-qq", "--no-install-recommends", *names)
            system.run("apt-get", *_PATIENT, *words, environment=_QUIET)

    return Step(
        "packages",
        f"{listed(wanted, 'and')}, as far as Debian has them",
        lambda: all(_is_there(system, name) for name in wanted),
        install,
        "is the network there, and does 'sudo apt update' work?",
    )


# An update that runs after the boot, as many systems have it, is waited for.
_PATIENT = ("-o", "DPkg::Lock::Timeout=300")
_QUIET = {"DEBIAN_FRONTEND": "noninteractive"}


def is_installed(system: System, package: str) -> bool:
    told = system.query("dpkg-query", "--show", "--showformat=${db:Status-Status}", package)
    return told.is_good and told.text == "installed"


def _is_there(system: System, package: str) -> bool:
    """lgpio may also be the version's own, from a wheel."""
    return is_installed(system, package) or (
        package == LGPIO and system.query(CURRENT / "bin/python", "-c", _HAS_LGPIO).is_good
    )


def needs_lgpio_wheel(system: System, *, is_virtual: bool) -> bool:
    """Raspberry Pi OS has python3-lgpio; Debian itself has not."""
    if is_virtual or is_installed(system, LGPIO):
        return False
    told = system.query("apt-cache", "policy", LGPIO).text
    return "Candidate:" not in told or "Candidate: (none)" in told


# --- The SPI bus --------------------------------------------------------------------------


def spi_step(system: System) -> Step:
    def is_on() -> bool:
        told = system.query(RASPI_CONFIG, "nonint", "get_spi")
        return system.exists(SPI_DEVICE) or told.text.strip() == "0"

    def switch_on() -> None:
        if not system.exists(RASPI_CONFIG):
            raise InstallError(f"{SPI_DEVICE} is missing, and there is no raspi-config to mend it")
        system.run(RASPI_CONFIG, "nonint", "do_spi", "0")

    return Step(
        "spi",
        "the SPI bus is switched on, for the matrix",
        is_on,
        switch_on,
        "add the line 'dtparam=spi=on' to the config.txt of the boot partition, and reboot",
    )


def has_no_spi_switch(system: System) -> bool:
    """An image of a card is being made, of plain Debian: its config.txt is the maker's."""
    return not (Service(system).is_booted or system.exists(RASPI_CONFIG))


def needs_reboot(system: System) -> bool:
    """The bus is switched on and will be there after the next start."""
    return not system.exists(SPI_DEVICE)


# --- The user the service runs as ---------------------------------------------------------


def user_step(system: System) -> Step:
    def make() -> None:
        for group in GROUPS:
            if not system.query("getent", "group", group).is_good:
                system.run("groupadd", "--system", group)
        if home_of_user(system) is None:
            where = ("--home-dir", GAMES, "--no-create-home", "--shell", "/usr/sbin/nologin")
            system.run("useradd", "--system", "--user-group", *where, USER)
        system.run("usermod", "--append", "--groups", ",".join(GROUPS), USER)

    def is_done() -> bool:
        groups = system.query("id", "--name", "--groups", USER).text.split()
        return home_of_user(system) == str(GAMES) and set(GROUPS) <= set(groups)

    text = f"the system's user '{USER}', in the groups {listed(GROUPS, 'and')}"
    return Step("user", text, is_done, make)


def home_of_user(system: System) -> str | None:
    told = system.query("getent", "passwd", USER)
    return told.text.strip().split(":")[5] if told.is_good else None


def check_user(system: System) -> None:
    """Somebody may really be called so: the service must not be him."""
    home = home_of_user(system)
    if home not in (None, str(GAMES)):
        raise InstallError(
            f"there is a user '{USER}' already, with the home {home}: the service needs that name "
            f"for a user of its own, with the home {GAMES}"
        )
