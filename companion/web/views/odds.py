"""The odds before a roll: where each direction leads, and what it costs on average.

Exact, by the faces of the wooden die. Tribute is what is due, as everywhere: a purse that is too
small for it is marked. In the order that pivots last, Assam goes the way he faces; while he is
turned for the next player, the odds are that player's.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

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

Plain = dict[str, Any]


def odds_of(position: str) -> Plain | None:
    """By direction, for the position of this text; None where no roll is ahead."""
    try:
        state = parse_position(position)
    except CompanionError:
        return None  # the table is shown without them
    ahead = _before_roll(state)
    if ahead is None:
        return None
    return {facing.name.lower(): _direction(ahead, facing) for facing in _directions(state)}


def _before_roll(state: State) -> State | None:
    """The position as whoever rolls next sees it."""
    match state.phase:
        case Phase.ORIENT | Phase.ROLL:
            return state
        case Phase.PIVOT:
            mover = next_mover(state.setup, state.mover, state.left, state.out)
            return None if mover is None else state._replace(mover=mover)
    return None


def _directions(state: State) -> list[Facing]:
    """Those that may still be chosen, in the order of the compass."""
    turns = [one for one in legal_actions(state) if isinstance(one, Orient | Pivot)]
    return sorted(one.facing for one in turns) or [state.facing]


def _direction(state: State, facing: Facing) -> Plain:
    rows = [_row(state, facing, pips) for pips in PIPS]
    due = {row["pips"]: row["dirhams"] for row in rows}
    expected = Fraction(sum(due[pips] for pips in DIE), len(DIE))
    return {
        "payer": state.mover,
        "pips": rows,
        "expected": str(expected),
        "expected_number": float(expected),
    }


def _row(state: State, facing: Facing, pips: int) -> Plain:
    """`faces` of the die show it; `owner` is the colour that is paid for, and `short` says that the
    purse is too small."""
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
