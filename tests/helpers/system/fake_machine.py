"""A machine made of dictionaries, for the doctor: a Pi on which all is well, until told."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from companion.config.file import parse_config
from companion.config.model import Config
from companion.doctor.checks.service import Word, read_service
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding
from companion.doctor.machine import Ran, Space

MODEL = "/proc/device-tree/model"
FILES = {
    MODEL: "Raspberry Pi 4 Model B Rev 1.4\0",
    "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n',
    "/proc/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\ntmpfs /run tmpfs rw 0 0\n",
    "/proc/version": "Linux version 6.6.51+rpt-rpi-v8\n",
    "/sys/class/thermal/thermal_zone0/temp": "48312\n",
    "/sys/fs/ext4/mmcblk0p2/errors_count": "0\n",
    "/boot/firmware/config.txt": "dtparam=audio=on\ndtparam=spi=on\n",
    "/dev/spidev0.0": "",
    "/dev/gpiochip0": "",
    "/etc/hostname": "kitchen-pi\n",
    "/run/avahi-daemon/pid": "412\n",
    "/etc/avahi/services/marrakech.service": "<port>8080</port>\n",
}
SERVICE = {
    "LoadState": "loaded",
    "ActiveState": "active",
    "SubState": "running",
    "UnitFileState": "enabled",
    "NRestarts": "0",
    "Result": "success",
    "User": "marrakech",
    "SupplementaryGroups": "gpio spi dialout",
    "Environment": "GPIOZERO_PIN_FACTORY=lgpio 'A=b c'",
    "StateDirectory": "marrakech",
    "ExecStart": "{ path=/opt/marrakech ; argv[]=/opt/marrakech serve ; ignore_errors=no ; }",
    "WatchdogUSec": "20s",
}
"""What systemd shows of a unit that runs."""
SHOW = "systemctl show"
RUNS = {
    SHOW: Ran(0, "LoadState=not-found\nActiveState=inactive\n"),
    "systemctl is-active": Ran(3, "inactive\n"),
    "timedatectl show": Ran(0, "NTPSynchronized=yes\n"),
    "vcgencmd get_throttled": Ran(0, "throttled=0x0\n"),
    "dmesg": Ran(0, "[    2.1] mmc0: new ultra high speed SDR104 SDXC card at address aaaa\n"),
}
PACKAGES = {
    "gpiozero": "2.0.1.post3",
    "luma.led_matrix": "1.9.0",
    "pyserial": "3.5",
    "aiohttp": "3.14.5",
    "segno": "1.6.6",
    "pillow": "12.0.0",
}


class FakeMachine:
    """`runs` are found by the first words of a command; what is not there is not installed."""

    architecture = "aarch64"
    is_64_bit = True
    python = (3, 11, 2)
    user = "ana"
    is_root = False

    def __init__(self) -> None:
        self.environ: Mapping[str, str] = {"HOME": "/home/ana"}
        self.files: dict[str, str | OSError] = dict(FILES)
        self.runs: dict[str, Ran | OSError] = dict(RUNS)
        self.packages: dict[str, str] = dict(PACKAGES)
        self.import_faults: dict[str, str] = {}
        self.groups_now = {"ana", "gpio", "spi", "dialout"}
        self.groups_written = {"ana": {"ana", "gpio", "spi", "dialout"}, "marrakech": {"marrakech"}}
        self.system_groups = {"gpio", "spi", "dialout"}
        self.spaces: dict[str, Space | OSError] = {"/": Space(20_000_000_000, 900_000)}
        self.closed: set[str] = set()
        self.asked: list[str] = []

    def read(self, path: str) -> str:
        found = self.files.get(path, _missing(path))
        if isinstance(found, OSError):
            raise found
        return found

    def list(self, folder: str) -> list[str]:
        start = f"{folder}/"
        names = {path[len(start) :].split("/")[0] for path in self.files if path.startswith(start)}
        if not names:
            raise _missing(folder)
        return sorted(names)

    def run(self, *words: str) -> Ran:
        command = " ".join(words)
        self.asked.append(command)
        for start, ran in self.runs.items():
            if command.startswith(start):
                if isinstance(ran, OSError):
                    raise ran
                return ran
        raise _missing(words[0])

    def groups(self) -> set[str]:
        return self.groups_now

    def groups_of(self, user: str) -> set[str]:
        return self.groups_written.get(user, set())

    def has_group(self, group: str) -> bool:
        return group in self.system_groups

    def space(self, path: str) -> Space:
        found = self.spaces.get(path, _missing(path))
        if isinstance(found, OSError):
            raise found
        return found

    def may_write(self, path: str) -> bool:
        return path not in self.closed

    def package_version(self, name: str) -> str | None:
        return self.packages.get(name)

    def import_fault(self, module: str) -> str:
        return self.import_faults.get(module, "")

    # --- What is otherwise ------------------------------------------------------------

    def install_service(self, **properties: str) -> None:
        told = SERVICE | properties
        self.runs[SHOW] = Ran(0, "".join(f"{name}={value}\n" for name, value in told.items()))


def _missing(path: str) -> OSError:
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def patient_of(
    machine: FakeMachine,
    settings: str = "",
    *,
    folder: Path | None = Path("/home/ana/games"),
    says: Word | None = None,
) -> DoctorContext:
    """The machine with a table on it, and what its service would say."""
    config = parse_config(settings, "marrakech.toml") if settings else Config()
    return DoctorContext(
        machine,
        config,
        folder=folder,
        service=read_service(machine),
        ask_service=lambda: says,
    )


def told(found: Iterable[Finding]) -> list[tuple[str, str, str]]:
    """Level, what is said and what to do, of each."""
    return [(one.level.value, one.said, one.todo) for one in found]


def only(
    look: Callable[[DoctorContext], Iterable[Finding]], patient: DoctorContext
) -> tuple[str, str, str]:
    """What a check finds, where it finds one thing."""
    (found,) = told(look(patient))
    return found
