"""The die pad: is it there, what does it run, and does anybody else reach for its port?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from companion.adapters.hardware import Hardware, VirtualHardware
from companion.adapters.pad_health import PadHealth, PadState
from companion.config.model import Config
from companion.doctor.checks.service import INSTALL
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, failed, good, note, unknown, warning
from companion.doctor.machine import Machine
from companion.errors import CompanionError
from companion.i18n.message import message
from companion.table.inputs import Input

if TYPE_CHECKING:
    from companion.adapters.serial_pad import SerialPad

MEETING_S = 6.0
"""A Nano starts again when its port is opened; after that it answers at once."""
FLASH = "marrakech firmware flash"
RULES = ("/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d")
IGNORED = "ID_MM_DEVICE_IGNORE"


def meet_pad(hardware: Hardware, config: Config, limit_s: float = MEETING_S) -> PadHealth:
    """Look for the pad, hear who it is, and let go of it again."""

    async def meet() -> PadHealth:
        async with meeting(hardware, config, lambda _: None, limit_s) as (_, health):
            return health

    return asyncio.run(meet())


@asynccontextmanager
async def meeting(
    hardware: Hardware,
    config: Config,
    deliver: Callable[[Input], None],
    limit_s: float = MEETING_S,
) -> AsyncIterator[tuple[SerialPad | None, PadHealth]]:
    """The pad and how it is, once it has answered or every port was tried; None: not looked for."""
    loop = asyncio.get_running_loop()
    met: asyncio.Future[PadHealth] = loop.create_future()

    def tell(health: PadHealth) -> None:
        if not met.done() and not _is_searching(health):
            met.set_result(health)

    pad = hardware.open_pad(loop, config, deliver, tell)
    if pad is None:
        yield None, PadHealth()
        return
    try:
        pad.start()
        try:
            async with asyncio.timeout(limit_s):
                health = await met
        except TimeoutError:
            health = pad.health
        yield pad, health
    finally:
        pad.close()
        if isinstance(hardware, VirtualHardware) and hardware.pad is not None:
            hardware.pad.close()


def _is_searching(health: PadHealth) -> bool:
    """Whether there is nothing to tell yet: not every port was tried."""
    return health.said is not None and health.said.key == "pad.searching"


# --- Checks -------------------------------------------------------------------------------


def check_pad(patient: DoctorContext) -> Iterator[Finding]:
    if patient.config.pad.port == "none":
        yield good("not used: [pad] port is none")
    elif patient.service.is_running:
        yield from _check_by_word(patient)
    else:
        yield judge_pad(meet_pad(patient.hardware, patient.config), is_virtual=patient.is_virtual)


def _check_by_word(patient: DoctorContext) -> Iterator[Finding]:
    """The service has the port: it knows, and nobody else may ask the pad."""
    word = patient.ask_service()
    if word is None or word.pad is None:
        yield unknown(
            "the service has its port, and does not say how it is", "look at the pad's LED"
        )
    elif word.pad:
        said, _, todo = word.pad.partition(": ")
        yield note(f"the service says: {said}", todo.rstrip(".") or "check its cable")
    elif word.firmware is not None:
        yield judge_firmware(word.firmware)
    else:
        yield good("the service hears it")


def judge_pad(health: PadHealth, *, is_virtual: bool = False) -> Finding:
    mark = "SIMULATED " if is_virtual else ""
    if health.state is PadState.CONNECTED:
        assert health.identity is not None
        return judge_firmware(health.identity.firmware, f"{mark}on {health.port}: ")
    said = health.said or message("pad.searching")
    key, port = said.key, dict(said.values).get("port", health.port)  # the one the word is of
    match key:
        case "pad.absent":
            return note("none is plugged in", "plug it in, or play without it")
        case "pad.missing":
            todo = 'plug it in, or set [pad] port = "auto"'
            return warning(f"there is no port {port}", todo)
        case "pad.denied":
            todo = "sudo usermod -aG dialout $USER, then log in again"
            return failed(f"{port} may not be used", todo)
        case "pad.busy":
            todo = "sudo fuser -v /dev/ttyUSB* /dev/ttyACM* says which; stop it"
            return note(f"another program has {port}: a companion, perhaps", todo)
        case "pad.version_old":
            return failed(f"its firmware on {port} is too old for this companion", FLASH)
        case "pad.version_new":
            return failed(f"its firmware on {port} is newer than this companion", "git pull")
        case "pad.unusable":
            return failed(f"{port} cannot be used as a serial port", "plug it in again")
        case _:
            return warning(f"{port or 'its port'} does not answer as a pad does", FLASH)


def judge_firmware(firmware: tuple[int, int, int], where: str = "") -> Finding:
    """Beside the image that comes with the companion."""
    told = f"{where}firmware {_version(firmware)}"
    released = released_firmware()
    if released is None or firmware == released:
        return good(told)
    if firmware < released:
        return warning(f"{told}, the companion comes with {_version(released)}", FLASH)
    return note(f"{told}, newer than the companion's {_version(released)}", "git pull")


def released_firmware() -> tuple[int, int, int] | None:
    """None where the companion is installed without it."""
    from companion.adapters.firmware_folder import Firmware

    try:
        name = Firmware().released_image().stem
    except CompanionError:
        return None
    major, minor, patch = map(int, name.removeprefix("pad-").split("."))
    return major, minor, patch


def _version(firmware: tuple[int, int, int]) -> str:
    return ".".join(map(str, firmware))


def check_modem(patient: DoctorContext) -> Iterator[Finding]:
    """ModemManager talks to every new serial port for some seconds, as if it were a modem."""
    machine = patient.machine
    try:
        is_running = machine.run("systemctl", "is-active", "ModemManager").out.strip() == "active"
    except OSError as error:
        yield unknown(
            f"systemctl cannot be asked ({error.strerror or error})", "ps -e | grep Modem"
        )
        return
    if not is_running:
        yield good("ModemManager is not running")
    elif _has_rule(machine):
        yield good("ModemManager is running, and is told to leave the pad alone")
    else:
        todo = f"{INSTALL}, brings a rule for it; or sudo systemctl disable --now ModemManager"
        yield warning("ModemManager is running, and takes the pad for a modem", todo)


def _has_rule(machine: Machine) -> bool:
    """Whether udev has a rule of ours; ModemManager's own know some Arduinos, not all."""
    for folder in RULES:
        with suppress(OSError):
            for name in machine.list(folder):
                if "marrakech" in name and IGNORED in machine.read(f"{folder}/{name}"):
                    return True
    return False
