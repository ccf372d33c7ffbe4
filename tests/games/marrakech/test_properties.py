"""Properties that hold in every game."""

from __future__ import annotations

from random import Random

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
    Action,
    Facing,
    Laid,
    Lay,
    Options,
    Orient,
    Paid,
    Pivot,
    Record,
    Returned,
    ReturnRug,
    Setup,
    State,
    WentOut,
    apply,
    legal_actions,
    parse_position,
    parse_record,
    position_text,
    record_text,
)
from companion.games.marrakech.market import SQUARES, turn_quarter
from companion.games.marrakech.state import derive_visible

games = settings(max_examples=examples(150))
positions = settings(max_examples=examples(700))


def whole_game(seed: int) -> Record:
    rng = Random(seed)
    start = random_start(rng, random_setup(rng))
    return Record(start, tuple(action for _, action in random_game(rng, start)))


@given(seeds)
@games
def test_dirhams_are_conserved(seed: int) -> None:
    game = whole_game(seed)
    for _, state, events in game.replay():
        assert sum(state.dirhams) == sum(game.start.dirhams)
        assert min(state.dirhams) >= 0
        for event in events:
            if isinstance(event, Paid):
                assert 0 <= event.paid <= event.due


@given(seeds)
@games
def test_visible_and_covered_halves_add_up_to_the_rugs_laid(seed: int) -> None:
    game = whole_game(seed)
    laid = covered = in_box = 0
    for _, state, events in game.replay():
        for event in events:
            if isinstance(event, Laid):
                laid += 1
                covered += sum(under is not None for under in event.covers)
            elif isinstance(event, Returned):
                in_box += 1
            elif isinstance(event, WentOut):
                in_box += sum(count for _, count in event.returned)
        visible = sum(squares.bit_count() for squares in state.colours)
        assert visible + covered == 2 * laid
        assert laid + in_box + sum(state.left) == sum(game.start.left)


@given(seeds)
@games
def test_derived_fields_match_the_top_rugs(seed: int) -> None:
    for _, state, _ in whole_game(seed).replay():
        assert (state.colours, state.whole) == derive_visible(state.tops)


@given(seeds)
@games
def test_every_game_ends_within_one_turn_per_rug_and_player(seed: int) -> None:
    game = whole_game(seed)
    turns = sum(after.is_turn_start or after.is_over for _, after, _ in game.replay())
    assert game.final().is_over
    assert turns <= sum(game.start.left) + len(game.start.setup.players)


@given(seeds)
@games
def test_a_record_replays_to_the_same_position(seed: int) -> None:
    game = whole_game(seed)
    parsed = parse_record(record_text(game))
    assert parsed == game
    assert parsed.final() == game.final()


@given(seeds)
@games
def test_a_record_can_be_split_anywhere(seed: int) -> None:
    game = whole_game(seed)
    cut = Random(seed).randrange(len(game.actions))
    part = Record(game.start, game.actions[:cut])
    assert parse_record(record_text(part)) == part
    rest = Record(part.final(), game.actions[cut:])
    assert parse_record(record_text(rest)) == rest


@given(seeds)
@positions
def test_positions_round_trip_through_text(seed: int) -> None:
    state = arranged_position(Random(seed))
    assert parse_position(position_text(state)) == state


@given(seeds)
@positions
def test_a_rug_is_returned_only_with_covering_two_colours(seed: int) -> None:
    state = arranged_position(Random(seed))
    if ReturnRug() in legal_actions(state):
        assert state.setup.options.covering == "two-colours"


def turned(state: State, quarters: int) -> State:
    """The same position with the market turned clockwise."""
    options = state.setup.options
    if quarters % 2:
        options = options.with_changes({"loops": "nw-se" if options.loops == "ne-sw" else "ne-sw"})
    tops = bytearray(SQUARES)
    for square, code in enumerate(state.tops):
        tops[turned_square(square, quarters)] = code
    colours, whole = derive_visible(bytes(tops))
    return state._replace(
        setup=Setup(state.setup.players, options),
        assam=turned_square(state.assam, quarters),
        facing=turned_facing(state.facing, quarters),
        tops=bytes(tops),
        colours=colours,
        whole=whole,
    )


def turned_square(square: int, quarters: int) -> int:
    for _ in range(quarters):
        square = turn_quarter(square)
    return square


def turned_facing(facing: Facing, quarters: int) -> Facing:
    return Facing((facing + quarters) % 4)


def turned_action(action: Action, quarters: int) -> Action:
    match action:
        case Orient():
            return Orient(turned_facing(action.facing, quarters))
        case Pivot():
            return Pivot(turned_facing(action.facing, quarters))
        case Lay():
            place = action.placement
            return Lay(turned_square(place.first, quarters), turned_square(place.second, quarters))
    return action


def assert_turning_changes_no_rule(state: State, quarters: int) -> None:
    there = turned(state, quarters)
    legal = legal_actions(state)
    assert {turned_action(action, quarters) for action in legal} == set(legal_actions(there))
    for action in legal:
        after, _ = apply(there, turned_action(action, quarters))
        assert after == turned(apply(state, action)[0], quarters)


@given(seeds)
@positions
def test_a_market_turned_by_180_degrees_behaves_the_same(seed: int) -> None:
    state = arranged_position(Random(seed))
    assert turned(state, 2).setup == state.setup
    assert_turning_changes_no_rule(state, 2)


@given(seeds)
@positions
def test_nw_se_is_ne_sw_turned_by_90_degrees(seed: int) -> None:
    state = arranged_position(Random(seed))
    assert turned(state, 1).setup.options.loops != state.setup.options.loops
    assert_turning_changes_no_rule(state, 1)
    assert_turning_changes_no_rule(state, 3)


def test_the_helper_does_turn_a_position() -> None:
    """So that the two properties above do test something."""
    options = Options()
    state = arranged_position(Random(5))
    state = state._replace(setup=Setup(state.setup.players, options), assam=0)
    assert turned(state, 1).assam == 6
    assert turned(state, 1).setup.options.loops == "nw-se"
    assert turned(turned(state, 3), 1) == state
