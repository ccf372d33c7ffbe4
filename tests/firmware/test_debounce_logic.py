"""Debouncing in C."""

from __future__ import annotations

import itertools
from ctypes import byref

import pytest
from helpers.pad.library import KEYS, Debounce, Library
from hypothesis import given
from hypothesis import strategies as st

START = 0xFFFFFFFA  # the clock wraps within every press


def presses(library: Library, levels: list[int], start: int = START) -> list[tuple[int, int]]:
    """(milliseconds, keys) of each press, for the contacts in each millisecond."""
    debounce = Debounce()
    found = []
    for ms, contacts in enumerate(levels):
        now = (start + ms) & 0xFFFFFFFF
        if keys := library.c.debounce_read(byref(debounce), contacts, now):
            found.append((ms, keys))
    return found


@pytest.mark.parametrize("key", range(KEYS))
def test_a_press_is_reported_once_after_8_stable_ms(library: Library, key: int) -> None:
    levels = [0] * 3 + [1 << key] * 5000 + [0] * 50
    assert presses(library, levels) == [(3 + 8, 1 << key)]


@pytest.mark.parametrize("ms", range(1, 9))
def test_a_glitch_of_up_to_8_ms_is_ignored(library: Library, ms: int) -> None:
    assert presses(library, [0] * 10 + [1] * ms + [0] * 30) == []


@pytest.mark.parametrize("ms", [9, 10, 30])
def test_a_contact_closed_for_longer_is_a_press(library: Library, ms: int) -> None:
    assert presses(library, [0] * 10 + [1] * ms + [0] * 30) == [(18, 1)]


@pytest.mark.parametrize("ms", range(1, 9))
def test_a_gap_of_up_to_8_ms_in_a_long_hold_is_ignored(library: Library, ms: int) -> None:
    assert presses(library, [1] * 30 + [0] * ms + [1] * 30) == [(8, 1)]


def test_bounces_of_a_press_and_a_release_are_ignored(library: Library) -> None:
    bounce = [1, 0] * 6
    levels = [*bounce, *[1] * 50, *bounce, *[0] * 50, *bounce, *[1] * 50]
    assert presses(library, levels) == [(12 + 8, 1), (12 + 50 + 12 + 50 + 12 + 8, 1)]


def test_two_keys_bounce_independently(library: Library) -> None:
    levels = [1, 3, 1, 3, *[3] * 20]
    assert presses(library, levels) == [(8, 1), (3 + 8, 2)]


runs = st.lists(st.tuples(st.integers(0, 31), st.integers(1, 12)), max_size=40)


@given(runs, st.integers(0, 0xFFFFFFFF))
def test_presses_match_a_simple_model(
    library: Library, levels: list[tuple[int, int]], start: int
) -> None:
    """A contact changes when nine samples in a row, 8 ms, agree."""
    samples = [contacts for contacts, ms in levels for _ in range(ms)]
    expected: dict[int, int] = {}
    for key in range(KEYS):
        seen = [0] * 9 + [contacts >> key & 1 for contacts in samples]
        is_closed = 0
        for ms in range(len(samples)):
            window = seen[ms + 1 : ms + 10]
            if len(set(window)) == 1 and window[0] != is_closed:
                is_closed = window[0]
                if is_closed:
                    expected[ms] = expected.get(ms, 0) | 1 << key
    assert presses(library, samples, start) == sorted(expected.items())


@given(st.lists(st.integers(1, 8), max_size=30))
def test_any_number_of_glitches_is_never_a_press(library: Library, lengths: list[int]) -> None:
    levels = list(itertools.chain.from_iterable([i % 2] * ms for i, ms in enumerate(lengths)))
    assert presses(library, [*levels, *[0] * 20]) == []
