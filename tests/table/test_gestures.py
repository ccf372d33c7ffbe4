"""Taps and holds: what is meant by a button, and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.marrakech import Facing
from companion.table.gestures import Gestures
from companion.table.inputs import (
    BACK,
    HOLD_BACK,
    HOLD_OK,
    OK,
    Button,
    Down,
    Input,
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


def test_ok_and_back_down_together_act_each_on_its_own(gestures: Gestures) -> None:
    gestures.hear(Down(Button.OK), 0)
    gestures.hear(Down(Button.BACK), 300)
    assert gestures.down == {Button.OK, Button.BACK}
    assert gestures.due_ms() == 2000
    assert gestures.pass_time(2000) == (HOLD_OK,)
    assert gestures.due_ms() == 2300
    assert gestures.hear(Up(Button.BACK), 2200) == (BACK,)
    assert gestures.hear(Up(Button.OK), 2201) == ()


def test_two_late_holds_come_in_the_order_they_were_pressed(gestures: Gestures) -> None:
    gestures.hear(Down(Button.BACK), 0)
    gestures.hear(Down(Button.OK), 1)
    assert gestures.pass_time(9000) == (HOLD_BACK, HOLD_OK)


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


# --- Any fingers --------------------------------------------------------------------------

EVENTS = st.lists(
    st.tuples(
        st.integers(0, 3000),
        st.builds(Down, st.sampled_from(Button)) | st.builds(Up, st.sampled_from(Button)),
    ),
    max_size=30,
)


def told(events: list[tuple[int, Down | Up]], timer_every: int | None) -> list[Input]:
    """All inputs, with a timer that comes on time, or one that comes rarely, or never."""
    gestures = Gestures(HOLD_MS)
    now, inputs = 0, list[Input]()
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
def test_every_press_leads_to_exactly_one_input(events: list[tuple[int, Down | Up]]) -> None:
    presses, down = dict.fromkeys(Button, 0), set[Button]()
    for _, event in events:
        if isinstance(event, Up):
            down.discard(event.button)
        elif event.button not in down:
            down.add(event.button)
            presses[event.button] += 1
    inputs = told(events, timer_every=1)
    for button in TAPS:
        assert inputs.count(TAPS[button]) + inputs.count(HOLDS[button]) == presses[button]
    for facing in Facing:
        assert inputs.count(direction(facing)) == presses[Button[facing.name]]


@given(EVENTS)
def test_a_late_timer_changes_neither_what_is_meant_nor_its_order(
    events: list[tuple[int, Down | Up]],
) -> None:
    on_time = told(events, timer_every=1)
    assert told(events, timer_every=3) == on_time
    assert told(events, timer_every=None) == on_time
