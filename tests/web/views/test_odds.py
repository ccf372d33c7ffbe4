"""The odds before a roll: exact, and equal to playing every roll by the rules."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from helpers.rules.sample_positions import EMPTY, POSITIONS, START, TEN_TURNS, written
from helpers.rules.strategies import (
    arranged_position,
    random_game,
    random_setup,
    random_start,
    seeds,
)
from hypothesis import given

from companion.games.marrakech import (
    DIE,
    Orient,
    Paid,
    Pay,
    Phase,
    Pivot,
    Rolled,
    State,
    Tribute,
    apply,
    legal_actions,
    position_text,
    square_name,
)
from companion.web.views.odds import odds_of

# South of Assam is a region of three red halves; yellow, who is to play, has two dirhams.
POOR = written(
    "......./......./......./......./...R1.../...R2R2../.......",
    "d4s",
    mover="Y",
    players="R:30:10,Y:2:12,B:30:12,N:30:12",
)


def odds(position: str) -> dict[str, Any]:
    found = odds_of(position)
    assert found is not None
    return found


def row(pips: int, square: str, owner: str | None = None, due: int = 0, **more: Any) -> Any:  # noqa: ANN401
    faces = {1: 1, 2: 2, 3: 2, 4: 1}[pips]
    defaults = {"owner": owner, "dirhams": due, "short": False}
    return {"pips": pips, "faces": faces, "square": square, **defaults, **more}


# --- By hand ------------------------------------------------------------------------------


def test_each_direction_has_squares_and_tribute_by_pips() -> None:
    """Twos and threes come up twice as often as ones and fours: (3 + 2*3) / 6."""
    south = odds(POOR.replace("Y:2:", "Y:30:"))["south"]
    assert south == {
        "payer": 1,
        "pips": [
            row(1, "d5", "red", 3),
            row(2, "d6", "red", 3),
            row(3, "d7"),
            row(4, "e7"),
        ],
        "expected": "3/2",
        "expected_number": 1.5,
    }


def test_assam_never_turns_round() -> None:
    assert list(odds(START)) == ["east", "south", "west"]
    assert list(odds(START.replace("d4s", "d4n"))) == ["north", "east", "west"]


def test_an_empty_market_costs_nothing() -> None:
    for direction in odds(START).values():
        assert (direction["expected"], direction["expected_number"]) == ("0", 0.0)


def test_paths_lead_through_the_edge_loops() -> None:
    """North from f1 comes back on e1; the large loop at a corner leads to the same square."""
    assert [pip["square"] for pip in odds(written(assam="f1n"))["north"]["pips"]] == [
        "e1",
        "e2",
        "e3",
        "e4",
    ]
    assert [pip["square"] for pip in odds(written(assam="g1n"))["north"]["pips"]] == [
        "g1",
        "f1",
        "e1",
        "d1",
    ]
    turned = odds(written(assam="g1n", options="loops=nw-se"))
    assert [pip["square"] for pip in turned["north"]["pips"]] == ["f1", "f2", "f3", "f4"]


def test_sixths_are_exact_and_rounded_only_as_text() -> None:
    """Yellow's pair is on 1 and 2 to the east: 2 * 3/6. One half of blue's own is there."""
    east = odds(TEN_TURNS)["east"]
    assert [pip["dirhams"] for pip in east["pips"]] == [2, 2, 0, 0]
    assert east["expected"] == "1"
    west = odds(TEN_TURNS)["west"]
    assert [(pip["owner"], pip["dirhams"]) for pip in west["pips"]] == [
        ("yellow", 2),
        (None, 0),
        (None, 0),
        (None, 0),
    ]
    assert (west["expected"], west["expected_number"]) == ("1/3", 1 / 3)


def test_nobody_pays_for_their_own_rugs() -> None:
    assert odds(POOR.replace(" Y R", " R R"))["south"]["expected"] == "0"


def test_nobody_pays_for_neutral_rugs() -> None:
    position = POOR.replace("R:30:10", "R:out")
    assert odds(position)["south"]["pips"][0] == row(1, "d5")


def test_too_little_money_is_marked_and_the_full_tribute_given() -> None:
    south = odds(POOR)["south"]
    assert [(pip["dirhams"], pip["short"]) for pip in south["pips"]] == [
        (3, True),
        (3, True),
        (0, False),
        (0, False),
    ]
    assert south["expected"] == "3/2"


def test_two_colours_of_one_player_are_two_regions() -> None:
    """Red and yellow lie side by side and are one player's: only the one under Assam is paid."""
    market = "......./......./......./......./...R1R1../...Y1Y1../......."
    players = "RY:30:11+11,BN:30:12+12"
    south = odds(written(market, mover="BN", players=players))["south"]
    assert south["pips"][:2] == [row(1, "d5", "red", 2), row(2, "d6", "yellow", 2)]


