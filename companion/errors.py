"""The exceptions of the companion, and helpers for their messages.

Every error is a `CompanionError` and also the matching builtin, so that `except ValueError` works.
Text that cannot be parsed (`NotationError`), settings that do not fit (`SettingError`) and actions
that the rules do not allow now (`IllegalActionError`) are different errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class CompanionError(Exception):
    """Base of all errors. The message can be shown to a player."""


class SettingError(CompanionError, ValueError):
    """A setting, or a combination of settings, that is unknown or cannot be played."""

    def __init__(self, message: str, *, seat: int | None = None) -> None:
        super().__init__(message)
        self.seat = seat
        """The seat whose setting is wrong, if it is one player's."""


class IllegalActionError(CompanionError, ValueError):
    """A well-formed action that the rules do not allow in this position."""

    def __init__(self, message: str, position: str) -> None:
        super().__init__(f"{message}\nposition: {position}")
        self.message = message
        self.position = position


class NotationError(CompanionError, ValueError):
    """Text that cannot be parsed or contradicts the rules, with its line and column."""

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        position: str = "",
    ) -> None:
        where = [f"{n} {at}" for n, at in (("line", line), ("column", column)) if at is not None]
        text = f"{', '.join(where)}: {message}" if where else message
        super().__init__(f"{text}\nposition: {position}" if position else text)
        self.message = message
        self.line = line
        self.column = column
        self.position = position


def counted(number: int, noun: str) -> str:
    """`1 rug`, `3 rugs`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


MAX_FILE_NAME_LENGTH = 200
"""How much of a file name a message shows."""


def one_line(text: str, max_length: int = 300) -> str:
    """Untrusted text as one printable line: control characters escaped, long text cut."""
    line = "".join(
        char if char.isprintable() else repr(char)[1:-1] for char in text[: max_length + 1]
    )
    return line if len(line) <= max_length else f"{line[:max_length]}…"


def listed(words: Sequence[str], last: str = "or") -> str:
    """`red`, `red or blue`, `red, yellow or blue`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def unknown(what: str, value: object, allowed: Iterable[str]) -> str:
    """The message for a value that is not one of the allowed names, with the closest of them.

    >>> unknown("colour", "rad", ["red", "blue"])
    "unknown colour 'rad': use red or blue; did you mean 'red'?"
    """
    names = list(allowed)
    near = get_close_matches(str(value).lower(), [n.lower() for n in names], n=1, cutoff=0.5)
    hint = next((f"; did you mean '{n}'?" for n in names if near and n.lower() == near[0]), "")
    return f"unknown {what} '{value}': use {listed(names)}{hint}"
