"""`marrakech play`: runs the Pi's daemon on a laptop, with simulated hardware and a screen.

With `--script FILE` it runs a scenario on a virtual clock instead, without a screen.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from companion.adapters.matrix import KINDS
from companion.cli.arguments import read_text
from companion.config.file import load_config
from companion.config.model import Config
from companion.errors import CompanionError
from companion.i18n.languages import LANGUAGES

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.hardware import MakePad
    from companion.adapters.virtual.simavr_pad import SimavrPad
    from companion.simulator.remote_clients import PageLink

FAILED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="config file (default: the first marrakech.toml found)",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help="folder of the games (default: 'simulated' in the config's folder)",
    )
    parser.add_argument(
        "--matrix",
        choices=KINDS,
        help="max7219 (one colour) or apa102 (RGB) (default: from the config)",
    )
    parser.add_argument(
        "--die",
        choices=("keys", "electronic", "both"),
        help="keys: 1 to 4 enter the wooden die; electronic: OK rolls; or both (default: from the "
        "config, or both)",
    )
    parser.add_argument(
        "--pad",
        choices=("virtual", "simavr", "none"),
        default="virtual",
        help="the connected die pad: virtual (the default), the firmware image in a simulated "
        "chip, or none",
    )
    parser.add_argument(
        "--language",
        choices=tuple(LANGUAGES),
        metavar="L",
        help="language (default: from the config, or the booklet's)",
    )
    parser.add_argument(
        "--script", metavar="FILE", help="run and check a scenario file, without a screen"
    )


def run(args: argparse.Namespace) -> int:
    if args.script is not None:
        return _run_script(args.script)
    config, origin = load_config(args.config, environ=os.environ, cwd=Path.cwd())
    config = _with_arguments(config, args)
    folder = args.folder or config.journal_folder(os.environ) / "simulated"
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CompanionError(
            "play needs a terminal; without one, 'marrakech play --script FILE' runs a scenario"
        )
    try:
        from companion.simulator.app import connect_virtual_pad, run_simulator
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual", "rich"):
            raise
        raise CompanionError(
            "the simulator's screen is not installed: run ./marrakech play in a checkout, or "
            "'pip install marrakech-companion[simulator]'"
        ) from None
    make_pad: MakePad | None = None
    if args.pad == "virtual":
        make_pad = connect_virtual_pad
    elif args.pad == "simavr":
        make_pad = make_simavr_pad_factory()
    return run_simulator(
        config, folder, origin=origin, make_pad=make_pad, address_of=make_page_link
    )


def make_page_link(host: str, port: int) -> PageLink:
    """The page's addresses, with a QR code if the QR library is installed."""
    from companion.simulator.remote_clients import PageLink
    from companion.web.address import page_address, qr_lines

    address = page_address(host, port)
    with suppress(ModuleNotFoundError):
        return PageLink(address.urls, tuple(qr_lines(address.to_scan)))
    return PageLink(address.urls)


def make_simavr_pad_factory() -> MakePad:
    """A factory for pads that run the firmware image in simavr. Builds the simulator if needed."""
    from companion.adapters.firmware_folder import Firmware
    from companion.adapters.virtual.simavr_pad import SimavrPad

    firmware = Firmware()
    program, image = firmware.simulator(), firmware.released_image()

    def connect_pad(loop: asyncio.AbstractEventLoop) -> SimavrPad:
        return SimavrPad(loop, program, image)

    return connect_pad


def _with_arguments(config: Config, args: argparse.Namespace) -> Config:
    if args.die is not None:
        config = replace(config, die=replace(config.die, input=args.die))
    if args.language is not None:
        config = replace(config, language=args.language)
    if args.matrix is not None:
        config = replace(config, matrix=replace(config.matrix, kind=args.matrix))
    return config


def _run_script(name: str) -> int:
    from companion.scenario.runner import run_scenario

    text = read_text(name)
    with TemporaryDirectory(prefix="marrakech-") as folder:
        outcome = run_scenario(text, name, Path(folder))
    print(outcome.report)
    return 0 if outcome.passed else FAILED
