"""Night hours, also over midnight."""

from __future__ import annotations

import pytest

from companion.errors import SettingError
from companion.light.night import Night, parse_night


def nights(text: str) -> list[str]:
    """The quarter hours at which day and night change."""
    night = parse_night(text)
    assert night is not None
    quarters = [(hour, minute) for hour in range(24) for minute in (0, 15, 30, 45)]
    was_night = night.includes(*quarters[-1])
    found = []
    for hour, minute in quarters:
        if (is_night := night.includes(hour, minute)) != was_night:
            found.append(f"{hour:02}:{minute:02} {'night' if is_night else 'day'}")
        was_night = is_night
    return found


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("22:00-07:00", ["07:00 day", "22:00 night"]),
        ("00:15-06:30", ["00:15 night", "06:30 day"]),
        ("21:45-00:00", ["00:00 day", "21:45 night"]),
        ("00:00-23:45", ["00:00 night", "23:45 day"]),
        ("7:00 - 8:00", ["07:00 night", "08:00 day"]),
    ],
)
def test_a_night_starts_and_ends_at_these_times(text: str, changes: list[str]) -> None:
    assert nights(text) == changes


def test_the_first_minute_is_night_and_the_last_is_not() -> None:
    night = Night(22 * 60, 7 * 60)
    at = [(21, 59), (22, 0), (23, 59), (0, 0), (6, 59), (7, 0)]
    assert [night.includes(*time) for time in at] == [False, True, True, True, True, False]


def test_an_empty_text_means_no_night() -> None:
    assert parse_night("") is None


@pytest.mark.parametrize(
    "text",
    ["22:00", "22-7", "24:00-07:00", "22:60-07:00", "22:00-07:00 ", "22:00–07:00", "٢٢:00-07:00",
     "-", "22:00-07:00-08:00", "ten to seven"],
)  # fmt: skip
def test_invalid_hours_are_refused(text: str) -> None:
    with pytest.raises(SettingError, match=r'^use two times like "22:00-07:00", or "" for none$'):
        parse_night(text)


@pytest.mark.parametrize("text", ["22:00-22:00", "7:00-07:00"])
def test_two_equal_times_are_refused(text: str) -> None:
    with pytest.raises(SettingError, match=r"^the two times are the same: use two times "):
        parse_night(text)
