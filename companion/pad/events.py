"""What comes of a link to a pad: events, and how well it does."""

from __future__ import annotations

from dataclasses import dataclass

from companion.pad.messages import Identity


@dataclass(frozen=True, slots=True)
class Connected:
    identity: Identity


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """What the wooden die shows."""

    pips: int


@dataclass(frozen=True, slots=True)
class RollPressed:
    """ROLL, and what the pad rolled."""

    pips: int


@dataclass(frozen=True, slots=True)
class WrongVersion:
    theirs: int
    ours: int
    identity: Identity


@dataclass(frozen=True, slots=True)
class PadWasReset:
    """Keys that were on their way are gone. A new session is under way."""


@dataclass(frozen=True, slots=True)
class LinkQuiet:
    """The pad is not heard. Its session goes on: so may its keys."""


@dataclass(frozen=True, slots=True)
class LinkBack:
    """It is heard again, in the same session."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    """Nobody answers. Open the port again."""


PadEvent = (
    Connected
    | KeyPressed
    | RollPressed
    | WrongVersion
    | PadWasReset
    | LinkQuiet
    | LinkBack
    | LinkLost
)


@dataclass(slots=True)
class LinkHealth:
    """Counted since the link was made, over all its sessions."""

    frames: int = 0
    """Good ones, from a pad."""
    lost: int = 0
    """Gaps in the pad's counting of its frames."""
    damaged: int = 0
    """Syncs after which no good frame came."""
    ignored: int = 0
    """Good frames that say nothing we know, or nothing that can be."""
    resets: int = 0
    """How often the pad was reset within a session."""
