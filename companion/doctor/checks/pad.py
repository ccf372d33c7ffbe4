"""Checks of the die pad: connection, firmware, and ModemManager."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from companion.adapters.hardware import Hardware, VirtualHardware
from companion.adapters.known_pads import UsbPort, known_pads, usb_ports
from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.pad_port import sort_devices
from companion.config.model import Config
from companion.doctor.checks.service import INSTALL
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding, failed, good, note, unknown, warning
from companion.errors import CompanionError
from companion.i18n.message import message
from companion.machine.machine import Machine
from companion.table.inputs import Input

if TYPE_CHECKING:
    from companion.adapters.serial_pad import SerialPad

PROBE_TIMEOUT_S = 6.0
"""Opening the port resets a Nano; after that it answers at once."""
FLASH = "marrakech firmware flash"
REMEMBER = "sudo marrakech firmware remember"
RULES_FOLDERS = (
    "/etc/udev/rules.d",
    "/run/udev/rules.d",
    "/usr/lib/udev/rules.d",
    "/lib/udev/rules.d",
)
IGNORE_KEY = "ID_MM_DEVICE_IGNORE"


def probe_pad(hardware: Hardware, config: Config, timeout_s: float = PROBE_TIMEOUT_S) -> PadHealth:
    """Open the pad, wait for its identity, and close it."""

    async def probe() -> PadHealth:
        async with connect_pad(hardware, config, lambda _: None, timeout_s) as (_, health):
            return health

    return asyncio.run(probe())


@asynccontextmanager
async def connect_pad(
    hardware: Hardware,
    config: Config,
    deliver: Callable[[Input], object],
    timeout_s: float = PROBE_TIMEOUT_S,
) -> AsyncIterator[tuple[SerialPad | None, PadHealth]]:
    """The open pad and its health, once it has answered or every port was tried.

    The pad is None if the config has none.
    """
    loop = asyncio.get_running_loop()
    settled: asyncio.Future[PadHealth] = loop.create_future()

    def on_health(health: PadHealth) -> None:
        if not settled.done() and not _is_searching(health):
            settled.set_result(health)

    pad = hardware.open_pad(loop, config, deliver, on_health)
    if pad is None:
        yield None, PadHealth()
        return
    try:
        pad.start()
        try:
            async with asyncio.timeout(timeout_s):
                health = await settled
        except TimeoutError:
            health = pad.health
        yield pad, health
    finally:
        pad.close()
        if isinstance(hardware, VirtualHardware) and hardware.pad is not None:
            hardware.pad.close()


def _is_searching(health: PadHealth) -> bool:
    """Whether there are ports left to try."""
    return health.message is not None and health.message.key == "pad.searching"


# --- Checks -------------------------------------------------------------------------------


def check_pad(context: DoctorContext) -> Iterator[Finding]:
    if context.config.pad.port == "none":
        yield good("not used: [pad] port is none")
    elif (finding := _unknown_devices(context)) is not None:
        yield finding
    elif context.service.is_running:
        yield from _check_by_reply(context)
    else:
        yield pad_finding(
            probe_pad(context.hardware, context.config), is_virtual=context.is_virtual
        )


def _unknown_devices(context: DoctorContext) -> Finding | None:
    """For "auto": devices that may be the pad, and that nobody has named as it."""
    if context.config.pad.port != "auto" or context.is_virtual:
        return None
    known, others = sort_devices(usb_ports(), known_pads())
    return unknown_devices_finding(others) if others and not known else None


def unknown_devices_finding(devices: list[UsbPort]) -> Finding:
    """They are not opened: that would reset a 3D printer too."""
    if len(devices) == 1:
        return note(
            f"{devices[0]} may be the pad or another device, and was not opened",
            f"if it is the pad: {REMEMBER}, or {FLASH} if it is new",
        )
    return note(
        f"any of {', '.join(map(str, devices))} may be the pad, and none was opened",
        f"if one is the pad: {REMEMBER} --port {devices[0].socket}, with its port",
    )


def _check_by_reply(context: DoctorContext) -> Iterator[Finding]:
    """The running service holds the port, so only the service knows the pad's state."""
    reply = context.ask_service()
    if reply is None or reply.pad_message is None:
        yield unknown(
            "the service uses its port, and does not report its state", "look at the pad's LED"
        )
    elif reply.pad_message:
        text, _, advice = reply.pad_message.partition(": ")
        yield note(f"the service reports: {text}", advice.rstrip(".") or "check its cable")
    elif reply.pad_firmware is not None:
        yield firmware_finding(reply.pad_firmware)
    else:
        yield good("connected to the service")


