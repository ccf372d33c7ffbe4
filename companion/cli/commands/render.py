"""`marrakech render`: a turn of a game record as a picture, as a person at the table sees it."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.arguments import read_record, whole_number
from companion.drawing.turn_pictures import acts_of_turn, draw_film, draw_sheet, turns_of
from companion.errors import CompanionError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", help="a game record, or - for standard input")
    parser.add_argument(
        "--turn", type=whole_number(), metavar="N", help="which turn (default: the last)"
    )
    parser.add_argument("--png", metavar="FILE", help="the moments of the turn side by side")
    parser.add_argument("--gif", metavar="FILE", help="the light as it moves")
    parser.add_argument(
        "--matrix", choices=["rgb", "mono"], default="rgb", help="which matrix (default: rgb)"
    )


def run(args: argparse.Namespace) -> int:
    if not (args.png or args.gif):
        raise CompanionError("nothing to draw: say --png FILE, --gif FILE, or both")
    record = read_record(args.record)
    turn = len(turns_of(record)) if args.turn is None else args.turn
    acts = acts_of_turn(record, turn)
    is_mono = args.matrix == "mono"
    try:
        if args.png:
            draw_sheet(acts, is_mono=is_mono).save(args.png, "PNG", optimize=True)
        if args.gif:
            (first, *rest), lasts = draw_film(acts, is_mono=is_mono)
            first.save(args.gif, "GIF", save_all=True, append_images=rest, duration=lasts, loop=0)
    except OSError as error:
        raise CompanionError(f"cannot write the picture: {error.strerror or error}") from None
    for name in filter(None, (args.png, args.gif)):
        print(f"{name}: turn {turn}, {Path(name).stat().st_size // 1024} KiB")
    return 0
