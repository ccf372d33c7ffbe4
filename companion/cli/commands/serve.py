"""`marrakech serve`: the table on a Raspberry Pi, until it is stopped."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from pathlib import Path

from companion.adapters.hardware import Hardware, PiHardware, VirtualHardware
from companion.config.file import load_config
from companion.daemon.service import run_service
from companion.daemon.wiring import Table
from companion.errors import CompanionError

DEVICES = Path("/dev")
SIMULATED = "SIMULATED: mock pins and a virtual matrix, nothing is wired"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="use this marrakech.toml")
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="keep games here (default: as the config says)"
    )
    parser.add_argument(
        "--virtual", action="store_true", help="no hardware: mock pins and a matrix, SIMULATED"
    )


def run(args: argparse.Namespace) -> int:
    config, _ = load_config(args.config, environ=os.environ, cwd=Path.cwd())
    hardware: Hardware
    if args.virtual:
        print(SIMULATED, flush=True)
        hardware = VirtualHardware(config)
    else:
        check_gpio(DEVICES)
        hardware = PiHardware()
    folder = args.folder or games_folder(config.journal_folder(os.environ), hardware)
    run_service(config, hardware, folder, opened=_tell, page_opened=_tell_page)
    return 0


def games_folder(folder: Path, hardware: Hardware) -> Path:
    """Games that were only simulated are kept apart."""
    return folder / "simulated" if hardware.is_simulated else folder


def check_gpio(devices: Path) -> None:
    if not any(devices.glob("gpiochip*")):
        raise CompanionError("this machine has no GPIO: on a laptop use 'marrakech play'")


def _tell(table: Table) -> None:
    from companion.daemon.trouble_log import TroubleLog
    from companion.storage.journal_reader import torn_text  # not before the light

    log = TroubleLog(partial(print, file=sys.stderr, flush=True))
    table.daemon.watch(log.hear)
    log.hear(table.daemon.view)
    if table.cut_bytes:
        print(torn_text(table.cut_bytes, is_cut=True), flush=True)
    for name in table.stuck:
        print(f"{name} is stuck: it counts again when it has opened", flush=True)
    print("the table is ready", flush=True)


def _tell_page(port: int) -> None:
    print(f"the page for phones is ready, at port {port}", flush=True)
