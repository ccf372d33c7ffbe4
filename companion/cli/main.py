"""The command `marrakech`: reads the command line and calls the module that does the work.

Errors go to standard error in a line or two with exit code 2, never as a traceback.
"""

from __future__ import annotations

import argparse
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
    "rules": "what a booklet decides, and what each option means",
    "show": "draw a position: market, tribute, score, what may be done",
    "verify": "replay a game record and count it, or say where it is wrong",
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
    words = list(sys.argv[1:] if argv is None else argv)
    command = next((word for word in words if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        print(f"marrakech: {unknown('command', command, COMMANDS)}", file=sys.stderr)
        return USAGE_ERROR
    parser = _parser(command)
    args = parser.parse_args(words)
    if args.command is None:
        parser.print_help()
        return 0
    try:
        code: int = import_module(f"companion.cli.{args.command}").run(args)
        sys.stdout.flush()
        return code
    except CompanionError as error:
        print(f"marrakech: {error}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:  # the reader of our output has left, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
