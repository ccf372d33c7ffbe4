"""Arguments and input that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from companion.errors import CompanionError, NotationError
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


def add_rules_arguments(parser: argparse.ArgumentParser, *, players: int | None = None) -> None:
    if players is not None:
        parser.add_argument(
            "--players", type=int, default=players, metavar="N", help="2, 3 or 4 (default: 4)"
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


def whole_number(lowest: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text)
        if number < lowest:
            raise argparse.ArgumentTypeError(f"{text} is too small: the least is {lowest}")
        return number

    read.__name__ = "whole number"  # argparse says: invalid whole number value
    return read


def read_record(name: str) -> Record:
    """A game record from a file, or from standard input for `-`; errors name the file."""
    try:
        return parse_record(read_text(name))
    except NotationError as error:
        raise CompanionError(f"{name}: {error}") from None


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise CompanionError(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise CompanionError(
            f"cannot read {name}: byte {error.start + 1} is not UTF-8 text"
        ) from None
