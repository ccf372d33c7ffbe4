"""Buttons that may come later: the table goes on with those that can be heard.

A pin may be another program's, the group may be missing, lgpio may not be installed. Each is told
with what to do about it, and tried again now and then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.adapters.gpio_buttons import GpioContacts, Pins, contact_name
from companion.adapters.hardware import Hardware, pins_of
from companion.config.model import Config
from companion.errors import CompanionError
from companion.i18n.message import Message, message
from companion.table.inputs import Down, Input, Up

if TYPE_CHECKING:
    import asyncio

RETRY_S = 10.0


class ReconnectingButtons:
    """All contacts of a table, or as many as can be had. `tell` hears what is wrong with them."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        config: Config,
        hardware: Hardware,
        deliver: Callable[[Down | Up | Input], None],
        tell: Callable[[Message | None], None],
    ) -> None:
        self._loop = loop
        self._config = config
        self._hardware = hardware
        self._deliver = deliver
        self._tell = tell
        self._pins: Pins | None = None
        self._contacts: GpioContacts | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._try()

    @property
    def pins(self) -> Pins | None:
        """The factory, once there is one."""
        return self._pins

    @property
    def stuck_at_start(self) -> tuple[str, ...]:
        """The names of contacts that were closed when they were first looked at."""
        return tuple(map(contact_name, self._contacts.stuck_at_start)) if self._contacts else ()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._contacts is not None:
            self._contacts.close()
        if self._pins is not None:
            self._pins.close()

    def _try(self) -> None:
        """Open what is not open yet; if something refuses, say what, and come back to it."""
        self._timer = None
        advice = self._open()
        self._tell(message("trouble.buttons", advice=advice) if advice else None)
        if advice:
            self._timer = self._loop.call_later(RETRY_S, self._try)

    def _open(self) -> str:
        """What refuses, and what to do about it; nothing if all is well."""
        if self._contacts is not None:
            self._contacts.try_pins()
        else:
            try:
                self._pins = self._pins or self._hardware.open_pins()
            except CompanionError as error:
                return str(error)
            self._contacts = GpioContacts(
                self._loop,
                pins_of(self._config),
                self._deliver,
                debounce_ms=self._config.buttons.debounce_ms,
                pin_factory=self._pins,
            )
        return "; ".join(self._contacts.refused.values())
