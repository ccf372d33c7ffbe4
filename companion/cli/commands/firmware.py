"""`marrakech firmware`: builds and flashes the die pad's firmware, and monitors a pad."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

from companion.adapters.firmware_folder import Firmware
from companion.adapters.pad_port import (
    OPEN_ERRORS,
    close_port,
    find_ports,
    open_error_message,
    open_port,
)
from companion.errors import CompanionError, one_line
from companion.i18n.renderer import TextRenderer

ACTIONS = {
    "build": "build the firmware image and print its size",
    "flash": "load the released image onto an Arduino Nano",
    "monitor": "print a pad's key presses and the quality of its serial link",
}
NEW_BOOTLOADER = 115_200
OLD_BOOTLOADER = 57_600
_NAMES = {NEW_BOOTLOADER: "the new bootloader", OLD_BOOTLOADER: "the old bootloader"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in ACTIONS.items():
        sub = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name != "build":
            sub.add_argument(
                "--port",
                default="",
                metavar="PORT",
                help="serial port of the pad (default: detected)",
            )
        if name == "flash":
            sub.add_argument(
                "--build", action="store_true", help="build the image first and load the result"
            )
            sub.add_argument(
                "--old-bootloader",
                action="store_true",
                help=f"use {OLD_BOOTLOADER} baud only (default: try {NEW_BOOTLOADER} baud first)",
            )
        if name == "monitor":
            sub.add_argument(
                "--virtual", action="store_true", help="monitor a simulated pad, without hardware"
            )


def run(args: argparse.Namespace) -> int:
    {"build": _build, "flash": _flash, "monitor": _monitor}[args.action](args)
    return 0


def _build(args: argparse.Namespace) -> None:  # noqa: ARG001 - same signature as the other actions
    image, size = Firmware().built_image()
    print(f"{image}: {size}")


def _monitor(args: argparse.Namespace) -> None:
    from companion.cli.pad_monitor import run_monitor

    def print_line(line: str) -> None:
        print(line, flush=True)

    run_monitor(args.port, is_virtual=args.virtual, print_line=print_line)


# --- Flashing -----------------------------------------------------------------------------


def _flash(args: argparse.Namespace) -> None:
    firmware = Firmware()
    if shutil.which("avrdude") is None:
        raise CompanionError("flashing needs avrdude: sudo apt install avrdude")
    port = _find_port(args.port)
    image = firmware.built_image()[0] if args.build else firmware.released_image()
    _check_is_free(port)
    print(f"loading {image}\nonto the Arduino Nano (ATmega328P) on {port}", flush=True)
    if not args.old_bootloader:
        print(f"with {_NAMES[NEW_BOOTLOADER]}, {NEW_BOOTLOADER} baud ...", flush=True)
        done = _run_avrdude(port, image, NEW_BOOTLOADER)
        if done.returncode == 0 or not _is_unanswered(done.stderr):
            _report_result(done, port)
            return
        print("no answer; trying the other kind of Nano", flush=True)
    print(f"with {_NAMES[OLD_BOOTLOADER]}, {OLD_BOOTLOADER} baud ...", flush=True)
    _report_result(_run_avrdude(port, image, OLD_BOOTLOADER), port)


def _find_port(wanted: str) -> str:
    """The only port with an Arduino. With several, refuse: one may not be the pad."""
    found = find_ports(wanted)
    if not found:
        raise CompanionError(
            "no Arduino found: plug it in, or name its port with --port /dev/ttyUSB0"
        )
    if len(found) > 1:
        raise CompanionError(
            f"several Arduinos found: name the die pad's port with --port: {', '.join(found)}"
        )
    return str(Path(found[0]).absolute())


def _check_is_free(port: str) -> None:
    try:
        close_port(open_port(port))
    except OPEN_ERRORS as error:
        reason = open_error_message(port, error)
        if reason.key == "pad.busy":
            raise CompanionError(
                f"another program has {port} open: stop 'marrakech serve' or 'firmware monitor', "
                "and flash again"
            ) from None
        raise CompanionError(TextRenderer().render(reason)) from None


def _run_avrdude(port: str, image: Path, baud: int) -> subprocess.CompletedProcess[str]:
    """Run in the image's folder, because avrdude would misread a colon in the image's path."""
    options = ["-p", "atmega328p", "-c", "arduino", "-P", port, "-b", str(baud), "-D"]
    return subprocess.run(
        ["avrdude", *options, "-U", f"flash:w:{image.name}:i"],
        cwd=image.parent,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _is_unanswered(stderr: str) -> bool:
    return "not in sync" in stderr or "not responding" in stderr


def _report_result(done: subprocess.CompletedProcess[str], port: str) -> None:
    if done.returncode == 0:
        print("done: 'marrakech firmware monitor' shows what the pad does")
        return
    if _is_unanswered(done.stderr):
        raise CompanionError(
            f"no answer on {port}: check that it is a Nano with an ATmega328P, and that the cable "
            "carries data"
        )
    lines = [line for line in done.stderr.splitlines() if line.strip() and "Thank you" not in line]
    raise CompanionError(f"avrdude failed: {one_line(lines[-1] if lines else 'no reason given')}")
