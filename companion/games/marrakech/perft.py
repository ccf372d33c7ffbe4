"""Perft: how many sequences of legal actions of a given length a position has.

The count is a fingerprint of the rules: two implementations that agree on it for deep positions
hardly disagree on anything else. Rolls and drawn colours count as actions, each face once.
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
    """Perft of each first action, to find where two implementations part."""
    return {
        str(action): perft(apply(state, action)[0], depth - 1) for action in legal_actions(state)
    }