def pad_finding(health: PadHealth, *, is_virtual: bool = False) -> Finding:
    mark = "SIMULATED " if is_virtual else ""
    if health.state is PadState.CONNECTED:
        assert health.identity is not None
        return firmware_finding(health.identity.firmware, f"{mark}on {health.port}: ")
    problem = health.message or message("pad.searching")
    port = dict(problem.values).get("port", health.port)  # the port that the message is about
    match problem.key:
        case "pad.absent":
            return note("none is plugged in", "plug it in, or play without it")
        case "pad.missing":
            advice = 'plug it in, or set [pad] port = "auto"'
            return warning(f"there is no port {port}", advice)
        case "pad.denied":
            advice = "sudo usermod -aG dialout $USER, then log in again"
            return failed(f"no permission to open {port}", advice)
        case "pad.busy":
            advice = "sudo fuser -v /dev/ttyUSB* /dev/ttyACM* shows which; stop it"
            return note(f"another program uses {port}: perhaps a companion", advice)
        case "pad.version_old":
            return failed(f"its firmware on {port} is too old for this companion", FLASH)
        case "pad.version_new":
            return failed(f"its firmware on {port} is newer than this companion", "git pull")
        case "pad.unusable":
            return failed(f"{port} cannot be used as a serial port", "plug it in again")
        case _:
            return warning(f"{port or 'its port'} does not answer like a pad", FLASH)


def firmware_finding(firmware: tuple[int, int, int], where: str = "") -> Finding:
    """Compares the version with the image that comes with the companion."""
    text = f"{where}firmware {_version(firmware)}"
    released = released_firmware()
    if released is None or firmware == released:
        return good(text)
    if firmware < released:
        return warning(f"{text}, the companion comes with {_version(released)}", FLASH)
    return note(f"{text}, newer than the companion's {_version(released)}", "git pull")


def released_firmware() -> tuple[int, int, int] | None:
    """None if the companion is installed without an image."""
    from companion.adapters.firmware_folder import Firmware

    try:
        name = Firmware().released_image().stem
    except CompanionError:
        return None
    major, minor, patch = map(int, name.removeprefix("pad-").split("."))
    return major, minor, patch


def _version(firmware: tuple[int, int, int]) -> str:
    return ".".join(map(str, firmware))


def check_modem(context: DoctorContext) -> Iterator[Finding]:
    """ModemManager sends modem commands to every new serial port for some seconds."""
    machine = context.machine
    result = machine.query("systemctl", "is-active", "ModemManager")
    if not result.has_run:
        yield unknown(result.error_output, "ps -e | grep Modem")
    elif result.output.strip() != "active":
        yield good("ModemManager is not running")
    elif _has_rule(machine):
        yield good("ModemManager is running, and a udev rule makes it ignore the pad")
    else:
        advice = f"{INSTALL}, installs a rule for it; or sudo systemctl disable --now ModemManager"
        yield warning("ModemManager is running, and treats the pad as a modem", advice)


def _has_rule(machine: Machine) -> bool:
    """Whether our udev rule is installed. ModemManager's own rules know only some Arduinos."""
    for folder in RULES_FOLDERS:
        with suppress(OSError):
            for name in machine.names_in(folder):
                if "marrakech" in name and IGNORE_KEY in machine.read_text(f"{folder}/{name}"):
                    return True
    return False
