"""`marrakech perft`: counts sequences of legal actions."""

from __future__ import annotations

import argparse

from companion.cli.arguments import read_position, whole_number
from companion.games.marrakech.perft import divide, perft


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("depth", type=whole_number(0), help="number of actions per sequence")
    parser.add_argument(
        "position",
        nargs="*",
        default=[],
        help="a position (default: the start of a four-player game)",
    )
    parser.add_argument(
        "--divide", action="store_true", help="also print the count for each first action"
    )


def run(args: argparse.Namespace) -> int:
    state = read_position(args.position)
    if args.divide and args.depth:
        for action, count in divide(state, args.depth).items():
            print(f"{action}: {count}")
    print(perft(state, args.depth))
    return 0
