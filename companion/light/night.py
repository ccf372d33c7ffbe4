"""The hours in which the matrix is dimmed, such as "22:00-07:00". The time is passed in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.errors import SettingError

USAGE = 'use two times like "22:00-07:00", or "" for none'
_HOUR = r"([01]?\d|2[0-3]):([0-5]\d)"


@dataclass(frozen=True, slots=True)
class Night:
    """The minutes of the day at which the night starts and ends, possibly on the next day."""

    start_minute: int
    end_minute: int

    def includes(self, hour: int, minute: int) -> bool:
        now = hour * 60 + minute
        if self.start_minute < self.end_minute:
            return self.start_minute <= now < self.end_minute
        return now >= self.start_minute or now < self.end_minute


def parse_night(text: str) -> Night | None:
    """Parse the hours. An empty text means no night."""
    if not text:
        return None
    found = re.fullmatch(f"{_HOUR} ?- ?{_HOUR}", text, re.ASCII)
    if found is None:
        raise SettingError(USAGE)
    start_hour, start_minute, end_hour, end_minute = map(int, found.groups())
    night = Night(start_hour * 60 + start_minute, end_hour * 60 + end_minute)
    if night.start_minute == night.end_minute:
        raise SettingError(f"the two times are the same: {USAGE}")
    return night
