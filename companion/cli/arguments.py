"""Arguments and input that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import fill

from companion.errors import LONGEST_FILE, CompanionError, NotationError, one_line
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

WIDTH = 100
"""Columns of ordinary output."""
LARGEST = 1_000_000
"""Bytes: a game of four with long names takes a hundredth of it."""


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
        "--booklet", default="en", metavar="B", help="play by this booklet (default: en)"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set one option otherwise than the booklet; 'marrakech rules --booklet en' lists them",
    )


def options_of(args: argparse.Namespace) -> Options:
    return booklet_named(args.booklet).options.but(parse_options(args.option))


def setup_of(args: argparse.Namespace) -> Setup:
    options = options_of(args)
    return Setup(usual_players(args.players, options), options)


def position_of(texts: list[str]) -> State:
    """The position on the command line, in quotes or not; the usual start if there is none."""
    return parse_position(" ".join(texts)) if texts else new_game(Setup(usual_players(4)))


def whole_number(lowest: int | None = None) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number") from None
        if lowest is not None and number < lowest:
            raise argparse.ArgumentTypeError(f"{text} is too small: the least is {lowest}")
        return number

    return read


def fold(text: str) -> str:
    """Text in lines that a screen has room for, the further ones indented."""
    words = text.lstrip()
    indent = " " * (len(text) - len(words))
    return fill(
        words,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )


def read_record(name: str) -> Record:
    """A game record from a file, or from standard input for `-`; errors name the file."""
    try:
        return parse_record(read_text(name))
    except NotationError as error:
        raise CompanionError(f"{one_line(name, LONGEST_FILE)}: {error}") from None


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`."""
    if not name:
        raise CompanionError("no file is named")
    told = one_line(name, LONGEST_FILE)
    try:
        raw = _read_bytes(name)
    except OSError as error:
        raise CompanionError(f"cannot read {told}: {error.strerror}") from None
    if len(raw) > LARGEST:
        raise CompanionError(f"cannot read {told}: it is larger than any game record (1 MB)")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CompanionError(
            f"cannot read {told}: byte {error.start + 1} is not UTF-8 text"
        ) from None


def _read_bytes(name: str) -> bytes:
    """One byte more than the largest record at most: a device or a pipe may never end."""
    if name == "-":
        return sys.stdin.buffer.read(LARGEST + 1)
    with Path(name).open("rb") as file:
        return file.read(LARGEST + 1)
