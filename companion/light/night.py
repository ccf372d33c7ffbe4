"""The hours in which the matrix is dimmed, told as "22:00-07:00". The clock is somebody else's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.errors import SettingError

USE = 'use two times like "22:00-07:00", or "" for none'
_HOUR = r"([01]?\d|2[0-3]):([0-5]\d)"


@dataclass(frozen=True, slots=True)
class Night:
    """From a minute of the day until another, which may be the next morning's."""

    begins: int
    ends: int

    def has(self, hour: int, minute: int) -> bool:
        """Whether it is night when the clock on the wall shows that."""
        now = hour * 60 + minute
        if self.begins < self.ends:
            return self.begins <= now < self.ends
        return now >= self.begins or now < self.ends


def parse_night(text: str) -> Night | None:
    """Read the hours; no text is no night."""
    if not text:
        return None
    found = re.fullmatch(f"{_HOUR} ?- ?{_HOUR}", text, re.ASCII)
    if found is None:
        raise SettingError(USE)
    begins, minute, ends, last = map(int, found.groups())
    night = Night(begins * 60 + minute, ends * 60 + last)
    if night.begins == night.ends:
        raise SettingError(f"it would end when it begins: {USE}")
    return night
