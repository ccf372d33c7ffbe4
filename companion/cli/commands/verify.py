"""`marrakech verify`: replays a game record and prints the score."""

from __future__ import annotations

import argparse

from companion.cli.arguments import read_record
from companion.cli.market_text import draw_count
from companion.errors import counted, one_line
from companion.games.marrakech import position_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a game record, or - for standard input")


def run(args: argparse.Namespace) -> int:
    record = read_record(args.file)
    final = record.final()
    turns = sum(after.is_turn_start or after.is_over for _, after, _ in record.replay())
    file = one_line(args.file)
    if final.is_over:
        print(f"{file}: right, {counted(turns, 'turn')}, the game is over.")
    else:
        print(f"{file}: right as far as it goes, {counted(turns, 'whole turn')}. So far:")
    print(*draw_count(final, record.names), sep="\n")
    if not final.is_over:
        print(f"position: {position_text(final)}")
    return 0
