"""The stepper agrees with the rules, move by move."""

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
from companion.games.marrakech.playouts import choose_action, play_out_stepper


def facts(game: State | Stepper) -> dict[str, object]:
    """What a stepper and a state have in common."""
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
def test_stepper_and_rules_agree_move_by_move(seed: int) -> None:
    rng = Random(seed)
    start = random_start(rng, random_setup(rng))
    stepper = Stepper(start)
    facing = start.facing
    before = start.phase
    for state, action in random_game(rng, start):
        if state.is_turn_start:
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
                assert [Drew(colour) for colour in stepper.next_colours()] == [
                    *legal_actions(state)
                ]
            case Lay() | ReturnRug():
                legal = [a.placement for a in legal_actions(state) if isinstance(a, Lay)]
                assert list(stepper.placements()) == legal
                assert state.hand is not None
                colours = stepper.next_colours()
                assert state.hand in colours
                assert len(colours) == 1 + (before is Phase.DRAW)
                if isinstance(action, Lay):
                    stepper.lay(action.placement, state.hand)
                else:
                    stepper.return_rug(state.hand)
            case Pivot():
                stepper.pivot(action.facing)
        before = state.phase
        final, _ = apply(state, action)
    assert facts(stepper) == facts(final)
    assert stepper.is_over


@given(seeds)
@settings(max_examples=examples(600))
def test_a_turn_can_be_played_from_any_position(seed: int) -> None:
    """Including exact debts, neutral rugs and players without dirhams."""
    start = arranged_position(Random(seed))
    if not start.is_turn_start:
        return
    turned = [start]
    if not start.setup.is_pivot_last:
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


def test_a_copy_is_independent() -> None:
    piles = [colours * 12 for colours in usual_players(2)]
    original = Stepper(new_game(Setup(usual_players(2)), piles=piles))
    before = facts(original)
    assert facts(original.copy()) == before
    play_out_stepper(original.copy(), Random(1))
    assert facts(original) == before
    copy = original.copy()
    play_out_stepper(copy, Random(1))
    assert copy.is_over


def test_a_stepper_starts_at_the_start_of_a_turn() -> None:
    state, _ = apply(new_game(Setup(usual_players(4))), Orient(Facing.EAST))
    message = r"^a stepper starts at the start of a turn, not in phase roll$"
    with pytest.raises(ValueError, match=message):
        Stepper(state)


def test_a_stepper_can_be_created_from_a_finished_game() -> None:
    over = parse_position(
        "......./......./......./......./......./......./....... d4s over B R:31:0,Y:30:0,B:20:0 -"
    )
    assert Stepper(over).is_over
    assert Stepper(over).ranking() == over.ranking()


@given(seeds)
@settings(max_examples=examples(60))
def test_random_games_end_under_all_options(seed: int) -> None:
    rng = Random(seed)
    stepper = Stepper(random_start(rng, random_setup(rng)))
    rugs, money = sum(stepper.left), sum(stepper.dirhams)
    turns = play_out_stepper(stepper, rng)
    assert stepper.is_over
    assert turns <= rugs
    assert sum(stepper.dirhams) == money


def test_random_choices_follow_the_die_and_the_pile() -> None:
    """2 and 3 are twice as likely; one rug of twelve is drawn in one of twelve cases."""
    text = f"{'/'.join(['.' * 7] * 7)} d4s {{}} RY RY:30:11+1,BN:30:12+12 -"
    rng = Random(7)
    rolling, drawing = parse_position(text.format("roll")), parse_position(text.format("draw"))
    rolls = [choose_action(rolling, legal_actions(rolling), rng) for _ in range(6000)]
    assert [round(rolls.count(Rolled(pips)) / 1000) for pips in (1, 2, 3, 4)] == [1, 2, 2, 1]
    draws = [choose_action(drawing, legal_actions(drawing), rng) for _ in range(1200)]
    assert round(draws.count(Drew(drawing.setup.players[0][1])) / 100) == 1
