"""Checks players' names: each name may occur once at a table. Empty names do not count."""

from __future__ import annotations

from collections.abc import Iterable


def duplicate_name(names: Iterable[str]) -> str | None:
    """The first name that occurred before, ignoring case and surrounding blanks."""
    seen: set[str] = set()
    for name in names:
        key = name.strip().casefold()
        if key and key in seen:
            return name.strip()
        seen.add(key)
    return None
