"""The current of the LEDs stays within the limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.light.current import (
    COLOUR_MA,
    DARK_MA,
    DEFAULT_LIMIT_MA,
    MIN_LIMIT_MA,
    STEPS,
    brightness_within,
    estimate_ma,
)
from hardware.pinout import read_pinout
from hardware.wires import apa102_ma

WHITE = ((255, 255, 255),) * 64
DARK = ((0, 0, 0),) * 64
PINOUT = read_pinout()

frames = st.binary(min_size=3 * 64, max_size=3 * 64).map(
    lambda data: list(zip(data[::3], data[1::3], data[2::3], strict=True))
)
brightnesses = st.integers(0, STEPS)
limits = st.integers(MIN_LIMIT_MA, 4000)


def test_the_figures_match_the_hardware_guide() -> None:
    assert PINOUT.current["apa102_white"] == 3 * COLOUR_MA
    assert PINOUT.current["apa102_dark"] == DARK_MA
    assert PINOUT.current["apa102_steps"] == STEPS
    for brightness in range(16):
        assert round(estimate_ma(WHITE, brightness)) == apa102_ma(PINOUT, brightness)


def test_a_dark_strip_draws_the_current_of_its_chips() -> None:
    assert estimate_ma(DARK, 31) == estimate_ma(WHITE, 0) == 64


def test_each_colour_draws_its_share() -> None:
    assert estimate_ma([(255, 0, 0)], 31) == 1 + 20
    assert estimate_ma([(0, 51, 102)], 31) == 1 + 4 + 8


@given(frames, brightnesses, limits)
def test_no_frame_draws_more_than_the_limit(
    frame: list[tuple[int, int, int]], brightness: int, limit_ma: int
) -> None:
    assert estimate_ma(frame, brightness_within(frame, brightness, limit_ma)) <= limit_ma


@given(frames, brightnesses, limits)
def test_a_frame_is_not_dimmed_more_than_necessary(
    frame: list[tuple[int, int, int]], brightness: int, limit_ma: int
) -> None:
    within = brightness_within(frame, brightness, limit_ma)
    assert within <= brightness
    assert within == brightness or estimate_ma(frame, within + 1) > limit_ma


@given(frames, brightnesses, st.integers(0, 4000))
def test_the_limit_never_turns_a_frame_dark(
    frame: list[tuple[int, int, int]], brightness: int, limit_ma: int
) -> None:
    assert (brightness_within(frame, brightness, limit_ma) > 0) == (brightness > 0)


@pytest.mark.parametrize(("limit_ma", "brightness"), [(4000, 15), (1922, 14), (1000, 7), (200, 1)])
def test_white_is_dimmed_to_this_brightness(limit_ma: int, brightness: int) -> None:
    assert brightness_within(WHITE, 15, limit_ma) == brightness


def test_the_default_limit_dims_no_frame() -> None:
    assert brightness_within(WHITE, 15, DEFAULT_LIMIT_MA) == 15
