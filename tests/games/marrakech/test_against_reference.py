"""The rules agree with the slow reference, in whole games and in arranged positions."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from helpers.profiles import examples
from helpers.rules import reference_comparison, reference_rules
from helpers.rules.strategies import (
    arranged_position,
    random_game,
    random_options,
    random_setup,
    random_start,
    seeds,
)
from hypothesis import given, settings

from companion.games.marrakech import (
    Facing,
    Phase,
    Setup,
    State,
    apply,
    legal_actions,
    new_game,
    parse_position,
    position_text,
    usual_players,
)
from companion.games.marrakech.market import BESIDE
from companion.games.marrakech.perft import divide, perft


def assert_same_step(state: State) -> None:
    """The same actions are legal, and each leads to the same position with the same events."""
    game = reference_comparison.reference_game(state)
    legal = legal_actions(state)
    assert len(set(legal)) == len(legal)
    assert {reference_comparison.reference_action(action) for action in legal} == set(game.legal())
    for action in legal:
        after, events = apply(state, action)
        copy = game.copy()
        expected = copy.apply(reference_comparison.reference_action(action))
        assert [reference_comparison.reference_event(event, copy) for event in events] == expected
        assert reference_comparison.facts(
            reference_comparison.reference_game(after)
        ) == reference_comparison.facts(copy)
        assert after == parse_position(position_text(after))


@given(seeds)
@settings(max_examples=examples(2000))
def test_arranged_positions_have_the_same_actions_and_events(seed: int) -> None:
    state = arranged_position(Random(seed))
    assert state == parse_position(position_text(state))
    assert_same_step(state)


@given(seeds)
@settings(max_examples=examples(200))
def test_whole_games_agree_action_by_action(seed: int) -> None:
    rng = Random(seed)
    start = random_start(rng, random_setup(rng))
    game = reference_comparison.reference_game(start)
    for state, action in random_game(rng, start):
        assert reference_comparison.facts(game) == reference_comparison.facts(
            reference_comparison.reference_game(state)
        )
        assert {
            reference_comparison.reference_action(legal) for legal in legal_actions(state)
        } == set(game.legal())
        game.apply(reference_comparison.reference_action(action))
    assert game.phase == "over"


def test_arranged_positions_include_rare_cases() -> None:
    """So that the property above does test cases that are rare in play."""
    found = dict.fromkeys(
        ("corner", "whole rug beside Assam", "neutral underfoot", "exactly enough", "one short",
         "nothing to lay on", "own whole rug beside", "known pile", "draw", "pivot"), 0,
    )  # fmt: skip
    for seed in range(3000):
        state = arranged_position(Random(seed))
        rug = state.rug_on(state.assam)
        tribute = state.tribute_at(state.assam)
        owner = None if rug is None else state.setup.owner[rug.colour]
        found["corner"] += state.assam in (0, 6, 42, 48)
        found["neutral underfoot"] += owner in state.out
        found["known pile"] += state.piles is not None
        found["draw"] += state.phase is Phase.DRAW
        found["pivot"] += state.phase is Phase.PIVOT
        if state.phase is Phase.PAY and tribute:
            found["exactly enough"] += state.dirhams[state.mover] == tribute.due
            found["one short"] += state.dirhams[state.mover] == tribute.due - 1
        if state.phase is Phase.LAY:
            legal = legal_actions(state)
            found["nothing to lay on"] += reference_comparison.reference_action(legal[0]) == (
                "return",
            )
            plain = state._replace(
                setup=Setup(
                    state.setup.players,
                    state.setup.options.with_changes({"covering": "no-whole-rug"}),
                )
            )
            found["whole rug beside Assam"] += len(legal_actions(plain)) < len(BESIDE[state.assam])
            found["own whole rug beside"] += len(legal) > len(legal_actions(plain))
    assert all(count >= 20 for count in found.values()), found


FROZEN = [
    line.split(maxsplit=1)
    for line in Path(__file__).with_name("perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("counts", "position"), FROZEN, ids=range(len(FROZEN)))
def test_perft_counts_are_unchanged(counts: str, position: str) -> None:
    state = parse_position(position)
    expected = [int(count) for count in counts.split(",")]
    assert [perft(state, depth + 1) for depth in range(len(expected))] == expected
    assert perft(state, 0) == 1


def test_divide_splits_perft_by_the_first_action() -> None:
    start = new_game(Setup(usual_players(4)))
    assert divide(start, 3) == {"face south": 37, "face west": 37, "face east": 37}
    assert sum(divide(start, 4).values()) == perft(start, 4)


def reference_perft(game: reference_rules.Game, depth: int) -> int:
    if depth == 0:
        return 1
    legal = game.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        copy = game.copy()
        copy.apply(action)
        total += reference_perft(copy, depth - 1)
    return total


@given(seeds)
@settings(max_examples=examples(30))
def test_perft_of_arranged_positions_agrees(seed: int) -> None:
    state = arranged_position(Random(seed))
    assert perft(state, 3) == reference_perft(reference_comparison.reference_game(state), 3)


@pytest.mark.parametrize("facing", Facing)
@pytest.mark.parametrize("loops", ["ne-sw", "nw-se"])
@pytest.mark.parametrize("square", range(49))
def test_every_step_agrees(square: int, loops: str, facing: Facing) -> None:
    options = random_options(Random(0)).with_changes({"loops": loops})
    paths = Setup(usual_players(4, options), options).paths[square * 4 + facing]
    at, facing_letter = reference_comparison.xy(square), reference_comparison.letter(facing)
    for step in paths[4]:
        at, facing_letter = reference_rules.step(at, facing_letter, loops)
        assert (reference_comparison.xy(step.square), reference_comparison.letter(step.facing)) == (
            at,
            facing_letter,
        )
