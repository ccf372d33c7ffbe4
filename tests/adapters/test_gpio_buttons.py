"""Contacts on mock pins: on virtual time by the millisecond, and on a real loop from a thread."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import PinUnknownPi
from gpiozero.pins.mock import MockFactory

from companion.adapters.gpio_buttons import GpioContacts, contact_name, open_pin_factory
from companion.adapters.virtual_hands import VirtualHands
from companion.daemon.virtual_time import VirtualLoop, run
from companion.errors import CompanionError
from companion.games.marrakech import Facing
from companion.table.gestures import Gestures
from companion.table.inputs import (
    HOLD_OK,
    OK,
    Button,
    Down,
    Input,
    Up,
    die_key,
    direction,
)

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
        self.hands = VirtualHands(self.factory, PINS)
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
    inputs: list[tuple[float, Input]] = []

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
        hands = VirtualHands(factory, {Button.OK: 26})
        hands.press(Button.OK)
        hands.release(Button.OK)
        await asyncio.sleep(1)

    run(main())
    assert told == [Down(Button.OK)]


def test_closing_takes_no_time_and_frees_the_pins() -> None:
    async def main() -> float:
        factory = MockFactory()
        took = 0.0
        for _ in range(3):  # each time the pins can be had again
            loop = asyncio.get_running_loop()
            contacts = GpioContacts(loop, PINS, print, debounce_ms=12, pin_factory=factory)
            began = time.monotonic()
            contacts.close()
            took += time.monotonic() - began
        return took

    assert run(main()) < 0.1, "a gpiozero Button takes 50 ms each"


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
    hands = VirtualHands(factory, PINS)
    loop.close()
    hands.press(Button.OK)
    hands.release(Button.OK)
    contacts.close()


# --- On a real loop -----------------------------------------------------------------------


@asynccontextmanager
async def real_table(
    debounce_ms: float,
) -> AsyncIterator[tuple[VirtualHands, asyncio.Queue[Event]]]:
    queue: asyncio.Queue[Event] = asyncio.Queue()
    factory = open_pin_factory("mock")
    hands = VirtualHands(factory, PINS)
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
        async with real_table(debounce_ms) as (hands, queue), asyncio.timeout(30):
            began = time.monotonic()
            await asyncio.to_thread(hands.press, Button.WEST)
            assert await queue.get() == Down(Button.WEST)
            assert time.monotonic() - began >= debounce_ms / 1000
            await asyncio.to_thread(hands.release, Button.WEST)
            assert await queue.get() == Up(Button.WEST)
            await asyncio.to_thread(hands.press, 4)
            assert await queue.get() == die_key(4)

    asyncio.run(main())


def test_real_bouncing_is_one_press() -> None:
    async def main() -> None:
        # So long a time that no busy machine takes one bounce for a press.
        async with real_table(200) as (hands, queue), asyncio.timeout(30):
            hands.bounce(Button.OK, asyncio.get_running_loop())
            assert await queue.get() == Down(Button.OK)
            hands.bounce(Button.OK, asyncio.get_running_loop(), is_press=False)
            assert await queue.get() == Up(Button.OK)
            assert queue.empty()

    asyncio.run(main())


# --- Pins that cannot be had --------------------------------------------------------------


def refused(pins: dict[Button | int, int], factory: MockFactory) -> str:
    loop = VirtualLoop()
    try:
        with pytest.raises(CompanionError) as refusal:
            GpioContacts(loop, pins, print, debounce_ms=12, pin_factory=factory)
        return str(refusal.value)
    finally:
        loop.close()


def test_a_pin_that_does_not_exist_is_refused_by_name() -> None:
    assert refused({Button.OK: 26, Button.EAST: 99}, MockFactory()) == (
        "pin 99 for button east is no GPIO pin of this Pi: give it another pin in the config"
    )


def test_a_pin_used_twice_is_refused_by_name_and_all_pins_are_free_again() -> None:
    factory = MockFactory()
    assert refused({Button.OK: 26, 3: 26}, factory) == (
        "pin 26 for die key 3 is in use already: "
        "give each button and key a pin of its own in the config"
    )
    loop = VirtualLoop()
    GpioContacts(loop, {3: 26}, print, debounce_ms=12, pin_factory=factory).close()
    loop.close()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            PermissionError(13, "Permission denied"),
            "pin 26 for button ok may not be used: run 'sudo adduser $USER gpio' and log in again",
        ),
        (
            OSError(16, "Device or resource busy"),
            "pin 26 for button ok cannot be used ([Errno 16] Device or resource busy): "
            "stop what else uses it, or give it another pin",
        ),
        (
            Exception(),  # lgpio's own error is no OSError
            "pin 26 for button ok cannot be used (Exception): "
            "stop what else uses it, or give it another pin",
        ),
    ],
)
def test_a_pin_that_the_system_refuses_is_named(error: Exception, told: str) -> None:
    class Refusing(MockFactory):  # type: ignore[misc]  # gpiozero comes without types
        def pin(self, *_: object, **__: object) -> None:
            raise error

    assert refused({Button.OK: 26}, Refusing()) == told


def test_contacts_have_names() -> None:
    assert [contact_name(key) for key in (Button.BACK, 1)] == ["button back", "die key 1"]


# --- Where the pins come from -------------------------------------------------------------


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    (tmp_path / "gpiochip0").touch()
    return tmp_path


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """gpiozero's module for a machine that has lgpio."""
    module = ModuleType("gpiozero.pins.lgpio")
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)
    return module


