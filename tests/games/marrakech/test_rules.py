"""The rules of a turn, one by one, on small positions."""

from __future__ import annotations

import pytest

from companion.errors import IllegalActionError
from companion.games.marrakech import (
    Action,
    Colour,
    Drawn,
    Drew,
    Ended,
    Event,
    Facing,
    Laid,
    Lay,
    Orient,
    Oriented,
    Paid,
    Pay,
    Phase,
    Pivot,
    Pivoted,
    Returned,
    ReturnRug,
    Rolled,
    Rug,
    Standing,
    State,
    Step,
    Tribute,
    Walked,
    WentOut,
    apply,
    legal_actions,
    new_game,
    parse_placement,
    parse_position,
    parse_square,
    position_text,
)
from companion.games.marrakech.setup import Setup, usual_players

R, Y, B, N = Colour
NORTH, EAST, SOUTH, WEST = Facing
EMPTY = "......./......./......./......./......./......./......."


def at(square: str) -> int:
    return parse_square(square)


def lay(text: str) -> Lay:
    place = parse_placement(text)
    return Lay(place.first, place.second)


def lays(state: State) -> list[str]:
    return [str(action) for action in legal_actions(state)]


def play(state: State, *actions: Action) -> tuple[State, tuple[Event, ...]]:
    """The position after the actions, and the events of the last one."""
    events: tuple[Event, ...] = ()
    for action in actions:
        state, events = apply(state, action)
    return state, events


# --- Orient and roll ------------------------------------------------------------------------


@pytest.mark.parametrize("facing", Facing)
def test_assam_turns_by_at_most_a_quarter(facing: Facing) -> None:
    state = new_game(Setup(usual_players(4)), facing=facing)
    assert set(legal_actions(state)) == {Orient(facing), Orient(facing.left), Orient(facing.right)}
    with pytest.raises(IllegalActionError):
        apply(state, Orient(facing.behind))


def test_assam_is_oriented_before_the_roll() -> None:
    state, events = apply(new_game(Setup(usual_players(4))), Orient(EAST))
    assert events == (Oriented(0, EAST),)
    assert (state.phase, state.facing) == (Phase.ROLL, EAST)
    assert legal_actions(state) == (Rolled(1), Rolled(2), Rolled(3), Rolled(4))


def test_assam_walks_through_loops_and_keeps_his_last_facing() -> None:
    state = parse_position(f"{EMPTY} f1n roll R R:30:12,Y:30:12,B:30:12,N:30:12 -")
    state, events = apply(state, Rolled(3))
    path = (Step(at("e1"), SOUTH), Step(at("e2"), SOUTH), Step(at("e3"), SOUTH))
    assert events == (Walked(0, path),)
    assert (state.assam, state.facing, state.phase, state.hand) == (at("e3"), SOUTH, Phase.LAY, R)


# --- Pay ------------------------------------------------------------------------------------

REGION = ".R1R1..../.R2Y1..../.R2Y1..../..R3..../..R3..../......./......."


def test_tribute_is_the_connected_region_of_one_colour_counted_outward() -> None:
    """R3 touches the others only at a corner."""
    state = parse_position(f"{REGION} b4n roll Y R:30:9,Y:30:11 two_player=one-colour")
    state, events = apply(state, Rolled(1))
    tribute = Tribute(1, 0, R, (at("b3"), at("b2"), at("b1"), at("c1")))
    assert events == (Walked(1, (Step(at("b3"), NORTH),)), tribute)
    assert tribute.due == 4
    assert legal_actions(state) == (Pay(),)
    state, events = apply(state, Pay())
    assert events == (Paid(1, 0, 4, 4),)
    assert (state.dirhams, state.phase, state.hand) == ((34, 26), Phase.LAY, Y)


def test_nothing_is_due_on_own_rugs_and_empty_squares() -> None:
    for mover, arrival in (("R", "b3"), ("Y", "b4")):
        start = parse_square(arrival) + 7
        state = parse_position(f"{REGION} d4n roll {mover} R:30:9,Y:30:11 two_player=one-colour")
        state, events = apply(state._replace(assam=start), Rolled(1))
        assert state.assam == parse_square(arrival)
        assert [type(event) for event in events] == [Walked]
        assert state.phase is Phase.LAY


