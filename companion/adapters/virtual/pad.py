"""A virtual die pad behind a real serial port: a pty, whose other end pyserial opens.

    pad = VirtualPad(loop, roll=chance.roll)
    host = SerialPad(loop, ..., find_ports=pad.ports)
    pad.press(3)

What is between the two is what is between the real ones: bytes, and a port that may be gone.
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
from companion.pad.padside import VirtualPadLogic

TAP_S = 0.03


class VirtualPad:
    """Plugged in and with power from the start. All of it happens on the loop."""

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
        self._moves: list[tuple[float, int, int, bool]] = []
        """Contacts that will move by themselves: when in ms, in which order, key, is it a press."""
        self._order = count()
        self.logic = VirtualPadLogic(self._now_ms(), roll, board=board, version=version)
        self.path = ""
        """Where it is plugged in; empty while it is not."""
        self._last_path = ""
        self._pad_end = self._host_end = -1
        self._timer: asyncio.TimerHandle | None = None
        self._connect()

    def ports(self, _: str = "") -> list[str]:
        """What `SerialPad` finds: its port, wherever it is now."""
        return [self.path] if self.path else []

    # --- Hands ------------------------------------------------------------------------

    def press(self, key: int) -> None:
        """1 to 4, or 5 for ROLL. Without power it only moves."""
        self.logic.press(key, self._now_ms())
        self._go_on()

    def release(self, key: int) -> None:
        self.logic.release(key, self._now_ms())
        self._go_on()

    def tap(self, key: int) -> None:
        """Press it, and let go a moment later."""
        self.press(key)
        self._loop.call_later(TAP_S, self.release, key)

    def roll(self) -> None:
        self.tap(ROLL_KEY)

    def bounce(self, key: int, *, is_press: bool = True) -> None:
        """Press (or release) it as springs do: back and forth, then it stays."""
        for number in range(2 * BOUNCES + 1):
            self._move_in(number * BOUNCE_MS, key, is_press == (number % 2 == 0))

    def glitch(self, key: int) -> None:
        """An open contact closes for a moment by itself."""
        self._move_in(0, key, True)
        self._move_in(GLITCH_MS, key, False)

    def _move_in(self, ms: float, key: int, is_press: bool) -> None:
        at_ms = self._loop.time() * 1000 + ms
        heappush(self._moves, (at_ms, next(self._order), key, is_press))
        self._loop.call_at(at_ms / 1000, self._move_contacts)

    def _move_contacts(self) -> None:
        self._now_ms()
        self._go_on()

    def led(self) -> bool:
        """Whether its LED is lit just now."""
        return bool(self.path) and self.logic.led(self._now_ms())

    # --- Cables -----------------------------------------------------------------------

    def unplug(self) -> None:
        """The port is gone, and the pad has no power."""
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
        """It starts anew, on a port with another number."""
        if not self.path:
            self.logic.reset(self._now_ms())
            self._connect()

    def reset(self) -> None:
        """Its reset line, as by opening a real one's port."""
        self.logic.reset(self._now_ms())
        self._go_on()

    def close(self) -> None:
        """Gone for good; twice is no trouble."""
        self.unplug()

    # --- The port ---------------------------------------------------------------------

    def _connect(self) -> None:
        ends = os.openpty()
        path = os.ttyname(ends[1])
        if path == self._last_path:  # the kernel gives the old number again
            other = os.openpty()
            for end in ends:
                os.close(end)
            ends, path = other, os.ttyname(other[1])
        self._pad_end, self._host_end = ends
        self.path = self._last_path = path
        # The host's end stays open here, too: so there is a line even while no host listens. Raw,
        # or the terminal would echo the pad's own bytes back to it.
        tty.setraw(self._host_end)
        os.set_blocking(self._pad_end, False)
        self._loop.add_reader(self._pad_end, self._read)
        self._go_on()

    def _read(self) -> None:
        with suppress(OSError):
            self.logic.receive(os.read(self._pad_end, 4096), self._now_ms())
        self._go_on()

    def _pass_time(self) -> None:
        self._timer = None
        self.logic.pass_time(self._now_ms())
        self._go_on()

    def _go_on(self) -> None:
        """Send what is to be sent, and wind the timer. What nobody takes is lost, as on a wire."""
        data = self.logic.to_send()
        if not self.path:
            return
        if data:
            with suppress(OSError):
                os.write(self._pad_end, data)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(self.logic.due_ms() / 1000, self._pass_time)

    def _now_ms(self) -> float:
        """The time. Contacts that move by themselves have moved by then, each at its own time: a
        loop that comes late must not make a press of noise."""
        now_ms = self._loop.time() * 1000
        while self._moves and self._moves[0][0] <= now_ms:
            at_ms, _, key, is_press = heappop(self._moves)
            move = self.logic.press if is_press else self.logic.release
            move(key, at_ms)
        return now_ms