def factory_refused(devices: Path, kind: str = "lgpio") -> str:
    with pytest.raises(CompanionError) as refusal:
        open_pin_factory(kind, devices=devices)
    return str(refusal.value)


def test_a_machine_without_gpio_is_sent_to_play(tmp_path: Path) -> None:
    assert factory_refused(tmp_path) == (
        "this machine has no GPIO: on a laptop use 'marrakech play'"
    )


def test_chips_that_may_not_be_used_are_refused_with_the_group(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert factory_refused(devices) == (
        f"{devices}/gpiochip0 may not be used: run 'sudo adduser $USER gpio' and log in again"
    )


def test_missing_lgpio_is_refused_with_its_package(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert factory_refused(devices) == (
        "Python's lgpio is missing: run 'sudo apt install python3-lgpio', and make .venv with "
        "--system-site-packages"
    )


def test_a_folder_that_lgpio_cannot_write_into_is_named(
    devices: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lgpio.py").write_text("open('nowhere/.lgd-nfy0')")
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert factory_refused(devices) == (
        f"lgpio cannot write into {tmp_path} ([Errno 2] No such file or directory: "
        "'nowhere/.lgd-nfy0'): start the companion from a folder that you may write into"
    )


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            PinUnknownPi("no revision"),
            "this machine is no Raspberry Pi: on a laptop use 'marrakech play'",
        ),
        (
            Exception("can not open gpiochip"),
            "the GPIO cannot be opened (can not open gpiochip): "
            "run 'sudo adduser $USER gpio' and log in again",
        ),
    ],
)
def test_a_chip_that_does_not_open_is_refused(
    devices: Path, lgpio: ModuleType, error: Exception, told: str
) -> None:
    def open_chip() -> None:
        raise error

    lgpio.LGPIOFactory = open_chip  # type: ignore[attr-defined]
    assert factory_refused(devices) == told


def test_lgpio_is_used_where_it_is(devices: Path, lgpio: ModuleType) -> None:
    lgpio.LGPIOFactory = MockFactory  # type: ignore[attr-defined]
    assert type(open_pin_factory("lgpio", devices=devices)) is MockFactory


def test_mock_pins_need_no_device(tmp_path: Path) -> None:
    assert type(open_pin_factory("mock", devices=tmp_path)) is MockFactory


def test_another_kind_is_refused_with_the_nearest(tmp_path: Path) -> None:
    assert factory_refused(tmp_path, "lpgio") == (
        "unknown pin factory 'lpgio': use lgpio or mock; did you mean 'lgpio'?"
    )