def test_with_two_colours_the_region_has_one_colour_and_nothing_is_due_on_either() -> None:
    """Yellow lies beside red and has the same owner: only red is counted."""
    state = parse_position(
        ".R1R1Y1.../...Y1.../......./......./......./......./....... "
        "c2n roll BN RY:30:11+11,BN:30:12+12 -"
    )
    _, events = apply(state, Rolled(1))
    assert events[1] == Tribute(1, 0, R, (at("c1"), at("b1")))
    own = state._replace(mover=0)
    assert [type(event) for event in apply(own, Rolled(1))[1]] == [Walked]


def test_a_player_who_pays_his_last_dirham_plays_on() -> None:
    state = parse_position(f"{REGION} b3n pay Y R:30:9,Y:4:11 two_player=one-colour")
    state, events = apply(state, Pay())
    assert events == (Paid(1, 0, 4, 4),)
    assert (state.dirhams, state.phase, state.out) == ((34, 0), Phase.LAY, frozenset())


FOUR = ".R1R1..../.R2Y1..../.R2Y1..Y2B3/..N1..Y2./......./......./......."


def test_a_player_who_cannot_pay_is_out_and_lays_no_rug() -> None:
    state = parse_position(f"{FOUR} b3n pay Y R:30:10,Y:3:10,B:30:9,N:30:11 -")
    state, events = apply(state, Pay())
    neutral = tuple(map(at, ["c2", "c3", "f3", "f4"]))
    assert events == (Paid(1, 0, 4, 3), WentOut(1, ((Y, 10),), neutral))
    assert state.dirhams == (33, 0, 30, 30)
    assert state.left == (10, 0, 9, 11)
    assert (state.phase, state.mover, state.out) == (Phase.ORIENT, 2, frozenset({1}))


def test_nothing_is_due_on_rugs_of_a_player_who_is_out() -> None:
    state = parse_position(f"{FOUR} c4n roll B R:33:10,Y:out,B:30:9,N:30:11 -")
    state, events = apply(state, Rolled(1))
    assert [type(event) for event in events] == [Walked]
    assert state.tribute_at(at("c3")) is None


def test_neutral_rugs_cannot_be_covered_whole() -> None:
    players = "R:33:10,Y:out,B:30:9,N:30:11"
    state = parse_position(f"{FOUR} d3n lay B {players} covering=own-rug-allowed")
    assert "lay c2-c3" not in lays(state)
    assert "lay c3-c4" in lays(state)


def test_with_spare_a_player_who_cannot_pay_plays_on() -> None:
    state = parse_position(f"{FOUR} b3n pay Y R:30:10,Y:3:10,B:30:9,N:30:11 bankruptcy=spare")
    state, events = apply(state, Pay())
    assert events == (Paid(1, 0, 4, 3),)
    assert (state.dirhams[1], state.phase, state.mover, state.out) == (0, Phase.LAY, 1, frozenset())


def test_the_last_player_in_the_game_wins() -> None:
    state = parse_position(f"{FOUR} b3n pay Y R:30:10,Y:3:10,B:out,N:out -")
    state, events = apply(state, Pay())
    ranking = (
        Standing(1, 0, 33, 4, is_out=False),
        Standing(2, 1, 0, 4, is_out=True),
        Standing(2, 2, 0, 1, is_out=True),
        Standing(2, 3, 0, 1, is_out=True),
    )
    assert events[2:] == (Ended(ranking),)
    assert [row.score for row in ranking] == [37, None, None, None]
    assert state.is_over
    assert legal_actions(state) == ()


def test_going_out_empties_a_known_pile() -> None:
    state = parse_position(
        "R1R1...../......./......./......./......./......./....... a1n pay BN RY:30:=RY,BN:1:=NB -"
    )
    state, events = apply(state, Pay())
    assert state.piles == ((R, Y), ())
    assert events[1] == WentOut(1, ((B, 1), (N, 1)), ())
    assert state.is_over


