"""`marrakech bench`: measures speed relative to a reference in the same run.

The candidates take turns in short rounds, and the ratios are what counts: absolute times are noisy.
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
        help="rules: random four-player games (the default); table: press-to-light latency, start "
        "time, memory and idle load of the daemon on simulated hardware; pad: the die pad's "
        "serial link, with and without faults, and its firmware image in a simulated chip; web: "
        "press-to-light latency with and without a flood of requests to the page for phones",
    )
    parser.add_argument(
        "--rounds",
        type=whole_number(1),
        default=7,
        metavar="N",
        help="number of rounds (default: 7)",
    )
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=0.5,
        metavar="T",
        help="seconds per candidate and round (default: 0.5)",
    )
    parser.add_argument(
        "--presses",
        type=whole_number(2),
        default=200,
        metavar="N",
        help="number of presses for table, pad and web (default: 200)",
    )
    parser.add_argument(
        "--profile", action="store_true", help="also print a profile to standard error"
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = nan
    if not 0 < seconds < 3600:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a duration: use more than 0 and less than 3600 seconds"
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
    from benchmarks.rules import measure, profile, rules_implementations

    ways = rules_implementations()
    print(json.dumps(measure(ways, args.rounds, args.seconds), indent=2))
    if args.profile:
        for name, play in ways.items():
            print(f"\n{name}:\n{profile(play)}", file=sys.stderr)


def _find_checkout() -> Path:
    """The folder with `benchmarks/`, which is not part of the installed package."""
    checkout = Path(companion.__file__).parents[1]
    if not (checkout / "benchmarks").is_dir():
        raise CompanionError("benchmarks need a checkout: run ./marrakech bench there")
    return checkout
