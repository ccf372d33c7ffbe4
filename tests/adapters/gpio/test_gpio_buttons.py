"""Contacts on mock pins: exact times on a virtual loop, and threads on a real loop."""

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

from companion.adapters.gpio.contacts import GpioContacts
from companion.adapters.gpio.pin_factory import open_pin_factory
from companion.adapters.virtual.contacts import VirtualContacts
from companion.games.marrakech import Facing
from companion.table.gestures import Gestures
from companion.table.inputs import (
    HOLD_OK,
    OK,
    Button,
    ButtonCombo,
    ButtonDown,
    ButtonUp,
    Input,
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
Event = ButtonDown | ButtonUp | Input


class Table:
    """Virtual contacts, `GpioContacts` on the same pins, and what they delivered, in ms."""

    def __init__(self, debounce_ms: float, *, stuck: tuple[Button | int, ...] = ()) -> None:
        self.loop = asyncio.get_running_loop()
        self.factory = open_pin_factory("mock")
        self.contacts = VirtualContacts(self.factory, PINS)
        for key in stuck:
            self.contacts.stick(key)
        self.delivered: list[tuple[float, Event]] = []
        self.gpio_contacts = GpioContacts(
            self.loop, PINS, self.record, debounce_ms=debounce_ms, pin_factory=self.factory
        )

    def record(self, event: Event) -> None:
        self.delivered.append((round(self.loop.time() * 1000, 6), event))

    async def wait(self, ms: float) -> None:
        await asyncio.sleep(ms / 1000)


def deliveries(
    script: Callable[[Table], Coroutine[Any, Any, None]],
    *,
    debounce_ms: float = 12,
    stuck: tuple[Button | int, ...] = (),
) -> list[tuple[float, Event]]:
    """What a script delivers, on virtual time."""

    async def main() -> list[tuple[float, Event]]:
        table = Table(debounce_ms, stuck=stuck)
        await script(table)
        await asyncio.sleep(1)
        table.gpio_contacts.close()
        return table.delivered

    return run(main())


# --- Delivery -----------------------------------------------------------------------------


@pytest.mark.parametrize("button", Button)
def test_presses_and_releases_are_delivered_when_stable(button: Button) -> None:
    async def script(table: Table) -> None:
        table.contacts.press(button)
        await table.wait(100)
        table.contacts.release(button)

    assert deliveries(script) == [(12, ButtonDown(button)), (112, ButtonUp(button))]


@pytest.mark.parametrize("pips", [1, 2, 3, 4])
def test_a_die_key_is_delivered_once_when_it_closes(pips: int) -> None:
    async def script(table: Table) -> None:
        table.contacts.press(pips)
        await table.wait(100)
        table.contacts.release(pips)

    assert deliveries(script) == [(12, die_key(pips))]


def test_bounces_are_one_press_and_one_release() -> None:
    async def script(table: Table) -> None:
        table.contacts.bounce(Button.OK, table.loop)
        await table.wait(100)
        table.contacts.bounce(Button.OK, table.loop, is_press=False)

    assert deliveries(script) == [(24, ButtonDown(Button.OK)), (124, ButtonUp(Button.OK))]


def test_a_glitch_of_8_ms_is_ignored_on_open_and_closed_contacts() -> None:
    async def script(table: Table) -> None:
        table.contacts.glitch(Button.OK, table.loop)
        await table.wait(50)
        table.contacts.press(Button.OK)
        await table.wait(50)
        table.contacts.glitch(Button.OK, table.loop)

    assert deliveries(script) == [(62, ButtonDown(Button.OK))]


def test_buttons_are_debounced_independently() -> None:
    async def script(table: Table) -> None:
        table.contacts.press(Button.NORTH)
        await table.wait(5)
        table.contacts.press(Button.EAST)
        await table.wait(6)
        table.contacts.press(3)

    assert deliveries(script) == [
        (12, ButtonDown(Button.NORTH)),
        (17, ButtonDown(Button.EAST)),
        (23, die_key(3)),
    ]


def test_without_debouncing_edges_are_delivered_at_once_without_a_timer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def script(table: Table) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(VirtualLoop, "call_at", None)
            table.contacts.press(Button.OK)
            table.contacts.release(Button.OK)
            table.contacts.press(Button.OK)
            await asyncio.sleep(0)
            assert len(table.delivered) == 3

    delivered = [(0, ButtonDown(Button.OK)), (0, ButtonUp(Button.OK)), (0, ButtonDown(Button.OK))]
    assert deliveries(script, debounce_ms=0) == delivered


def test_edges_keep_their_times_while_the_loop_is_busy() -> None:
    clock = [0.0]

    async def script(table: Table) -> None:
        # The loop is busy for 60 ms while the contacts change.
        table.loop.time = lambda: clock[0]  # type: ignore[method-assign]
        for ms, move in (
            (0, table.contacts.press),  # a glitch
            (8, table.contacts.release),
            (20, table.contacts.press),  # a whole press
            (50, table.contacts.release),
        ):
            clock[0] = ms / 1000
            move(Button.OK)
        clock[0] = 0.060
        await asyncio.sleep(0)
        assert [event for _, event in table.delivered] == [ButtonDown(Button.OK)]
        del table.loop.time

    events = [event for _, event in deliveries(script)]
    assert events == [ButtonDown(Button.OK), ButtonUp(Button.OK)]


def test_gestures_make_inputs_of_the_delivered_events() -> None:
    inputs: list[tuple[float, Input | ButtonCombo]] = []

    async def main() -> None:
        table = Table(12)
        gestures = Gestures(2000)
        await table.wait(0)
        table.contacts.bounce(Button.OK, table.loop)
        await table.wait(300)
        table.contacts.release(Button.OK)
        await table.wait(100)
        table.contacts.press(Button.SOUTH)
        await table.wait(100)
        table.contacts.press(Button.OK)
        await table.wait(2100)
        table.contacts.release(Button.OK)
        await table.wait(100)
        table.gpio_contacts.close()
        for at_ms, event in table.delivered:
            assert isinstance(event, ButtonDown | ButtonUp)
            inputs.extend((at_ms, table_input) for table_input in gestures.handle(event, at_ms))

    run(main())
    assert inputs == [(312, OK), (412, direction(Facing.SOUTH)), (2612, HOLD_OK)]


# --- Stuck contacts -----------------------------------------------------------------------


def test_a_contact_stuck_at_the_start_is_listed_and_ignored_until_it_opens() -> None:
    async def script(table: Table) -> None:
        assert table.gpio_contacts.stuck_at_start == (Button.OK, 2)
        await table.wait(100)
        table.contacts.free(Button.OK)
        table.contacts.free(2)
        await table.wait(100)
        table.contacts.press(Button.OK)
        table.contacts.press(2)
        await table.wait(100)
        table.contacts.release(Button.OK)

    assert deliveries(script, stuck=(Button.OK, 2)) == [
        (212, ButtonDown(Button.OK)),
        (212, die_key(2)),
        (312, ButtonUp(Button.OK)),
    ]


def test_no_contact_is_stuck_at_the_start_if_none_is_closed() -> None:
    async def script(table: Table) -> None:
        assert table.gpio_contacts.stuck_at_start == ()

    assert deliveries(script) == []


# --- Closing ------------------------------------------------------------------------------


def test_after_close_nothing_is_delivered_not_even_pending_edges() -> None:
    async def script(table: Table) -> None:
        table.contacts.press(Button.OK)
        await table.wait(5)
        table.contacts.press(Button.BACK)  # not yet on the loop
        table.gpio_contacts.close()
        table.gpio_contacts.close()
        table.contacts.release(Button.OK)

    assert deliveries(script) == []


def test_close_during_a_delivery_stops_further_deliveries() -> None:
    delivered: list[Event] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        factory = MockFactory()

        def record(event: Event) -> None:
            delivered.append(event)
            gpio_contacts.close()

        gpio_contacts = GpioContacts(
            loop, {Button.OK: 26}, record, debounce_ms=0, pin_factory=factory
        )
        contacts = VirtualContacts(factory, {Button.OK: 26})
        contacts.press(Button.OK)
        contacts.release(Button.OK)
        await asyncio.sleep(1)

    run(main())
    assert delivered == [ButtonDown(Button.OK)]


def test_there_is_one_timer_at_most_and_none_after_close() -> None:
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
        table.contacts.bounce(Button.OK, table.loop)
        await table.wait(13)
        assert table.loop.waiting() == [24]
        await table.wait(87)
        table.contacts.release(Button.OK)
        await table.wait(1)
        assert table.loop.waiting() == [112]
        table.contacts.press(Button.OK)
        table.gpio_contacts.close()  # the press is not yet on the loop
        await table.wait(1)
        assert table.loop.waiting() == []

    with asyncio.Runner(loop_factory=Watched) as runner:
        runner.run(main())


def test_close_releases_the_pins() -> None:
    async def main() -> None:
        factory = MockFactory()
        for _ in range(3):  # fails if a pin is still in use
            loop = asyncio.get_running_loop()
            gpio_contacts = GpioContacts(loop, PINS, print, debounce_ms=12, pin_factory=factory)
            gpio_contacts.close()

    run(main())


def test_no_thread_is_started() -> None:
    async def main() -> int:
        Table(12)
        return threading.active_count()

    before = threading.active_count()
    assert run(main()) == before


def test_an_edge_after_the_loop_was_closed_does_not_raise() -> None:
    loop = VirtualLoop()
    factory = MockFactory()
    gpio_contacts = GpioContacts(loop, PINS, print, debounce_ms=12, pin_factory=factory)
    contacts = VirtualContacts(factory, PINS)
    loop.close()
    contacts.press(Button.OK)
    contacts.release(Button.OK)
    gpio_contacts.close()


# --- On a real loop -----------------------------------------------------------------------


@asynccontextmanager
async def real_table(
    debounce_ms: float,
) -> AsyncIterator[tuple[VirtualContacts, asyncio.Queue[Event]]]:
    queue: asyncio.Queue[Event] = asyncio.Queue()
    factory = open_pin_factory("mock")
    contacts = VirtualContacts(factory, PINS)
    loop_thread = threading.get_ident()

    def record(event: Event) -> None:
        assert threading.get_ident() == loop_thread
        queue.put_nowait(event)

    gpio_contacts = GpioContacts(
        asyncio.get_running_loop(), PINS, record, debounce_ms=debounce_ms, pin_factory=factory
    )
    yield contacts, queue
    gpio_contacts.close()


@pytest.mark.parametrize("debounce_ms", [0, 12])
def test_a_press_in_another_thread_is_delivered_on_the_loop(debounce_ms: float) -> None:
    async def main() -> None:
        async with real_table(debounce_ms) as (contacts, queue), asyncio.timeout(PATIENCE_S):
            began = time.monotonic()
            await asyncio.to_thread(contacts.press, Button.WEST)
            assert await queue.get() == ButtonDown(Button.WEST)
            assert time.monotonic() - began >= debounce_ms / 1000
            await asyncio.to_thread(contacts.release, Button.WEST)
            assert await queue.get() == ButtonUp(Button.WEST)
            await asyncio.to_thread(contacts.press, 4)
            assert await queue.get() == die_key(4)

    asyncio.run(main(), debug=True)  # debug mode rejects calls that are not thread-safe


def test_real_bouncing_is_one_press() -> None:
    async def main() -> None:
        # Long enough for a busy machine.
        async with real_table(200) as (contacts, queue), asyncio.timeout(PATIENCE_S):
            contacts.bounce(Button.OK, asyncio.get_running_loop())
            assert await queue.get() == ButtonDown(Button.OK)
            contacts.bounce(Button.OK, asyncio.get_running_loop(), is_press=False)
            assert await queue.get() == ButtonUp(Button.OK)
            assert queue.empty()

    asyncio.run(main())
