"""What the checks look at: the machine, the settings of its table, and its service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.hardware import Hardware, PiHardware, VirtualHardware
from companion.config.file import DEFAULTS, load_config
from companion.config.model import Config, ConfigError
from companion.doctor.checks.service import AskService, ServiceState, read_service
from companion.machine.machine import Machine

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.virtual.pad_device import PadDevice

MODEL = "/proc/device-tree/model"
QUERY_TIMEOUT_S = 5.0
"""How long a command may take: a check must not hang."""
SIMULATED = "simulated"
"""The folder of simulated games, below the games folder."""


@dataclass(frozen=True)
class DoctorContext:
    machine: Machine
    config: Config = field(default_factory=Config)
    """The settings in use, or the defaults if they cannot be read."""
    origin: str = DEFAULTS
    faults: tuple[str, ...] = ()
    """Errors in the settings."""
    folder: Path | None = None
    """The games folder; None if it is not known."""
    service: ServiceState = field(default_factory=ServiceState)
    ask_service: AskService = lambda: None
    hardware: Hardware = field(default_factory=PiHardware)

    @property
    def is_virtual(self) -> bool:
        return self.hardware.is_simulated

    @cached_property
    def model(self) -> str:
        """`Raspberry Pi 4 Model B Rev 1.4`; empty on a machine without a device tree."""
        try:
            return self.machine.read_text(MODEL).rstrip("\0\n")
        except OSError:
            return ""

    @property
    def has_pi(self) -> bool:
        """Whether there are real pins and a real SPI bus to check."""
        return not self.is_virtual and self.model.startswith("Raspberry Pi")


def this_machine() -> Machine:
    return Machine(query_timeout_s=QUERY_TIMEOUT_S)


def make_context(
    machine: Machine,
    *,
    cwd: Path,
    config: Path | None = None,
    folder: Path | None = None,
    is_virtual: bool = False,
    ask_service: AskService = lambda: None,
) -> DoctorContext:
    """Settings and folder default to those of the service, if it is installed."""
    service = ServiceState() if is_virtual else read_service(machine)
    environ: Mapping[str, str] = machine.environ
    if service.is_installed:
        environ = service.environ
        config = cwd / config if config else service.config
        folder = folder or service.folder
        cwd = Path("/")  # not the user's marrakech.toml
    settings, origin, faults = Config(), DEFAULTS, tuple[str, ...]()
    try:
        settings, origin = load_config(config, environ=environ, cwd=cwd)
        games = settings.journal_folder(environ)
        folder = folder or (games / SIMULATED if is_virtual else games)
    except ConfigError as error:
        faults = error.faults
    return DoctorContext(
        machine,
        settings,
        origin,
        faults,
        folder,
        service,
        ask_service,
        VirtualHardware(settings, make_pad=_make_pad) if is_virtual else PiHardware(),
    )


def _make_pad(loop: asyncio.AbstractEventLoop) -> PadDevice:
    from companion.adapters.die import SystemRandomSource
    from companion.adapters.virtual.pad import VirtualPad

    return VirtualPad(loop, SystemRandomSource().roll)
