"""Contacts on mock pins: on virtual time by the millisecond, and on a real loop from a thread."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from helpers.patience import PATIENCE_S

from companion.adapters.gpio_buttons import GpioContacts, open_pin_factory
from companion.adapters.virtual.contacts import VirtualContacts
from companion.games.marrakech import Facing
from companion.table.gestures import Gestures
from companion.table.inputs import (
    HOLD_OK,
    OK,
    Button,
    Down,
    Input,
    Together,
    Up,
    die_key,
    direction,
)
from companion.testing.virtual_time import VirtualLoop, run

PINS: dict[Button | int, int] = {
    Button.NORTH: 5,
    Button.EAST: 6,
    Button.SOUTH: 13,
    Button.WEST: 19,
    Button.OK: 26,
    Button.BACK: 16,
    1: 17,
    2: 27,
    3: 22,
    4: 23,
}
Event = Down | Up | Input


class Table:
    """Hands, contacts and what was delivered, with the milliseconds."""

    def __init__(self, debounce_ms: float, *, stuck: tuple[Button | int, ...] = ()) -> None:
        self.loop = asyncio.get_running_loop()
        self.factory = open_pin_factory("mock")
        self.hands = VirtualContacts(self.factory, PINS)
        for key in stuck:
            self.hands.stick(key)
        self.told: list[tuple[float, Event]] = []
        self.contacts = GpioContacts(
            self.loop, PINS, self.hear, debounce_ms=debounce_ms, pin_factory=self.factory
        )

    def hear(self, event: Event) -> None:
        self.told.append((round(self.loop.time() * 1000, 6), event))

    async def wait(self, ms: float) -> None:
        await asyncio.sleep(ms / 1000)


def played(
    script: Callable[[Table], Coroutine[Any, Any, None]],
    *,
    debounce_ms: float = 12,
    stuck: tuple[Button | int, ...] = (),
) -> list[tuple[float, Event]]:
    """What a script of hands comes to, on virtual time."""

    async def main() -> list[tuple[float, Event]]:
        table = Table(debounce_ms, stuck=stuck)
        await script(table)
        await asyncio.sleep(1)
        table.contacts.close()
        return table.told

    return run(main())


# --- What is delivered, and when ----------------------------------------------------------


@pytest.mark.parametrize("button", Button)
def test_a_press_and_its_release_come_when_they_are_stable(button: Button) -> None:
    async def script(table: Table) -> None:
        table.hands.press(button)
        await table.wait(100)
        table.hands.release(button)

    assert played(script) == [(12, Down(button)), (112, Up(button))]


@pytest.mark.parametrize("pips", [1, 2, 3, 4])
def test_a_key_of_the_die_is_told_once_when_it_closes(pips: int) -> None:
    async def script(table: Table) -> None:
        table.hands.press(pips)
        await table.wait(100)
        table.hands.release(pips)

    assert played(script) == [(12, die_key(pips))]


def test_six_bounces_are_one_press_and_six_more_one_release() -> None:
    async def script(table: Table) -> None:
        table.hands.bounce(Button.OK, table.loop)
        await table.wait(100)
        table.hands.bounce(Button.OK, table.loop, is_press=False)

    assert played(script) == [(24, Down(Button.OK)), (124, Up(Button.OK))]


def test_a_glitch_of_8_ms_is_nothing_whether_the_contact_was_open_or_closed() -> None:
    async def script(table: Table) -> None:
        table.hands.glitch(Button.OK, table.loop)
        await table.wait(50)
        table.hands.press(Button.OK)
        await table.wait(50)
        table.hands.glitch(Button.OK, table.loop)

    assert played(script) == [(62, Down(Button.OK))]


def test_buttons_do_not_wait_for_one_another() -> None:
    async def script(table: Table) -> None:
        table.hands.press(Button.NORTH)
        await table.wait(5)
        table.hands.press(Button.EAST)
        await table.wait(6)
        table.hands.press(3)

    assert played(script) == [(12, Down(Button.NORTH)), (17, Down(Button.EAST)), (23, die_key(3))]


def test_without_debouncing_every_edge_is_delivered_at_once_and_no_timer_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def script(table: Table) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(VirtualLoop, "call_at", None)
            table.hands.press(Button.OK)
            table.hands.release(Button.OK)
            table.hands.press(Button.OK)
            await asyncio.sleep(0)
            assert len(table.told) == 3

    delivered = [(0, Down(Button.OK)), (0, Up(Button.OK)), (0, Down(Button.OK))]
    assert played(script, debounce_ms=0) == delivered


def test_edges_that_waited_for_a_busy_loop_keep_their_own_times() -> None:
    clock = [0.0]

    async def script(table: Table) -> None:
        # The loop is busy for 60 ms; the hands go on, and the edges wait for it.
        table.loop.time = lambda: clock[0]  # type: ignore[method-assign]
        for ms, move in (
            (0, table.hands.press),  # a glitch
            (8, table.hands.release),
            (20, table.hands.press),  # a whole press
            (50, table.hands.release),
        ):
            clock[0] = ms / 1000
            move(Button.OK)
        clock[0] = 0.060
        await asyncio.sleep(0)
        assert [event for _, event in table.told] == [Down(Button.OK)]
        del table.loop.time

    events = [event for _, event in played(script)]
    assert events == [Down(Button.OK), Up(Button.OK)]


def test_down_and_up_become_taps_holds_and_directions() -> None:
    inputs: list[tuple[float, Input | Together]] = []

    async def main() -> None:
        table = Table(12)
        gestures = Gestures(2000)
        await table.wait(0)
        table.hands.bounce(Button.OK, table.loop)
        await table.wait(300)
        table.hands.release(Button.OK)
        await table.wait(100)
        table.hands.press(Button.SOUTH)
        await table.wait(100)
        table.hands.press(Button.OK)
        await table.wait(2100)
        table.hands.release(Button.OK)
        await table.wait(100)
        table.contacts.close()
        for at_ms, event in table.told:
            assert isinstance(event, Down | Up)
            inputs.extend((at_ms, meant) for meant in gestures.hear(event, at_ms))

    run(main())
    assert inputs == [(312, OK), (412, direction(Facing.SOUTH)), (2612, HOLD_OK)]


# --- Contacts that fail -------------------------------------------------------------------


def test_a_contact_stuck_at_the_start_is_named_and_means_nothing_until_it_opened() -> None:
    async def script(table: Table) -> None:
        assert table.contacts.stuck_at_start == (Button.OK, 2)
        await table.wait(100)
        table.hands.free(Button.OK)
        table.hands.free(2)
        await table.wait(100)
        table.hands.press(Button.OK)
        table.hands.press(2)
        await table.wait(100)
        table.hands.release(Button.OK)

    assert played(script, stuck=(Button.OK, 2)) == [
        (212, Down(Button.OK)),
        (212, die_key(2)),
        (312, Up(Button.OK)),
    ]


def test_nothing_is_stuck_where_nothing_is_pressed() -> None:
    async def script(table: Table) -> None:
        assert table.contacts.stuck_at_start == ()

    assert played(script) == []


# --- The end ------------------------------------------------------------------------------


def test_after_close_nothing_is_delivered_not_even_what_is_under_way() -> None:
    async def script(table: Table) -> None:
        table.hands.press(Button.OK)
        await table.wait(5)
        table.hands.press(Button.BACK)  # not even heard yet
        table.contacts.close()
        table.contacts.close()
        table.hands.release(Button.OK)

    assert played(script) == []


def test_close_in_the_middle_of_a_delivery_is_the_end_of_it() -> None:
    told: list[Event] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        factory = MockFactory()

        def hear(event: Event) -> None:
            told.append(event)
            contacts.close()

        contacts = GpioContacts(loop, {Button.OK: 26}, hear, debounce_ms=0, pin_factory=factory)
        hands = VirtualContacts(factory, {Button.OK: 26})
        hands.press(Button.OK)
        hands.release(Button.OK)
        await asyncio.sleep(1)

    run(main())
    assert told == [Down(Button.OK)]


def test_there_is_one_timer_at_most_and_none_after_the_end() -> None:
    timers: list[asyncio.TimerHandle] = []

    class Watched(VirtualLoop):
        def call_at(self, *args: Any, **kwargs: Any) -> asyncio.TimerHandle:  # type: ignore[override]  # noqa: ANN401
            timers.append(super().call_at(*args, **kwargs))
            return timers[-1]

        def waiting(self) -> list[float]:
            return [
                timer.when() * 1000
                for timer in timers
                if timer.when() > self.time() and not timer.cancelled()
            ]

    async def main() -> None:
        table = Table(12)
        assert isinstance(table.loop, Watched)
        table.hands.bounce(Button.OK, table.loop)
        await table.wait(13)
        assert table.loop.waiting() == [24]
        await table.wait(87)
        table.hands.release(Button.OK)
        await table.wait(1)
        assert table.loop.waiting() == [112]
        table.hands.press(Button.OK)
        table.contacts.close()  # the press is not heard yet
        await table.wait(1)
        assert table.loop.waiting() == []

    with asyncio.Runner(loop_factory=Watched) as runner:
        runner.run(main())


def test_closing_frees_the_pins() -> None:
    async def main() -> None:
        factory = MockFactory()
        for _ in range(3):  # each time the pins can be had again
            loop = asyncio.get_running_loop()
            contacts = GpioContacts(loop, PINS, print, debounce_ms=12, pin_factory=factory)
            contacts.close()

    run(main())


def test_no_thread_is_started() -> None:
    async def main() -> int:
        Table(12)
        return threading.active_count()

    before = threading.active_count()
    assert run(main()) == before


def test_an_edge_after_the_loop_has_closed_raises_nothing() -> None:
    loop = VirtualLoop()
    factory = MockFactory()
    contacts = GpioContacts(loop, PINS, print, debounce_ms=12, pin_factory=factory)
    hands = VirtualContacts(factory, PINS)
    loop.close()
    hands.press(Button.OK)
    hands.release(Button.OK)
    contacts.close()


# --- On a real loop -----------------------------------------------------------------------


@asynccontextmanager
async def real_table(
    debounce_ms: float,
) -> AsyncIterator[tuple[VirtualContacts, asyncio.Queue[Event]]]:
    queue: asyncio.Queue[Event] = asyncio.Queue()
    factory = open_pin_factory("mock")
    hands = VirtualContacts(factory, PINS)
    loop_thread = threading.get_ident()

    def hear(event: Event) -> None:
        assert threading.get_ident() == loop_thread
        queue.put_nowait(event)

    contacts = GpioContacts(
        asyncio.get_running_loop(), PINS, hear, debounce_ms=debounce_ms, pin_factory=factory
    )
    yield hands, queue
    contacts.close()


@pytest.mark.parametrize("debounce_ms", [0, 12])
def test_a_press_in_another_thread_arrives_on_the_loop(debounce_ms: float) -> None:
    async def main() -> None:
        async with real_table(debounce_ms) as (hands, queue), asyncio.timeout(PATIENCE_S):
            began = time.monotonic()
            await asyncio.to_thread(hands.press, Button.WEST)
            assert await queue.get() == Down(Button.WEST)
            assert time.monotonic() - began >= debounce_ms / 1000
            await asyncio.to_thread(hands.release, Button.WEST)
            assert await queue.get() == Up(Button.WEST)
            await asyncio.to_thread(hands.press, 4)
            assert await queue.get() == die_key(4)

    asyncio.run(main(), debug=True)  # where a call that is not thread-safe is refused


def test_real_bouncing_is_one_press() -> None:
    async def main() -> None:
        # So long a time that no busy machine takes one bounce for a press.
        async with real_table(200) as (hands, queue), asyncio.timeout(PATIENCE_S):
            hands.bounce(Button.OK, asyncio.get_running_loop())
            assert await queue.get() == Down(Button.OK)
            hands.bounce(Button.OK, asyncio.get_running_loop(), is_press=False)
            assert await queue.get() == Up(Button.OK)
            assert queue.empty()

    asyncio.run(main())
