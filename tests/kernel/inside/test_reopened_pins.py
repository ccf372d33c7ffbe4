"""Buttons that are opened a second time by the same process."""

from __future__ import annotations

import asyncio

from kernel.inside.header import Header
from kernel.inside.table_buttons import TableButtons, tap_events
from kernel.inside.test_buttons import tap

from companion.adapters.gpio.lgpio_thread import gpio_thread_error
from companion.table.inputs import Button


def test_pins_work_after_they_were_closed_and_opened_again(header: Header) -> None:
    async def main() -> None:
        first, second = TableButtons(), None
        try:
            first.buttons.close()
            second = TableButtons()
            await tap(header, Button.NORTH)
            assert await second.taken() == tap_events(Button.NORTH)
            assert gpio_thread_error(second.buttons.pins) is None
        finally:
            (second or first).close()

    asyncio.run(main())
