"""What a die pad without hardware is: a real serial port, hands on its keys, an eye on its LED."""

from __future__ import annotations

from typing import Protocol

BOUNCES = 6
BOUNCE_MS = 1.0
"""How long a bouncing contact stays open or closed, each time."""
GLITCH_MS = 4.0
"""Noise on a contact: half as long as the pad wants a key to be still."""


class PadDevice(Protocol):
    """Something that behaves as a die pad. Keys are 1 to 4, and 5 for ROLL; all on the loop."""

    kind: str
    """What sort of pad it is, in a word."""
    path: str
    """Where it is plugged in; empty while it is not."""

    def ports(self, _: str = "") -> list[str]:
        """Where it is plugged in, if it is: what `SerialPad` finds. Any thread may ask."""

    # --- Hands ------------------------------------------------------------------------

    def press(self, key: int) -> None: ...
    def release(self, key: int) -> None: ...
    def bounce(self, key: int, *, is_press: bool = True) -> None:
        """Press (or release) it as springs do: back and forth, then it stays."""

    def glitch(self, key: int) -> None:
        """An open contact closes for a moment by itself."""

    def led(self) -> bool:
        """Whether its LED is lit just now."""

    # --- Cables -----------------------------------------------------------------------

    def unplug(self) -> None: ...
    def plug_in(self) -> None: ...
    def reset(self) -> None: ...
    def close(self) -> None:
        """Gone for good; twice is no trouble."""
