"""Direction buttons find every placement that is offered, and no other."""

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


def offered_in(state: State) -> tuple[Placement, ...]:
    return tuple(one.placement for one in legal_actions(state) if isinstance(one, Lay))


def steered(offered: Iterable[Placement], aim: str, facing: Facing) -> str:
    return str(steer(offered, parse_placement(aim), facing))


def all_meet(offered: tuple[Placement, ...]) -> bool:
    """Whether four buttons lead from every placement to every other."""
    onward: dict[Placement, list[Placement]] = {p: [] for p in offered}
    back: dict[Placement, list[Placement]] = {p: [] for p in offered}
    for place in offered:
        for facing in Facing:
            there = steer(offered, place, facing)
            if there is not None:
                onward[place].append(there)
                back[there].append(place)
    # From one to all, and from all to that one.
    return all(len(_reached(ways, offered[0])) == len(offered) for ways in (onward, back))


def _reached(ways: dict[Placement, list[Placement]], start: Placement) -> set[Placement]:
    reached, waiting = {start}, [start]
    while waiting:
        new = set(ways[waiting.pop()]) - reached
        reached |= new
        waiting += new
    return reached


def games_in_phase_lay() -> Iterator[State]:
    chance = Random(7)
    for covering in COVERINGS:
        for count in (2, 3, 4):
            options = Options().but({"covering": covering})
            start = new_game(Setup(usual_players(count, options), options))
            for _ in range(4):
                yield from (s for s, _ in random_game(chance, start) if s.phase is Phase.LAY)


def arranged_in_phase_lay() -> Iterator[State]:
    chance = Random(8)
    positions = (arranged_position(chance) for _ in range(3000))
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
def test_a_press_goes_to_the_nearest_that_way(aim: str, facing: Facing, expected: str) -> None:
    assert steered(offered_in(to_lay("d4s")), aim, facing) == expected


def test_straight_distance_decides_not_the_distance_along_the_way() -> None:
    offered = [parse_placement(text) for text in ("d5-e5", "g4-g5", "d1-d2")]
    assert steered(offered, "d5-d6", Facing.NORTH) == "d5-e5"
    offered = [parse_placement(text) for text in ("g4-g5", "d1-d2", "d3-d4")]
    assert steered(offered, "d5-d6", Facing.NORTH) == "d3-d4"


def test_of_two_at_one_distance_the_one_less_to_the_side_is_taken() -> None:
    # From the middle of d4-d5: 1.5 up and 0.5 aside, or 0.5 up and 1.5 aside.
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
def test_of_mirror_images_the_western_or_northern_is_taken(
    facing: Facing, pair: tuple[str, str], expected: str
) -> None:
    assert steered([parse_placement(text) for text in pair], "d4-d5", facing) == expected


def test_what_lies_level_with_the_aim_is_not_that_way() -> None:
    offered = [parse_placement(text) for text in ("d4-d5", "f4-f5")]
    assert steered(offered, "d4-d5", Facing.NORTH) == "None"
    assert steered(offered, "d4-d5", Facing.SOUTH) == "None"
    assert steered(offered, "d4-d5", Facing.EAST) == "f4-f5"


def test_nothing_offered_leads_nowhere() -> None:
    assert steered([], "d4-d5", Facing.NORTH) == "None"


def test_an_aim_that_is_no_longer_offered_can_be_left() -> None:
    offered = [p for p in offered_in(to_lay("d4s")) if str(p) != "d5-d6"]
    assert steered(offered, "d5-d6", Facing.EAST) == "d5-e5"


# --- Many presses -------------------------------------------------------------------------


@pytest.mark.parametrize("assam", range(SQUARES), ids=square_name)
def test_every_placement_is_reached_on_an_empty_market(assam: int) -> None:
    assert all_meet(offered_in(to_lay(f"{square_name(assam)}s")))


@pytest.mark.parametrize("y", [0, 1, 3, 5, 6])
@pytest.mark.parametrize("x", [0, 1, 3, 5, 6])
def test_every_placement_is_reached_whatever_is_blocked(x: int, y: int) -> None:
    """Every subset of the placements beside Assam: in the middle, and at every kind of edge."""
    beside = BESIDE[square_at(x, y)]
    for chosen in range(1, 1 << len(beside)):
        offered = tuple(p for at, p in enumerate(beside) if chosen >> at & 1)
        assert all_meet(offered), f"Assam on {square_name(square_at(x, y))}: {offered}"


def test_every_placement_is_reached_in_play_and_in_strewn_markets() -> None:
    positions = [*games_in_phase_lay(), *arranged_in_phase_lay()]
    assert len(positions) > 2500
    offers = {(state.assam, offered) for state in positions if (offered := offered_in(state))}
    assert len(offers) > 1000
    for _, offered in offers:
        assert all_meet(offered)


def test_a_press_is_the_same_in_whatever_order_placements_are_offered() -> None:
    chance = Random(9)
    for state in arranged_in_phase_lay():
        offered = offered_in(state)
        shuffled = chance.sample(offered, len(offered))
        for aim in offered:
            for facing in Facing:
                assert steer(offered, aim, facing) == steer(iter(shuffled), aim, facing)


def test_there_is_a_way_back_no_farther_than_the_way_there() -> None:
    """It need not lead to where one came from: pinned below."""
    for state in arranged_in_phase_lay():
        offered = offered_in(state)
        for aim in offered:
            for facing in Facing:
                there = steer(offered, aim, facing)
                if there is not None:
                    back = steer(offered, there, facing.behind)
                    assert back is not None
                    assert apart(there, back) <= apart(there, aim)


def apart(one: Placement, other: Placement) -> int:
    """The square of twice the distance between two middles."""
    (a, b), (c, d) = map(middle, (one, other))
    return (a - c) ** 2 + (b - d) ** 2


def middle(place: Placement) -> tuple[int, int]:
    return place.first % 7 + place.second % 7, place.first // 7 + place.second // 7


def test_the_opposite_button_may_lead_elsewhere() -> None:
    offered = offered_in(to_lay("d4s"))
    assert steered(offered, "d5-e5", Facing.SOUTH) == "d5-d6"
    assert steered(offered, "d5-d6", Facing.NORTH) == "c5-d5"


@pytest.mark.parametrize("facing", Facing)
def test_one_button_held_comes_to_an_end_at_the_edge_of_the_offer(facing: Facing) -> None:
    def onward(place: Placement) -> int:
        x, y = middle(place)
        return {Facing.NORTH: -y, Facing.EAST: x, Facing.SOUTH: y, Facing.WEST: -x}[facing]

    for assam in range(SQUARES):
        offered = offered_in(to_lay(f"{square_name(assam)}s"))
        for start in offered:
            aim, presses = start, 0
            while (there := steer(offered, aim, facing)) is not None:
                assert onward(there) > onward(aim)
                aim, presses = there, presses + 1
            assert presses < len(offered)
            assert onward(aim) == max(map(onward, offered))


# --- The first offer ----------------------------------------------------------------------


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
def test_the_first_offer_lies_ahead_of_assam(assam: str, expected: str) -> None:
    state = to_lay(assam)
    offered = offered_in(state)
    assert str(first_aim(state, offered)) == expected
    assert first_aim(state, reversed(offered)) == first_aim(state, offered)


def test_a_whole_rug_ahead_is_passed_by_on_the_western_side() -> None:
    market = "......./......./......./......./...R1.../...R1.../......."
    state = to_lay("d4s", market)
    assert str(first_aim(state, offered_in(state))) == "c5-d5"
