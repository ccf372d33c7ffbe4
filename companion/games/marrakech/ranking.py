"""The count: dirhams and visible halves, and who stands where."""

from __future__ import annotations

from collections.abc import Sequence, Set

from companion.games.marrakech.events import Standing
from companion.games.marrakech.setup import Setup


def rank(
    setup: Setup, dirhams: Sequence[int], colours: Sequence[int], out: Set[int]
) -> tuple[Standing, ...]:
    """Everybody's standing, best first. Equals share a rank; who is out stands below all others.

    `colours` are the squares by top colour, as bitboards.
    """
    seats = range(len(setup.players))
    visible = [sum(colours[c].bit_count() for c in setup.players[seat]) for seat in seats]
    second = {"dirhams": dirhams, "visible-rugs": visible, "shared": [0 for _ in seats]}
    tie_break = second[setup.options.tie_break]
    worth = [
        (-1, 0) if seat in out else (dirhams[seat] + visible[seat], tie_break[seat])
        for seat in seats
    ]
    return tuple(
        Standing(
            rank=1 + sum(other > worth[seat] for other in worth),
            player=seat,
            dirhams=dirhams[seat],
            visible=visible[seat],
            is_out=seat in out,
        )
        for seat in sorted(seats, key=lambda seat: worth[seat], reverse=True)
    )
