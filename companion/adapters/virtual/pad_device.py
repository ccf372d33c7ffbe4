"""The interface of die pads without hardware: a serial port, keys to press, and an LED."""

from __future__ import annotations

from typing import Protocol

BOUNCES = 6
BOUNCE_MS = 1.0
"""Time between two changes of a bouncing contact."""
GLITCH_MS = 4.0
"""Half of the pad's debounce time."""


class PadDevice(Protocol):
    """A simulated die pad. Keys are 1 to 4, and 5 for ROLL. Use it on the loop only."""

    kind: str
    """A word for the kind of simulation."""
    path: str
    """The port; empty while unplugged."""

    def ports(self, _: str = "") -> list[str]:
        """The `find_ports` of a `SerialPad`. Thread-safe."""

    # --- Keys and LED -----------------------------------------------------------------

    def press(self, key: int) -> None: ...
    def release(self, key: int) -> None: ...
    def bounce(self, key: int, *, is_press: bool = True) -> None:
        """Press (or release) with bouncing."""

    def glitch(self, key: int) -> None:
        """An open contact closes briefly without a press."""

    def is_led_on(self) -> bool:
        """Whether the LED is on."""

    # --- Cables -----------------------------------------------------------------------

    def unplug(self) -> None: ...
    def plug_in(self) -> None: ...
    def reset(self) -> None: ...
    def close(self) -> None:
        """Idempotent."""
