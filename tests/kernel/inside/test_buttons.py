"""Presses on kernel GPIO lines, through lgpio and gpiozero, to the companion's events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

import pytest
from kernel.inside.header import Header
from kernel.inside.table_buttons import DEBOUNCE_S, PINS, TableButtons, table_buttons, tap_events

from companion.table.inputs import Button, ButtonDown, ButtonUp

BOUNCE_S = 0.002
TAP_S = 0.05
GPIO_IS_PULL_UP = 1 << 5

Script = Callable[[TableButtons], Coroutine[Any, Any, None]]


def play(script: Script) -> None:
    """Run a script with open buttons."""

    async def main() -> None:
        with table_buttons() as table:
            assert table.reports == [None]
            await script(table)

    asyncio.run(main())


async def tap(header: Header, key: Button | int) -> None:
    header.close_contact(PINS[key])
    await asyncio.sleep(TAP_S)
    header.open_contact(PINS[key])
    await asyncio.sleep(TAP_S)


async def bounce(header: Header, key: Button | int, *, is_press: bool, count: int = 6) -> None:
    """The contact changes several times before it stays closed or open."""
    change, back = header.close_contact, header.open_contact
    if not is_press:
        change, back = back, change
    for _ in range(count):
        change(PINS[key])
        await asyncio.sleep(BOUNCE_S)
        back(PINS[key])
        await asyncio.sleep(BOUNCE_S)
    change(PINS[key])


def test_chip_of_the_header_is_found(header: Header) -> None:
    """It is not gpiochip0, and gpiozero alone would open that one."""

    async def script(table: TableButtons) -> None:
        name = header.chip.name
        assert name not in ("gpiochip0", "gpiochip4")
        assert f"/dev/{name} (raspberrypi,rp1-gpio)" in table.buttons.description

    play(script)


def test_every_button_and_die_key_arrives_once_in_order(header: Header) -> None:
    async def script(table: TableButtons) -> None:
        for key in PINS:
            await tap(header, key)
        assert await table.taken() == [event for key in PINS for event in tap_events(key)]

    play(script)


def test_buttons_pressed_together_arrive_in_the_order_of_their_edges(header: Header) -> None:
    async def script(table: TableButtons) -> None:
        for key in (Button.OK, Button.BACK):
            header.close_contact(PINS[key])
            await asyncio.sleep(BOUNCE_S)
        await asyncio.sleep(TAP_S)
        for key in (Button.BACK, Button.OK):
            header.open_contact(PINS[key])
            await asyncio.sleep(BOUNCE_S)
        assert await table.taken() == [
            ButtonDown(Button.OK),
            ButtonDown(Button.BACK),
            ButtonUp(Button.BACK),
            ButtonUp(Button.OK),
        ]

    play(script)


@pytest.mark.parametrize("key", [Button.OK, 3], ids=["button", "die key"])
def test_bouncing_contact_is_one_press(header: Header, key: Button | int) -> None:
    async def script(table: TableButtons) -> None:
        await bounce(header, key, is_press=True)
        await asyncio.sleep(TAP_S)
        await bounce(header, key, is_press=False)
        assert await table.taken() == tap_events(key)

    play(script)


def test_more_bounces_than_the_kernel_keeps_are_one_press(header: Header) -> None:
    """The kernel keeps 16 edges of a line that nobody reads."""

    async def script(table: TableButtons) -> None:
        await bounce(header, Button.OK, is_press=True, count=40)
        await asyncio.sleep(TAP_S)
        await bounce(header, Button.OK, is_press=False, count=40)
        assert await table.taken() == tap_events(Button.OK)

    play(script)


@pytest.mark.parametrize("key", PINS, ids=str)
def test_glitch_shorter_than_the_debounce_time_is_no_press(
    header: Header, key: Button | int
) -> None:
    async def script(table: TableButtons) -> None:
        header.close_contact(PINS[key])
        await asyncio.sleep(DEBOUNCE_S * 0.6)
        header.open_contact(PINS[key])
        assert await table.taken() == []

    play(script)


def test_contact_closed_at_the_start_is_ignored_until_it_opens(header: Header) -> None:
    header.close_contact(PINS[Button.BACK])
    header.close_contact(PINS[2])

    async def script(table: TableButtons) -> None:
        assert table.buttons.stuck_at_start == ("button back", "die key 2")
        await tap(header, Button.OK)
        assert await table.taken() == tap_events(Button.OK)
        for key in (Button.BACK, 2):
            header.open_contact(PINS[key])
        assert await table.taken() == []
        for key in (Button.BACK, 2):
            await tap(header, key)
        assert await table.taken() == [*tap_events(Button.BACK), *tap_events(2)]

    play(script)


def test_pins_have_pull_up_resistors(header: Header) -> None:
    """Set in the kernel; the contacts have no resistors of their own."""
    lgpio = import_module("lgpio")

    async def script(table: TableButtons) -> None:
        pins = table.buttons.pins
        assert pins is not None
        modes = {pin: lgpio.gpio_get_mode(pins._handle, pin) for pin in PINS.values()}
        assert all(mode & GPIO_IS_PULL_UP for mode in modes.values()), modes

    play(script)


def test_press_while_the_loop_is_blocked_arrives(header: Header) -> None:
    async def script(table: TableButtons) -> None:
        header.close_contact(PINS[Button.OK])
        time.sleep(TAP_S)  # the loop is blocked, lgpio's threads run
        header.open_contact(PINS[Button.OK])
        time.sleep(TAP_S)
        assert await table.taken() == tap_events(Button.OK)

    play(script)
