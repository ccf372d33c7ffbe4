"""Events of the link to a pad, and its error counters."""

from __future__ import annotations

from dataclasses import dataclass

from companion.pad.messages import Identity


@dataclass(frozen=True, slots=True)
class Connected:
    identity: Identity


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key 1 to 4: what the wooden die shows."""

    pips: int


@dataclass(frozen=True, slots=True)
class RollPressed:
    """The ROLL key, with the number that the pad rolled."""

    pips: int


@dataclass(frozen=True, slots=True)
class WrongVersion:
    theirs: int
    ours: int
    identity: Identity


@dataclass(frozen=True, slots=True)
class PadWasReset:
    """The pad was reset: unacknowledged keys are lost. The link starts a new session."""


@dataclass(frozen=True, slots=True)
class LinkQuiet:
    """The pad is silent. The session continues: waiting keys may still arrive."""


@dataclass(frozen=True, slots=True)
class LinkRestored:
    """The pad answers again, in the same session."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The pad does not answer any more. Open the port again."""


PadEvent = (
    Connected
    | KeyPressed
    | RollPressed
    | WrongVersion
    | PadWasReset
    | LinkQuiet
    | LinkRestored
    | LinkLost
)


@dataclass(slots=True)
class LinkHealth:
    """Counters since the link was created, over all sessions."""

    frames: int = 0
    """Valid frames from a pad."""
    lost: int = 0
    """Missing sequence numbers."""
    damaged: int = 0
    """Sync bytes that no valid frame followed."""
    ignored: int = 0
    """Valid frames with an unknown or impossible message."""
    resets: int = 0
    """Resets of the pad during a session."""
