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
from typing import NoReturn, TextIO

from companion import __version__
from companion.errors import CompanionError, one_line, unknown

# command: what it does. Its module in this package has `add_arguments(parser)` and `run(args)`.
COMMANDS = {
    "play": "play on this laptop: the whole table with mocked hardware, or a scenario",
    "serve": "run the table on a Raspberry Pi",
    "status": "say how the table that runs is: whose turn, what to do, money, light, trouble",
    "press": "press buttons of the table that runs",
    "watch": "say what happens at the table that runs, a line for every change",
    "pair": "show a code that pairs a phone, here and on the matrix of the table that runs",
    "web": "serve the page for phones once more; the table that runs does so by itself",
    "doctor": "check this Pi and its table, and say what to do; or make a support file",
    "games": "list the games that were played, show one, export it, rescue a damaged one",
    "hotseat": "play a game in this terminal, everybody at one keyboard",
    "config": "print the settings in use, with what each means",
    "rules": "list the booklets, or say what one decides and what its options mean",
    "show": "draw a position: market, tribute, score, what may be done",
    "verify": "replay a game record and count it, or say where it is wrong",
    "render": "draw a turn of a game record, with the light over the market",
    "light": "light the matrix: test every LED, or show a turn of a record",
    "install": "install the table on this Raspberry Pi, as a service",
    "upgrade": "switch to this checkout's version, or back to the one before",
    "uninstall": "remove what was installed; games and settings stay",
    "firmware": "build the die pad's firmware, flash it, or watch what a pad says",
    "simulate": "play many random games and print the averages",
    "perft": "count the sequences of legal actions from a position",
    "bench": "measure speed, beside something comparable in the same run",
}
USAGE_ERROR = 2
LONGEST = 1000
"""Of what is told: an error may end in a command to be typed, with the name of a file."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line for what is wrong, one for where to look."""
        _complain(f"marrakech: {one_line(message)}\nTry '{self.prog} --help'.")
        self.exit(USAGE_ERROR)


class _Help(argparse.HelpFormatter):
    """argparse forgets that commands are indented, and gives the longest a line of its own."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = 4 + max(map(len, COMMANDS))


def _parser(command: str | None) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="marrakech",
        formatter_class=_Help,
        description="A companion for the board game Marrakech, played with the real box.",
        epilog="'marrakech COMMAND --help' says more. In a checkout, ./marrakech sets itself up, "
        "and './marrakech test' sets up and runs all tests.",
    )
    parser.add_argument("--version", action="version", version=f"marrakech {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == command:  # only what is asked for is imported
            import_module(f"companion.cli.commands.{name}").add_arguments(sub)
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
        _complain(f"marrakech: {_told(error)}")
        return USAGE_ERROR
    except BrokenPipeError:  # the reader of our output has left, as `head` does
        _drop(sys.stdout)
        return 0
    except OSError as error:  # a full disk, say
        _drop(sys.stdout)
        _complain(f"marrakech: cannot write: {error.strerror}")
        return USAGE_ERROR
    except KeyboardInterrupt:
        _complain("")
        return 130


def _told(error: CompanionError) -> str:
    """What is wrong in one line; the position, if the error has one, in a second.

    An error with `faults`, as a config may have many, has a line for each, fit to be printed.
    """
    if faults := getattr(error, "faults", ()):
        return "\nmarrakech: ".join(faults)
    message, has_position, position = str(error).rpartition("\nposition: ")
    if not has_position:
        return one_line(position, LONGEST)
    return f"{one_line(message)}\nposition: {one_line(position, most=1000)}"


def _complain(text: str) -> None:
    """To standard error; where it is closed or full, the exit code alone must tell."""
    if sys.stderr is None:  # print would take standard output instead
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def _mend_streams() -> None:
    """Closed streams are empty ones, and a sign the terminal lacks is no reason to stop."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop(stream: TextIO) -> None:
    """Whatever is still to be written goes nowhere: Python would fail once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _main(words: list[str]) -> int:
    command = next((word for word in words if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        raise CompanionError(unknown("command", command, COMMANDS))
    parser = _parser(command)
    args, left_over = parser.parse_known_args(words)
    _take_position(parser, args, left_over)
    if args.command is None:
        parser.print_help()
        return 0
    code: int = import_module(f"companion.cli.commands.{args.command}").run(args)
    return code


def _take_position(
    parser: argparse.ArgumentParser, args: argparse.Namespace, left_over: list[str]
) -> None:
    """A position may stand anywhere; argparse leaves over what comes after an option.

    Its last field is a dash where no option is set otherwise.
    """
    words = [word for word in left_over if word != "--"]
    is_position = all(word == "-" or not word.startswith("-") for word in words)
    if left_over and not (is_position and hasattr(args, "position")):
        parser.error(f"unrecognized arguments: {' '.join(left_over)}")
    elif words:
        args.position = [*args.position, *words]
