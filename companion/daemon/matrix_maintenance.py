"""Looking after the matrix: its chip is set up anew now and then, and dimmed at night.

A MAX7219 may lose its wits, for a spark on its wires or its supply is enough, and cannot be asked
whether it has. So it is told everything again, whether it needs it or not.

Night is what the clock on the wall shows. It is looked at and never waited for: a Pi has no clock
of its own, and learns the time some while after its start; and twice a year an hour is moved.
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
"""What the clock on the wall shows: local time."""

LOOK_S = 60.0
"""How often to look at the clock, where there is a night; whoever touches the table looks, too."""


class MatrixMaintenance:
    """Wakes once in a while, and not at all if there is nothing to look after."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, screen: Display, config: MatrixConfig, clock: Clock
    ) -> None:
        self._loop = loop
        self._screen = screen
        self._config = config
        self._clock = clock
        self._brightness: int | None = None
        """As the screen was told last."""
        self._renewed = loop.time()
        waits: list[float] = [config.renew_every_s] if config.renew_every_s else []
        if config.night:
            waits.append(LOOK_S)
            screen.when_touched = self.look
        self._wait_s = min(waits, default=None)
        self._timer: asyncio.TimerHandle | None = None
        self._wind()

    def look(self) -> None:
        """Has night come, or gone?"""
        if self._config.brightness_at(self._clock()) != self._brightness:
            self._renew()

    def close(self) -> None:
        """Twice is no trouble."""
        self._wait_s = None
        self._screen.when_touched = lambda: None
        if self._timer is not None:
            self._timer.cancel()

    def _wind(self) -> None:
        if self._wait_s is not None:
            self._timer = self._loop.call_later(self._wait_s, self._wake)

    def _wake(self) -> None:
        self._wind()
        every = self._config.renew_every_s
        if every and self._loop.time() - self._renewed >= every - LOOK_S / 2:
            self._renew()
        else:
            self.look()

    def _renew(self) -> None:
        self._renewed = self._loop.time()
        self._brightness = self._config.brightness_at(self._clock())
        self._screen.renew(self._brightness)
