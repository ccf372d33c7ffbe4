"""`marrakech bench`: speed, beside something comparable in the same run.

Machines are noisy, so the ways take turns in short rounds, and what counts are the ratios.
"""

from __future__ import annotations

import argparse
import json
import sys
from math import nan
from pathlib import Path

import companion
from companion.cli.arguments import whole_number
from companion.errors import CompanionError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=["rules", "table", "pad", "web"],
        default="rules",
        help="rules: random games of four players (the default); table: press to light, start, "
        "memory and idling of the daemon, on mocked hardware; pad: the die pad's wire, also with "
        "faults, and its real image in a simulated chip; web: press to light while the phones' "
        "page is flooded, beside the same without",
    )
    parser.add_argument("--rounds", type=whole_number(1), default=7, metavar="N", help="default: 7")
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=0.5,
        metavar="T",
        help="of each way in each round (default: 0.5)",
    )
    parser.add_argument(
        "--presses",
        type=whole_number(2),
        default=200,
        metavar="N",
        help="table, pad, web: default 200",
    )
    parser.add_argument(
        "--profile", action="store_true", help="also say where the time goes, on standard error"
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = nan
    if not 0 < seconds < 3600:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no time: use more than 0 and less than 3600 seconds"
        )
    return seconds


def run(args: argparse.Namespace) -> int:
    sys.path.append(str(_find_checkout()))
    if args.what == "rules":
        _run_rules(args)
        return 0
    if args.what == "table":
        from benchmarks.table import measure_table as measure
    elif args.what == "pad":
        from benchmarks.pad import measure_pad as measure
    else:
        from benchmarks.web import measure_web as measure
    print(json.dumps(measure(args.rounds, args.presses), indent=2))
    return 0


def _run_rules(args: argparse.Namespace) -> None:
    from benchmarks.rules import measure, profile, rules_ways

    ways = rules_ways()
    print(json.dumps(measure(ways, args.rounds, args.seconds), indent=2))
    if args.profile:
        for name, play in ways.items():
            print(f"\n{name}:\n{profile(play)}", file=sys.stderr)


def _find_checkout() -> Path:
    """The folder that has `benchmarks/`: it is not part of the installed package."""
    checkout = Path(companion.__file__).parents[1]
    if not (checkout / "benchmarks").is_dir():
        raise CompanionError("benchmarks need a checkout: run ./marrakech bench there")
    return checkout
