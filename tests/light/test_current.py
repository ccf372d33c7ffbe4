"""What a picture draws stays within what the supply carries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.light.current import (
    COLOUR_MA,
    DARK_MA,
    LEAST_MA,
    MOST_MA,
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
caps = st.integers(LEAST_MA, 4000)


def test_the_figures_are_those_of_the_guide() -> None:
    assert PINOUT.current["apa102_white"] == 3 * COLOUR_MA
    assert PINOUT.current["apa102_dark"] == DARK_MA
    assert PINOUT.current["apa102_steps"] == STEPS
    for brightness in range(16):
        assert round(estimate_ma(WHITE, brightness)) == apa102_ma(PINOUT, brightness)


def test_a_dark_strip_draws_what_its_chips_do() -> None:
    assert estimate_ma(DARK, 31) == estimate_ma(WHITE, 0) == 64


def test_each_colour_draws_its_share() -> None:
    assert estimate_ma([(255, 0, 0)], 31) == 1 + 20
    assert estimate_ma([(0, 51, 102)], 31) == 1 + 4 + 8


@given(frames, brightnesses, caps)
def test_no_frame_draws_more_than_it_may(
    frame: list[tuple[int, int, int]], brightness: int, most_ma: int
) -> None:
    assert estimate_ma(frame, brightness_within(frame, brightness, most_ma)) <= most_ma


@given(frames, brightnesses, caps)
def test_a_frame_is_dimmed_no_more_than_it_must_be(
    frame: list[tuple[int, int, int]], brightness: int, most_ma: int
) -> None:
    within = brightness_within(frame, brightness, most_ma)
    assert within <= brightness
    assert within == brightness or estimate_ma(frame, within + 1) > most_ma


@given(frames, brightnesses, st.integers(0, 4000))
def test_what_is_not_dark_does_not_go_dark(
    frame: list[tuple[int, int, int]], brightness: int, most_ma: int
) -> None:
    """Whatever the cap."""
    assert (brightness_within(frame, brightness, most_ma) > 0) == (brightness > 0)


@pytest.mark.parametrize(("most_ma", "brightness"), [(4000, 15), (1922, 14), (1000, 7), (200, 1)])
def test_white_is_dimmed_to_this(most_ma: int, brightness: int) -> None:
    assert brightness_within(WHITE, 15, most_ma) == brightness


def test_the_guides_supply_carries_every_picture_at_every_brightness() -> None:
    assert brightness_within(WHITE, 15, MOST_MA) == 15