# --- Lay ------------------------------------------------------------------------------------


def test_a_rug_lies_beside_assam_and_not_under_him() -> None:
    state = parse_position(f"{EMPTY} d4s lay R R:30:12,Y:30:12,B:30:12,N:30:12 -")
    assert " ".join(lays(state)).replace("lay ", "") == (
        "d2-d3 c3-d3 c3-c4 d3-e3 e3-e4 b4-c4 c4-c5 e4-f4 e4-e5 c5-d5 d5-e5 d5-d6"
    )


WHOLE = "......./...Y1.../.R1R1Y1.../...R2B1../...R2B1../......./......."


def test_a_rug_may_not_cover_both_halves_of_one_rug() -> None:
    state = parse_position(f"{WHOLE} d5n lay R R:30:10,Y:30:11,B:30:11,N:30:12 -")
    state = state._replace(assam=at("c4"))
    may = lays(state)
    assert "lay b3-c3" not in may  # red's own rug
    assert "lay d4-d5" not in may  # another of red's
    assert "lay c3-d3" in may  # halves of two rugs
    assert "lay d4-e4" in may


def test_with_own_rug_allowed_own_rugs_may_be_covered_whole() -> None:
    text = f"{WHOLE} c4n lay R R:30:10,Y:30:11,B:30:11,N:30:12 covering=own-rug-allowed"
    assert {"lay b3-c3", "lay d4-d5"} <= set(lays(parse_position(text)))
    other = parse_position(text.replace("lay R", "lay Y"))
    assert not {"lay b3-c3", "lay d4-d5"} & set(lays(other))


def test_halves_of_two_rugs_of_one_colour_may_be_covered_but_not_with_two_colours() -> None:
    market = "......./......./..R1R2.../..R1R2.../......./......./......."
    players = "R:30:13,Y:30:15,B:30:15"
    plain = parse_position(f"{market} c2s lay Y {players} -")
    assert "lay c3-d3" in lays(plain)
    strict = parse_position(f"{market} c2s lay Y {players} covering=two-colours")
    assert "lay c3-d3" not in lays(strict)
    assert "lay b3-c3" in lays(strict)


def test_a_half_whose_other_half_is_covered_may_be_covered() -> None:
    market = "......./......./..R1B1.../......./......./......./......."
    state = parse_position(f"{market} c4n lay Y R:30:14,Y:30:15,B:30:14 -")
    assert "lay c3-d3" in lays(state)


def test_laying_reports_what_each_half_covers_and_ends_the_turn() -> None:
    state = parse_position(f"{WHOLE} c4n lay N R:30:10,Y:30:11,B:30:11,N:30:12 -")
    state = state._replace(hand=N)
    after, events = apply(state, lay("d3-c3"))
    assert events == (Laid(3, Rug(N, 1), parse_placement("c3-d3"), (Rug(R, 1), Rug(Y, 1))),)
    assert after.rug_on(at("c3")) == after.rug_on(at("d3")) == Rug(N, 1)
    assert after.rug_on(at("b3")) == Rug(R, 1)
    assert (after.left, after.mover, after.phase, after.hand) == (
        (10, 11, 11, 11),
        0,
        Phase.ORIENT,
        None,
    )
    assert [after.visible(player) for player in range(4)] == [3, 1, 2, 2]


def test_a_rug_on_empty_squares_covers_nothing() -> None:
    state = parse_position(f"{EMPTY} d4s lay R R:30:12,Y:30:12,B:30:12,N:30:12 -")
    _, events = apply(state, lay("d2-d3"))
    assert events == (Laid(0, Rug(R, 1), parse_placement("d2-d3"), (None, None)),)


NOWHERE = "R1R2R3..../R4R5...../R6....../......./......./......./......."


def test_a_rug_that_cannot_be_laid_goes_back_to_the_box() -> None:
    text = f"{NOWHERE} a1n lay Y R:30:9,Y:30:12,B:30:15 covering=two-colours"
    state = parse_position(text)
    assert legal_actions(state) == (ReturnRug(),)
    after, events = apply(state, ReturnRug())
    assert events == (Returned(1, Rug(Y, 4)),)
    assert (after.left, after.mover, after.tops) == ((9, 11, 15, 0), 2, state.tops)


