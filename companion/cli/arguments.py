"""Command-line arguments and input files that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import fill

from companion.errors import MAX_FILE_NAME_LENGTH, CompanionError, NotationError, one_line
from companion.games.marrakech import (
    Options,
    Record,
    Setup,
    State,
    booklet_named,
    new_game,
    parse_position,
    parse_record,
    usual_players,
)
from companion.games.marrakech.options import parse_options

OUTPUT_WIDTH = 100
"""Columns."""
MAX_RECORD_BYTES = 1_000_000
"""About 100 times the size of a four-player game with long names."""


def add_rules_arguments(parser: argparse.ArgumentParser, *, players: int | None = None) -> None:
    if players is not None:
        parser.add_argument(
            "--players",
            type=whole_number(),
            default=players,
            metavar="N",
            help="2, 3 or 4 (default: 4)",
        )
    parser.add_argument(
        "--booklet", default="en", metavar="B", help="rule booklet to play by (default: en)"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="override one option of the booklet; 'marrakech rules --booklet en' lists them",
    )


def read_options(args: argparse.Namespace) -> Options:
    return booklet_named(args.booklet).options.with_changes(parse_options(args.option))


def read_setup(args: argparse.Namespace) -> Setup:
    options = read_options(args)
    return Setup(usual_players(args.players, options), options)


def read_position(words: list[str]) -> State:
    """Parse a position from one or more words; without words, the start of a four-player game."""
    return parse_position(" ".join(words)) if words else new_game(Setup(usual_players(4)))


def whole_number(minimum: int | None = None) -> Callable[[str], int]:
    """Make an argparse type for integers of at least `minimum`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from None
        if minimum is not None and number < minimum:
            raise argparse.ArgumentTypeError(f"{text} is too small: the minimum is {minimum}")
        return number

    return read


def fold(text: str) -> str:
    """Wrap text at `OUTPUT_WIDTH` columns and indent the continuation lines."""
    words = text.lstrip()
    indent = " " * (len(text) - len(words))
    return fill(
        words,
        OUTPUT_WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )


def read_record(name: str) -> Record:
    """Parse a game record from a file, or from standard input for `-`. Errors name the file."""
    try:
        return parse_record(read_text(name))
    except NotationError as error:
        raise CompanionError(f"{one_line(name, MAX_FILE_NAME_LENGTH)}: {error}") from None


def read_text(name: str) -> str:
    """Read a text file, or standard input for `-`."""
    if not name:
        raise CompanionError("the file name is empty")
    shown_name = one_line(name, MAX_FILE_NAME_LENGTH)
    try:
        raw = _read_bytes(name)
    except OSError as error:
        raise CompanionError(f"cannot read {shown_name}: {error.strerror}") from None
    if len(raw) > MAX_RECORD_BYTES:
        raise CompanionError(f"cannot read {shown_name}: larger than any game record (1 MB)")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CompanionError(
            f"cannot read {shown_name}: byte {error.start + 1} is not UTF-8 text"
        ) from None


def _read_bytes(name: str) -> bytes:
    """Read at most one byte more than the limit, because a device or a pipe may never end."""
    if name == "-":
        return sys.stdin.buffer.read(MAX_RECORD_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(MAX_RECORD_BYTES + 1)
