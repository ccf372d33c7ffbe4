"""A virtual die pad on a pty, which pyserial opens like a serial port.

pad = VirtualPad(loop, roll=random_source.roll)
host = SerialPad(loop, ..., find_ports=pad.ports)
pad.press(3)
"""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count

from companion.adapters.virtual.pad_device import BOUNCE_MS, BOUNCES, GLITCH_MS
from companion.pad.messages import ROLL_KEY, VERSION
from companion.pad.virtual_pad import VirtualPadLogic

TAP_S = 0.03


class VirtualPad:
    """Plugged in from the start. Use it on the loop only."""

    is_simulated = True
    kind = "virtual"

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        roll: Callable[[], int],
        *,
        board: bytes = b"VPAD",
        version: int = VERSION,
    ) -> None:
        self._loop = loop
        self._changes: list[tuple[float, int, int, bool]] = []
        """Scheduled changes of contacts: time in ms, order, key, whether it is a press."""
        self._order = count()
        self.logic = VirtualPadLogic(self._now_ms(), roll, board=board, version=version)
        self.path = ""
        """The port; empty while unplugged."""
        self._last_path = ""
        self._pad_end = self._host_end = -1
        self._timer: asyncio.TimerHandle | None = None
        self._connect()

    def ports(self, _: str = "") -> list[str]:
        """The `find_ports` of a `SerialPad`."""
        return [self.path] if self.path else []

    # --- Keys and LED -----------------------------------------------------------------

    def press(self, key: int) -> None:
        """Press key 1 to 4, or 5 for ROLL."""
        self.logic.press(key, self._now_ms())
        self._send()

    def release(self, key: int) -> None:
        self.logic.release(key, self._now_ms())
        self._send()

    def tap(self, key: int) -> None:
        """Press and release after `TAP_S`."""
        self.press(key)
        self._loop.call_later(TAP_S, self.release, key)

    def roll(self) -> None:
        self.tap(ROLL_KEY)

    def bounce(self, key: int, *, is_press: bool = True) -> None:
        """Press (or release) with bouncing."""
        for number in range(2 * BOUNCES + 1):
            self._schedule(number * BOUNCE_MS, key, is_press == (number % 2 == 0))

    def glitch(self, key: int) -> None:
        """An open contact closes briefly without a press."""
        self._schedule(0, key, True)
        self._schedule(GLITCH_MS, key, False)

    def _schedule(self, ms: float, key: int, is_press: bool) -> None:
        at_ms = self._loop.time() * 1000 + ms
        heappush(self._changes, (at_ms, next(self._order), key, is_press))
        self._loop.call_at(at_ms / 1000, self._apply_changes)

    def _apply_changes(self) -> None:
        self._now_ms()
        self._send()

    def is_led_on(self) -> bool:
        """Whether the LED is on."""
        return bool(self.path) and self.logic.is_led_on(self._now_ms())

    # --- Cables -----------------------------------------------------------------------

    def unplug(self) -> None:
        """Remove the port and the power."""
        if not self.path:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._loop.remove_reader(self._pad_end)
        os.close(self._pad_end)
        os.close(self._host_end)
        self.path = ""

    def plug_in(self) -> None:
        """Restart on a port with another number."""
        if not self.path:
            self.logic.reset(self._now_ms())
            self._connect()

    def reset(self) -> None:
        """Reset, as opening the port of a real pad does."""
        self.logic.reset(self._now_ms())
        self._send()

    def close(self) -> None:
        """Idempotent."""
        self.unplug()

    # --- The port ---------------------------------------------------------------------

    def _connect(self) -> None:
        ends = os.openpty()
        path = os.ttyname(ends[1])
        if path == self._last_path:  # the kernel reused the number
            other = os.openpty()
            for end in ends:
                os.close(end)
            ends, path = other, os.ttyname(other[1])
        self._pad_end, self._host_end = ends
        self.path = self._last_path = path
        # Keep the host's end open, so that the pty exists while no host has opened it. Raw mode,
        # because otherwise the terminal echoes the pad's bytes back to it.
        tty.setraw(self._host_end)
        os.set_blocking(self._pad_end, False)
        self._loop.add_reader(self._pad_end, self._read)
        self._send()

    def _read(self) -> None:
        with suppress(OSError):
            self.logic.receive(os.read(self._pad_end, 4096), self._now_ms())
        self._send()

    def _on_timer(self) -> None:
        self._timer = None
        self.logic.pass_time(self._now_ms())
        self._send()

    def _send(self) -> None:
        """Send pending data and restart the timer. Data that the pty does not accept is lost."""
        data = self.logic.data_to_send()
        if not self.path:
            return
        if data:
            with suppress(OSError):
                os.write(self._pad_end, data)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(self.logic.due_ms() / 1000, self._on_timer)

    def _now_ms(self) -> float:
        """The time. First applies the scheduled changes that are due, each at its own time, so that
        a late loop does not turn a glitch into a press."""
        now_ms = self._loop.time() * 1000
        while self._changes and self._changes[0][0] <= now_ms:
            at_ms, _, key, is_press = heappop(self._changes)
            change = self.logic.press if is_press else self.logic.release
            change(key, at_ms)
        return now_ms
