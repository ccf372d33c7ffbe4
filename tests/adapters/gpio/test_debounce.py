"""Debouncing, with exact times."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.adapters.gpio.debounce import Debounce

MS = 12
Edges = list[tuple[float, bool]]


def accepted(debounce: Debounce, edges: Edges, *, has_timer: bool = True) -> Edges:
    """The accepted levels and their times, with a punctual timer or with a very late one."""
    levels: Edges = []
    for at, is_closed in edges:
        due = debounce.due_ms()
        if (
            has_timer
            and due is not None
            and due <= at
            and (level := debounce.settle(due)) in (0, 1)
        ):
            levels.append((due, bool(level)))
        if (overdue := debounce.edge(is_closed, at)) is not None:
            levels.append((at, overdue))
    if (due := debounce.due_ms()) is not None and (level := debounce.settle(9e9)) is not None:
        levels.append((due, level))
    return levels


def test_a_press_is_accepted_when_stable() -> None:
    debounce = Debounce(MS)
    assert debounce.due_ms() is None
    assert debounce.edge(True, 100) is None
    assert debounce.due_ms() == 112
    assert (debounce.settle(111.9), debounce.is_closed) == (None, False)
    assert (debounce.settle(112), debounce.is_closed) == (True, True)
    assert debounce.settle(113) is None, "returned once"
    assert debounce.due_ms() is None


def test_six_bounces_are_one_press() -> None:
    bounces = [(float(at), at % 2 == 0) for at in range(13)]
    assert accepted(Debounce(MS), bounces) == [(24, True)]
    assert accepted(Debounce(MS), bounces, has_timer=False) == [(24, True)]


def test_a_bouncing_release_is_one_release() -> None:
    bounces = [(float(at), at % 2 == 1) for at in range(13)]
    assert accepted(Debounce(MS, is_closed=True), bounces) == [(24, False)]


@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize("has_timer", [False, True])
def test_a_glitch_of_8_ms_is_ignored(is_closed: bool, has_timer: bool) -> None:
    debounce = Debounce(MS, is_closed=is_closed)
    edges = [(100.0, not is_closed), (108.0, is_closed)]
    assert accepted(debounce, edges, has_timer=has_timer) == []
    assert debounce.is_closed == is_closed


def test_a_press_with_a_late_timer_is_accepted_at_its_release() -> None:
    debounce = Debounce(MS)
    assert debounce.edge(True, 0) is None
    assert debounce.edge(False, 12) is True
    assert debounce.edge(True, 23.9) is None, "open for too short a time"
    assert debounce.edge(False, 30) is None
    assert debounce.due_ms() == 42
    assert debounce.settle(42) is False


def test_without_debouncing_an_edge_is_accepted_at_once() -> None:
    debounce = Debounce(0)
    assert debounce.edge(True, 5) is True
    assert debounce.due_ms() is None
    assert debounce.settle(5) is None, "returned once"
    assert debounce.edge(False, 5) is False
    assert debounce.edge(False, 5) is None


def test_a_repeated_level_does_not_restart_the_wait() -> None:
    debounce = Debounce(MS)
    debounce.edge(True, 0)
    debounce.edge(True, 10)
    assert debounce.due_ms() == 12


# --- Random noise -------------------------------------------------------------------------

NOISE = st.lists(st.tuples(st.sampled_from([0, 1, 3, 8, 11, 12, 13, 40]), st.booleans()))


def expected(edges: Edges, debounce_ms: float) -> list[bool]:
    """By definition: the levels that were stable for long enough, without repetitions."""
    changes: Edges = [(0.0, False)]
    for at, level in edges:
        if level != changes[-1][1]:
            changes.append((at, level))
    changes.append((9e9, not changes[-1][1]))
    stable = [level for (at, level), (end, _) in pairwise(changes) if end - at >= debounce_ms]
    kept = [False]
    for level in stable:
        if level != kept[-1]:
            kept.append(level)
    return kept[1:]


@given(NOISE, st.sampled_from([0, 1, 12]), st.booleans())
@example([(0, True), (12, False)], 12, False)
def test_exactly_the_stable_levels_are_accepted(
    noise: list[tuple[int, bool]], debounce_ms: int, has_timer: bool
) -> None:
    now, edges = 0.0, Edges()
    for gap, is_closed in noise:
        now += gap
        edges.append((now, is_closed))
    levels = [level for _, level in accepted(Debounce(debounce_ms), edges, has_timer=has_timer)]
    assert levels == expected(edges, debounce_ms)
    assert levels == [number % 2 == 0 for number in range(len(levels))], (
        "press and release alternate"
    )
