"""`marrakech simulate`: plays random games and prints averages."""

from __future__ import annotations

import argparse
import json
from random import Random
from typing import Any

from companion.cli.arguments import add_rules_arguments, read_setup, whole_number
from companion.cli.market_text import name_of
from companion.errors import counted
from companion.games.marrakech import Setup, Stepper, booklet_named, new_game
from companion.games.marrakech.playouts import play_out_stepper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "The score is the average over the games in which the player was not out."
    add_rules_arguments(parser, players=4)
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=1000,
        metavar="G",
        help="number of games (default: 1000)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(),
        default=0,
        metavar="S",
        help="random seed; the same seed plays the same games (default: 0)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(args: argparse.Namespace) -> int:
    setup = read_setup(args)
    result = {
        "players": args.players,
        "games": args.games,
        "seed": args.seed,
        "booklet": booklet_named(args.booklet).code,
        "options": dict(setup.options.items()),
        **simulate(setup, args.games, args.seed),
    }
    if args.json:
        print(json.dumps(result, indent=2))
        return 0
    games = counted(args.games, "random game")
    print(f"{games} of {args.players}, {result['turns']:.1f} turns each")
    print("player            wins  score*  dirhams  visible   out")
    for row in result["seats"]:
        print(
            f"{row['player']:14}{row['wins']:7.1%} {row['score']:7.2f} {row['dirhams']:8.2f}"
            f" {row['visible']:8.2f} {row['out']:6.2%}"
        )
    print("* of the games in which the player was not out")
    return 0


def simulate(setup: Setup, games: int, seed: int) -> dict[str, Any]:
    """Averages over random games.

    A win shared by n players counts 1/n. The score averages over games in which the player is not
    out.
    """
    rng = Random(seed)
    start = Stepper(new_game(setup))
    seats = range(len(setup.players))
    wins = [0.0 for _ in seats]
    out, dirhams, visible, score = ([0 for _ in seats] for _ in range(4))
    turns = 0
    for _ in range(games):
        game = start.copy()
        turns += play_out_stepper(game, rng)
        ranking = game.ranking()
        winners = sum(row.rank == 1 for row in ranking)
        for row in ranking:
            out[row.player] += row.is_out
            dirhams[row.player] += row.dirhams
            visible[row.player] += row.visible
            score[row.player] += row.score or 0
            wins[row.player] += (row.rank == 1) / winners
    state = new_game(setup)
    return {
        "turns": turns / games,
        "seats": [
            {
                "player": name_of(state, seat),
                "wins": wins[seat] / games,
                "score": score[seat] / max(1, games - out[seat]),
                "dirhams": dirhams[seat] / games,
                "visible": visible[seat] / games,
                "out": out[seat] / games,
            }
            for seat in seats
        ],
    }
