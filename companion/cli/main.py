"""The command `marrakech`: reads the command line and calls the module that does the work.

Errors go to standard error in a line or two with exit code 2, never as a traceback.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from companion import __version__
from companion.errors import CompanionError, unknown

# command: what it does. Its module in this package has `add_arguments(parser)` and `run(args)`.
COMMANDS = {
    "play": "play a game in this terminal, everybody at one keyboard",
    "rules": "list the booklets, or say what one decides and what its options mean",
    "show": "draw a position: market, tribute, score, what may be done",
    "verify": "replay a game record and count it, or say where it is wrong",
    "render": "draw a turn of a game record, with the light over the market",
    "simulate": "play many random games and print the averages",
    "perft": "count the sequences of legal actions from a position",
    "bench": "measure speed, beside something comparable in the same run",
}
USAGE_ERROR = 2


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line for what is wrong, one for where to look."""
        self.exit(USAGE_ERROR, f"marrakech: {message}\nTry '{self.prog} --help'.\n")


def _parser(command: str | None) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="marrakech",
        description="A companion for the board game Marrakech, played with the real box.",
        epilog="'marrakech COMMAND --help' says more. In a checkout, ./marrakech sets itself up.",
    )
    parser.add_argument("--version", action="version", version=f"marrakech {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == command:  # only what is asked for is imported
            import_module(f"companion.cli.{name}").add_arguments(sub)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    if argv is None:
        _mend_streams()
    try:
        try:
            return _main(list(sys.argv[1:] if argv is None else argv))
        finally:  # here, where trouble is still caught; --help leaves by SystemExit
            sys.stdout.flush()
    except CompanionError as error:
        print(f"marrakech: {error}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:  # the reader of our output has left, as `head` does
        _drop_output()
        return 0
    except OSError as error:  # a full disk, say
        _drop_output()
        print(f"marrakech: cannot write: {error.strerror}", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _mend_streams() -> None:
    """Closed streams are empty ones, and a sign the terminal lacks is no reason to stop."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _main(words: list[str]) -> int:
    command = next((word for word in words if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        print(f"marrakech: {unknown('command', command, COMMANDS)}", file=sys.stderr)
        return USAGE_ERROR
    parser = _parser(command)
    args = parser.parse_args(words)
    if args.command is None:
        parser.print_help()
        return 0
    code: int = import_module(f"companion.cli.{args.command}").run(args)
    return code
