"""`marrakech show`: draws a position."""

from __future__ import annotations

import argparse

from companion.cli.arguments import fold, read_position
from companion.cli.market_text import draw_market, draw_players, has_colours, name_of
from companion.errors import listed
from companion.games.marrakech import (
    Drew,
    Lay,
    Orient,
    Phase,
    Pivot,
    State,
    legal_actions,
    square_name,
)

_LOOP_CORNERS = {"ne-sw": "north-east and south-west", "nw-se": "north-west and south-east"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "position",
        nargs="*",
        default=[],
        help="a position in one line (default: the start of a four-player game)",
    )


def run(args: argparse.Namespace) -> int:
    state = read_position(args.position)
    is_coloured = has_colours()
    # after PAY the tribute is already paid
    tribute = state.tribute_at(state.assam) if state.phase <= Phase.PAY else None
    region = tribute.region if tribute else ()
    print(*draw_market(state, marked=region, is_coloured=is_coloured), sep="\n")
    print()
    print(*draw_players(state, is_coloured=is_coloured), sep="\n")
    print()
    where = f"Assam is on {square_name(state.assam)} and faces {state.facing.name.lower()}."
    print(f"{where} The three-quarter loops are {_LOOP_CORNERS[state.setup.options.loops]}.")
    if tribute:
        squares = " ".join(map(square_name, tribute.region))
        owner = name_of(state, tribute.owner)
        verb = "owes" if state.phase is Phase.PAY else "would owe"
        payer = name_of(state, tribute.payer)
        print(fold(f"Here {payer} {verb} {owner} {tribute.due}: {squares}."))
    print(fold(_legal_actions_text(state)))
    return 0


def _legal_actions_text(state: State) -> str:
    if state.is_over:
        best = [name_of(state, row.player) for row in state.ranking() if row.rank == 1]
        return f"The game is over. Won by {listed(best, 'and')}."
    who, legal = name_of(state, state.mover), legal_actions(state)
    if state.phase in (Phase.ROLL, Phase.PAY):
        return f"{who} is to {state.phase.label}."
    if state.phase is Phase.DRAW:
        colours = [action.colour.label for action in legal if isinstance(action, Drew)]
        return f"{state.setup.label(state.mover)} is to draw {listed(colours)}."
    if state.phase is Phase.LAY:
        places = [str(action.placement) for action in legal if isinstance(action, Lay)]
        if not places:
            return f"{who} can lay nowhere: the rug goes back to the box."
        return f"{who} may lay: {', '.join(places)}."
    ways = [a.facing.name.lower() for a in legal if isinstance(a, Orient | Pivot)]
    doing = "face" if state.phase is Phase.ORIENT else "turn Assam"
    return f"{who} may {doing} {listed(ways)}."
