"""The final count: dirhams plus visible rug halves, and the ranking."""

from __future__ import annotations

from collections.abc import Sequence, Set

from companion.games.marrakech.events import Standing
from companion.games.marrakech.setup import Setup


def rank(
    setup: Setup, dirhams: Sequence[int], colours: Sequence[int], out: Set[int]
) -> tuple[Standing, ...]:
    """All standings, best first. Equal scores share a rank; players who are out come last.

    `colours` are the squares by top colour, as bitboards.
    """
    seats = range(len(setup.players))
    visible = [sum(colours[c].bit_count() for c in setup.players[seat]) for seat in seats]
    tie_breaks = {"dirhams": dirhams, "visible-rugs": visible, "shared": [0 for _ in seats]}
    tie_break = tie_breaks[setup.options.tie_break]
    keys = [
        (-1, 0) if seat in out else (dirhams[seat] + visible[seat], tie_break[seat])
        for seat in seats
    ]
    return tuple(
        Standing(
            rank=1 + sum(key > keys[seat] for key in keys),
            player=seat,
            dirhams=dirhams[seat],
            visible=visible[seat],
            is_out=seat in out,
        )
        for seat in sorted(seats, key=lambda seat: keys[seat], reverse=True)
    )
