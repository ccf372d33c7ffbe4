"""`marrakech bench`: speed, beside something comparable in the same run.

Machines are noisy, so the ways take turns in short rounds, and what counts are the ratios.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import json
import platform
import pstats
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from math import nan
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from types import ModuleType

from companion.cli.common import whole_number
from companion.errors import CompanionError
from companion.games.marrakech import DIE, Setup, State, Stepper, new_game, usual_players
from companion.playouts import play_out, step_out

_REFERENCE = Path(__file__).parents[2] / "tests" / "reference.py"


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
    if args.what == "table":
        from companion.bench.table import measure_table

        print(json.dumps(measure_table(args.rounds, args.presses), indent=2))
        return 0
    if args.what == "pad":
        from companion.bench.pad import measure_pad

        print(json.dumps(measure_pad(args.rounds, args.presses), indent=2))
        return 0
    if args.what == "web":
        from companion.bench.web import measure_web

        print(json.dumps(measure_web(args.rounds, args.presses), indent=2))
        return 0
    ways = rules_ways()
    print(json.dumps(measure(ways, args.rounds, args.seconds), indent=2))
    if args.profile:
        for name, play in ways.items():
            print(f"\n{name}:\n{profile(play)}", file=sys.stderr)
    return 0


def rules_ways() -> dict[str, Callable[[], object]]:
    """The three ways to play one uniformly random game of four players."""
    start = new_game(Setup(usual_players(4)))
    stepper = Stepper(start)
    chance = Random(1)
    reference = _load_reference()
    return {
        "public_api": lambda: play_out(start, chance),
        "stepping": lambda: step_out(stepper.copy(), chance),
        "reference": lambda: _play_reference(reference, start, chance),
    }


def _load_reference() -> ModuleType:
    spec = spec_from_file_location("reference", _REFERENCE)
    if spec is None or spec.loader is None or not _REFERENCE.exists():
        raise CompanionError(
            "the slow reference is not here: run the benchmark from a checkout, ./marrakech bench"
        )
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _play_reference(reference: ModuleType, start: State, chance: Random) -> None:
    game = reference.Game([[c.label for c in colours] for colours in start.setup.players])
    while legal := game.legal():
        roll = ("roll", DIE[int(chance.random() * 6)])
        game.apply(roll if game.phase == "roll" else legal[int(chance.random() * len(legal))])


def measure(
    ways: dict[str, Callable[[], object]], rounds: int, seconds: float
) -> dict[str, object]:
    """Games a second of each way, the median over rounds, and how they compare."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for play in ways.values():
        _rate(play, min(seconds, 0.2))  # fill the tables first
    for _ in range(rounds):
        for name, play in ways.items():
            rates[name].append(_rate(play, seconds))
    typical = {name: median(found) for name, found in rates.items()}
    return {
        "bench": "rules: uniformly random games of four players",
        "games_per_s": {name: round(rate, 1) for name, rate in typical.items()},
        "best_games_per_s": {name: round(max(found), 1) for name, found in rates.items()},
        "times_reference": {
            name: round(rate / typical["reference"], 1) for name, rate in typical.items()
        },
        "stepping_times_public_api": round(typical["stepping"] / typical["public_api"], 2),
        "rounds": rounds,
        "seconds_each": seconds,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def _rate(play: Callable[[], object], seconds: float) -> float:
    played, began = 0, perf_counter()
    while (spent := perf_counter() - began) < seconds or not played:
        play()
        played += 1
    return played / spent


def profile(play: Callable[[], object], games: int = 100) -> str:
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(games):
        play()
    profiler.disable()
    text = io.StringIO()
    pstats.Stats(profiler, stream=text).strip_dirs().sort_stats("tottime").print_stats(10)
    return text.getvalue().strip()
