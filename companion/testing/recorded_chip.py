"""A matrix chip that records what it has shown, and when."""

from __future__ import annotations

import asyncio
from bisect import bisect_right

from companion.adapters.virtual.spi import Chip, Light


class RecordedChip:
    """Passes data on to a virtual chip, and records its light after every change."""

    def __init__(self, loop: asyncio.AbstractEventLoop, chip: Chip) -> None:
        self._loop = loop
        self._chip = chip
        self._times = [loop.time()]
        self._lights = [chip.light()]

    def transfer(self, data: bytes) -> None:
        self._chip.transfer(data)
        self._record()

    def light(self) -> Light:
        return self._chip.light()

    def lose_power(self) -> None:
        """Reset all registers; the chip is dark."""
        self._chip = type(self._chip)()
        self._record()

    def light_at(self, time: float) -> Light:
        """The light at that time, after everything that happened then."""
        return self._lights[max(bisect_right(self._times, time) - 1, 0)]

    def lights_between(self, begin: float, end: float) -> list[Light]:
        """The light at `begin`, and every change until `end`."""
        inside = [
            light
            for time, light in zip(self._times, self._lights, strict=True)
            if begin < time <= end
        ]
        return [self.light_at(begin), *inside]

    def _record(self) -> None:
        light, now = self._chip.light(), self._loop.time()
        if self._times[-1] == now:
            self._lights[-1] = light
        else:
            self._times.append(now)
            self._lights.append(light)
