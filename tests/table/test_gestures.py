"""Taps and holds: what is meant by a button, or by two at once, and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.marrakech import Facing
from companion.table.gestures import TOGETHER_MS, Gestures
from companion.table.inputs import (
    BACK,
    HOLD_BACK,
    HOLD_OK,
    OK,
    Button,
    Down,
    Input,
    Together,
    Up,
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
    assert gestures.hear(Down(button), 0) == (direction(Facing[button.name]),)
    assert gestures.due_ms() is None
    assert gestures.pass_time(HOLD_MS) == ()
    assert gestures.hear(Up(button), 9000) == ()


@pytest.mark.parametrize("button", TAPS)
def test_a_tap_acts_when_it_is_let_go(gestures: Gestures, button: Button) -> None:
    assert gestures.hear(Down(button), 500) == ()
    assert gestures.due_ms() == 2500
    assert gestures.pass_time(2499.9) == ()
    assert gestures.hear(Up(button), 2499.9) == (TAPS[button],)
    assert gestures.due_ms() is None
    assert gestures.pass_time(9000) == ()


@pytest.mark.parametrize("button", HOLDS)
def test_a_hold_acts_when_its_time_has_come_and_not_at_the_release(
    gestures: Gestures, button: Button
) -> None:
    gestures.hear(Down(button), 500)
    assert gestures.pass_time(2500) == (HOLDS[button],)
    assert gestures.due_ms() is None
    assert gestures.pass_time(5000) == ()
    assert gestures.down == {button}
    assert gestures.hear(Up(button), 5000) == ()
    assert gestures.down == frozenset()


@pytest.mark.parametrize("button", HOLDS)
@pytest.mark.parametrize("let_go_ms", [2500, 2501, 60_000])
def test_a_hold_whose_timer_never_came_acts_once_at_the_release(
    gestures: Gestures, button: Button, let_go_ms: float
) -> None:
    gestures.hear(Down(button), 500)
    assert gestures.hear(Up(button), let_go_ms) == (HOLDS[button],)
    assert gestures.pass_time(90_000) == ()


def test_a_late_hold_comes_before_what_is_pressed_after_it(gestures: Gestures) -> None:
    gestures.hear(Down(Button.OK), 0)
    assert gestures.hear(Down(Button.NORTH), 2100) == (HOLD_OK, direction(Facing.NORTH))


def test_a_second_down_does_not_begin_the_hold_anew(gestures: Gestures) -> None:
    gestures.hear(Down(Button.OK), 0)
    assert gestures.hear(Down(Button.OK), 1500) == ()
    assert gestures.due_ms() == 2000
    gestures.hear(Down(Button.EAST), 1600)
    assert gestures.hear(Down(Button.EAST), 1700) == ()


@pytest.mark.parametrize("button", Button)
def test_letting_go_of_what_is_not_down_means_nothing(gestures: Gestures, button: Button) -> None:
    assert gestures.hear(Up(button), 0) == ()
    assert gestures.down == frozenset()


def test_after_a_reset_what_was_down_means_nothing(gestures: Gestures) -> None:
    gestures.hear(Down(Button.OK), 0)
    gestures.hear(Down(Button.WEST), 0)
    gestures.reset()
    assert gestures.down == frozenset()
    assert gestures.due_ms() is None
    assert gestures.hear(Up(Button.OK), 100) == ()
    assert gestures.hear(Down(Button.WEST), 200) == (direction(Facing.WEST),)


# --- Both together ------------------------------------------------------------------------

ORDERS = [(first, second, up) for first, second in ((*TAPS,), (*reversed(TAPS),)) for up in TAPS]
"""Which goes down first and which then, and which is let go first."""


@pytest.mark.parametrize(("first", "second", "up"), ORDERS)
def test_both_held_are_meant_together_whatever_the_order(
    gestures: Gestures, first: Button, second: Button, up: Button
) -> None:
    """The time counts from when both are down, and nothing comes of either, not even of the one
    that was down for longer."""
    (other,) = set(TAPS) - {up}
    assert gestures.hear(Down(first), 0) == ()
    assert gestures.hear(Down(second), 1900) == ()
    assert gestures.due_ms() == 3900
    assert gestures.pass_time(3899.9) == ()
    assert gestures.pass_time(3900) == (Together.HELD,)
    assert gestures.due_ms() is None
    assert gestures.hear(Up(up), 3950) == ()
    assert gestures.hear(Up(other), 9000) == ()


@pytest.mark.parametrize(("first", "second", "up"), ORDERS)
def test_both_held_whose_timer_never_came_are_meant_at_the_release(
    gestures: Gestures, first: Button, second: Button, up: Button
) -> None:
    (other,) = set(TAPS) - {up}
    gestures.hear(Down(first), 0)
    gestures.hear(Down(second), 100)
    assert gestures.hear(Up(up), 2100) == (Together.HELD,)
    assert gestures.hear(Up(other), 2200) == ()


@pytest.mark.parametrize(("first", "second", "up"), ORDERS)
@pytest.mark.parametrize("together_ms", [TOGETHER_MS, HOLD_MS - 1])
def test_both_let_go_too_soon_are_neither_taps_nor_holds(
    gestures: Gestures, first: Button, second: Button, up: Button, together_ms: int
) -> None:
    (other,) = set(TAPS) - {up}
    gestures.hear(Down(first), 0)
    gestures.hear(Down(second), 100)
    assert gestures.hear(Up(up), 100 + together_ms) == (Together.SHORT,)
    assert gestures.due_ms() is None
    assert gestures.pass_time(60_000) == ()
    assert gestures.hear(Up(other), 60_000) == ()


@pytest.mark.parametrize(("first", "second", "up"), ORDERS)
def test_quick_fingers_that_overlap_are_two_taps(
    gestures: Gestures, first: Button, second: Button, up: Button
) -> None:
    (other,) = set(TAPS) - {up}
    gestures.hear(Down(first), 0)
    gestures.hear(Down(second), 100)
    assert gestures.hear(Up(up), 99 + TOGETHER_MS) == (TAPS[up],)
    assert gestures.hear(Up(other), 110 + TOGETHER_MS) == (TAPS[other],)


def test_after_a_quick_tap_of_the_other_a_hold_goes_on(gestures: Gestures) -> None:
    gestures.hear(Down(Button.OK), 0)
    gestures.hear(Down(Button.BACK), 100)
    assert gestures.hear(Up(Button.BACK), 200) == (BACK,)
    assert gestures.due_ms() == 2000
    assert gestures.pass_time(2000) == (HOLD_OK,)


def test_a_hold_that_waited_for_a_quick_tap_comes_right_after_it(gestures: Gestures) -> None:
    gestures.hear(Down(Button.OK), 0)
    gestures.hear(Down(Button.BACK), 1900)
    assert gestures.pass_time(2000) == ()
    assert gestures.hear(Up(Button.BACK), 2100) == (BACK,)
    assert gestures.due_ms() == 2100
    assert gestures.pass_time(2100) == (HOLD_OK,)


def test_what_has_acted_as_a_hold_is_not_held_together_with_another(gestures: Gestures) -> None:
    """Nor is a button that got stuck: the other one works on."""
    gestures.hear(Down(Button.OK), 0)
    assert gestures.pass_time(2000) == (HOLD_OK,)
    gestures.hear(Down(Button.BACK), 2100)
    assert gestures.hear(Up(Button.BACK), 3000) == (BACK,)
    gestures.hear(Down(Button.BACK), 3100)
    assert gestures.pass_time(5100) == (HOLD_BACK,)


def test_a_direction_acts_also_while_both_are_held(gestures: Gestures) -> None:
    gestures.hear(Down(Button.OK), 0)
    gestures.hear(Down(Button.BACK), 0)
    assert gestures.hear(Down(Button.EAST), 1000) == (direction(Facing.EAST),)
    assert gestures.pass_time(2000) == (Together.HELD,)


@pytest.mark.parametrize("button", TAPS)
@pytest.mark.parametrize("up_ms", [100, 5000])
def test_a_muted_press_means_nothing_and_the_next_does(
    gestures: Gestures, button: Button, up_ms: int
) -> None:
    gestures.hear(Down(button), 0)
    gestures.mute(button)
    assert gestures.hear(Up(button), up_ms) == ()
    gestures.hear(Down(button), 6000)
    assert gestures.hear(Up(button), 6100) == (TAPS[button],)


def test_a_muted_press_may_still_be_one_of_both_and_mutes_the_other(gestures: Gestures) -> None:
    gestures.hear(Down(Button.OK), 0)
    gestures.mute(Button.OK)
    gestures.hear(Down(Button.BACK), 100)
    assert gestures.pass_time(2100) == (Together.HELD,)
    gestures.hear(Up(Button.OK), 2200)
    gestures.hear(Up(Button.BACK), 2200)
    gestures.hear(Down(Button.OK), 3000)
    gestures.mute(Button.OK)
    gestures.hear(Down(Button.BACK), 3100)
    assert gestures.hear(Up(Button.BACK), 3200) == ()
    assert gestures.hear(Up(Button.OK), 9000) == ()
    gestures.hear(Down(Button.BACK), 9100)
    assert gestures.hear(Up(Button.BACK), 9200) == (BACK,)


def test_after_a_reset_nothing_is_meant_together_or_muted(gestures: Gestures) -> None:
    gestures.hear(Down(Button.OK), 0)
    gestures.mute(Button.OK)
    gestures.hear(Down(Button.BACK), 0)
    gestures.reset()
    assert gestures.pass_time(9000) == ()
    gestures.hear(Down(Button.OK), 9000)
    assert gestures.hear(Up(Button.OK), 9100) == (OK,)


# --- Any fingers --------------------------------------------------------------------------

EVENTS = st.lists(
    st.tuples(
        st.integers(0, 3000),
        st.builds(Down, st.sampled_from(Button)) | st.builds(Up, st.sampled_from(Button)),
    ),
    max_size=30,
)


def told(events: list[tuple[int, Down | Up]], timer_every: int | None) -> list[Input | Together]:
    """All inputs, with a timer that comes on time, or one that comes rarely, or never."""
    gestures = Gestures(HOLD_MS)
    now, inputs = 0, list[Input | Together]()
    for number, (gap, event) in enumerate(events):
        now += gap
        if timer_every and number % timer_every == 0:
            while (due := gestures.due_ms()) is not None and due <= now:
                inputs += gestures.pass_time(due)
        inputs += gestures.hear(event, now)
    for button in Button:
        inputs += gestures.hear(Up(button), now)
    assert gestures.down == frozenset()
    assert gestures.due_ms() is None
    return inputs


@given(EVENTS)
def test_every_press_leads_to_exactly_one_input_by_itself_or_with_another(
    events: list[tuple[int, Down | Up]],
) -> None:
    presses, down = dict.fromkeys(Button, 0), set[Button]()
    for _, event in events:
        if isinstance(event, Up):
            down.discard(event.button)
        elif event.button not in down:
            down.add(event.button)
            presses[event.button] += 1
    inputs = told(events, timer_every=1)
    together = inputs.count(Together.HELD) + inputs.count(Together.SHORT)
    for button in TAPS:
        alone = inputs.count(TAPS[button]) + inputs.count(HOLDS[button])
        assert alone + together == presses[button]
    for facing in Facing:
        assert inputs.count(direction(facing)) == presses[Button[facing.name]]


@given(EVENTS)
def test_a_late_timer_changes_neither_what_is_meant_nor_its_order(
    events: list[tuple[int, Down | Up]],
) -> None:
    on_time = told(events, timer_every=1)
    assert told(events, timer_every=3) == on_time
    assert told(events, timer_every=None) == on_time
