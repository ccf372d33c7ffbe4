"""Perft: count the sequences of legal actions of a given length from a position.

Two implementations of the rules that agree on these counts for many positions very likely agree on
everything. Rolls and drawn colours count as actions, each number of pips once.
"""

from __future__ import annotations

from companion.games.marrakech.rules import apply, legal_actions
from companion.games.marrakech.state import State


def perft(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    legal = legal_actions(state)
    if depth == 1:
        return len(legal)
    return sum(perft(apply(state, action)[0], depth - 1) for action in legal)


def divide(state: State, depth: int) -> dict[str, int]:
    """Perft of each first action, to find where two implementations differ."""
    return {
        str(action): perft(apply(state, action)[0], depth - 1) for action in legal_actions(state)
    }
