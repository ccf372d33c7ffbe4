"""`marrakech serve`: runs the table on a Raspberry Pi until a signal stops it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from companion import __version__
from companion.adapters.hardware import Hardware, PiHardware, VirtualHardware
from companion.config.file import load_config
from companion.daemon.service import run_service
from companion.daemon.wiring import Table, lock_folder
from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.storage.log_file import LogQueue

DEVICES = Path("/dev")
MAX_FAILURE_LINES = 60
"""Of a traceback, in the log."""
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
    folder: Path | None = args.folder
    try:
        config, _ = load_config(args.config, environ=os.environ, cwd=Path.cwd())
        hardware: Hardware
        if args.virtual:
            print(SIMULATED, flush=True)
            hardware = VirtualHardware(config)
        else:
            check_gpio(DEVICES)
            hardware = PiHardware()
        folder = folder or games_folder(config.journal_folder(os.environ), hardware)
        with closing(ServiceReport(folder)) as report:
            run_service(
                config,
                hardware,
                folder,
                on_opened=report.table_opened,
                on_page_opened=report.page_opened,
            )
            report.stopped()
    except Exception as error:
        if folder is not None and folder.is_dir():
            _log_failure(folder, error)
        raise
    return 0


def games_folder(folder: Path, hardware: Hardware) -> Path:
    """Simulated games have their own folder."""
    return folder / "simulated" if hardware.is_simulated else folder


def check_gpio(devices: Path) -> None:
    if not any(devices.glob("gpiochip*")):
        raise CompanionError("this machine has no GPIO: on a laptop use 'marrakech play'")


def _print(text: str) -> None:
    print(text, flush=True)


def _on_opened(table: Table, say: Callable[[str], None] = _print) -> None:
    from companion import logs
    from companion.daemon.trouble_log import TroubleLog
    from companion.storage.journal_reader import describe_torn_tail

    logs.configure()
    log = TroubleLog()
    table.controller.watch(log.handle_view)
    log.handle_view(table.controller.view)
    if table.torn_bytes:
        say(describe_torn_tail(table.torn_bytes, is_removed=True))
    if table.pins_description:
        say(table.pins_description)
    for name in table.stuck_contacts:
        say(f"{name} is stuck: ignored until it is released")
    say("the table is ready")


class ServiceReport:
    """Prints what happens, and opens the log beside the games once the matrix is lit."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log: LogQueue | None = None

    def table_opened(self, table: Table) -> None:
        # Imported here to light the matrix earlier.
        import logging

        from companion import logs
        from companion.storage.log_file import LogFile, LogQueue

        self._log = LogQueue(LogFile(self._folder), __version__)
        logging.getLogger(logs.ROOT).addHandler(self._log)
        _on_opened(table, self._say)

    def page_opened(self, port: int) -> None:
        self._say(f"the page for phones is ready on port {port}")

    def stopped(self) -> None:
        from companion.storage.log_file import STOPPED

        if self._log is not None:
            self._log.note(STOPPED)

    def close(self) -> None:
        if self._log is not None:
            import logging

            from companion import logs

            logging.getLogger(logs.ROOT).removeHandler(self._log)
            self._log.close()

    def _say(self, text: str) -> None:
        _print(text)
        if self._log is not None:
            self._log.note(text)


def _log_failure(folder: Path, error: Exception) -> None:
    """Write why the table has stopped, or does not start, to the log beside the games."""
    import traceback

    from companion.storage.log_file import LogFile

    try:
        lock = lock_folder(folder)
    except CompanionError:  # another table writes this log, or nobody can
        return
    if isinstance(error, CompanionError):
        lines = [*getattr(error, "faults", ())] or [str(error)]
    else:
        lines = "".join(traceback.format_exception(error)).splitlines()
    with closing(LogFile(folder)) as file:
        file.write_failure(lines[-MAX_FAILURE_LINES:])
    os.close(lock)
