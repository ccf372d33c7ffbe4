"""What a die pad does, in plain words: `marrakech firmware monitor`.

To the pad this is a table that always waits for a number and takes every one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from companion.adapters.die import Chance
from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.pad_port import find_ports
from companion.adapters.serial_pad import SerialPad
from companion.adapters.virtual.pad import VirtualPad
from companion.adapters.virtual.pad_device import PadDevice
from companion.errors import counted
from companion.i18n.renderer import TextRenderer
from companion.pad.messages import ROLL_KEY, Flash, Mode
from companion.table.inputs import Input, Key

HEALTH_S = 10.0
"""How often to look whether there is news of the link."""
TAP_EACH_S = 0.15
SIMULATED = "SIMULATED: a virtual die pad. Type 1, 2, 3, 4 or r, and Enter."
_KEYS = {**{str(pips): pips for pips in range(1, 5)}, "r": ROLL_KEY}


class PadMonitor:
    """Says everything that comes of a pad: one on a port, or a twin of one. All on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        say: Callable[[str], None],
        *,
        port: str = "",
        twin: PadDevice | None = None,
    ) -> None:
        self._loop = loop
        self._say = say
        find = find_ports if twin is None else twin.ports
        self._host = SerialPad(loop, self._key, self._tell, port=port, find_ports=find)
        self._told = self._faults()
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._host.show(Mode.NUMBER)
        self._host.start()
        self._wind()

    def close(self) -> None:
        """The last word is the link's."""
        if self._timer is not None:
            self._timer.cancel()
        self._host.close()
        self._tell_link()

    def _key(self, told: Input) -> None:
        self._host.flash(Flash.ACCEPTED)
        pressed = f"key {told.pips}" if told.key is Key.DIE else f"ROLL: the pad rolled {told.pips}"
        self._say(f"{pressed}; its LED lights up for a moment")

    def _tell(self, health: PadHealth) -> None:
        if health.state is not PadState.CONNECTED:
            assert health.said is not None
            self._say(TextRenderer().say(health.said))
            return
        identity = health.identity
        assert identity is not None
        version = ".".join(map(str, identity.firmware))
        self._say(
            f"connected on {health.port}: firmware {version}, board {identity.board.hex()}, "
            f"started {counted(identity.boots, 'time')}; its LED blinks, since a number is wanted"
        )

    # --- The link ---------------------------------------------------------------------

    def _faults(self) -> tuple[int, ...]:
        link = self._host.health.link
        return link.lost, link.damaged, link.ignored, link.resets

    def _look(self) -> None:
        if self._faults() != self._told:
            self._tell_link()
        self._wind()

    def _tell_link(self) -> None:
        self._told = lost, damaged, ignored, resets = self._faults()
        frames = self._host.health.link.frames
        self._say(
            f"the link: {counted(frames, 'frame')} heard, {lost} lost, {damaged} damaged, "
            f"{ignored} not understood, {counted(resets, 'reset')}"
        )

    def _wind(self) -> None:
        self._timer = self._loop.call_later(HEALTH_S, self._look)


def watch_pad(port: str, *, is_virtual: bool, say: Callable[[str], None]) -> None:
    """Until Ctrl-C."""
    asyncio.run(_watch(port, is_virtual, say))


async def _watch(port: str, is_virtual: bool, say: Callable[[str], None]) -> None:
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    twin = VirtualPad(loop, Chance().roll) if is_virtual else None
    monitor = PadMonitor(loop, say, port=port, twin=twin)
    say(SIMULATED if is_virtual else "Ctrl-C ends this.")
    if twin is not None:
        _type_on(loop, twin)
    try:
        monitor.start()
        await stopped.wait()
    finally:
        monitor.close()
        if twin is not None:
            twin.close()


def _type_on(loop: asyncio.AbstractEventLoop, pad: VirtualPad) -> None:
    """Let the keyboard press a pad's keys; where it is none that can be listened to, nothing."""

    def read() -> None:
        data = os.read(keyboard, 4096)
        if not data:
            loop.remove_reader(keyboard)
        keys = [_KEYS[sign] for sign in data.decode(errors="replace").lower() if sign in _KEYS]
        for number, key in enumerate(keys):
            loop.call_later(number * TAP_EACH_S, pad.tap, key)

    with suppress(OSError, ValueError):
        keyboard = sys.stdin.fileno()
        loop.add_reader(keyboard, read)
