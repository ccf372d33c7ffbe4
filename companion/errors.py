"""What can go wrong, in the companion's own words.

Every error is a `CompanionError` and also the builtin a caller would expect, so that
`except ValueError` keeps working. Bad text, bad settings and moves that are not allowed now
are three different errors: the first is mended at the keyboard, the second at set-up, the
third by doing something else at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class CompanionError(Exception):
    """Anything the companion refuses, with a message fit to be shown to a player."""


class SettingError(CompanionError, ValueError):
    """A name, value or combination of settings that no game can be played with."""

    def __init__(self, message: str, *, seat: int | None = None) -> None:
        super().__init__(message)
        self.seat = seat
        """Whose fault it is, where it is one player's."""


class IllegalActionError(CompanionError, ValueError):
    """A well-formed action that the rules do not allow in this position."""

    def __init__(self, message: str, position: str) -> None:
        super().__init__(f"{message}\nposition: {position}")
        self.message = message
        self.position = position


class NotationError(CompanionError, ValueError):
    """Text that cannot be read, or that contradicts the rules; says where."""

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


LONGEST_FILE = 200
"""Of the name of a file, where it is told."""


def one_line(text: str, most: int = 300) -> str:
    """Foreign text fit to be printed: nothing in it moves the cursor, and it comes to an end."""
    told = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text[: most + 1])
    return told if len(told) <= most else f"{told[:most]}…"


def listed(words: Sequence[str], last: str = "or") -> str:
    """`red`, `red or blue`, `red, yellow or blue`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def unknown(what: str, value: object, allowed: Iterable[str]) -> str:
    """Say that `value` is no `what`, what is allowed instead, and which of it comes nearest.

    >>> unknown("colour", "rad", ["red", "blue"])
    "unknown colour 'rad': use red or blue; did you mean 'red'?"
    """
    names = list(allowed)
    near = get_close_matches(str(value).lower(), [n.lower() for n in names], n=1, cutoff=0.5)
    hint = next((f"; did you mean '{n}'?" for n in names if near and n.lower() == near[0]), "")
    return f"unknown {what} '{value}': use {listed(names)}{hint}"
