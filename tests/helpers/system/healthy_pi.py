"""A Raspberry Pi on which every check of the doctor passes, and helpers to run a check on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from companion.config.file import parse_config
from companion.config.model import Config
from companion.doctor.checks.service import ServiceReply, read_service
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding
from companion.machine.commands import CommandResult
from companion.machine.machine import FreeSpace
from helpers.system.fake_machine import FakeMachine
from helpers.system.gpio_chips import GPIO_CHIPS, place_gpio_chips, remove_gpio_chips

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
    "/etc/hostname": "kitchen-pi\n",
    "/run/avahi-daemon/pid": "412\n",
    "/etc/avahi/services/marrakech.service": "<port>8080</port>\n",
}
RUNNING_SERVICE = {
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
SYSTEMCTL_SHOW = "systemctl show"
ANSWERS = {
    SYSTEMCTL_SHOW: CommandResult(0, "LoadState=not-found\nActiveState=inactive\n"),
    "systemctl is-active": CommandResult(3, "inactive\n"),
    "timedatectl show": CommandResult(0, "NTPSynchronized=yes\n"),
    "vcgencmd get_throttled": CommandResult(0, "throttled=0x0\n"),
    "dmesg": CommandResult(
        0, "[    2.1] mmc0: new ultra high speed SDR104 SDXC card at address aaaa\n"
    ),
}
PACKAGES = {
    "gpiozero": "2.0.1.post3",
    "luma.led_matrix": "1.9.0",
    "pyserial": "3.5",
    "aiohttp": "3.14.5",
    "segno": "1.6.6",
    "pillow": "12.0.0",
}


class HealthyPi(FakeMachine):
    """Without the service; `install_service` adds it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        for path, text in FILES.items():
            self.place(path, text)
        self.change_gpio_chips(GPIO_CHIPS["Pi 4"])
        self.answers |= ANSWERS
        self.python_packages |= PACKAGES
        self.system_groups = {"gpio", "spi", "dialout"}
        self.current_groups = {"ana", *self.system_groups}
        self.user_database = {"ana": {"ana", *self.system_groups}, "marrakech": {"marrakech"}}
        self.free_spaces["/"] = FreeSpace(20_000_000_000, 900_000)

    def change_gpio_chips(self, chips: Mapping[int, str]) -> None:
        """Other GPIO chips than those of a Pi 4: `compatible` by number."""
        remove_gpio_chips(self.at("/"))
        place_gpio_chips(self.at("/"), chips)

    def install_service(self, **properties: str) -> None:
        shown = RUNNING_SERVICE | properties
        output = "".join(f"{name}={value}\n" for name, value in shown.items())
        self.answers[SYSTEMCTL_SHOW] = CommandResult(0, output)


def context_for(
    machine: FakeMachine,
    settings: str = "",
    *,
    folder: Path | None = Path("/home/ana/games"),
    reply: ServiceReply | None = None,
) -> DoctorContext:
    """A machine with these settings, whose running service would give this reply."""
    config = parse_config(settings, "marrakech.toml") if settings else Config()
    return DoctorContext(
        machine,
        config,
        folder=folder,
        service=read_service(machine),
        ask_service=lambda: reply,
    )


def as_tuples(findings: Iterable[Finding]) -> list[tuple[str, str, str]]:
    """Level, text and advice of each."""
    return [(one.level.value, one.text, one.advice) for one in findings]


def single_finding(
    check: Callable[[DoctorContext], Iterable[Finding]], context: DoctorContext
) -> tuple[str, str, str]:
    """The finding of a check that has exactly one."""
    (found,) = as_tuples(check(context))
    return found
