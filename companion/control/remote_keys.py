"""Fingers of somebody who is not at the table: what the control socket presses with.

On a virtual table they close mock pins and the keys of the virtual pad, so that bouncing, holding
and the pad's wire are as real as can be. On a real one nobody can close a contact from afar: there
they tell the daemon what a contact would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from companion.adapters.hardware import Hardware, VirtualHardware, pins_of
from companion.config.model import Config
from companion.pad.messages import ROLL_KEY
from companion.table.inputs import ROLL, Button, Down, Input, Up, die_key

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.virtual.pad_device import PadDevice
    from companion.daemon.controller import Controller

_PAD_STILL_MS = 12
"""Longer than the pad wants a key to be still."""
_SURELY_MS = 5


class Fingers(Protocol):
    """Keys are buttons, the die's by their pips, and `ROLL_KEY`. All on the loop."""

    touch_ms: float
    """How long a finger must stay on a contact, and off it, to be noticed."""

    def press(self, key: Button | int) -> None: ...
    def lift(self, key: Button | int) -> None:
        """Take the finger off it; where none is, nothing happens."""


class DirectKeys:
    """They tell the daemon, as the adapters do."""

    touch_ms = 0.0

    def __init__(self, loop: asyncio.AbstractEventLoop, daemon: Controller) -> None:
        self._loop = loop
        self._daemon = daemon

    def press(self, key: Button | int) -> None:
        if isinstance(key, Button):
            self._deliver(Down(key))
        else:
            self._deliver(ROLL if key == ROLL_KEY else die_key(key))

    def lift(self, key: Button | int) -> None:
        if isinstance(key, Button):
            self._deliver(Up(key))

    def _deliver(self, event: Down | Up | Input) -> None:
        """From the loop: a fault is the daemon's then, and no finger's."""
        self._loop.call_soon(self._daemon.deliver, event)


class VirtualKeys:
    """On the contacts of a virtual table. A key that is nowhere is told by the distant ones."""

    def __init__(self, hardware: VirtualHardware, config: Config, distant: Fingers) -> None:
        self._hardware = hardware
        self._hands = hardware.hands
        self._wired = pins_of(config)
        self._distant = distant
        self._on_pad: dict[int, PadDevice] = {}
        self.touch_ms: float = max(config.buttons.debounce_ms, _PAD_STILL_MS) + _SURELY_MS

    def press(self, key: Button | int) -> None:
        """The die's keys are the pad's while it is plugged in, else those on the Pi."""
        pad = self._hardware.pad
        if not isinstance(key, Button) and pad is not None and pad.path:
            self._on_pad[key] = pad
            pad.press(key)
        elif key in self._wired:
            self._hands.press(key)
        else:
            self._distant.press(key)

    def lift(self, key: Button | int) -> None:
        """Where it is, though the pad may have come or gone since."""
        if not isinstance(key, Button) and (pad := self._on_pad.pop(key, None)):
            pad.release(key)
        elif key in self._wired:
            self._hands.release(key)
        else:
            self._distant.lift(key)


def remote_keys_for(
    loop: asyncio.AbstractEventLoop, daemon: Controller, config: Config, hardware: Hardware
) -> Fingers:
    distant = DirectKeys(loop, daemon)
    if isinstance(hardware, VirtualHardware):
        return VirtualKeys(hardware, config, distant)
    return distant
