"""The buttons of a table on the pins of the test kernel, and what they deliver."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager

from companion.adapters.gpio.reconnecting_buttons import ReconnectingButtons
from companion.adapters.hardware import PiHardware, pins_of
from companion.config.model import Config
from companion.i18n.message import Message
from companion.table.inputs import Button, ButtonDown, ButtonUp, Input, die_key

CONFIG = Config()
PINS = pins_of(CONFIG)
DEBOUNCE_S = CONFIG.buttons.debounce_ms / 1000
LONG_S = 1.0
"""Much longer than anything takes in the test kernel, where computing takes no time."""

Event = ButtonDown | ButtonUp | Input


class TableButtons:
    """The companion's own buttons: gpiozero, lgpio and the kernel are real."""

    def __init__(self) -> None:
        self.delivered: list[Event] = []
        self.reports: list[Message | None] = []
        self.buttons = ReconnectingButtons(
            asyncio.get_running_loop(),
            CONFIG,
            PiHardware(),
            self.delivered.append,
            self.reports.append,
        )

    def close(self) -> None:
        self.buttons.close()

    async def taken(self) -> list[Event]:
        """What was delivered since the last call, when nothing more can come."""
        await asyncio.sleep(LONG_S)
        delivered = list(self.delivered)
        self.delivered.clear()
        return delivered

    def advice(self) -> str:
        """The advice of the current report; empty without an error."""
        report = self.reports[-1]
        return "" if report is None else str(report.value("advice"))


@contextmanager
def table_buttons() -> Iterator[TableButtons]:
    with closing(TableButtons()) as table:
        yield table


def tap_events(key: Button | int) -> list[Event]:
    """What a press and a release deliver."""
    return [ButtonDown(key), ButtonUp(key)] if isinstance(key, Button) else [die_key(key)]
