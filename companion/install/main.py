"""`marrakech install`, `upgrade` and `uninstall`: the command line, and who may use it."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.errors import CompanionError, one_line
from companion.install.checkout import find_checkout
from companion.install.installation import go_back, install, upgrade
from companion.install.machine import System
from companion.install.places import GAMES, SETTINGS
from companion.install.removal import uninstall
from companion.install.steps import InstallError, StepRunner

COMMANDS = {
    "install": "install the table on this Raspberry Pi, as a service",
    "upgrade": "switch to this checkout's version, or back to the one before",
    "uninstall": "remove what was installed; games and settings stay",
}
FAILED = 1
USAGE_ERROR = 2


def add_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    def flag(name: str, text: str) -> None:
        parser.add_argument(name, action="store_true", help=text)

    if command == "install":
        flag("--virtual", "a service without hardware: mock pins and a matrix, SIMULATED")
    if command == "upgrade":
        flag("--back", "go back to the version before")
    if command == "uninstall":
        flag("--games", f"remove the games as well ({GAMES})")
        flag("--purge", f"remove the games and the settings as well ({SETTINGS.parent})")
        flag("--yes", "remove games without asking")
    flag("--dry-run", "say what would be done, and change nothing")


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="marrakech")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        about = text[0].upper() + text[1:] + "."
        add_arguments(commands.add_parser(name, help=text, description=about), name)
    args = parser.parse_args(words)
    try:
        return run(args.command, args)
    except KeyboardInterrupt:
        return 130


def run(command: str, args: argparse.Namespace, system: System | None = None) -> int:
    """Do it on this machine. The exit code."""
    system = system or System()
    try:
        if args.dry_run:
            return _run(command, args, system)
        if not system.is_root:
            _complain(f"run 'sudo {_started_as()} {command}'")
            return USAGE_ERROR
        with _undisturbed(), system.alone():
            return _run(command, args, system)
    except InstallError as error:
        _complain(error.told())
    except (CompanionError, OSError) as error:
        _complain(one_line(str(error)))
    return FAILED


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A connection to the Pi that breaks leaves nothing half-way; and what root writes, the
    service can read, whatever root's habits."""
    hang_up, mask = signal.signal(signal.SIGHUP, signal.SIG_IGN), os.umask(0o022)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, hang_up)
        os.umask(mask)


def _run(command: str, args: argparse.Namespace, system: System) -> int:
    workman = StepRunner(is_dry=args.dry_run)
    if command == "uninstall":
        without_games = args.games or args.purge
        if without_games and not (args.yes or args.dry_run):
            _ask_for_yes(system)
        return uninstall(system, workman, without_games=without_games, without_settings=args.purge)
    if command == "upgrade" and args.back:
        return go_back(system, workman)
    checkout = find_checkout()
    if command == "upgrade":
        return upgrade(system, checkout, workman)
    return install(system, checkout, workman, is_virtual=args.virtual)


def _ask_for_yes(system: System) -> None:
    if not system.exists(GAMES):
        return
    if not (sys.stdin and sys.stdin.isatty()):
        raise InstallError(f"all games in {GAMES} would be removed: add --yes if that is meant")
    print(f"All games in {GAMES} will be removed, for good. Type yes: ", end="", flush=True)
    if sys.stdin.readline().strip() != "yes":
        raise InstallError("nothing was removed")


def _started_as() -> str:
    """As it was typed: `./marrakech` in a checkout, `marrakech` once it is installed."""
    is_checkout = (Path(__file__).parents[2] / "pyproject.toml").is_file()
    return "./marrakech" if is_checkout else "marrakech"


def _complain(text: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"marrakech: {text}", file=sys.stderr, flush=True)