# --- The other order of a turn ------------------------------------------------------------


def test_with_pivot_last_assam_goes_the_way_he_faces() -> None:
    assert list(odds(POSITIONS["to roll, pivot last"])) == ["south"]
    assert list(odds(POSITIONS["to roll"])) == ["west"]


@pytest.mark.parametrize(
    ("pivot", "directions"), [("must", ["north", "south"]), ("may", ["north", "south", "west"])]
)
def test_while_assam_is_turned_for_the_next_player_the_odds_are_theirs(
    pivot: str, directions: list[str]
) -> None:
    """Red turns him, and would pay nothing on red; yellow would."""
    position = POSITIONS["to pivot"].replace("pivot-last", f"pivot-last,pivot={pivot}")
    found = odds(position.replace("c4w", "d3w"))
    assert list(found) == directions
    assert {direction["payer"] for direction in found.values()} == {1}
    assert found["south"]["pips"][0] == row(1, "d4", "red", 3)


# --- No roll next -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["to pay", "to lay", "two players, to draw", "over, no rug left", "over, one player in"]
)
def test_there_are_no_odds_unless_a_roll_is_next(name: str) -> None:
    assert odds_of(POSITIONS[name]) is None


@pytest.mark.parametrize("text", ["", "nonsense", EMPTY, START.replace("d4s", "d9s"), "\ud83d"])
def test_an_unreadable_position_has_no_odds(text: str) -> None:
    assert odds_of(text) is None


# --- Any position -------------------------------------------------------------------------


def odds_by_rules(state: State) -> dict[str, Any] | None:
    """The odds by playing every direction and every face of the die."""
    turns = [one for one in legal_actions(state) if isinstance(one, Orient | Pivot)]
    starts = {one.facing: apply(state, one)[0] for one in turns}
    if state.phase is Phase.ROLL:
        starts = {state.facing: state}
    starts = {facing: start for facing, start in starts.items() if start.phase is Phase.ROLL}
    return {facing.name.lower(): rolls(start) for facing, start in starts.items()} or None


def rolls(start: State) -> dict[str, Any]:
    total, pips = Fraction(0), {}
    for face in DIE:
        after, events = apply(start, Rolled(face))
        tribute = next((one for one in events if isinstance(one, Tribute)), None)
        paid = None
        if after.phase is Phase.PAY:
            paid = next(one for one in apply(after, Pay())[1] if isinstance(one, Paid))
        total += paid.due if paid else 0
        pips[face] = {
            "pips": face,
            "faces": DIE.count(face),
            "square": square_name(after.assam),
            "owner": tribute.colour.label if tribute else None,
            "dirhams": paid.due if paid else 0,
            "short": paid is not None and paid.paid < paid.due,
        }
    return {
        "payer": start.mover,
        "pips": [pips[face] for face in sorted(pips)],
        "expected": str(total / 6),
        "expected_number": float(total / 6),
    }


@given(seeds)
def test_odds_agree_with_the_rules_in_random_positions(seed: int) -> None:
    state = arranged_position(Random(seed))
    assert odds_of(position_text(state)) == odds_by_rules(state)


@given(seeds)
def test_odds_agree_with_the_rules_during_games(seed: int) -> None:
    random = Random(seed)
    game = random_game(random, random_start(random, random_setup(random)))
    for state, _ in random.sample(game, 4):
        assert odds_of(position_text(state)) == odds_by_rules(state)
