"""Who is looked at: a machine, the settings of its table, and the service on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.hardware import Hardware, PiHardware, VirtualHardware
from companion.config.file import DEFAULTS, load_config
from companion.config.model import Config, ConfigError
from companion.doctor.checks.service import AskService, Service, read_service
from companion.doctor.machine import Machine

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.virtual.pad_device import PadDevice

MODEL = "/proc/device-tree/model"
SIMULATED = "simulated"
"""The folder of games that were only simulated."""


@dataclass(frozen=True)
class DoctorContext:
    machine: Machine
    config: Config = field(default_factory=Config)
    """The settings in use; the defaults where they cannot be read."""
    origin: str = DEFAULTS
    faults: tuple[str, ...] = ()
    """What is wrong with the settings."""
    folder: Path | None = None
    """Where games are kept; None where no place was found for them."""
    service: Service = field(default_factory=Service)
    ask_service: AskService = lambda: None
    hardware: Hardware = field(default_factory=PiHardware)

    @property
    def is_virtual(self) -> bool:
        return self.hardware.is_simulated

    @cached_property
    def model(self) -> str:
        """`Raspberry Pi 4 Model B Rev 1.4`; empty where there is no such thing."""
        try:
            return self.machine.read(MODEL).rstrip("\0\n")
        except OSError:
            return ""

    @property
    def has_pi(self) -> bool:
        """Whether there are a real bus and real pins to look at."""
        return not self.is_virtual and self.model.startswith("Raspberry Pi")


def make_context(
    machine: Machine,
    *,
    cwd: Path,
    config: Path | None = None,
    folder: Path | None = None,
    is_virtual: bool = False,
    ask_service: AskService = lambda: None,
) -> DoctorContext:
    """Settings and folder are those of the service, if there is one, unless others are given."""
    service = Service() if is_virtual else read_service(machine)
    environ: Mapping[str, str] = machine.environ
    if service.is_installed:
        environ = service.environ
        config = cwd / config if config else service.config
        folder = folder or service.folder
        cwd = Path("/")  # where it has nothing lying about
    settings, origin, faults = Config(), DEFAULTS, tuple[str, ...]()
    try:
        settings, origin = load_config(config, environ=environ, cwd=cwd)
        kept = settings.journal_folder(environ)
        folder = folder or (kept / SIMULATED if is_virtual else kept)
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
        VirtualHardware(settings, make_pad=_plug_in_pad) if is_virtual else PiHardware(),
    )


def _plug_in_pad(loop: asyncio.AbstractEventLoop) -> PadDevice:
    from companion.adapters.die import Chance
    from companion.adapters.virtual.pad import VirtualPad

    return VirtualPad(loop, Chance().roll)
