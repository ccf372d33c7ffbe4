"""The odds before a roll: where each direction leads, and the average tribute.

The values are exact, by the faces of the wooden die. Tribute is the amount due, also if the player
has less money; that is marked. By rules that turn Assam at the end of a turn, the direction is
fixed at the roll; while Assam is turned for the next player, the odds are that player's.
"""

from __future__ import annotations

from fractions import Fraction

from companion.errors import CompanionError
from companion.games.marrakech import (
    DIE,
    PIPS,
    Facing,
    Orient,
    Phase,
    Pivot,
    State,
    legal_actions,
    parse_position,
    square_name,
)
from companion.games.marrakech.rules import next_mover
from companion.json_types import JsonObject


def odds_of(position: str) -> JsonObject | None:
    """Odds by direction for a position text; None if no roll comes next."""
    try:
        state = parse_position(position)
    except CompanionError:
        return None
    ahead = _before_roll(state)
    if ahead is None:
        return None
    return {facing.name.lower(): _direction(ahead, facing) for facing in _directions(state)}


def _before_roll(state: State) -> State | None:
    """The position with the player who rolls next as the mover."""
    match state.phase:
        case Phase.ORIENT | Phase.ROLL:
            return state
        case Phase.PIVOT:
            mover = next_mover(state.setup, state.mover, state.left, state.out)
            return None if mover is None else state._replace(mover=mover)
    return None


def _directions(state: State) -> list[Facing]:
    """The directions that may still be chosen, in compass order."""
    turns = [one for one in legal_actions(state) if isinstance(one, Orient | Pivot)]
    return sorted(one.facing for one in turns) or [state.facing]


def _direction(state: State, facing: Facing) -> JsonObject:
    rows = [_row(state, facing, pips) for pips in PIPS]
    due = {row["pips"]: row["dirhams"] for row in rows}
    expected = Fraction(sum(due[pips] for pips in DIE), len(DIE))
    return {
        "payer": state.mover,
        "pips": rows,
        "expected": str(expected),
        "expected_number": float(expected),
    }


def _row(state: State, facing: Facing, pips: int) -> JsonObject:
    """`faces`: how many faces show these pips. `owner`: the colour that is paid. `short`: the mover
    has less than that."""
    path = state.setup.paths[state.assam * 4 + facing][pips]
    tribute = state.tribute_at(path[-1].square)
    return {
        "pips": pips,
        "faces": DIE.count(pips),
        "square": square_name(path[-1].square),
        "owner": None if tribute is None else tribute.colour.label,
        "dirhams": 0 if tribute is None else tribute.due,
        "short": tribute is not None and tribute.due > state.dirhams[tribute.payer],
    }
