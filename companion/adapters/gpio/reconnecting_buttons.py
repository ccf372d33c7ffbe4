"""Buttons that are opened again after an error. The table is played with those that work.

A pin may be in use by another program, the user may not be in the group, lgpio may be missing. Each
error is reported with advice, and opening is retried. The chip is checked every second: when its
driver removes it, lgpio's thread for edges uses a whole core and fills the log until the chip is
closed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.adapters.gpio.contacts import GpioContacts, contact_name
from companion.adapters.gpio.lgpio_thread import gpio_thread_error
from companion.adapters.gpio.pin_factory import (
    NoHeaderError,
    Pins,
    close_pin_factory,
    describe_pins,
    is_watchable,
    removed_chip_error,
)
from companion.adapters.hardware import Hardware, pins_of
from companion.config.model import Config
from companion.errors import CompanionError
from companion.i18n.message import Message, message
from companion.table.inputs import ButtonDown, ButtonUp, Input

if TYPE_CHECKING:
    import asyncio

RETRY_S = 10.0
CHECK_S = 1.0
RESTART = "the GPIO thread has died: restart the companion"
_log = logging.getLogger(__name__)


class ReconnectingButtons:
    """The contacts of a table. `report` is called with a message about errors, or None."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        config: Config,
        hardware: Hardware,
        deliver: Callable[[ButtonDown | ButtonUp | Input], object],
        report: Callable[[Message | None], None],
    ) -> None:
        self._loop = loop
        self._config = config
        self._hardware = hardware
        self._deliver = deliver
        self._report = report
        self._pins: Pins | None = None
        self._contacts: GpioContacts | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._check_timer: asyncio.TimerHandle | None = None
        self._removed = ""
        """The error of a chip that has disappeared; empty while a chip is open."""
        self._open_or_retry()

    @property
    def pins(self) -> Pins | None:
        """The pin factory; None until it could be opened."""
        return self._pins

    @property
    def description(self) -> str:
        """Which chip is used and why; empty for mock pins, or until the pins are open."""
        return describe_pins(self._pins)

    @property
    def stuck_at_start(self) -> tuple[str, ...]:
        """The names of contacts that were closed when they were opened."""
        return tuple(map(contact_name, self._contacts.stuck_at_start)) if self._contacts else ()

    def close(self) -> None:
        self._stop_timers()
        if self._contacts is not None:
            self._contacts.close()
        if self._pins is not None:
            close_pin_factory(self._pins)

    def _stop_timers(self) -> None:
        for timer in (self._timer, self._check_timer):
            if timer is not None:
                timer.cancel()
        self._timer = self._check_timer = None

    # --- Opening ----------------------------------------------------------------------

    def _retry(self) -> None:
        had_pins = self._pins is not None
        self._open_or_retry()
        if self.description and not had_pins:
            _log.info(self.description)

    def _open_or_retry(self) -> None:
        """Open what is not open yet. Report errors and retry later."""
        self._timer = None
        advice = self._open()
        self._report(message("trouble.buttons", advice=advice) if advice else None)
        if advice:
            self._timer = self._loop.call_later(RETRY_S, self._retry)

    def _open(self) -> str:
        """Returns the errors with advice, or an empty string."""
        if self._contacts is not None:
            self._contacts.open_missing_pins()
        else:
            try:
                self._pins = self._pins or self._hardware.open_pins()
            except NoHeaderError as error:
                return self._removed or str(error)
            except CompanionError as error:
                return str(error)
            self._removed = ""
            self._check_later()
            self._contacts = GpioContacts(
                self._loop,
                pins_of(self._config),
                self._deliver,
                debounce_ms=self._config.buttons.debounce_ms,
                pin_factory=self._pins,
            )
        return "; ".join(self._contacts.pin_errors.values())

    # --- Checking the open chip -------------------------------------------------------

    def _check_later(self) -> None:
        if is_watchable(self._pins):
            self._check_timer = self._loop.call_later(CHECK_S, self._check)

    def _check(self) -> None:
        self._check_timer = None
        if removed := removed_chip_error(self._pins):
            _log.error(removed)
            self._handle_removed(removed)
        elif gpio_thread_error(self._pins) is not None:
            # The pins stay open: the watchdog checks their thread, and restarts the companion.
            self._stop_timers()
            _log.error(RESTART)
            self._report(message("trouble.buttons", advice=RESTART))
        else:
            self._check_later()

    def _handle_removed(self, error: str) -> None:
        """Close everything, and open it again when the chip is back."""
        contacts, pins = self._contacts, self._pins
        self._stop_timers()
        self._contacts = self._pins = None
        self._removed = error
        if contacts is not None:
            contacts.close()
        if pins is not None:
            close_pin_factory(pins)
        if contacts is not None:
            contacts.release_held()
        self._retry()
