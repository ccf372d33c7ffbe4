"""`marrakech perft`: count the sequences of legal actions."""

from __future__ import annotations

import argparse

from companion.cli.arguments import position_of, whole_number
from companion.games.marrakech.perft import divide, perft


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("depth", type=whole_number(0), help="how many actions deep")
    parser.add_argument(
        "position", nargs="*", default=[], help="a position (default: four players, start)"
    )
    parser.add_argument("--divide", action="store_true", help="also the count of each first action")


def run(args: argparse.Namespace) -> int:
    state = position_of(args.position)
    if args.divide and args.depth:
        for action, count in divide(state, args.depth).items():
            print(f"{action}: {count}")
    print(perft(state, args.depth))
    return 0
