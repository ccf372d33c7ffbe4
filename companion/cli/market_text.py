"""The market and the players drawn as text, in colour where the terminal has it.

A rug is one box over its two squares: the line between its halves is left out, so that two rugs
of one colour are told apart without their numbers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from typing import TextIO

from companion.errors import counted, one_line
from companion.games.marrakech import COLOURS, Colour, State
from companion.games.marrakech.market import SIZE, square_at

_ASSAM = "▲▶▼◀"
_BACKGROUND = {Colour.RED: 196, Colour.YELLOW: 220, Colour.BLUE: 33, Colour.BROWN: 130}
_WIDTH = 5
_LONGEST_NAME = 20
"""What the line of a player has room for."""


def has_colours(stream: TextIO | None = None) -> bool:
    """Whether to colour: a terminal, and nobody asked for none (no-color.org)."""
    return (stream or sys.stdout).isatty() and not os.environ.get("NO_COLOR")


def paint(text: str, colour: Colour, *, is_coloured: bool) -> str:
    return f"\x1b[48;5;{_BACKGROUND[colour]};38;5;16m{text}\x1b[0m" if is_coloured else text


def name_of(state: State, player: int, names: Sequence[str] = ()) -> str:
    """A player's name, or what the colours are called."""
    colours = state.setup.name(player)
    if names and names[player]:
        return f"{one_line(names[player], _LONGEST_NAME)} ({colours})"
    return colours


def draw_market(
    state: State, *, marked: Collection[int] = (), is_coloured: bool = False
) -> Iterator[str]:
    """Line by line; the squares of `marked` (a tribute region) carry a star."""
    yield "   " + "".join(f"{letter:^{_WIDTH + 1}}" for letter in "abcdefg").rstrip()
    for y in range(SIZE):
        yield "   " + _border(state, y)
        row = f" {y + 1} │"
        for x in range(SIZE):
            square = square_at(x, y)
            rug = state.rug_on(square)
            assam = _ASSAM[state.facing] if square == state.assam else " "
            star = "*" if square in marked else " "
            cell = f"{assam}{rug or ''!s:^{_WIDTH - 2}}{star}"
            row += paint(cell, rug.colour, is_coloured=is_coloured) if rug else cell
            is_joined = x + 1 < SIZE and rug is not None and state.rug_on(square + 1) == rug
            row += " " if is_joined else "│"
        yield row
    yield "   " + _border(state, SIZE)


def _border(state: State, y: int) -> str:
    """The line north of row `y`, open where a rug lies across it."""
    line = "+"
    for x in range(SIZE):
        rug = state.rug_on(square_at(x, y)) if 0 < y < SIZE else None
        is_joined = rug is not None and state.rug_on(square_at(x, y - 1)) == rug
        line += (" " if is_joined else "─") * _WIDTH + "+"
    return line


def draw_players(
    state: State, names: Sequence[str] = (), *, is_coloured: bool = False
) -> Iterator[str]:
    """One line for each player, with an arrow at the mover's."""
    for row in sorted(state.ranking(), key=lambda row: row.player):
        arrow = "→" if row.player == state.mover and not state.is_over else " "
        swatch = "".join(
            paint(f" {colour.letter} ", colour, is_coloured=is_coloured)
            for colour in state.setup.players[row.player]
        )
        line = f"{arrow} {swatch} {name_of(state, row.player, names):16}"
        if row.is_out:
            yield f"{line} out"
            continue
        dirhams = _in_column(row.dirhams, "dirham")
        left = f"{counted(state.rugs_left(row.player), 'rug')} left"
        if state.setup.has_two_colours:
            one, other = (state.left[colour] for colour in state.setup.players[row.player])
            left += f" ({one}+{other})"
        yield f"{line} {dirhams} + {row.visible:2} visible = {row.score:3}   {left}"


def draw_count(state: State, names: Sequence[str] = ()) -> Iterator[str]:
    """One line for each player, the best first."""
    for row in state.ranking():
        dirhams = counted(row.dirhams, "dirham")
        told = "out" if row.is_out else f"{row.score:3} = {dirhams} + {row.visible}"
        yield f"{row.rank}. {name_of(state, row.player, names):16} {told}"


def _in_column(number: int, noun: str) -> str:
    """Counted, so that what follows stands under each other in several lines."""
    digits, _, word = counted(number, noun).partition(" ")
    return f"{digits:>3} {word:{len(noun) + 1}}"


assert set(_BACKGROUND) == set(COLOURS)
