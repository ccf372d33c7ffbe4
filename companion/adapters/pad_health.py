"""How the die pad is: for the rail, the page and whoever mends it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from companion.i18n.message import Message
from companion.pad.events import LinkHealth
from companion.pad.messages import Identity


class PadState(Enum):
    NONE = "none"
    """It is not looked for."""
    SEARCHING = "searching"
    """None was found yet."""
    CONNECTED = "connected"
    QUIET = "quiet"
    """Its port is open, and it is not heard for a while."""
    LOST = "lost"
    """There was one."""
    WRONG_VERSION = "wrong version"


@dataclass(frozen=True, slots=True)
class PadHealth:
    state: PadState = PadState.NONE
    port: str = ""
    """Where the pad is; where there is none, what is looked at."""
    identity: Identity | None = None
    said: Message | None = None
    """What players are told; None while there is nothing to tell."""
    link: LinkHealth = field(default_factory=LinkHealth, compare=False)
    """Frames lost and damaged, when this was told."""

    @property
    def is_connected(self) -> bool:
        return self.state is PadState.CONNECTED