def test_the_number_of_a_returned_rug_is_not_used_again() -> None:
    state = parse_position(f"{NOWHERE} a1n lay Y R:30:9,Y:30:12,B:out covering=two-colours")
    after, _ = apply(state, ReturnRug())
    again = after._replace(mover=1, phase=Phase.LAY, hand=Y, assam=at("d4"))
    _, events = apply(again, lay("d3-e3"))
    assert isinstance(events[0], Laid)
    assert events[0].rug == Rug(Y, 5)


# --- Two colours each -----------------------------------------------------------------------


def test_the_colour_of_a_shuffled_pile_is_entered_when_it_is_drawn() -> None:
    state = parse_position(f"{EMPTY} d4s roll BN RY:30:12+12,BN:30:3+1 -")
    state, _ = apply(state, Rolled(1))
    assert legal_actions(state) == (Drew(B), Drew(N))
    state, events = apply(state, Drew(N))
    assert events == (Drawn(1, N),)
    assert (state.phase, state.hand, state.left) == (Phase.LAY, N, (12, 12, 3, 1))
    state, events = apply(state, lay("d4-c4"))
    assert isinstance(events[0], Laid)
    assert events[0].rug == Rug(N, 12)
    assert state.left == (12, 12, 3, 0)


def test_when_one_colour_is_left_nothing_is_drawn() -> None:
    state = parse_position(f"{EMPTY} d4s roll BN RY:30:12+12,BN:30:3+0 -")
    state, events = apply(state, Rolled(1))
    assert (state.phase, state.hand) == (Phase.LAY, B)
    assert len(events) == 1


def test_a_dealt_pile_decides_the_next_rug() -> None:
    state = parse_position(f"{EMPTY} d4s roll RY RY:30:=YR,BN:30:=BN -")
    state, _ = play(state, Rolled(1))
    assert (state.phase, state.hand) == (Phase.LAY, Y)
    state, _ = apply(state, lay("d4-c4"))
    assert state.piles == ((R,), (B, N))
    assert state.left == (1, 0, 1, 1)


# --- Pivot last -----------------------------------------------------------------------------

PIVOTING = "R:30:12,Y:30:12,B:30:12,N:30:12 turn_order=pivot-last"


def test_pivot_last_rolls_first_and_turns_assam_for_the_next_player() -> None:
    state = parse_position(f"{EMPTY} d4s roll R {PIVOTING}")
    state, _ = play(state, Rolled(1), lay("d4-c4"))
    assert (state.phase, state.mover) == (Phase.PIVOT, 0)
    assert set(legal_actions(state)) == {Pivot(EAST), Pivot(WEST)}
    state, events = apply(state, Pivot(WEST))
    assert events == (Pivoted(0, WEST),)
    assert (state.phase, state.mover, state.facing) == (Phase.ROLL, 1, WEST)


def test_with_pivot_may_assam_may_be_left() -> None:
    state = parse_position(f"{EMPTY} d4s pivot R {PIVOTING},pivot=may")
    assert set(legal_actions(state)) == {Pivot(SOUTH), Pivot(EAST), Pivot(WEST)}


def test_a_player_who_goes_out_does_not_pivot() -> None:
    state = parse_position(f"{FOUR} b3n pay Y R:30:10,Y:3:10,B:30:9,N:30:11 turn_order=pivot-last")
    state, _ = apply(state, Pay())
    assert (state.phase, state.mover, state.facing) == (Phase.ROLL, 2, NORTH)


def test_the_last_rug_ends_the_game_without_a_pivot() -> None:
    state = parse_position(f"{EMPTY} d4s lay N R:30:0,Y:30:0,B:30:0,N:30:1 turn_order=pivot-last")
    state, events = apply(state, lay("c4-b4"))
    assert [type(event) for event in events] == [Laid, Ended]
    assert state.is_over


# --- The end --------------------------------------------------------------------------------


