"""Gestures: taps, holds and the combo of OK and BACK."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.marrakech import Facing
from companion.table.gestures import MIN_COMBO_MS, Gestures
from companion.table.inputs import (
    BACK,
    HOLD_BACK,
    HOLD_OK,
    OK,
    Button,
    ButtonCombo,
    ButtonDown,
    ButtonUp,
    Input,
    direction,
)

HOLD_MS = 2000
TAPS = {Button.OK: OK, Button.BACK: BACK}
HOLDS = {Button.OK: HOLD_OK, Button.BACK: HOLD_BACK}


@pytest.fixture
def gestures() -> Gestures:
    return Gestures(HOLD_MS)


@pytest.mark.parametrize("button", list(Button)[:4])
def test_a_direction_acts_when_it_goes_down(gestures: Gestures, button: Button) -> None:
    assert gestures.handle(ButtonDown(button), 0) == (direction(Facing[button.name]),)
    assert gestures.due_ms() is None
    assert gestures.pass_time(HOLD_MS) == ()
    assert gestures.handle(ButtonUp(button), 9000) == ()


@pytest.mark.parametrize("button", TAPS)
def test_a_tap_acts_at_the_release(gestures: Gestures, button: Button) -> None:
    assert gestures.handle(ButtonDown(button), 500) == ()
    assert gestures.due_ms() == 2500
    assert gestures.pass_time(2499.9) == ()
    assert gestures.handle(ButtonUp(button), 2499.9) == (TAPS[button],)
    assert gestures.due_ms() is None
    assert gestures.pass_time(9000) == ()


@pytest.mark.parametrize("button", HOLDS)
def test_a_hold_acts_when_it_is_due_and_not_at_the_release(
    gestures: Gestures, button: Button
) -> None:
    gestures.handle(ButtonDown(button), 500)
    assert gestures.pass_time(2500) == (HOLDS[button],)
    assert gestures.due_ms() is None
    assert gestures.pass_time(5000) == ()
    assert gestures.down == {button}
    assert gestures.handle(ButtonUp(button), 5000) == ()
    assert gestures.down == frozenset()


@pytest.mark.parametrize("button", HOLDS)
@pytest.mark.parametrize("release_ms", [2500, 2501, 60_000])
def test_a_hold_without_a_timer_acts_once_at_the_release(
    gestures: Gestures, button: Button, release_ms: float
) -> None:
    gestures.handle(ButtonDown(button), 500)
    assert gestures.handle(ButtonUp(button), release_ms) == (HOLDS[button],)
    assert gestures.pass_time(90_000) == ()


def test_a_late_hold_comes_before_the_next_press(gestures: Gestures) -> None:
    gestures.handle(ButtonDown(Button.OK), 0)
    assert gestures.handle(ButtonDown(Button.NORTH), 2100) == (HOLD_OK, direction(Facing.NORTH))


def test_a_repeated_down_does_not_restart_the_hold(gestures: Gestures) -> None:
    gestures.handle(ButtonDown(Button.OK), 0)
    assert gestures.handle(ButtonDown(Button.OK), 1500) == ()
    assert gestures.due_ms() == 2000
    gestures.handle(ButtonDown(Button.EAST), 1600)
    assert gestures.handle(ButtonDown(Button.EAST), 1700) == ()


@pytest.mark.parametrize("button", Button)
def test_the_release_of_a_button_that_is_up_is_ignored(gestures: Gestures, button: Button) -> None:
    assert gestures.handle(ButtonUp(button), 0) == ()
    assert gestures.down == frozenset()


def test_reset_forgets_the_buttons_that_are_down(gestures: Gestures) -> None:
    gestures.handle(ButtonDown(Button.OK), 0)
    gestures.handle(ButtonDown(Button.WEST), 0)
    gestures.reset()
    assert gestures.down == frozenset()
    assert gestures.due_ms() is None
    assert gestures.handle(ButtonUp(Button.OK), 100) == ()
    assert gestures.handle(ButtonDown(Button.WEST), 200) == (direction(Facing.WEST),)


# --- OK and BACK together------------------------------------------------------------------

ORDERS = [(first, second, up) for first, second in ((*TAPS,), (*reversed(TAPS),)) for up in TAPS]
"""The button pressed first, the one pressed second, and the one released first."""


@pytest.mark.parametrize(("first", "second", "up"), ORDERS)
def test_both_held_are_a_combo_in_any_order(
    gestures: Gestures, first: Button, second: Button, up: Button
) -> None:
    """The hold counts from when both are down. Neither button acts by itself."""
    (other,) = set(TAPS) - {up}
    assert gestures.handle(ButtonDown(first), 0) == ()
    assert gestures.handle(ButtonDown(second), 1900) == ()
    assert gestures.due_ms() == 3900
    assert gestures.pass_time(3899.9) == ()
    assert gestures.pass_time(3900) == (ButtonCombo.HELD,)
    assert gestures.due_ms() is None
    assert gestures.handle(ButtonUp(up), 3950) == ()
    assert gestures.handle(ButtonUp(other), 9000) == ()


@pytest.mark.parametrize(("first", "second", "up"), ORDERS)
def test_a_combo_without_a_timer_acts_at_the_release(
    gestures: Gestures, first: Button, second: Button, up: Button
) -> None:
    (other,) = set(TAPS) - {up}
    gestures.handle(ButtonDown(first), 0)
    gestures.handle(ButtonDown(second), 100)
    assert gestures.handle(ButtonUp(up), 2100) == (ButtonCombo.HELD,)
    assert gestures.handle(ButtonUp(other), 2200) == ()


@pytest.mark.parametrize(("first", "second", "up"), ORDERS)
@pytest.mark.parametrize("combo_ms", [MIN_COMBO_MS, HOLD_MS - 1])
def test_a_short_combo_is_neither_taps_nor_holds(
    gestures: Gestures, first: Button, second: Button, up: Button, combo_ms: int
) -> None:
    (other,) = set(TAPS) - {up}
    gestures.handle(ButtonDown(first), 0)
    gestures.handle(ButtonDown(second), 100)
    assert gestures.handle(ButtonUp(up), 100 + combo_ms) == (ButtonCombo.SHORT,)
    assert gestures.due_ms() is None
    assert gestures.pass_time(60_000) == ()
    assert gestures.handle(ButtonUp(other), 60_000) == ()


@pytest.mark.parametrize(("first", "second", "up"), ORDERS)
def test_overlapping_fast_taps_are_two_taps(
    gestures: Gestures, first: Button, second: Button, up: Button
) -> None:
    (other,) = set(TAPS) - {up}
    gestures.handle(ButtonDown(first), 0)
    gestures.handle(ButtonDown(second), 100)
    assert gestures.handle(ButtonUp(up), 99 + MIN_COMBO_MS) == (TAPS[up],)
    assert gestures.handle(ButtonUp(other), 110 + MIN_COMBO_MS) == (TAPS[other],)


def test_a_hold_continues_after_a_fast_tap_of_the_other_button(gestures: Gestures) -> None:
    gestures.handle(ButtonDown(Button.OK), 0)
    gestures.handle(ButtonDown(Button.BACK), 100)
    assert gestures.handle(ButtonUp(Button.BACK), 200) == (BACK,)
    assert gestures.due_ms() == 2000
    assert gestures.pass_time(2000) == (HOLD_OK,)


def test_an_overdue_hold_acts_right_after_a_fast_tap_of_the_other_button(
    gestures: Gestures,
) -> None:
    gestures.handle(ButtonDown(Button.OK), 0)
    gestures.handle(ButtonDown(Button.BACK), 1900)
    assert gestures.pass_time(2000) == ()
    assert gestures.handle(ButtonUp(Button.BACK), 2100) == (BACK,)
    assert gestures.due_ms() == 2100
    assert gestures.pass_time(2100) == (HOLD_OK,)


def test_a_button_that_has_acted_as_a_hold_forms_no_combo(gestures: Gestures) -> None:
    """So the other button still works if one is stuck."""
    gestures.handle(ButtonDown(Button.OK), 0)
    assert gestures.pass_time(2000) == (HOLD_OK,)
    gestures.handle(ButtonDown(Button.BACK), 2100)
    assert gestures.handle(ButtonUp(Button.BACK), 3000) == (BACK,)
    gestures.handle(ButtonDown(Button.BACK), 3100)
    assert gestures.pass_time(5100) == (HOLD_BACK,)


def test_a_direction_acts_while_both_are_held(gestures: Gestures) -> None:
    gestures.handle(ButtonDown(Button.OK), 0)
    gestures.handle(ButtonDown(Button.BACK), 0)
    assert gestures.handle(ButtonDown(Button.EAST), 1000) == (direction(Facing.EAST),)
    assert gestures.pass_time(2000) == (ButtonCombo.HELD,)


@pytest.mark.parametrize("button", TAPS)
@pytest.mark.parametrize("up_ms", [100, 5000])
def test_a_muted_press_is_ignored_and_the_next_one_acts(
    gestures: Gestures, button: Button, up_ms: int
) -> None:
    gestures.handle(ButtonDown(button), 0)
    gestures.mute(button)
    assert gestures.handle(ButtonUp(button), up_ms) == ()
    gestures.handle(ButtonDown(button), 6000)
    assert gestures.handle(ButtonUp(button), 6100) == (TAPS[button],)


def test_a_muted_press_can_form_a_combo_and_mutes_the_other_button(gestures: Gestures) -> None:
    gestures.handle(ButtonDown(Button.OK), 0)
    gestures.mute(Button.OK)
    gestures.handle(ButtonDown(Button.BACK), 100)
    assert gestures.pass_time(2100) == (ButtonCombo.HELD,)
    gestures.handle(ButtonUp(Button.OK), 2200)
    gestures.handle(ButtonUp(Button.BACK), 2200)
    gestures.handle(ButtonDown(Button.OK), 3000)
    gestures.mute(Button.OK)
    gestures.handle(ButtonDown(Button.BACK), 3100)
    assert gestures.handle(ButtonUp(Button.BACK), 3200) == ()
    assert gestures.handle(ButtonUp(Button.OK), 9000) == ()
    gestures.handle(ButtonDown(Button.BACK), 9100)
    assert gestures.handle(ButtonUp(Button.BACK), 9200) == (BACK,)


def test_reset_forgets_combos_and_mutes(gestures: Gestures) -> None:
    gestures.handle(ButtonDown(Button.OK), 0)
    gestures.mute(Button.OK)
    gestures.handle(ButtonDown(Button.BACK), 0)
    gestures.reset()
    assert gestures.pass_time(9000) == ()
    gestures.handle(ButtonDown(Button.OK), 9000)
    assert gestures.handle(ButtonUp(Button.OK), 9100) == (OK,)


# --- Random presses -----------------------------------------------------------------------

EVENTS = st.lists(
    st.tuples(
        st.integers(0, 3000),
        st.builds(ButtonDown, st.sampled_from(Button))
        | st.builds(ButtonUp, st.sampled_from(Button)),
    ),
    max_size=30,
)


def recognised_inputs(
    events: list[tuple[int, ButtonDown | ButtonUp]], timer_every: int | None
) -> list[Input | ButtonCombo]:
    """All inputs, with a timer that fires before every event, before some, or never."""
    gestures = Gestures(HOLD_MS)
    now, inputs = 0, list[Input | ButtonCombo]()
    for number, (gap, event) in enumerate(events):
        now += gap
        if timer_every and number % timer_every == 0:
            while (due := gestures.due_ms()) is not None and due <= now:
                inputs += gestures.pass_time(due)
        inputs += gestures.handle(event, now)
    for button in Button:
        inputs += gestures.handle(ButtonUp(button), now)
    assert gestures.down == frozenset()
    assert gestures.due_ms() is None
    return inputs


@given(EVENTS)
def test_every_press_leads_to_exactly_one_input_or_combo(
    events: list[tuple[int, ButtonDown | ButtonUp]],
) -> None:
    presses, down = dict.fromkeys(Button, 0), set[Button]()
    for _, event in events:
        if isinstance(event, ButtonUp):
            down.discard(event.button)
        elif event.button not in down:
            down.add(event.button)
            presses[event.button] += 1
    inputs = recognised_inputs(events, timer_every=1)
    combos = inputs.count(ButtonCombo.HELD) + inputs.count(ButtonCombo.SHORT)
    for button in TAPS:
        alone = inputs.count(TAPS[button]) + inputs.count(HOLDS[button])
        assert alone + combos == presses[button]
    for facing in Facing:
        assert inputs.count(direction(facing)) == presses[Button[facing.name]]


@given(EVENTS)
def test_a_late_timer_changes_neither_the_inputs_nor_their_order(
    events: list[tuple[int, ButtonDown | ButtonUp]],
) -> None:
    on_time = recognised_inputs(events, timer_every=1)
    assert recognised_inputs(events, timer_every=3) == on_time
    assert recognised_inputs(events, timer_every=None) == on_time
