"""The market: squares, directions, edge loops, rug placements and regions.

Geometry only. Squares are numbers, 0 (north-west) to 48 (south-east), row by row; `x` runs west
to east and `y` north to south. Sets of squares are bitboards: bit `n` is square `n`. Everything
that does not change during a game is a table, computed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from companion.errors import NotationError

SIZE = 7
SQUARES = SIZE * SIZE
CENTRE = SQUARES // 2
ALL_SQUARES = (1 << SQUARES) - 1
PIPS = (1, 2, 3, 4)
DIE = (1, 2, 2, 3, 3, 4)
"""The six faces of the wooden die, for code that rolls. The rules only need `PIPS`."""

_COLUMNS = "abcdefg"
_ROWS = "1234567"


class Facing(IntEnum):
    """A compass direction as seen on the matrix; north is the row with `y` = 0."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def letter(self) -> str:
        return "nesw"[self]

    @property
    def left(self) -> Facing:
        return Facing((self + 3) % 4)

    @property
    def right(self) -> Facing:
        return Facing((self + 1) % 4)

    @property
    def behind(self) -> Facing:
        return Facing((self + 2) % 4)


FACINGS = tuple(Facing)
STRIDES = {Facing.NORTH: (0, -1), Facing.EAST: (1, 0), Facing.SOUTH: (0, 1), Facing.WEST: (-1, 0)}
"""One step in each direction: `(dx, dy)`."""


def square_at(x: int, y: int) -> int:
    return y * SIZE + x


