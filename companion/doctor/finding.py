"""What the doctor found: how bad it is, what it is, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.errors import one_line

LONGEST = 1000
"""Of a line: a fault in a config may list every booklet there is."""
AS_ROOT = "sudo marrakech doctor"
"""What to do where something may not be looked at."""


class Level(Enum):
    """How bad it is. The values are those of the JSON, and stay as they are."""

    GOOD = "good"
    NOTE = "note"
    """Worth knowing, and well as it is."""
    WARNING = "warning"
    """A game can be played, but not for ever."""
    FAILED = "failed"
    """No game can be played so, or it would not be kept."""
    UNKNOWN = "unknown"
    """It cannot be told; what is said is why."""
    ABSENT = "absent"
    """There is no such thing on this machine."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a report. Whatever is not good comes with what to do."""

    level: Level
    said: str
    todo: str = ""
    name: str = ""
    """Of the check that found it; put in by who asked for the check."""

    def __post_init__(self) -> None:
        assert self.said
        assert bool(self.todo) == (self.level not in (Level.GOOD, Level.ABSENT)), self.said
        object.__setattr__(self, "said", one_line(self.said, LONGEST))
        object.__setattr__(self, "todo", one_line(self.todo, LONGEST))


def good(said: str) -> Finding:
    return Finding(Level.GOOD, said)


def note(said: str, todo: str) -> Finding:
    return Finding(Level.NOTE, said, todo)


def warning(said: str, todo: str) -> Finding:
    return Finding(Level.WARNING, said, todo)


def failed(said: str, todo: str) -> Finding:
    return Finding(Level.FAILED, said, todo)


def unknown(said: str, todo: str) -> Finding:
    return Finding(Level.UNKNOWN, said, todo)


def absent() -> Finding:
    return Finding(Level.ABSENT, "not on this machine")


def refused(told: str) -> Finding:
    """What a refusal says: ours tell what is wrong, a colon, and what to do."""
    said, _, todo = told.partition(": ")
    return failed(said, todo or "see hardware/README.md")
