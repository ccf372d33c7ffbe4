"""Matrix maintenance: initialises the chip again now and then, and dims it at night.

Noise on the wires or the supply can corrupt the registers of a MAX7219, and they cannot be read
back. So they are all written again in regular intervals.

Night follows the local time, which is polled: a Pi without a clock chip learns the time after its
start, and daylight saving moves it twice a year.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from companion.config.model import MatrixConfig
from companion.daemon.display import Display

if TYPE_CHECKING:
    import asyncio

Clock = Callable[[], datetime]
"""Local time."""

CLOCK_CHECK_S = 60.0
"""How often to check for night, if one is configured; every input checks as well."""


class MatrixMaintenance:
    """Wakes only if there is something to do: `renew_every_s` or `night` is set."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, display: Display, config: MatrixConfig, clock: Clock
    ) -> None:
        self._loop = loop
        self._display = display
        self._config = config
        self._clock = clock
        self._brightness: int | None = None
        """As last sent to the display."""
        self._renewed = loop.time()
        waits: list[float] = [config.renew_every_s] if config.renew_every_s else []
        if config.night:
            waits.append(CLOCK_CHECK_S)
            display.on_touch = self.check_night
        self._wait_s = min(waits, default=None)
        self._timer: asyncio.TimerHandle | None = None
        self._restart_timer()

    def check_night(self) -> None:
        """Change the brightness if night has begun or ended."""
        if self._config.brightness_at(self._clock()) != self._brightness:
            self._renew()

    def close(self) -> None:
        """Idempotent."""
        self._wait_s = None
        self._display.on_touch = lambda: None
        if self._timer is not None:
            self._timer.cancel()

    def _restart_timer(self) -> None:
        if self._wait_s is not None:
            self._timer = self._loop.call_later(self._wait_s, self._wake)

    def _wake(self) -> None:
        self._restart_timer()
        every = self._config.renew_every_s
        if every and self._loop.time() - self._renewed >= every - CLOCK_CHECK_S / 2:
            self._renew()
        else:
            self.check_night()

    def _renew(self) -> None:
        self._renewed = self._loop.time()
        self._brightness = self._config.brightness_at(self._clock())
        self._display.reinitialize(self._brightness)
