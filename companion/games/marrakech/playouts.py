"""Random games: for statistics, benchmarks and tests. The chance is the caller's.

Every player chooses uniformly among what is legal; the die has the faces of the wooden one; a
shuffled pile yields each of its rugs with the same probability.
"""

from __future__ import annotations

from random import Random

from companion.games.marrakech import DIE, Action, Drew, Phase, Rolled, State, Stepper
from companion.games.marrakech.market import FACINGS
from companion.games.marrakech.rules import apply, legal_actions

_ROLLS = tuple(Rolled(pips) for pips in DIE)
_WAYS = tuple((facing, facing.left, facing.right) for facing in FACINGS)


def choose(state: State, legal: tuple[Action, ...], chance: Random) -> Action:
    """One of the legal actions, by chance."""
    if state.phase is Phase.ROLL:
        return _ROLLS[int(chance.random() * 6)]
    if state.phase is Phase.DRAW:
        colours = state.setup.players[state.mover]
        return Drew(chance.choices(colours, [state.left[c] for c in colours])[0])
    return legal[int(chance.random() * len(legal))]


def play_out(state: State, chance: Random) -> State:
    """Play to the end through the public rules, every action checked."""
    while legal := legal_actions(state):
        state, _ = apply(state, choose(state, legal, chance))
    return state


def step_out(stepper: Stepper, chance: Random) -> int:
    """Play to the end by cheap stepping; the number of turns taken."""
    random, setup = chance.random, stepper.setup
    players, pivots_last = setup.players, setup.pivots_last
    must_pivot = setup.options.pivot == "must"
    turns = 0
    while not stepper.is_over:
        turns += 1
        way = stepper.facing
        if not pivots_last:
            way = _WAYS[way][int(random() * 3)]
        if not stepper.walk(way, DIE[int(random() * 6)]):
            continue
        hands = players[stepper.mover]
        if len(hands) > 1:
            hands = stepper.hands()
            colour = chance.choices(hands, [stepper.left[c] for c in hands])[0]
        else:
            colour = hands[0]
        places = stepper.placements()
        if places:
            stepper.lay(places[int(random() * len(places))], colour)
        else:
            stepper.give_back(colour)
        if pivots_last and not stepper.is_over:
            pivots = _WAYS[stepper.facing][must_pivot:]
            stepper.pivot(pivots[int(random() * len(pivots))])
    return turns
