"""The market and the players as text, in colour if the terminal supports it.

The two squares of a rug form one box without a line between them, so that adjacent rugs of the
same colour can be distinguished.
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
_MAX_NAME_LENGTH = 20


def has_colours(stream: TextIO | None = None) -> bool:
    """Whether the stream is a terminal and NO_COLOR is not set (no-color.org)."""
    return (stream or sys.stdout).isatty() and not os.environ.get("NO_COLOR")


def paint(text: str, colour: Colour, *, is_coloured: bool) -> str:
    return f"\x1b[48;5;{_BACKGROUND[colour]};38;5;16m{text}\x1b[0m" if is_coloured else text


def name_of(state: State, player: int, names: Sequence[str] = ()) -> str:
    """A player's name with the colours, or only the colours if there is no name."""
    colours = state.setup.name(player)
    if names and names[player]:
        return f"{one_line(names[player], _MAX_NAME_LENGTH)} ({colours})"
    return colours


def draw_market(
    state: State, *, marked: Collection[int] = (), is_coloured: bool = False
) -> Iterator[str]:
    """Yield the lines of the market. The `marked` squares (a tribute region) have a star."""
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
    """The line above row `y`, open where a rug crosses it."""
    line = "+"
    for x in range(SIZE):
        rug = state.rug_on(square_at(x, y)) if 0 < y < SIZE else None
        is_joined = rug is not None and state.rug_on(square_at(x, y - 1)) == rug
        line += (" " if is_joined else "─") * _WIDTH + "+"
    return line


def draw_players(
    state: State, names: Sequence[str] = (), *, is_coloured: bool = False
) -> Iterator[str]:
    """Yield one line per player, with an arrow before the player whose turn it is."""
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
    """Yield one line per player with the score, the winner first."""
    for row in state.ranking():
        dirhams = counted(row.dirhams, "dirham")
        score = "out" if row.is_out else f"{row.score:3} = {dirhams} + {row.visible}"
        yield f"{row.rank}. {name_of(state, row.player, names):16} {score}"


def _in_column(number: int, noun: str) -> str:
    """Like `counted`, padded to a fixed width."""
    digits, _, word = counted(number, noun).partition(" ")
    return f"{digits:>3} {word:{len(noun) + 1}}"


assert set(_BACKGROUND) == set(COLOURS)
