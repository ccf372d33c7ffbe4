"""`marrakech firmware monitor`: prints what a die pad sends.

The pad sees a table that always waits for a number and accepts every one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from companion.adapters.die import SystemRandomSource
from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.pad_port import find_ports
from companion.adapters.serial_pad import SerialPad
from companion.adapters.virtual.pad import VirtualPad
from companion.adapters.virtual.pad_device import PadDevice
from companion.errors import counted
from companion.i18n.renderer import TextRenderer
from companion.pad.messages import ROLL_KEY, Flash, Mode
from companion.table.inputs import Input, InputKind

LINK_CHECK_INTERVAL_S = 10.0
TAP_INTERVAL_S = 0.15
SIMULATED = "SIMULATED: a virtual die pad. Type 1, 2, 3, 4 or r, and Enter."
_KEYS = {**{str(pips): pips for pips in range(1, 5)}, "r": ROLL_KEY}


class PadMonitor:
    """Prints the key presses and the link state of a real or a virtual pad. Runs on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        print_line: Callable[[str], None],
        *,
        port: str = "",
        virtual_pad: PadDevice | None = None,
    ) -> None:
        self._loop = loop
        self._print_line = print_line
        find = find_ports if virtual_pad is None else virtual_pad.ports
        self._pad = SerialPad(loop, self._on_key, self._on_health, port=port, find_ports=find)
        self._reported_faults = self._link_faults()
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._pad.set_mode(Mode.NUMBER)
        self._pad.start()
        self._schedule_check()

    def close(self) -> None:
        """Close the pad and print the final link statistics."""
        if self._timer is not None:
            self._timer.cancel()
        self._pad.close()
        self._print_link()

    def _on_key(self, table_input: Input) -> None:
        self._pad.flash(Flash.ACCEPTED)
        pressed = (
            f"key {table_input.pips}"
            if table_input.kind is InputKind.DIE
            else f"ROLL: the pad rolled {table_input.pips}"
        )
        self._print_line(f"{pressed}; its LED lights up for a moment")

    def _on_health(self, health: PadHealth) -> None:
        if health.state is not PadState.CONNECTED:
            assert health.message is not None
            self._print_line(TextRenderer().render(health.message))
            return
        identity = health.identity
        assert identity is not None
        version = ".".join(map(str, identity.firmware))
        self._print_line(
            f"connected on {health.port}: firmware {version}, board {identity.board.hex()}, "
            f"started {counted(identity.boots, 'time')}; its LED blinks because the table waits "
            "for a number"
        )

    # --- The link ---------------------------------------------------------------------

    def _link_faults(self) -> tuple[int, ...]:
        link = self._pad.health.link
        return link.lost, link.damaged, link.ignored, link.resets

    def _check_link(self) -> None:
        if self._link_faults() != self._reported_faults:
            self._print_link()
        self._schedule_check()

    def _print_link(self) -> None:
        self._reported_faults = lost, damaged, ignored, resets = self._link_faults()
        frames = self._pad.health.link.frames
        self._print_line(
            f"the link: {counted(frames, 'frame')} received, {lost} lost, {damaged} damaged, "
            f"{ignored} not understood, {counted(resets, 'reset')}"
        )

    def _schedule_check(self) -> None:
        self._timer = self._loop.call_later(LINK_CHECK_INTERVAL_S, self._check_link)


def run_monitor(port: str, *, is_virtual: bool, print_line: Callable[[str], None]) -> None:
    """Run until Ctrl-C."""
    asyncio.run(_run_monitor(port, is_virtual, print_line))


async def _run_monitor(port: str, is_virtual: bool, print_line: Callable[[str], None]) -> None:
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    virtual_pad = VirtualPad(loop, SystemRandomSource().roll) if is_virtual else None
    monitor = PadMonitor(loop, print_line, port=port, virtual_pad=virtual_pad)
    print_line(SIMULATED if is_virtual else "Press Ctrl-C to stop.")
    if virtual_pad is not None:
        _read_keyboard(loop, virtual_pad)
    try:
        monitor.start()
        await stopped.wait()
    finally:
        monitor.close()
        if virtual_pad is not None:
            virtual_pad.close()


def _read_keyboard(loop: asyncio.AbstractEventLoop, pad: VirtualPad) -> None:
    """Let the keyboard press the pad's keys, unless standard input is a file or closed."""

    def read() -> None:
        data = os.read(keyboard, 4096)
        if not data:
            loop.remove_reader(keyboard)
        keys = [_KEYS[char] for char in data.decode(errors="replace").lower() if char in _KEYS]
        for number, key in enumerate(keys):
            loop.call_later(number * TAP_INTERVAL_S, pad.tap, key)

    with suppress(OSError, ValueError):
        keyboard = sys.stdin.fileno()
        loop.add_reader(keyboard, read)
