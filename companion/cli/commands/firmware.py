"""`marrakech firmware`: the die pad's own program. Builds it, flashes it, and watches a pad."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

from companion.adapters.firmware_folder import Firmware
from companion.adapters.pad_port import OPEN_ERRORS, close_port, find_ports, open_port, why_not
from companion.errors import CompanionError, one_line
from companion.i18n.renderer import TextRenderer

ACTIONS = {
    "build": "build the image, and say how big it is",
    "flash": "load the released image onto an Arduino Nano",
    "monitor": "say what a pad does: keys, and how well it is heard",
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
                "--port", default="", metavar="PORT", help="where the pad is (default: found)"
            )
        if name == "flash":
            sub.add_argument(
                "--build", action="store_true", help="build the image first, and load that"
            )
            sub.add_argument(
                "--old-bootloader",
                action="store_true",
                help=f"only at {OLD_BOOTLOADER} baud (default: tried after {NEW_BOOTLOADER})",
            )
        if name == "monitor":
            sub.add_argument("--virtual", action="store_true", help="no hardware: a virtual pad")


def run(args: argparse.Namespace) -> int:
    {"build": _build, "flash": _flash, "monitor": _monitor}[args.action](args)
    return 0


def _build(args: argparse.Namespace) -> None:  # noqa: ARG001 - as the others have it
    image, size = Firmware().built_image()
    print(f"{image}: {size}")


def _monitor(args: argparse.Namespace) -> None:
    from companion.cli.pad_monitor import watch_pad

    def say(line: str) -> None:
        print(line, flush=True)

    watch_pad(args.port, is_virtual=args.virtual, say=say)


# --- Flashing -----------------------------------------------------------------------------


def _flash(args: argparse.Namespace) -> None:
    firmware = Firmware()
    if shutil.which("avrdude") is None:
        raise CompanionError("flashing needs avrdude: sudo apt install avrdude")
    port = _port(args.port)
    image = firmware.built_image()[0] if args.build else firmware.released_image()
    _check_is_free(port)
    print(f"loading {image}\nonto the Arduino Nano (ATmega328P) on {port}", flush=True)
    if not args.old_bootloader:
        print(f"with {_NAMES[NEW_BOOTLOADER]}, {NEW_BOOTLOADER} baud ...", flush=True)
        done = _run_avrdude(port, image, NEW_BOOTLOADER)
        if done.returncode == 0 or not _is_unanswered(done.stderr):
            _tell(done, port)
            return
        print("nobody answers; there are two kinds of Nano", flush=True)
    print(f"with {_NAMES[OLD_BOOTLOADER]}, {OLD_BOOTLOADER} baud ...", flush=True)
    _tell(_run_avrdude(port, image, OLD_BOOTLOADER), port)


def _port(wanted: str) -> str:
    """Where to flash. Somebody else's Arduino must not be taken for the pad."""
    found = find_ports(wanted)
    if not found:
        raise CompanionError(
            "no Arduino is plugged in: plug it in, or say where it is with --port /dev/ttyUSB0"
        )
    if len(found) > 1:
        raise CompanionError(f"which of these is the die pad? Say --port: {', '.join(found)}")
    return str(Path(found[0]).absolute())


def _check_is_free(port: str) -> None:
    try:
        close_port(open_port(port))
    except OPEN_ERRORS as error:
        said = why_not(port, error)
        if said.key == "pad.busy":
            raise CompanionError(
                f"another program has {port} open: stop the companion first ('marrakech serve' or "
                "'firmware monitor'), and flash again"
            ) from None
        raise CompanionError(TextRenderer().say(said)) from None


def _run_avrdude(port: str, image: Path, baud: int) -> subprocess.CompletedProcess[str]:
    """In the image's folder: a colon in its path would mean something to avrdude."""
    words = ["-p", "atmega328p", "-c", "arduino", "-P", port, "-b", str(baud), "-D"]
    return subprocess.run(
        ["avrdude", *words, "-U", f"flash:w:{image.name}:i"],
        cwd=image.parent,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _is_unanswered(said: str) -> bool:
    return "not in sync" in said or "not responding" in said


def _tell(done: subprocess.CompletedProcess[str], port: str) -> None:
    if done.returncode == 0:
        print("done: 'marrakech firmware monitor' says what it does")
        return
    if _is_unanswered(done.stderr):
        raise CompanionError(
            f"nobody answers on {port}: is it a Nano with an ATmega328P, and is the cable for data?"
        )
    said = [line for line in done.stderr.splitlines() if line.strip() and "Thank you" not in line]
    raise CompanionError(
        f"avrdude could not do it: {one_line(said[-1] if said else 'no word why')}"
    )
