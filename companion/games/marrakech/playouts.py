"""Random games, for statistics, benchmarks and tests.

Players choose uniformly among the legal actions. The die has the faces of the wooden one. Every
rug of a shuffled pile is drawn with the same probability.
"""

from __future__ import annotations

from random import Random

from companion.games.marrakech import DIE, Action, Drew, Phase, Rolled, State, Stepper
from companion.games.marrakech.market import FACINGS
from companion.games.marrakech.rules import apply, legal_actions

_ROLLS = tuple(Rolled(pips) for pips in DIE)
_TURNS = tuple((facing, facing.left, facing.right) for facing in FACINGS)


def choose_action(state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Choose one of the legal actions."""
    if state.phase is Phase.ROLL:
        return _ROLLS[int(rng.random() * 6)]
    if state.phase is Phase.DRAW:
        colours = state.setup.players[state.mover]
        return Drew(rng.choices(colours, [state.left[c] for c in colours])[0])
    return legal[int(rng.random() * len(legal))]


def play_out(state: State, rng: Random) -> State:
    """Play to the end with `apply`."""
    while legal := legal_actions(state):
        state, _ = apply(state, choose_action(state, legal, rng))
    return state


def play_out_stepper(stepper: Stepper, rng: Random) -> int:
    """Play to the end with a stepper. Returns the number of turns."""
    random, setup = rng.random, stepper.setup
    players, is_pivot_last = setup.players, setup.is_pivot_last
    must_pivot = setup.options.pivot == "must"
    turns = 0
    while not stepper.is_over:
        turns += 1
        facing = stepper.facing
        if not is_pivot_last:
            facing = _TURNS[facing][int(random() * 3)]
        if not stepper.walk(facing, DIE[int(random() * 6)]):
            continue
        colours = players[stepper.mover]
        if len(colours) > 1:
            colours = stepper.next_colours()
            colour = rng.choices(colours, [stepper.left[c] for c in colours])[0]
        else:
            colour = colours[0]
        placements = stepper.placements()
        if placements:
            stepper.lay(placements[int(random() * len(placements))], colour)
        else:
            stepper.return_rug(colour)
        if is_pivot_last and not stepper.is_over:
            pivots = _TURNS[stepper.facing][must_pivot:]
            stepper.pivot(pivots[int(random() * len(pivots))])
    return turns
