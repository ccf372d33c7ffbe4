"""Pins that another program holds: the table is played without them, and gets them later."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kernel.inside.header import Header
from kernel.inside.table_buttons import PINS, table_buttons, tap_events
from kernel.inside.test_buttons import tap

from companion.adapters.gpio.reconnecting_buttons import RETRY_S
from companion.table.inputs import Button

HOLDER = Path(__file__).with_name("line_holder.py")


@contextmanager
def held(header: Header, folder: Path, *pins: int) -> Iterator[None]:
    """Another process holds these pins."""
    number = header.chip.name.removeprefix("gpiochip")
    with subprocess.Popen(
        [sys.executable, HOLDER, number, *map(str, pins)],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"holding\n"
        yield
        process.stdin.close()


def test_held_pin_is_named_and_the_others_work(header: Header, tmp_path: Path) -> None:
    async def main() -> None:
        with table_buttons() as table:
            pin = PINS[Button.EAST]
            assert table.advice() == (
                f"pin {pin} for button east cannot be used ('GPIO busy'): stop the program that "
                "uses it, or use another pin"
            )
            for key in PINS:
                await tap(header, key)
            others = [key for key in PINS if key is not Button.EAST]
            assert await table.taken() == [event for key in others for event in tap_events(key)]

    with held(header, tmp_path, PINS[Button.EAST]):
        asyncio.run(main())


def test_pin_works_after_the_other_program_has_ended(header: Header, tmp_path: Path) -> None:
    async def main() -> None:
        with held(header, tmp_path, PINS[Button.EAST], PINS[4]):
            opened = table_buttons()
            table = opened.__enter__()
            await asyncio.sleep(2.5 * RETRY_S)
            assert "button east" in table.advice()
            assert "die key 4" in table.advice()
        await asyncio.sleep(RETRY_S)
        assert table.reports[-1] is None
        for key in (Button.EAST, 4, Button.OK):
            await tap(header, key)
        assert await table.taken() == [
            *tap_events(Button.EAST),
            *tap_events(4),
            *tap_events(Button.OK),
        ]
        table.close()

    asyncio.run(main())
