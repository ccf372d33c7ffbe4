"""The rules of a turn: which actions are legal in a position, and what they do.

`legal_actions` is the only source of what is legal; `apply` checks against it. Both use the table
of phases at the end of this file:

    classic      ORIENT -> ROLL -> [PAY] -> [DRAW] -> LAY -> the next player's ORIENT
    pivot-last   ROLL -> [PAY] -> [DRAW] -> LAY -> PIVOT -> the next player's ROLL

PAY occurs only if tribute is due, DRAW only if the next rug of a shuffled pile may have either of
two colours. OVER follows when the last rug is laid or only one player is left. Nothing here rolls,
sleeps, logs or reads a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.errors import IllegalActionError
from companion.games.marrakech.actions import (
    Action,
    Drew,
    Lay,
    Orient,
    Pay,
    Pivot,
    ReturnRug,
    Rolled,
)
from companion.games.marrakech.events import (
    Drawn,
    Ended,
    Event,
    Laid,
    Oriented,
    Paid,
    Pivoted,
    Returned,
    Walked,
    WentOut,
)
from companion.games.marrakech.laying import blocked, open_placements
from companion.games.marrakech.market import (
    BESIDE_BITS,
    FACINGS,
    PIPS,
    squares_of,
)
from companion.games.marrakech.rug import RUGS, Colour
from companion.games.marrakech.setup import Setup
from companion.games.marrakech.state import Phase, State
from companion.games.marrakech.text.notation import position_text

ORIENT, ROLL, PAY, DRAW, LAY, PIVOT, OVER = Phase
Outcome = tuple[State, tuple[Event, ...]]


def legal_actions(state: State) -> tuple[Action, ...]:
    """All legal actions. Empty only if the game is over."""
    return _PHASES[state.phase].legal(state)


def apply(state: State, action: Action) -> Outcome:
    """The position after an action, and its events. Refuses actions that are not legal."""
    phase = _PHASES[state.phase]
    if action not in phase.legal(state):
        raise IllegalActionError(_refusal(state, action), position_text(state))
    return phase.act(state, action)


def next_mover(
    setup: Setup, mover: int, left: Sequence[int], out: frozenset[int] | set[int]
) -> int | None:
    """The next player clockwise who is not out and has a rug to lay; None if the game is over.

    In a game that was played from the start all players run out of rugs in the same round. In a
    position that was set up, players without rugs are skipped.
    """
    players = setup.players
    count = len(players)
    if len(out) < count - 1:
        for player in setup.clockwise[mover]:
            if player not in out:
                for colour in players[player]:
                    if left[colour]:
                        return player
    return None


# --- ORIENT -------------------------------------------------------------------------------

_ORIENTS = tuple((Orient(f), Orient(f.left), Orient(f.right)) for f in FACINGS)


def _legal_orients(state: State) -> tuple[Action, ...]:
    return _ORIENTS[state.facing]


def _orient(state: State, action: Action) -> Outcome:
    assert isinstance(action, Orient)
    setup, _, mover, assam, _, dirhams, left, out, tops, colours, whole, hand, piles = state
    facing = action.facing
    state = State(
        setup, ROLL, mover, assam, facing, dirhams, left, out, tops, colours, whole, hand, piles
    )
    return state, (Oriented(mover, facing),)


# --- ROLL ---------------------------------------------------------------------------------

_ROLLS = tuple(Rolled(pips) for pips in PIPS)


def _legal_rolls(state: State) -> tuple[Action, ...]:
    return _ROLLS


def _walk(state: State, action: Action) -> Outcome:
    assert isinstance(action, Rolled)
    setup, _, mover, assam, facing, dirhams, left, out, tops, colours, whole, _, piles = state
    path = setup.paths[assam * 4 + facing][action.pips]
    assam, facing = path[-1]
    tribute = state.tribute_at(assam)
    phase, hand = (PAY, None) if tribute else after_paying(state)
    state = State(
        setup, phase, mover, assam, facing, dirhams, left, out, tops, colours, whole, hand, piles
    )
    walked = Walked(mover, path)
    return state, (walked, tribute) if tribute else (walked,)


def after_paying(state: State) -> tuple[Phase, Colour | None]:
    """The phase after PAY, and the colour in hand: LAY if the next rug is known, else DRAW."""
    if state.piles is not None:
        return LAY, state.piles[state.mover][0]
    colours = state.setup.players[state.mover]
    if len(colours) == 1:
        return LAY, colours[0]
    possible = [colour for colour in colours if state.left[colour]]
    return (LAY, possible[0]) if len(possible) == 1 else (DRAW, None)


# --- PAY ----------------------------------------------------------------------------------

_PAY = (Pay(),)


def _legal_payments(state: State) -> tuple[Action, ...]:
    return _PAY


def _pay(state: State, action: Action) -> Outcome:
    setup, _, mover, assam, facing, purses, left, out, tops, colours, whole, _, piles = state
    tribute = state.tribute_at(assam)
    assert tribute is not None, "phase PAY without tribute"
    owner, due = tribute.owner, len(tribute.region)
    paid = min(due, purses[mover])
    changed = list(purses)
    changed[mover] -= paid
    changed[owner] += paid
    dirhams = tuple(changed)
    event = Paid(mover, owner, due, paid)
    if paid < due and setup.options.bankruptcy == "out":
        return _go_out(state._replace(dirhams=dirhams), event)
    phase, hand = after_paying(state)
    state = State(
        setup, phase, mover, assam, facing, dirhams, left, out, tops, colours, whole, hand, piles
    )
    return state, (event,)


def _go_out(state: State, paid: Paid) -> Outcome:
    """The mover is out. His turn ends at once, without laying a rug or turning Assam."""
    mover, setup = state.mover, state.setup
    left, piles = list(state.left), state.piles
    returned = tuple((colour, left[colour]) for colour in setup.players[mover])
    neutral = 0
    for colour in setup.players[mover]:
        left[colour] = 0
        neutral |= state.colours[colour]
    if piles is not None:
        piles = tuple(() if player == mover else pile for player, pile in enumerate(piles))
    state = state._replace(left=tuple(left), piles=piles, out=state.out | {mover})
    return _end_turn(state, (paid, WentOut(mover, returned, tuple(squares_of(neutral)))))


# --- DRAW ---------------------------------------------------------------------------------


def _legal_draws(state: State) -> tuple[Action, ...]:
    return tuple(map(Drew, state.setup.players[state.mover]))


def _draw(state: State, action: Action) -> Outcome:
    assert isinstance(action, Drew)
    drawn = state._replace(phase=LAY, hand=action.colour)
    return drawn, (Drawn(state.mover, action.colour),)


# --- LAY ----------------------------------------------------------------------------------

_RETURN = (ReturnRug(),)


@lru_cache(maxsize=1 << 14)
def _lays(assam: int, closed: int) -> tuple[Action, ...]:
    return tuple(Lay(p.first, p.second) for p in open_placements(assam, closed)) or _RETURN


def _legal_lays(state: State) -> tuple[Action, ...]:
    closed = blocked(state.setup, state.mover, state.whole, state.colours)
    return _lays(state.assam, closed & BESIDE_BITS[state.assam])


def _lay(state: State, action: Action) -> Outcome:
    setup, _, mover, assam, facing, dirhams, left, out, tops, colours, whole, hand, piles = state
    assert hand is not None, "phase LAY without a rug in hand"
    code = setup.rugs[hand] - left[hand] + 1 << 2 | hand
    rug = RUGS[code]
    assert rug is not None
    left = *left[:hand], left[hand] - 1, *left[hand + 1 :]
    if piles is not None:
        piles = tuple(pile[1:] if player == mover else pile for player, pile in enumerate(piles))
    event: Event
    if isinstance(action, Lay):
        place = action.placement
        first, second, squares, bit, touching = place
        event = Laid(mover, rug, place, (RUGS[tops[first]], RUGS[tops[second]]))
        covered = bytearray(tops)
        covered[first] = covered[second] = code
        tops = bytes(covered)
        visible = [board & ~squares for board in colours]
        visible[hand] |= squares
        colours = tuple(visible)
        whole = whole & ~touching | bit
    else:
        event = Returned(mover, rug)
    next_player = next_mover(setup, mover, left, out)
    if next_player is None:
        phase = OVER
    elif setup.is_pivot_last:
        phase = PIVOT
    else:
        phase, mover = ORIENT, next_player
    state = State(
        setup, phase, mover, assam, facing, dirhams, left, out, tops, colours, whole, None, piles
    )
    if next_player is None:
        return state, (event, Ended(state.ranking()))
    return state, (event,)


# --- PIVOT --------------------------------------------------------------------------------

_MUST_PIVOT = tuple((Pivot(f.left), Pivot(f.right)) for f in FACINGS)
_MAY_PIVOT = tuple((Pivot(f), Pivot(f.left), Pivot(f.right)) for f in FACINGS)


def _legal_pivots(state: State) -> tuple[Action, ...]:
    pivots = _MUST_PIVOT if state.setup.options.pivot == "must" else _MAY_PIVOT
    return pivots[state.facing]


def _pivot(state: State, action: Action) -> Outcome:
    assert isinstance(action, Pivot)
    turned = state._replace(facing=action.facing)
    return _end_turn(turned, (Pivoted(state.mover, action.facing),))


# --- End of a turn, end of the game -------------------------------------------------------


def _end_turn(state: State, events: tuple[Event, ...]) -> Outcome:
    """Start the next player's turn, or end the game."""
    mover = next_mover(state.setup, state.mover, state.left, state.out)
    if mover is None:
        over = state._replace(phase=OVER)
        return over, (*events, Ended(over.ranking()))
    first_phase = ROLL if state.setup.is_pivot_last else ORIENT
    return state._replace(phase=first_phase, mover=mover), events