def test_the_game_ends_with_the_last_rug_and_a_ranking() -> None:
    state = parse_position(f"{EMPTY} d4s lay B R:30:0,Y:29:0,B:31:1 -")
    state, events = apply(state, lay("c4-b4"))
    ranking = (
        Standing(1, 2, 31, 2, is_out=False),
        Standing(2, 0, 30, 0, is_out=False),
        Standing(3, 1, 29, 0, is_out=False),
    )
    assert events[1] == Ended(ranking)
    assert (state.mover, state.phase, state.hand) == (2, Phase.OVER, None)


def test_a_player_without_rugs_is_skipped() -> None:
    state = parse_position(f"{EMPTY} d4s lay R R:30:2,Y:30:0,B:30:3 -")
    state, _ = apply(state, lay("c4-b4"))
    assert state.mover == 2


TIE = "R1R1...../Y1Y1Y2..../......./......./......./......./......."


@pytest.mark.parametrize(
    ("tie_break", "ranks"),
    [
        ("dirhams", [(1, 0), (2, 1), (3, 2)]),
        ("visible-rugs", [(1, 1), (2, 0), (3, 2)]),
        ("shared", [(1, 0), (1, 1), (3, 2)]),
    ],
)
def test_a_tie_is_broken_by_the_option(tie_break: str, ranks: list[tuple[int, int]]) -> None:
    """Red 31 + 2, yellow 30 + 3, blue 20."""
    state = parse_position(f"{TIE} d4s over B R:31:0,Y:30:0,B:20:0 tie_break={tie_break}")
    assert [(row.rank, row.player) for row in state.ranking()] == ranks


@pytest.mark.parametrize("tie_break", ["dirhams", "visible-rugs", "shared"])
def test_players_equal_in_everything_share_the_first_rank(tie_break: str) -> None:
    state = parse_position(f"{EMPTY} d4s over B R:31:0,Y:31:0,B:20:0,N:out tie_break={tie_break}")
    assert [row.rank for row in state.ranking()] == [1, 1, 3, 4]


def test_a_player_who_is_out_ranks_below_a_score_of_0() -> None:
    market = "R1R1...../......./......./......./......./......./......."
    state = parse_position(f"{market} d4s over B R:out,Y:0:0,B:20:0 -")
    assert [(row.rank, row.player, row.score) for row in state.ranking()] == [
        (1, 2, 20),
        (2, 1, 0),
        (3, 0, None),
    ]


# --- Refusals -------------------------------------------------------------------------------


def test_an_action_of_another_phase_is_refused_with_the_expected_action() -> None:
    state = new_game(Setup(usual_players(4)))
    with pytest.raises(IllegalActionError) as error:
        apply(state, Rolled(3))
    assert str(error.value) == (
        "not allowed now: a roll of 3. R is to turn Assam or leave him as he faces\n"
        f"position: {position_text(state)}"
    )
    assert error.value.position == position_text(state)


def test_a_wrong_choice_is_refused_with_the_legal_actions() -> None:
    with pytest.raises(IllegalActionError) as error:
        apply(new_game(Setup(usual_players(4))), Orient(NORTH))
    assert error.value.message == (
        "not allowed: face north. R may face south, face east, face west"
    )


def test_nothing_is_allowed_after_the_end() -> None:
    state = parse_position(f"{EMPTY} d4s over B R:31:0,Y:30:0,B:20:0 -")
    with pytest.raises(IllegalActionError, match=r"^not allowed: pay. The game is over\n"):
        apply(state, Pay())


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("roll", "roll"),
        ("pay", "pay"),
        ("draw", "draw a rug"),
        ("lay:R", "lay a rug"),
        ("pivot", "turn Assam for the next player"),
    ],
)
def test_a_refusal_names_the_action_that_the_phase_expects(phase: str, expected: str) -> None:
    order = "turn_order=pivot-last" if phase == "pivot" else "-"
    market = "......./......./......./...B1.../......./......./......."
    state = parse_position(f"{market} d4s {phase} RY RY:30:12+12,BN:30:11+12 {order}")
    with pytest.raises(IllegalActionError) as error:
        apply(state, Orient(NORTH))
    assert error.value.message == f"not allowed now: face north. RY is to {expected}"
