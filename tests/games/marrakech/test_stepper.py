"""Cheap stepping agrees with the rules move for move."""

from __future__ import annotations

from random import Random

import pytest
from helpers.profiles import examples
from helpers.rules.strategies import (
    arranged_position,
    random_game,
    random_setup,
    random_start,
    seeds,
)
from hypothesis import given, settings

from companion.games.marrakech import (
    Drew,
    Facing,
    Lay,
    Orient,
    Pay,
    Phase,
    Pivot,
    ReturnRug,
    Rolled,
    Setup,
    State,
    Stepper,
    apply,
    legal_actions,
    new_game,
    parse_position,
    usual_players,
)
from companion.games.marrakech.playouts import choose, step_out


def facts(game: State | Stepper) -> dict[str, object]:
    """What both ways know of a game."""
    piles = game.piles
    if isinstance(game, Stepper) and game.piles is not None:
        piles = tuple(tuple(reversed(pile)) for pile in game.piles)
    return {
        "mover": game.mover,
        "assam": game.assam,
        "facing": game.facing,
        "dirhams": tuple(game.dirhams),
        "left": tuple(game.left),
        "out": set(game.out),
        "colours": tuple(game.colours),
        "whole": game.whole,
        "piles": piles,
        "is_over": game.is_over,
        "ranking": game.ranking(),
    }


@given(seeds)
@settings(max_examples=examples(250))
def test_both_ways_agree_move_for_move(seed: int) -> None:
    chance = Random(seed)
    start = random_start(chance, random_setup(chance))
    stepper = Stepper(start)
    facing = start.facing
    before = start.phase
    for state, action in random_game(chance, start):
        if state.begins_turn:
            assert facts(stepper) == facts(state)
            facing = state.facing
        match action:
            case Orient():
                facing = action.facing
            case Rolled():
                after, _ = apply(state, action)
                still_in = stepper.walk(facing, action.pips)
                settled = after if after.phase is not Phase.PAY else apply(after, Pay())[0]
                assert still_in == (state.mover not in settled.out)
                assert stepper.assam == after.assam
            case Drew():
                assert [Drew(colour) for colour in stepper.hands()] == [*legal_actions(state)]
            case Lay() | ReturnRug():
                legal = [a.placement for a in legal_actions(state) if isinstance(a, Lay)]
                assert list(stepper.placements()) == legal
                assert state.hand is not None
                hands = stepper.hands()
                assert state.hand in hands
                assert len(hands) == 1 + (before is Phase.DRAW)
                if isinstance(action, Lay):
                    stepper.lay(action.placement, state.hand)
                else:
                    stepper.give_back(state.hand)
            case Pivot():
                stepper.pivot(action.facing)
        before = state.phase
        final, _ = apply(state, action)
    assert facts(stepper) == facts(final)
    assert stepper.is_over


@given(seeds)
@settings(max_examples=examples(600))
def test_a_turn_can_be_stepped_from_any_position(seed: int) -> None:
    """Exact debts, neutral rugs, empty purses: whatever lies there already."""
    start = arranged_position(Random(seed))
    if not start.begins_turn:
        return
    turned = [start]
    if not start.setup.pivots_last:
        turned = [apply(start, action)[0] for action in legal_actions(start)]
    for state in turned:
        for roll in legal_actions(state):
            assert isinstance(roll, Rolled)
            stepper = Stepper(start)
            still_in = stepper.walk(state.facing, roll.pips)
            after, _ = apply(state, roll)
            if after.phase is Phase.PAY:
                after, _ = apply(after, Pay())
            assert still_in == (start.mover not in after.out)
            assert facts(stepper) == facts(after)


def test_a_copy_goes_its_own_way() -> None:
    piles = [colours * 12 for colours in usual_players(2)]
    original = Stepper(new_game(Setup(usual_players(2)), piles=piles))
    before = facts(original)
    assert facts(original.copy()) == before
    step_out(original.copy(), Random(1))
    assert facts(original) == before
    twin = original.copy()
    step_out(twin, Random(1))
    assert twin.is_over


def test_stepping_starts_with_a_turn() -> None:
    state, _ = apply(new_game(Setup(usual_players(4))), Orient(Facing.EAST))
    with pytest.raises(ValueError, match=r"^stepping starts with a turn, not in phase roll$"):
        Stepper(state)


def test_a_finished_game_can_be_looked_at() -> None:
    over = parse_position(
        "......./......./......./......./......./......./....... d4s over B R:31:0,Y:30:0,B:20:0 -"
    )
    assert Stepper(over).is_over
    assert Stepper(over).ranking() == over.ranking()


@given(seeds)
@settings(max_examples=examples(60))
def test_random_games_by_stepping_end_under_all_options(seed: int) -> None:
    chance = Random(seed)
    stepper = Stepper(random_start(chance, random_setup(chance)))
    rugs, money = sum(stepper.left), sum(stepper.dirhams)
    turns = step_out(stepper, chance)
    assert stepper.is_over
    assert turns <= rugs
    assert sum(stepper.dirhams) == money


def test_chance_follows_the_die_and_the_pile() -> None:
    """Twos and threes are twice as likely; a pile of 11 + 1 seldom yields the one."""
    text = f"{'/'.join(['.' * 7] * 7)} d4s {{}} RY RY:30:11+1,BN:30:12+12 -"
    chance = Random(7)
    rolling, drawing = parse_position(text.format("roll")), parse_position(text.format("draw"))
    rolls = [choose(rolling, legal_actions(rolling), chance) for _ in range(6000)]
    assert [round(rolls.count(Rolled(pips)) / 1000) for pips in (1, 2, 3, 4)] == [1, 2, 2, 1]
    draws = [choose(drawing, legal_actions(drawing), chance) for _ in range(1200)]
    assert round(draws.count(Drew(drawing.setup.players[0][1])) / 100) == 1
