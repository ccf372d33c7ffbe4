"""The result of a check: a level, a text, and advice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.errors import one_line

MAX_LENGTH = 1000
"""Of a text: an error in the settings may list all booklets."""
AS_ROOT = "sudo marrakech doctor"
"""Advice where permission is missing."""


class Level(Enum):
    """The values are part of the JSON output and must not change."""

    GOOD = "good"
    NOTE = "note"
    """Worth knowing; nothing is wrong."""
    WARNING = "warning"
    """Games can be played, but there is a risk."""
    FAILED = "failed"
    """Games cannot be played or saved."""
    UNKNOWN = "unknown"
    """Could not be checked; the text says why."""
    ABSENT = "absent"
    """Does not apply to this machine."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a report. Every level but GOOD and ABSENT needs advice."""

    level: Level
    text: str
    advice: str = ""
    name: str = ""
    """The name of the check; set by `run_checks`."""

    def __post_init__(self) -> None:
        assert self.text
        assert bool(self.advice) == (self.level not in (Level.GOOD, Level.ABSENT)), self.text
        object.__setattr__(self, "text", one_line(self.text, MAX_LENGTH))
        object.__setattr__(self, "advice", one_line(self.advice, MAX_LENGTH))


def good(text: str) -> Finding:
    return Finding(Level.GOOD, text)


def note(text: str, advice: str) -> Finding:
    return Finding(Level.NOTE, text, advice)


def warning(text: str, advice: str) -> Finding:
    return Finding(Level.WARNING, text, advice)


def failed(text: str, advice: str) -> Finding:
    return Finding(Level.FAILED, text, advice)


def unknown(text: str, advice: str) -> Finding:
    return Finding(Level.UNKNOWN, text, advice)


def absent() -> Finding:
    return Finding(Level.ABSENT, "not on this machine")


def finding_from_error(message: str) -> Finding:
    """From an error message of the form `what is wrong: what to do`."""
    text, _, advice = message.partition(": ")
    return failed(text, advice or "see hardware/README.md")
