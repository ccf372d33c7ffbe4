"""Layouts: turned, mirrored and zigzag modules, and the edges of the rail."""

from __future__ import annotations

from itertools import product

import pytest

from companion.light.frame import LEDS
from companion.light.layout import RAILS, ROTATIONS, Layout
from companion.table.scenes.scene import LED_OF, MATRIX, RAIL, led_at
from companion.table.scenes.stage_scenes import LINK, PENDING, SIMULATED, UNSAVED

ALL = list(product(ROTATIONS, (False, True), (False, True), RAILS))
NUMBERED = tuple(range(LEDS))


def layouts() -> list[Layout]:
    return [
        Layout(rotation=rotation, is_mirrored=mirrored, is_zigzag=zigzag, rail=rail)
        for rotation, mirrored, zigzag, rail in ALL
    ]


def first_leds(layout: Layout, count: int = 3) -> list[tuple[int, int]]:
    """Column and row of the LEDs that the first LEDs of the chip show."""
    return [(led % MATRIX, led // MATRIX) for led in layout.to_chip(NUMBERED)[:count]]


def test_the_default_layout_changes_nothing() -> None:
    assert Layout().to_chip(NUMBERED) == list(NUMBERED)
    assert Layout().from_chip(NUMBERED) == Layout().as_seen(NUMBERED) == NUMBERED


@pytest.mark.parametrize(
    ("rotation", "first"),
    [
        (0, [(0, 0), (1, 0), (2, 0)]),
        (90, [(7, 0), (7, 1), (7, 2)]),
        (180, [(7, 7), (6, 7), (5, 7)]),
        (270, [(0, 7), (0, 6), (0, 5)]),
    ],
)
def test_a_turned_module_starts_in_another_corner(
    rotation: int, first: list[tuple[int, int]]
) -> None:
    """Clockwise: at 90 its north-west is seen in the north-east."""
    assert first_leds(Layout(rotation=rotation)) == first


@pytest.mark.parametrize(
    ("rotation", "first"),
    [
        (0, [(7, 0), (6, 0), (5, 0)]),
        (90, [(7, 7), (7, 6), (7, 5)]),
        (180, [(0, 7), (1, 7), (2, 7)]),
        (270, [(0, 0), (0, 1), (0, 2)]),
    ],
)
def test_a_mirrored_module_runs_the_other_way(rotation: int, first: list[tuple[int, int]]) -> None:
    """A chain that runs to the south first is mirrored and turned by 270."""
    assert first_leds(Layout(rotation=rotation, is_mirrored=True)) == first


def test_in_a_zigzag_every_second_row_runs_backwards() -> None:
    wired = Layout(is_zigzag=True).to_chip(NUMBERED)
    for row in range(MATRIX):
        along = list(range(row * MATRIX, (row + 1) * MATRIX))
        assert wired[row * MATRIX : (row + 1) * MATRIX] == (along[::-1] if row % 2 else along)


def test_a_turned_zigzag_runs_in_columns() -> None:
    wired = Layout(rotation=90, is_zigzag=True).to_chip(NUMBERED)
    assert wired[:8] == [led_at(7, y) for y in range(8)]
    assert wired[8:16] == [led_at(6, y) for y in reversed(range(8))]


@pytest.mark.parametrize("layout", layouts(), ids=map(str, ALL))
def test_every_layout_is_a_permutation_with_an_inverse(layout: Layout) -> None:
    wired = layout.to_chip(NUMBERED)
    assert sorted(wired) == list(NUMBERED)
    assert layout.from_chip(wired) == NUMBERED
    assert layout.as_seen(wired) == layout.reading_order


def test_only_the_rail_setting_changes_what_a_person_sees() -> None:
    """A frame looks the same on every mounting."""
    for layout in layouts():
        seen = layout.as_seen(layout.to_chip(NUMBERED))
        assert list(seen) == Layout(rail=layout.rail).to_chip(NUMBERED)


# --- The rail -----------------------------------------------------------------------------


def seen_at(rail: str, led: int) -> tuple[int, int]:
    place = Layout(rail=rail).places[led]
    return place % MATRIX, place // MATRIX


@pytest.mark.parametrize("rail", RAILS)
def test_the_rail_lies_along_its_two_edges(rail: str) -> None:
    row, column = 7 * rail.startswith("south"), 7 * rail.endswith("east")
    places = {seen_at(rail, led) for led in RAIL}
    assert places == {(column, y) for y in range(8)} | {(x, row) for x in range(8)}


@pytest.mark.parametrize("rail", RAILS)
def test_the_market_keeps_its_directions(rail: str) -> None:
    west, north = seen_at(rail, LED_OF[0])
    assert (west, north) == (int(rail.endswith("west")), int(rail.startswith("north")))
    for square in range(49):
        assert seen_at(rail, LED_OF[square]) == (west + square % 7, north + square // 7)


@pytest.mark.parametrize("rail", RAILS)
def test_the_rail_is_read_in_the_same_order_along_every_edge(rail: str) -> None:
    """Seats from the west, phases from the north, the pending mark where the edges meet."""
    row, column = 7 * rail.startswith("south"), 7 * rail.endswith("east")
    along = [*(led_at(seat, 7) for seat in range(4)), UNSAVED, SIMULATED]
    assert [seen_at(rail, led)[0] for led in along] == sorted(
        seen_at(rail, led)[0] for led in along
    )
    assert {seen_at(rail, led)[1] for led in along} == {row}
    down = [*(led_at(7, phase) for phase in range(6)), LINK]
    assert [seen_at(rail, led)[1] for led in down] == sorted(seen_at(rail, led)[1] for led in down)
    assert {seen_at(rail, led)[0] for led in down} == {column}
    assert seen_at(rail, PENDING) == (column, row)
