"""The chip of the header is removed while the table runs, and comes back.

In real time: lgpio's thread for edges reads errors without a pause until the chip is closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
from helpers.patience import PATIENCE_S
from kernel.inside.header import Header
from kernel.inside.table_buttons import PINS, TableButtons, table_buttons

from companion.adapters.gpio.lgpio_thread import gpio_thread_error
from companion.table.inputs import Button, ButtonDown, ButtonUp

POLL_S = 0.02
READ_ERROR = "read error 19"
"""Logged by lgpio for each attempt to read an edge of a removed chip."""


@pytest.fixture(autouse=True)
def returned_chip(header: Header) -> Iterator[None]:
    yield
    if not header.is_present:
        header.return_chip()


async def wait_until(is_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_true():
            await asyncio.sleep(POLL_S)


async def press_and_release(table: TableButtons, header: Header, button: Button) -> None:
    """Each step waits for its event, so no time is too short."""
    table.delivered.clear()
    header.close_contact(PINS[button])
    await wait_until(lambda: table.delivered == [ButtonDown(button)])
    header.open_contact(PINS[button])
    await wait_until(lambda: table.delivered == [ButtonDown(button), ButtonUp(button)])


def test_buttons_work_after_the_chip_was_removed_and_is_back(
    header: Header, capfd: pytest.CaptureFixture[str]
) -> None:
    async def main() -> None:
        with table_buttons() as table:
            await press_and_release(table, header, Button.OK)
            for _ in range(2):
                name = header.chip.name
                header.remove_chip()
                await wait_until(lambda: bool(table.advice()))
                assert table.advice() == (
                    f"the system has removed /dev/{name} (raspberrypi,rp1-gpio): if the buttons do "
                    "not work again within a minute, reboot the Pi"
                )
                assert READ_ERROR in capfd.readouterr().err
                header.return_chip()
                await wait_until(lambda: not table.advice())
                for button in (Button.OK, Button.NORTH):
                    await press_and_release(table, header, button)
                assert READ_ERROR not in capfd.readouterr().err, "the removed chip is closed"
                assert gpio_thread_error(table.buttons.pins) is None

    asyncio.run(main())


def test_button_held_while_the_chip_is_removed_is_released(header: Header) -> None:
    async def main() -> None:
        with table_buttons() as table:
            header.close_contact(PINS[Button.OK])
            await wait_until(lambda: table.delivered == [ButtonDown(Button.OK)])
            header.remove_chip()
            await wait_until(lambda: ButtonUp(Button.OK) in table.delivered)
            header.return_chip()
            await wait_until(lambda: not table.advice())
            await press_and_release(table, header, Button.OK)

    asyncio.run(main())
