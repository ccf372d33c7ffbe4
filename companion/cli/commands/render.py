"""`marrakech render`: draws a turn of a game record as PNG or GIF."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.arguments import read_record, whole_number
from companion.drawing.turn_pictures import (
    actions_by_turn,
    draw_animation,
    draw_sheet,
    scenes_of_turn,
)
from companion.errors import CompanionError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", help="a game record, or - for standard input")
    parser.add_argument(
        "--turn", type=whole_number(), metavar="N", help="turn number (default: the last)"
    )
    parser.add_argument(
        "--png", metavar="FILE", help="write the steps of the turn side by side as PNG"
    )
    parser.add_argument("--gif", metavar="FILE", help="write the turn as an animated GIF")
    parser.add_argument(
        "--matrix", choices=["rgb", "mono"], default="rgb", help="kind of matrix (default: rgb)"
    )


def run(args: argparse.Namespace) -> int:
    if not (args.png or args.gif):
        raise CompanionError("nothing to draw: give --png FILE, --gif FILE or both")
    record = read_record(args.record)
    turn = len(actions_by_turn(record)) if args.turn is None else args.turn
    acts = scenes_of_turn(record, turn)
    is_mono = args.matrix == "mono"
    try:
        if args.png:
            draw_sheet(acts, is_mono=is_mono).save(args.png, "PNG", optimize=True)
        if args.gif:
            (first, *rest), lasts = draw_animation(acts, is_mono=is_mono)
            first.save(args.gif, "GIF", save_all=True, append_images=rest, duration=lasts, loop=0)
    except OSError as error:
        raise CompanionError(f"cannot write the picture: {error.strerror or error}") from None
    for name in filter(None, (args.png, args.gif)):
        print(f"{name}: turn {turn}, {Path(name).stat().st_size // 1024} KiB")
    return 0