def square_name(square: int) -> str:
    """The column a-g from the west and the row 1-7 from the north: `d4` is the centre."""
    return _COLUMNS[square % SIZE] + _ROWS[square // SIZE]


def parse_square(text: str) -> int:
    if len(text) == 2 and text[0] in _COLUMNS and text[1] in _ROWS:
        return square_at(_COLUMNS.index(text[0]), _ROWS.index(text[1]))
    raise NotationError(f"'{text}' is not a square: use a letter a-g and a number 1-7, like d4")


def parse_facing(text: str) -> Facing:
    found = "nesw".find(text.lower()) if len(text) == 1 else -1
    if found < 0:
        raise NotationError(f"'{text}' is not a direction: use n, e, s or w")
    return Facing(found)


def squares_of(bits: int) -> Iterator[int]:
    """The squares of a bitboard in reading order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def bitboard(squares: Iterable[int]) -> int:
    bits = 0
    for square in squares:
        bits |= 1 << square
    return bits


# --- Assam's paths ------------------------------------------------------------------------


class Step(NamedTuple):
    """The square that a step leads to, and the way Assam faces there."""

    square: int
    facing: Facing


def _follow_loop(x: int, y: int, facing: Facing) -> tuple[int, int, Facing]:
    """Follow the edge loop out of (x, y), on a board with its big loops north-east and south-west.

    Along the north and the west edge the small loops join lines 0-1, 2-3, 4-5; line 6 has the
    three-quarter loop of the corner. Along the south and the east edge they join 1-2, 3-4, 5-6;
    line 0 has the three-quarter loop.
    """
    line = x if facing in (Facing.NORTH, Facing.SOUTH) else y
    if facing in (Facing.NORTH, Facing.WEST):
        corner, partner = SIZE - 1, line ^ 1
    else:
        corner, partner = 0, ((line - 1) ^ 1) + 1
    if line == corner:
        turned = facing.left if facing in (Facing.NORTH, Facing.SOUTH) else facing.right
        return x, y, turned
    if facing in (Facing.NORTH, Facing.SOUTH):
        return partner, y, facing.behind
    return x, partner, facing.behind


def _step_ne_sw(square: int, facing: Facing) -> Step:
    y, x = divmod(square, SIZE)
    dx, dy = STRIDES[facing]
    if 0 <= x + dx < SIZE and 0 <= y + dy < SIZE:
        return Step(square_at(x + dx, y + dy), facing)
    x, y, facing = _follow_loop(x, y, facing)
    return Step(square_at(x, y), facing)


def turn_quarter(square: int) -> int:
    """The square that a square becomes when the board is turned by 90 degrees clockwise."""
    y, x = divmod(square, SIZE)
    return square_at(SIZE - 1 - y, x)


def _step_nw_se(square: int, facing: Facing) -> Step:
    before = turn_quarter(turn_quarter(turn_quarter(square)))
    there = _step_ne_sw(before, facing.left)
    return Step(turn_quarter(there.square), there.facing.right)


_STEP_FUNCTIONS = {"ne-sw": _step_ne_sw, "nw-se": _step_nw_se}
LOOPS = tuple(_STEP_FUNCTIONS)
"""How the cardboard lies, named after the two corners with the three-quarter loops."""

Paths = tuple[tuple[tuple[Step, ...], ...], ...]


@cache
def paths(loops: str) -> Paths:
    """All paths: `paths(loops)[square * 4 + facing][pips]` is one path, step by step."""
    one_step = _STEP_FUNCTIONS[loops]
    table = []
    for square in range(SQUARES):
        for facing in FACINGS:
            path = [Step(square, facing)]
            for _ in PIPS:
                path.append(one_step(*path[-1]))
            table.append(tuple(tuple(path[1 : pips + 1]) for pips in (0, *PIPS)))
    return tuple(table)


# --- Regions ------------------------------------------------------------------------------


def _neighbours(square: int) -> int:
    y, x = divmod(square, SIZE)
    around = ((x + dx, y + dy) for dx, dy in STRIDES.values())
    return bitboard(square_at(i, j) for i, j in around if 0 <= i < SIZE and 0 <= j < SIZE)


NEIGHBOURS = tuple(_neighbours(square) for square in range(SQUARES))
"""By square: the squares that share a side with it, as a bitboard."""


def _subsets(bits: int) -> Iterator[int]:
    subset = bits
    while subset:
        yield subset
        subset = (subset - 1) & bits


# The squares of each set of neighbours: faster than `squares_of`.
_SPLIT = {part: tuple(squares_of(part)) for near in NEIGHBOURS for part in _subsets(near)}


def region(square: int, bits: int) -> list[int]:
    """The squares of `bits` connected to `square` through shared sides, in counting order.

    `square` comes first, then its neighbours, then theirs (breadth first).
    """
    found = [square]
    rest = bits & ~(1 << square)
    for current in found:  # grows during the loop
        near = NEIGHBOURS[current] & rest
        if near:
            rest ^= near
            found += _SPLIT[near]
    return found


# --- Placements ---------------------------------------------------------------------------


class Placement(NamedTuple):
    """Two squares that share a side: where a rug may lie.

    Sets of placements are bitboards of 98 bits: bit `first` for a rug that lies west-east, bit
    `first + 49` for one that lies north-south.
    """

    first: int
    second: int
    squares: int
    """The two squares, as a bitboard."""
    bit: int
    """This placement, as a placement bitboard."""
    touching: int
    """All placements that share a square with it, as a placement bitboard."""

    def __str__(self) -> str:
        return f"{square_name(self.first)}-{square_name(self.second)}"


def pairs(bits: int) -> int:
    """All placements with both squares in `bits`, as a placement bitboard."""
    return (bits & bits >> 1 & _NOT_EAST_EDGE) | (bits & bits >> SIZE) << SQUARES


_NOT_EAST_EDGE = bitboard(s for s in range(SQUARES) if s % SIZE < SIZE - 1)


def _placement(first: int, second: int) -> Placement:
    squares = 1 << first | 1 << second
    bit = 1 << first if second == first + 1 else 1 << first + SQUARES
    return Placement(
        first, second, squares, bit, pairs(ALL_SQUARES) & ~pairs(ALL_SQUARES & ~squares)
    )


PLACEMENTS = tuple(
    _placement(first, second)
    for first in range(SQUARES)
    for second in squares_of(NEIGHBOURS[first])
    if first < second
)
"""All 84 placements, in reading order."""

_BY_SQUARES = {p.squares: p for p in PLACEMENTS}


def placement_on(one: int, other: int) -> Placement:
    """The placement on two squares, in either order."""
    try:
        return _BY_SQUARES[1 << one | 1 << other]
    except (KeyError, ValueError):
        names = " and ".join(
            square_name(s) if 0 <= s < SQUARES else f"square {s}" for s in (one, other)
        )
        raise NotationError(f"a rug cannot lie on {names}: they do not share a side") from None


def parse_placement(text: str) -> Placement:
    """Parse `d3-d4`."""
    one, dash, other = text.partition("-")
    if not dash:
        raise NotationError(f"'{text}' is not a place for a rug: name its two squares, like d3-d4")
    return placement_on(parse_square(one), parse_square(other))


BESIDE = tuple(
    tuple(p for p in PLACEMENTS if p.squares & NEIGHBOURS[square] and not p.squares & 1 << square)
    for square in range(SQUARES)
)
"""By Assam's square: the placements beside him, whether blocked or not."""

BESIDE_BITS = tuple(sum(p.bit for p in places) for places in BESIDE)
