"""The market as SVG elements: board, edge loops, squares, rugs and Assam.

They have attributes only, no styles or scripts. Does not import Pillow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from companion.drawing.market_layout import BOARD_SIDE, CELL, INSET, corner
from companion.drawing.palette import (
    ASSAM_FEZ,
    ASSAM_OUTLINE,
    ASSAM_ROBE,
    ASSAM_SLIPPERS,
    BOARD,
    LINE,
    RUGS,
    SQUARE,
)
from companion.games.marrakech import Colour, Facing, Rug, State
from companion.games.marrakech.market import SQUARES, STRIDES, paths

_WEAVE = {
    Colour.RED: '<path d="M-6 6 6-6M0 24 24 0M18 30 30 18" stroke="{thread}" stroke-width="5"/>',
    Colour.YELLOW: '<circle cx="12" cy="12" r="5" fill="{thread}"/>',
    Colour.BLUE: '<path d="M-4 16 0 18 12 6 24 18 28 16" fill="none" stroke="{thread}" '
    'stroke-width="4"/>',
    Colour.BROWN: '<path d="M0 0 24 24M24 0 0 24" stroke="{thread}" stroke-width="3"/>',
}
"""On a tile of 24 by 24: diagonal stripes, dots, zigzag, lattice."""


def rug_patterns() -> str:
    """The definitions that `market_svg` and `rug_fill` refer to."""
    return f"<defs>{''.join(map(_pattern, Colour))}</defs>"


def rug_fill(colour: Colour) -> str:
    """The value of a `fill` attribute."""
    return f"url(#{colour.label})"


def market_svg(state: State) -> Iterator[str]:
    """The elements, in a square of `BOARD_SIDE` pixels."""
    yield (
        f'<rect x="12" y="12" width="{BOARD_SIDE - 24}" height="{BOARD_SIDE - 24}" rx="40" '
        f'fill="{BOARD.hex}"/>'
    )
    yield (
        f'<path d="{"".join(_loops(state.setup.options.loops))}" fill="none" stroke="{LINE.hex}" '
        'stroke-width="10"/>'
    )
    yield from _squares()
    yield from _rugs(state)
    yield _assam(state)


def _pattern(colour: Colour) -> str:
    base, thread = RUGS[colour]
    return (
        f'<pattern id="{colour.label}" width="24" height="24" patternUnits="userSpaceOnUse">'
        f'<rect width="24" height="24" fill="{base.hex}"/>'
        f"{_WEAVE[colour].format(thread=thread.hex)}</pattern>"
    )


def _loops(loops: str) -> Iterator[str]:
    """An arc between each two exits that a loop joins, by the rules' path table."""
    table = paths(loops)
    for square in range(SQUARES):
        for facing in Facing:
            (step,) = table[square * 4 + facing][1]
            if step.square == square or step.facing is facing.behind:
                is_corner = step.square == square
                (ax, ay), (bx, by) = _exit(square, facing), _exit(step.square, step.facing.behind)
                if (ax, ay) < (bx, by):
                    turn = _is_clockwise(facing, (bx - ax, by - ay))
                    yield f"M{ax} {ay}A48 48 0 {is_corner:d} {turn:d} {bx} {by}"


def _exit(square: int, facing: Facing) -> tuple[int, int]:
    """The middle of the side through which Assam leaves the square."""
    (x, y), (dx, dy) = corner(square), STRIDES[facing]
    return x + (1 + dx) * CELL // 2, y + (1 + dy) * CELL // 2


def _is_clockwise(facing: Facing, way: tuple[int, int]) -> bool:
    """Whether an arc that leaves in the direction `facing` turns clockwise to the offset `way`."""
    dx, dy = STRIDES[facing]
    return dx * way[1] - dy * way[0] > 0


def _squares() -> Iterator[str]:
    for square in range(SQUARES):
        x, y = corner(square)
        yield (
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{SQUARE.hex}" '
            f'stroke="{LINE.hex}" stroke-width="3"/>'
        )


def _rugs(state: State) -> Iterator[str]:
    """A rug is one piece if both halves are visible, else its visible half."""
    visible: dict[Rug, list[int]] = defaultdict(list)
    for square in range(SQUARES):
        if rug := state.rug_on(square):
            visible[rug].append(square)
    for rug, squares in visible.items():
        (x, y), (u, v) = corner(squares[0]), corner(squares[-1])
        yield (
            f'<rect x="{x + INSET}" y="{y + INSET}" width="{u - x + CELL - 2 * INSET}" '
            f'height="{v - y + CELL - 2 * INSET}" rx="4" fill="{rug_fill(rug.colour)}" '
            f'stroke="{RUGS[rug.colour].base.hex}" stroke-width="5"/>'
        )


def _assam(state: State) -> str:
    """Seen from above; the slippers point in his facing."""
    x, y = corner(state.assam)
    middle = f"translate({x + CELL // 2} {y + CELL // 2}) rotate({90 * state.facing})"
    return (
        f'<g transform="{middle}" stroke="{ASSAM_OUTLINE.hex}">'
        f'<path d="M0-44 26-8H-26Z" fill="{ASSAM_SLIPPERS.hex}"/>'
        f'<circle r="28" fill="{ASSAM_ROBE.hex}" stroke-width="4"/>'
        f'<circle r="13" fill="{ASSAM_FEZ.hex}" stroke-width="3"/></g>'
    )
