"""The state of the die pad and its link, for the rail, the page and the logs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from companion.i18n.message import Message
from companion.pad.events import LinkHealth
from companion.pad.messages import Identity


class PadState(Enum):
    NONE = "none"
    """Switched off in the config."""
    SEARCHING = "searching"
    """Not found yet."""
    CONNECTED = "connected"
    QUIET = "quiet"
    """Its port is open, but nothing was received for a while."""
    LOST = "lost"
    """It was connected before."""
    WRONG_VERSION = "wrong version"


@dataclass(frozen=True, slots=True)
class PadHealth:
    state: PadState = PadState.NONE
    port: str = ""
    """The port of the pad; the configured port while there is none."""
    identity: Identity | None = None
    message: Message | None = None
    """For players; None while all is well."""
    link: LinkHealth = field(default_factory=LinkHealth, compare=False)
    """Counts of lost and damaged frames. Not compared."""

    @property
    def is_connected(self) -> bool:
        return self.state is PadState.CONNECTED
