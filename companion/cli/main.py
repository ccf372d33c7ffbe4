"""The `marrakech` program: parses the command line and runs one command.

Errors are printed to standard error in one or two lines, with exit code 2 and no traceback.
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

# Command name to help text, in the order of `marrakech --help`.
COMMANDS = {
    "play": "play on this computer with simulated hardware, or run a scenario file",
    "serve": "run the table on a Raspberry Pi",
    "status": "show the running table's state: turn, prompt, money, LEDs, problems",
    "press": "press buttons of the running table",
    "watch": "print a line for every change at the running table",
    "pair": "show a code to pair a phone with the running table",
    "web": "serve an additional page for phones; 'serve' and 'play' already start one",
    "doctor": "check this Pi and its hardware, or write a support file",
    "games": "list played games; show, export or rescue one",
    "hotseat": "play in this terminal, all players at one keyboard",
    "config": "print the settings in use, with explanations",
    "rules": "list the rule booklets, or explain the rules and options of one",
    "show": "draw a position: market, tribute, scores, legal actions",
    "verify": "replay a game record and print the score, or where it is wrong",
    "render": "draw a turn of a game record as PNG or GIF, with the LEDs",
    "light": "test every LED of the matrix, or show a turn of a record on it",
    "install": "install the table on this Raspberry Pi as a service",
    "upgrade": "switch to this checkout's version, or back to the previous one",
    "uninstall": "remove the installation; games and settings stay",
    "firmware": "build or flash the die pad's firmware, or monitor a pad",
    "simulate": "play many random games and print averages",
    "perft": "count sequences of legal actions from a position",
    "bench": "measure speed, relative to a reference in the same run",
}
SYSTEM_COMMANDS = ("install", "upgrade", "uninstall")
"""Implemented in `companion.install`, which must also run without the installed package."""
USAGE_ERROR = 2
MAX_ERROR_LENGTH = 1000
"""Long enough for a message that ends in a command to type, with a file name."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        _print_error(f"marrakech: {one_line(message)}\nTry '{self.prog} --help'.")
        self.exit(USAGE_ERROR)


class _HelpFormatter(argparse.HelpFormatter):
    """Keeps every command and its help on one line.

    argparse ignores the commands' indentation when it computes the width of their column.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = 4 + max(map(len, COMMANDS))


def _parser(command: str | None) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="marrakech",
        formatter_class=_HelpFormatter,
        description="A companion for the board game Marrakech, played with the real box.",
        epilog="'marrakech COMMAND --help' explains a command. In a checkout, ./marrakech sets "
        "itself up, and './marrakech test' sets up and runs all tests.",
    )
    parser.add_argument("--version", action="version", version=f"marrakech {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == command:  # import the modules of this command only
            add_arguments(sub, name)
    return parser


def add_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    """Add the arguments and options of one command."""
    if command in SYSTEM_COMMANDS:
        from companion.install import main as system_commands

        system_commands.add_arguments(parser, command)
    else:
        import_module(f"companion.cli.commands.{command}").add_arguments(parser)


def _run(args: argparse.Namespace) -> int:
    if args.command in SYSTEM_COMMANDS:
        from companion.install import main as system_commands

        return system_commands.run(args.command, args)
    code: int = import_module(f"companion.cli.commands.{args.command}").run(args)
    return code


def main(argv: Sequence[str] | None = None) -> int:
    if argv is None:
        _replace_closed_streams()
    try:
        try:
            return _main(list(sys.argv[1:] if argv is None else argv))
        finally:  # flush where errors are still caught; --help raises SystemExit
            sys.stdout.flush()
    except CompanionError as error:
        _print_error(f"marrakech: {_error_text(error)}")
        return USAGE_ERROR
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        _discard(sys.stdout)
        return 0
    except OSError as error:  # such as a full disk
        _discard(sys.stdout)
        _print_error(f"marrakech: cannot write: {error.strerror}")
        return USAGE_ERROR
    except KeyboardInterrupt:
        _print_error("")
        return 130


def _error_text(error: CompanionError) -> str:
    """One line for the message, and a second one for the position if the error has one.

    An error with `faults` (a config file can have many) gets one line per fault.
    """
    if faults := getattr(error, "faults", ()):
        return "\nmarrakech: ".join(faults)
    message, has_position, position = str(error).rpartition("\nposition: ")
    if not has_position:
        return one_line(position, MAX_ERROR_LENGTH)
    return f"{one_line(message)}\nposition: {one_line(position, max_length=1000)}"


def _print_error(text: str) -> None:
    """Print to standard error. If that is closed or full, only the exit code reports the error."""
    if sys.stderr is None:  # print() would fall back to standard output
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def _replace_closed_streams() -> None:
    """Open /dev/null for closed streams, and replace characters the terminal cannot encode."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _discard(stream: TextIO) -> None:
    """Redirect a stream to /dev/null, so that Python's flush at exit does not fail again."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def _main(words: list[str]) -> int:
    command = next((word for word in words if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        raise CompanionError(unknown("command", command, COMMANDS))
    parser = _parser(command)
    args, unparsed = parser.parse_known_args(words)
    _add_to_position(parser, args, unparsed)
    if args.command is None:
        parser.print_help()
        return 0
    return _run(args)


def _add_to_position(
    parser: argparse.ArgumentParser, args: argparse.Namespace, unparsed: list[str]
) -> None:
    """Append words that argparse did not parse to the position, or reject them.

    argparse does not parse positional words after an option. The last field of a position may be
    a single dash.
    """
    words = [word for word in unparsed if word != "--"]
    is_position = all(word == "-" or not word.startswith("-") for word in words)
    if unparsed and not (is_position and hasattr(args, "position")):
        parser.error(f"unrecognized arguments: {' '.join(unparsed)}")
    elif words:
        args.position = [*args.position, *words]
