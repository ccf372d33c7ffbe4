"""`marrakech show`: draw a position."""

from __future__ import annotations

import argparse

from companion.cli.common import position_of
from companion.cli.drawing import draw_market, draw_players, has_colours, name_of
from companion.games.marrakech import Phase, State, legal_actions, square_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "position",
        nargs="*",
        default=[],
        help="a position in one line (default: four players, start)",
    )


def run(args: argparse.Namespace) -> int:
    state = position_of(args.position)
    is_coloured = has_colours()
    # afterwards it is paid already
    tribute = state.tribute_at(state.assam) if state.phase <= Phase.PAY else None
    region = tribute.region if tribute else ()
    print(*draw_market(state, marked=region, is_coloured=is_coloured), sep="\n")
    print()
    print(*draw_players(state, is_coloured=is_coloured), sep="\n")
    print()
    where = f"Assam is on {square_name(state.assam)} and faces {state.facing.name.lower()}."
    print(f"{where} The big loops are at {state.setup.options.loops}.")
    if tribute:
        squares = " ".join(map(square_name, tribute.region))
        owner = name_of(state, tribute.owner)
        verb = "owes" if state.phase is Phase.PAY else "would owe"
        payer = name_of(state, tribute.payer)
        print(f"Here {payer} {verb} {owner} {tribute.due}: {squares}.")
    print(_what_now(state))
    return 0


def _what_now(state: State) -> str:
    if state.is_over:
        best = [name_of(state, row.player) for row in state.ranking() if row.rank == 1]
        return f"The game is over. Won by {' and '.join(best)}."
    if state.phase is Phase.PAY:
        return f"{name_of(state, state.mover)} is to pay."
    may = ", ".join(str(action).removeprefix("lay ") for action in legal_actions(state))
    doing = "lay" if state.phase is Phase.LAY and "return" not in may else state.phase.label
    return f"{name_of(state, state.mover)} may {doing}: {may}."
