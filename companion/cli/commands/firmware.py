"""`marrakech firmware`: builds and flashes the die pad's firmware, and monitors a pad."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from companion.adapters.avrdude import check_avrdude, run_avrdude
from companion.adapters.bootloader import NAMES, NEW_BAUD, OLD_BAUD, Bootloader, find_bootloader
from companion.adapters.firmware_folder import Firmware
from companion.adapters.hardware import PiHardware
from companion.adapters.known_pads import UsbPort, known_pads, pad_files, remember_pad, usb_ports
from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.pad_port import OPEN_ERRORS, find_ports, open_error_message, sort_devices
from companion.config.model import Config
from companion.doctor.checks.pad import probe_pad
from companion.errors import CompanionError, counted
from companion.i18n.renderer import TextRenderer

ACTIONS = {
    "build": "build the firmware image and print its size",
    "flash": "load the released image onto an Arduino Nano, and remember it as the pad",
    "remember": "check that a device is a pad, and remember it for the table",
    "monitor": "print a pad's key presses and the quality of its serial link",
}
LGT = (
    "A Nano clone with an LGT8F328P takes the image, and then runs it at another speed: look at "
    "the print on the chip. It cannot be a pad: use a Nano with an ATmega328P"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in ACTIONS.items():
        sub = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name != "build":
            sub.add_argument(
                "--port",
                default="",
                metavar="PORT",
                help="serial port of the pad (default: the remembered pad, or the only device)",
            )
        if name == "flash":
            sub.add_argument(
                "--build", action="store_true", help="build the image first and load the result"
            )
            sub.add_argument(
                "--old-bootloader",
                action="store_true",
                help=f"ask at {OLD_BAUD} baud only (default: at {NEW_BAUD} baud first)",
            )
        if name == "monitor":
            sub.add_argument(
                "--virtual", action="store_true", help="monitor a simulated pad, without hardware"
            )


def run(args: argparse.Namespace) -> int:
    run_action = {"build": _build, "flash": _flash, "remember": _remember, "monitor": _monitor}
    run_action[args.action](args)
    return 0


def _build(args: argparse.Namespace) -> None:  # noqa: ARG001 - same signature as the other actions
    image, size = Firmware().built_image()
    print(f"{image}: {size}")


def _monitor(args: argparse.Namespace) -> None:
    from companion.cli.pad_monitor import run_monitor

    def print_line(line: str) -> None:
        print(line, flush=True)

    port = args.port
    if not port and not args.virtual and usb_ports():  # without any, it waits for the known pad
        port = choose_port("")
    run_monitor(port, is_virtual=args.virtual, print_line=print_line)


# --- The port -----------------------------------------------------------------------------


def choose_port(wanted: str) -> str:
    """The wanted port, the known pad, or the only device. With several, refuse."""
    if wanted:
        found = find_ports(wanted)
        if len(found) == 1:
            return found[0]
        listing = ", ".join(found) or "none"
        raise CompanionError(f"--port {wanted} must name one port, and these match: {listing}")
    known, others = sort_devices(usb_ports(), known_pads())
    devices = known or others
    if not devices:
        raise CompanionError(
            "no Arduino found: plug it in, with a cable that carries data (many carry only power), "
            "or name its port with --port /dev/ttyUSB0"
        )
    if len(devices) > 1:
        raise CompanionError(
            "several USB serial devices are plugged in, and opening one may reset it. Unplug all "
            "but the pad, or name its port with --port: "
            + ", ".join(f"{one.socket} is {one}" for one in devices)
        )
    return devices[0].socket


def _print(text: str) -> None:
    print(text, end="", flush=True)


def _open_error(port: str, error: Exception) -> CompanionError:
    reason = open_error_message(port, error)
    if reason.key != "pad.busy":
        return CompanionError(TextRenderer().render(reason))
    what = getattr(error, "strerror", "") or ""
    user = what.removesuffix(" has it open") if what.endswith(" has it open") else "another program"
    return CompanionError(
        f"{user} has {port} open: stop it ('sudo systemctl stop marrakech' stops the table), and "
        "try again"
    )


# --- Flashing -----------------------------------------------------------------------------


def _flash(args: argparse.Namespace) -> None:
    firmware = Firmware()
    check_avrdude()
    port = choose_port(args.port)
    image = firmware.built_image()[0] if args.build else firmware.released_image()
    print(f"loading {image}\nonto the Arduino on {port}", flush=True)
    bootloader = _find_bootloader(
        port, (OLD_BAUD,) if args.old_bootloader else (NEW_BAUD, OLD_BAUD)
    )
    if bootloader.part == "m328pb":
        print("the board has an ATmega328PB, which runs the same image")
    run_avrdude(port, image, bootloader, _print)
    health = _ask_pad(port)
    if health.state is not PadState.CONNECTED:
        raise CompanionError(
            f"the image is on the board, but it does not answer as a pad on {port}: unplug it, "
            f"plug it in, and run 'marrakech firmware remember'. {LGT}"
        )
    _report_pad(port, health)
    print("done: 'marrakech firmware monitor' shows what the pad does")


def _find_bootloader(port: str, bauds: tuple[int, ...]) -> Bootloader:
    def on_try(baud: int) -> None:
        _print(f"asking {NAMES[baud]}, {baud} baud ...\n")

    try:
        bootloader = find_bootloader(port, bauds, on_try=on_try)
    except OPEN_ERRORS as error:
        raise _open_error(port, error) from None
    if bootloader is None:
        raise CompanionError(
            f"no bootloader answers on {port}: use a Nano (not a Nano Every or Nano 33) with an "
            "ATmega328P, with nothing connected to D0, D1 and RST. If it is one, its bootloader is "
            "missing or damaged: burn it again, or use another Nano"
        )
    _print(f"{NAMES[bootloader.baud]} answers, signature 0x{bootloader.signature}\n")
    assert bootloader.part  # raises for other chips
    return bootloader


# --- Remembering --------------------------------------------------------------------------


def _remember(args: argparse.Namespace) -> None:
    port = choose_port(args.port)
    health = _ask_pad(port)
    if health.state is not PadState.CONNECTED:
        assert health.message is not None
        raise CompanionError(TextRenderer().render(health.message))
    _report_pad(port, health)


def _ask_pad(port: str) -> PadHealth:
    pad = replace(Config().pad, port=port)
    return probe_pad(PiHardware(), replace(Config(), pad=pad))


def _report_pad(port: str, health: PadHealth) -> None:
    """Print what the pad answered, and remember its device."""
    assert health.identity is not None
    version = ".".join(map(str, health.identity.firmware))
    started = counted(health.identity.boots, "time")
    print(f"the pad on {port} answers: firmware {version}, started {started}")
    device = _device_of(port)
    if device is None:
        print(f'this is not a USB device: set [pad] port = "{port}" in the config', flush=True)
        return
    file = remember_pad(device)
    print(f'remembered in {file}: [pad] port = "auto" opens it')
    system = pad_files(os.environ)[-1]
    if file != system and system.parent.exists():
        print(
            "the installed table does not read that file: run 'sudo marrakech firmware remember'",
            file=sys.stderr,
        )


def _device_of(port: str) -> UsbPort | None:
    device = str(Path(port).resolve())
    return next((one for one in usb_ports() if one.device == device), None)
