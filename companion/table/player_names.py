"""Names of players: no two at a table are the same. Whoever has none is called by the colour."""

from __future__ import annotations

from collections.abc import Iterable


def name_given_twice(names: Iterable[str]) -> str | None:
    """The first that somebody has already; capitals and blanks around it make no other name."""
    seen: set[str] = set()
    for name in names:
        known = name.strip().casefold()
        if known and known in seen:
            return name.strip()
        seen.add(known)
    return None
