"""`marrakech bench rules`: random games with the public API, the stepper and the slow reference.

They take turns in short rounds, and the result is their ratio, because machines are noisy.
"""

from __future__ import annotations

import cProfile
import io
import platform
import pstats
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from types import ModuleType

from companion.games.marrakech import DIE, Setup, State, Stepper, new_game, usual_players
from companion.games.marrakech.playouts import play_out, play_out_stepper

_REFERENCE = Path(__file__).parents[1] / "tests/helpers/rules/reference_rules.py"


def rules_implementations() -> dict[str, Callable[[], object]]:
    """Functions that play one uniformly random game of four players, by implementation."""
    start = new_game(Setup(usual_players(4)))
    stepper = Stepper(start)
    rng = Random(1)
    reference = _load_reference()
    return {
        "public_api": lambda: play_out(start, rng),
        "stepping": lambda: play_out_stepper(stepper.copy(), rng),
        "reference": lambda: _play_reference(reference, start, rng),
    }


def _load_reference() -> ModuleType:
    spec = spec_from_file_location("reference", _REFERENCE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _play_reference(reference: ModuleType, start: State, rng: Random) -> None:
    game = reference.Game([[c.label for c in colours] for colours in start.setup.players])
    while legal := game.legal():
        roll = ("roll", DIE[int(rng.random() * 6)])
        game.apply(roll if game.phase == "roll" else legal[int(rng.random() * len(legal))])


def measure(
    implementations: dict[str, Callable[[], object]], rounds: int, seconds: float
) -> dict[str, object]:
    """Games per second of each implementation, the median over rounds, and their ratios."""
    rates: dict[str, list[float]] = {name: [] for name in implementations}
    for play in implementations.values():
        _rate(play, min(seconds, 0.2))  # warm up: fill the tables
    for _ in range(rounds):
        for name, play in implementations.items():
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
    played, start = 0, perf_counter()
    while (spent := perf_counter() - start) < seconds or not played:
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
