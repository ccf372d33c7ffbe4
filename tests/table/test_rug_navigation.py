"""Direction buttons reach every legal placement and no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import pytest
from helpers.rules.strategies import arranged_position, random_game

from companion.games.marrakech import (
    Facing,
    Lay,
    Options,
    Phase,
    Placement,
    Setup,
    State,
    legal_actions,
    new_game,
    parse_placement,
    parse_position,
    square_at,
    square_name,
    usual_players,
)
from companion.games.marrakech.market import BESIDE, SQUARES
from companion.table.rug_navigation import first_aim, steer

EMPTY = "/".join(["." * 7] * 7)
COVERINGS = ("no-whole-rug", "two-colours", "own-rug-allowed")


def to_lay(assam: str, market: str = EMPTY) -> State:
    return parse_position(f"{market} {assam} lay R R:30:10,Y:30:10,B:30:10,N:30:10 -")


def placements_in(state: State) -> tuple[Placement, ...]:
    return tuple(one.placement for one in legal_actions(state) if isinstance(one, Lay))


def steered(placements: Iterable[Placement], aim: str, facing: Facing) -> str:
    return str(steer(placements, parse_placement(aim), facing))


def are_all_reachable(placements: tuple[Placement, ...]) -> bool:
    """Whether the four buttons lead from every placement to every other."""
    onward: dict[Placement, list[Placement]] = {p: [] for p in placements}
    back: dict[Placement, list[Placement]] = {p: [] for p in placements}
    for placement in placements:
        for facing in Facing:
            there = steer(placements, placement, facing)
            if there is not None:
                onward[placement].append(there)
                back[there].append(placement)
    # From one to all, and from all to that one, is from every one to every other.
    return all(len(_reached(ways, placements[0])) == len(placements) for ways in (onward, back))


def _reached(ways: dict[Placement, list[Placement]], start: Placement) -> set[Placement]:
    reached, waiting = {start}, [start]
    while waiting:
        new = set(ways[waiting.pop()]) - reached
        reached |= new
        waiting += new
    return reached


def games_in_phase_lay() -> Iterator[State]:
    random = Random(7)
    for covering in COVERINGS:
        for count in (2, 3, 4):
            options = Options().with_changes({"covering": covering})
            start = new_game(Setup(usual_players(count, options), options))
            for _ in range(4):
                yield from (s for s, _ in random_game(random, start) if s.phase is Phase.LAY)


def arranged_in_phase_lay() -> Iterator[State]:
    random = Random(8)
    positions = (arranged_position(random) for _ in range(3000))
    return (state for state in positions if state.phase is Phase.LAY)


# --- One press ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("aim", "facing", "expected"),
    [
        ("d5-d6", Facing.NORTH, "c5-d5"),
        ("d5-d6", Facing.EAST, "d5-e5"),
        ("d5-d6", Facing.SOUTH, "None"),
        ("d5-d6", Facing.WEST, "c5-d5"),
        ("c5-d5", Facing.SOUTH, "d5-d6"),
        ("c5-d5", Facing.EAST, "d5-d6"),
        ("b4-c4", Facing.EAST, "c3-c4"),
        ("b4-c4", Facing.WEST, "None"),
        ("d2-d3", Facing.NORTH, "None"),
    ],
)
def test_a_press_goes_to_the_nearest_placement_in_that_direction(
    aim: str, facing: Facing, expected: str
) -> None:
    assert steered(placements_in(to_lay("d4s")), aim, facing) == expected


def test_nearest_means_straight_line_distance() -> None:
    placements = [parse_placement(text) for text in ("d5-e5", "g4-g5", "d1-d2")]
    assert steered(placements, "d5-d6", Facing.NORTH) == "d5-e5"
    placements = [parse_placement(text) for text in ("g4-g5", "d1-d2", "d3-d4")]
    assert steered(placements, "d5-d6", Facing.NORTH) == "d3-d4"


def test_of_two_equally_near_placements_the_one_less_sideways_is_taken() -> None:
    # From the middle of d4-d5: 1.5 up and 0.5 sideways, or 0.5 up and 1.5 sideways.
    up, aside = parse_placement("d3-e3"), parse_placement("e4-f4")
    assert steered([aside, up], "d4-d5", Facing.NORTH) == "d3-e3"
    assert steered([aside, up], "d4-d5", Facing.EAST) == "e4-f4"


@pytest.mark.parametrize(
    ("facing", "pair", "expected"),
    [
        (Facing.NORTH, ("e3-e4", "c3-c4"), "c3-c4"),
        (Facing.SOUTH, ("e5-e6", "c5-c6"), "c5-c6"),
        (Facing.EAST, ("e5-e6", "e3-e4"), "e3-e4"),
        (Facing.WEST, ("c5-c6", "c3-c4"), "c3-c4"),
    ],
)
def test_of_two_mirrored_placements_the_western_or_northern_is_taken(
    facing: Facing, pair: tuple[str, str], expected: str
) -> None:
    assert steered([parse_placement(text) for text in pair], "d4-d5", facing) == expected


def test_a_placement_level_with_the_aim_is_not_in_that_direction() -> None:
    placements = [parse_placement(text) for text in ("d4-d5", "f4-f5")]
    assert steered(placements, "d4-d5", Facing.NORTH) == "None"
    assert steered(placements, "d4-d5", Facing.SOUTH) == "None"
    assert steered(placements, "d4-d5", Facing.EAST) == "f4-f5"


def test_without_placements_a_press_leads_nowhere() -> None:
    assert steered([], "d4-d5", Facing.NORTH) == "None"


def test_a_press_works_from_an_aim_that_is_no_longer_legal() -> None:
    placements = [p for p in placements_in(to_lay("d4s")) if str(p) != "d5-d6"]
    assert steered(placements, "d5-d6", Facing.EAST) == "d5-e5"


# --- Many presses -------------------------------------------------------------------------


@pytest.mark.parametrize("assam", range(SQUARES), ids=square_name)
def test_every_placement_is_reachable_on_an_empty_market(assam: int) -> None:
    assert are_all_reachable(placements_in(to_lay(f"{square_name(assam)}s")))


@pytest.mark.parametrize("y", [0, 1, 3, 5, 6])
@pytest.mark.parametrize("x", [0, 1, 3, 5, 6])
def test_every_placement_is_reachable_for_any_subset(x: int, y: int) -> None:
    """Every subset of the placements beside Assam, in the middle and at every kind of edge."""
    beside = BESIDE[square_at(x, y)]
    for chosen in range(1, 1 << len(beside)):
        placements = tuple(p for at, p in enumerate(beside) if chosen >> at & 1)
        assert are_all_reachable(placements), (
            f"Assam on {square_name(square_at(x, y))}: {placements}"
        )


def test_every_placement_is_reachable_in_games_and_in_random_positions() -> None:
    positions = [*games_in_phase_lay(), *arranged_in_phase_lay()]
    assert len(positions) > 2500
    offers = {
        (state.assam, placements) for state in positions if (placements := placements_in(state))
    }
    assert len(offers) > 1000
    for _, placements in offers:
        assert are_all_reachable(placements)


def test_a_press_does_not_depend_on_the_order_of_the_placements() -> None:
    random = Random(9)
    for state in arranged_in_phase_lay():
        placements = placements_in(state)
        shuffled = random.sample(placements, len(placements))
        for aim in placements:
            for facing in Facing:
                assert steer(placements, aim, facing) == steer(iter(shuffled), aim, facing)


def test_the_opposite_button_is_never_refused_and_moves_no_farther() -> None:
    """It need not lead back: see the next test."""
    for state in arranged_in_phase_lay():
        placements = placements_in(state)
        for aim in placements:
            for facing in Facing:
                there = steer(placements, aim, facing)
                if there is not None:
                    back = steer(placements, there, facing.behind)
                    assert back is not None
                    assert squared_distance(there, back) <= squared_distance(there, aim)


def squared_distance(one: Placement, other: Placement) -> int:
    """In half squares."""
    (a, b), (c, d) = map(middle, (one, other))
    return (a - c) ** 2 + (b - d) ** 2


def middle(placement: Placement) -> tuple[int, int]:
    return placement.first % 7 + placement.second % 7, placement.first // 7 + placement.second // 7


def test_the_opposite_button_may_lead_to_another_placement() -> None:
    placements = placements_in(to_lay("d4s"))
    assert steered(placements, "d5-e5", Facing.SOUTH) == "d5-d6"
    assert steered(placements, "d5-d6", Facing.NORTH) == "c5-d5"


@pytest.mark.parametrize("facing", Facing)
def test_one_button_repeated_ends_at_the_outermost_placement(facing: Facing) -> None:
    def onward(placement: Placement) -> int:
        x, y = middle(placement)
        return {Facing.NORTH: -y, Facing.EAST: x, Facing.SOUTH: y, Facing.WEST: -x}[facing]

    for assam in range(SQUARES):
        placements = placements_in(to_lay(f"{square_name(assam)}s"))
        for start in placements:
            aim, presses = start, 0
            while (there := steer(placements, aim, facing)) is not None:
                assert onward(there) > onward(aim)
                aim, presses = there, presses + 1
            assert presses < len(placements)
            assert onward(aim) == max(map(onward, placements))


# --- The first placement ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("assam", "expected"),
    [
        ("d4n", "d2-d3"),
        ("d4e", "e4-f4"),
        ("d4s", "d5-d6"),
        ("d4w", "b4-c4"),
        ("d6s", "c7-d7"),  # one row ahead: across, the western of two
        ("d7s", "b7-c7"),  # nothing ahead: beside him, the western of two
        ("a1n", "b1-c1"),
        ("g7e", "g5-g6"),
    ],
)
def test_the_first_placement_is_ahead_of_assam(assam: str, expected: str) -> None:
    state = to_lay(assam)
    placements = placements_in(state)
    assert str(first_aim(state, placements)) == expected
    assert first_aim(state, reversed(placements)) == first_aim(state, placements)


def test_the_first_placement_avoids_covering_a_whole_rug() -> None:
    market = "......./......./......./......./...R1.../...R1.../......."
    state = to_lay("d4s", market)
    assert str(first_aim(state, placements_in(state))) == "c5-d5"