def _no_legal_actions(state: State) -> tuple[Action, ...]:
    return ()


def _act_after_end(state: State, action: Action) -> Outcome:
    raise AssertionError("no action is legal after the end of the game")


def _refusal(state: State, action: Action) -> str:
    label = state.setup.label(state.mover)
    if state.is_over:
        return f"not allowed: {action}. The game is over"
    legal = legal_actions(state)
    if not any(isinstance(action, type(one)) for one in legal):
        return f"not allowed now: {action}. {label} is to {_EXPECTED[state.phase]}"
    return f"not allowed: {action}. {label} may {', '.join(map(str, legal))}"


_EXPECTED = {
    ORIENT: "turn Assam or leave him as he faces",
    ROLL: "roll",
    PAY: "pay",
    DRAW: "draw a rug",
    LAY: "lay a rug",
    PIVOT: "turn Assam for the next player",
}


class _PhaseRules(NamedTuple):
    legal: Callable[[State], tuple[Action, ...]]
    act: Callable[[State, Action], Outcome]


_PHASES = {
    ORIENT: _PhaseRules(_legal_orients, _orient),
    ROLL: _PhaseRules(_legal_rolls, _walk),
    PAY: _PhaseRules(_legal_payments, _pay),
    DRAW: _PhaseRules(_legal_draws, _draw),
    LAY: _PhaseRules(_legal_lays, _lay),
    PIVOT: _PhaseRules(_legal_pivots, _pivot),
    OVER: _PhaseRules(_no_legal_actions, _act_after_end),
}
