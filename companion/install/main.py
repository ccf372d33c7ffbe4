"""The commands `marrakech install`, `upgrade` and `uninstall`."""

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
from companion.install.paths import GAMES, LOCK, SETTINGS
from companion.install.removal import uninstall
from companion.install.steps import InstallError, StepRunner
from companion.machine.writable_machine import WritableMachine

COMMANDS = {
    "install": "install the table on this Raspberry Pi as a service",
    "upgrade": "switch to this checkout's version, or back to the previous one",
    "uninstall": "remove the installed table; keep games and settings",
}
FAILED = 1
USAGE_ERROR = 2


def add_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    def flag(name: str, text: str) -> None:
        parser.add_argument(name, action="store_true", help=text)

    if command == "install":
        flag("--virtual", "a service without hardware: mock pins and a virtual matrix, SIMULATED")
        parser.add_argument(
            "--shutdown-button",
            action=argparse.BooleanOptionalAction,
            help="a button between pins 5 and 6 shuts the Pi down and starts it again",
        )
    if command == "upgrade":
        flag("--back", "go back to the previous version")
    if command == "uninstall":
        flag("--games", f"remove the games as well ({GAMES})")
        flag("--purge", f"remove the games and the settings as well ({SETTINGS.parent})")
        flag("--yes", "remove games without asking")
    flag("--dry-run", "print what would be done, and change nothing")


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


def run(command: str, args: argparse.Namespace, machine: WritableMachine | None = None) -> int:
    """Run a command. Returns the exit code."""
    machine = machine or WritableMachine()
    try:
        if args.dry_run:
            return _run(command, args, machine)
        if not machine.is_root:
            _print_error(f"run 'sudo {_program()} {command}'")
            return USAGE_ERROR
        with _protected(), machine.exclusive(LOCK):
            return _run(command, args, machine)
    except InstallError as error:
        _print_error(error.report())
    except (CompanionError, OSError) as error:
        _print_error(one_line(str(error)))
    return FAILED


@contextmanager
def _protected() -> Iterator[None]:
    """Ignore SIGHUP, so that a lost connection does not stop the work halfway, and use a umask
    that lets the service read what root writes."""
    hangup_handler, mask = signal.signal(signal.SIGHUP, signal.SIG_IGN), os.umask(0o022)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, hangup_handler)
        os.umask(mask)


def _run(command: str, args: argparse.Namespace, machine: WritableMachine) -> int:
    runner = StepRunner(is_dry=args.dry_run)
    if command == "uninstall":
        without_games = args.games or args.purge
        if without_games and not (args.yes or args.dry_run):
            _ask_for_yes(machine)
        return uninstall(machine, runner, without_games=without_games, without_settings=args.purge)
    if command == "upgrade" and args.back:
        return go_back(machine, runner)
    checkout = find_checkout()
    if command == "upgrade":
        return upgrade(machine, checkout, runner)
    return install(
        machine,
        checkout,
        runner,
        is_virtual=args.virtual,
        has_shutdown_button=args.shutdown_button,
    )


def _ask_for_yes(machine: WritableMachine) -> None:
    if not machine.exists(GAMES):
        return
    if not (sys.stdin and sys.stdin.isatty()):
        raise InstallError(f"all games in {GAMES} would be removed: add --yes to confirm")
    print(f"All games in {GAMES} will be removed permanently. Type yes: ", end="", flush=True)
    if sys.stdin.readline().strip() != "yes":
        raise InstallError("nothing was removed")


def _program() -> str:
    """`./marrakech` in a checkout, `marrakech` if installed."""
    is_checkout = (Path(__file__).parents[2] / "pyproject.toml").is_file()
    return "./marrakech" if is_checkout else "marrakech"


def _print_error(text: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"marrakech: {text}", file=sys.stderr, flush=True)
