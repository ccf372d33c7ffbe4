"""`marrakech serve`: runs the table on a Raspberry Pi until a signal stops it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.adapters.hardware import Hardware, PiHardware, VirtualHardware
from companion.config.file import load_config
from companion.daemon.service import run_service
from companion.daemon.wiring import Table
from companion.errors import CompanionError

DEVICES = Path("/dev")
SIMULATED = "SIMULATED: mock pins and a virtual matrix; no hardware is used"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="config file (default: the first marrakech.toml found)",
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="folder of the games (default: from the config)"
    )
    parser.add_argument(
        "--virtual",
        action="store_true",
        help="use mock pins and a virtual matrix instead of hardware",
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
    run_service(config, hardware, folder, on_opened=_on_opened, on_page_opened=_on_page_opened)
    return 0


def games_folder(folder: Path, hardware: Hardware) -> Path:
    """Simulated games have their own folder."""
    return folder / "simulated" if hardware.is_simulated else folder


def check_gpio(devices: Path) -> None:
    if not any(devices.glob("gpiochip*")):
        raise CompanionError("this machine has no GPIO: on a laptop use 'marrakech play'")


def _on_opened(table: Table) -> None:
    # Imported here to light the matrix earlier.
    from companion import logs
    from companion.daemon.trouble_log import TroubleLog
    from companion.storage.journal_reader import describe_torn_tail

    logs.configure()
    log = TroubleLog()
    table.controller.watch(log.handle_view)
    log.handle_view(table.controller.view)
    if table.torn_bytes:
        print(describe_torn_tail(table.torn_bytes, is_removed=True), flush=True)
    if table.pins_description:
        print(table.pins_description, flush=True)
    for name in table.stuck_contacts:
        print(f"{name} is stuck: ignored until it is released", flush=True)
    print("the table is ready", flush=True)


def _on_page_opened(port: int) -> None:
    print(f"the page for phones is ready on port {port}", flush=True)
