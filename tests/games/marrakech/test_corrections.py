"""Corrections: what they change, and which are refused."""

from __future__ import annotations

from random import Random

import pytest
from helpers.profiles import examples
from helpers.rules.sample_positions import EMPTY, POSITIONS, START, THREE_RED, written
from helpers.rules.strategies import arranged_position, random_game, seeds
from hypothesis import given, settings

from companion.errors import SettingError
from companion.games.marrakech import (
    Colour,
    Facing,
    Lay,
    Phase,
    ReturnRug,
    State,
    apply,
    correct_assam,
    correct_dirhams,
    correct_square,
    legal_actions,
    parse_position,
    parse_square,
    position_text,
    square_name,
)
from companion.games.marrakech.market import BESIDE, NEIGHBOURS, SQUARES, placement_on, squares_of

positions = settings(max_examples=examples(500))
R, Y, B, N = Colour
at = parse_square


def market(text: str, phase: str = "orient", assam: str = "d4s", mover: str = "R") -> State:
    """Four players who have each laid three rugs."""
    players = "R:30:9,Y:30:9,B:30:9,N:30:9"
    return parse_position(written(text, assam, phase, mover, players))


def rugs(state: State) -> str:
    return position_text(state).split()[0]


# --- Assam --------------------------------------------------------------------------------


def test_assam_is_moved_and_turned() -> None:
    state = correct_assam(parse_position(START), at("g1"), Facing.WEST)
    assert position_text(state) == START.replace("d4s", "g1w")


def test_assam_on_another_region_owes_its_tribute() -> None:
    state = market("R1R1...../......./...Y1Y1../......./......./......./.......", "pay", "a1n", "B")
    state = correct_assam(state, at("d3"), Facing.NORTH)
    tribute = state.tribute_at(state.assam)
    assert state.phase is Phase.PAY
    assert tribute is not None
    assert (tribute.owner, tribute.due) == (1, 2)


@pytest.mark.parametrize(
    ("before", "square", "after"),
    [
        ("to pay", "a1", "lay"),
        ("to pay", "d4", "pay"),
        ("to lay", "d4", "lay"),
        ("to roll", "a1", "roll"),
        ("to pivot", "d5", "pivot"),
        ("two players, to draw", "a1", "draw"),
        ("over, one player in", "d5", "over"),
    ],
)
def test_the_phase_changes_only_if_a_debt_is_gone(before: str, square: str, after: str) -> None:
    state = correct_assam(parse_position(POSITIONS[before]), at(square), Facing.EAST)
    assert position_text(state).split()[1:3] == [f"{square}e", after]


@pytest.mark.parametrize(
    ("players", "phase"),
    [("RY:30:12+12,BN:30:11+12", "draw"), ("RY:30:0+12,BN:30:11+12", "lay:Y"),
     ("RY:30:=YR,BN:30:=BN", "lay:Y")],
)  # fmt: skip
def test_after_a_debt_is_gone_the_next_rug_is_drawn_or_known(players: str, phase: str) -> None:
    blue = "B1B1...../......./......./......./......./......./......."
    state = parse_position(written(blue, "a1n", "pay", "RY", players))
    state = correct_assam(state, at("d4"), Facing.NORTH)
    assert position_text(state) == written(blue, "d4n", phase, "RY", players)


@pytest.mark.parametrize("square", [-1, SQUARES])
def test_a_square_off_the_market_is_refused(square: int) -> None:
    state = market(EMPTY)
    message = rf"^there is no square {square}: the market has 0 to 48$"
    with pytest.raises(SettingError, match=message):
        correct_assam(state, square, Facing.NORTH)
    with pytest.raises(SettingError, match=message):
        correct_square(state, square, None)
    with pytest.raises(SettingError, match=message):
        correct_square(state, 0, R, square)


# --- Dirhams ------------------------------------------------------------------------------


@pytest.mark.parametrize("dirhams", [0, 29, 30])
def test_dirhams_are_corrected(dirhams: int) -> None:
    state = correct_dirhams(parse_position(START), 2, dirhams)
    assert position_text(state) == START.replace("B:30", f"B:{dirhams}")


def test_one_player_may_have_all_dirhams_of_the_box() -> None:
    state = parse_position(START)
    for player in range(4):
        state = correct_dirhams(state, player, 0)
    assert correct_dirhams(state, 3, 120).dirhams == (0, 0, 0, 120)


@pytest.mark.parametrize("dirhams", [-1, 121])
def test_a_player_has_from_0_dirhams_to_all_of_the_box(dirhams: int) -> None:
    state = parse_position(POSITIONS["two players, drawn by hand"])
    with pytest.raises(SettingError, match=rf"^{dirhams} dirhams: blue\+brown can have 0 to 120$"):
        correct_dirhams(state, 1, dirhams)


def test_all_players_together_have_at_most_the_dirhams_of_the_box() -> None:
    with pytest.raises(
        SettingError,
        match=r"^31 dirhams for blue, and the others have 90: the box has only 120; "
        "correct another purse first$",
    ):
        correct_dirhams(parse_position(START), 2, 31)


def test_dirhams_of_a_player_who_is_out_cannot_be_corrected() -> None:
    state = parse_position(POSITIONS["three players, one out"])
    with pytest.raises(SettingError, match=r"^yellow is out and has no dirhams$"):
        correct_dirhams(state, 1, 0)


@pytest.mark.parametrize("player", [-1, 3])
def test_a_player_who_does_not_exist_is_refused(player: int) -> None:
    state = parse_position(POSITIONS["three players"])
    with pytest.raises(SettingError, match=rf"^there is no player {player + 1}: the game has 3$"):
        correct_dirhams(state, player, 30)


def test_corrected_dirhams_decide_who_can_pay() -> None:
    state = correct_dirhams(parse_position(POSITIONS["to pay"]), 1, 2)
    assert state.phase is Phase.PAY
    (pay,) = legal_actions(state)
    assert apply(state, pay)[0].out == {1}


# --- Squares ------------------------------------------------------------------------------

TWO_RED = "R1R1...../R2R2...../......./......./......./......./......."


@pytest.mark.parametrize(
    ("before", "square", "colour", "other", "after"),
    [
        # Empty squares and lone halves.
        ("R1R1", "a1", None, None, ".R1"),
        ("R1R1", "b1", None, None, "R1."),
        (".R1", "b1", None, None, ".."),
        ("..", "a1", R, None, "R1."),
        (".R1", "a1", R, None, "R2R1"),
        (".R2", "a1", R, None, "R1R2"),
        ("R3.", "a1", R, None, "R3."),
        ("R3R3", "a1", R, None, "R1R3"),
        ("R1R1", "a1", Y, None, "Y1R1"),
        # Whole rugs.
        ("..", "a1", R, "b1", "R1R1"),
        ("..", "b1", R, "a1", "R1R1"),
        ("Y2B3", "a1", R, "b1", "R1R1"),
        ("R2.", "a1", R, "b1", "R2R2"),
        (".R2", "a1", R, "b1", "R2R2"),
        ("R3R2", "a1", R, "b1", "R3R3"),
        ("R2R3", "b1", R, "a1", "R3R3"),
        ("R3R3", "a1", R, "b1", "R3R3"),
        ("R3R3", "a1", Y, "b1", "Y1Y1"),
    ],
)
def test_the_top_of_a_square_is_corrected(
    before: str, square: str, colour: Colour | None, other: str | None, after: str
) -> None:
    rest = "...../......./......./......./......./......./......."
    state = market(before + rest)
    corrected = correct_square(state, at(square), colour, None if other is None else at(other))
    assert rugs(corrected) == after + rest
    assert corrected == parse_position(position_text(corrected))


def test_remaining_halves_keep_their_rugs() -> None:
    state = correct_square(market(TWO_RED), at("a1"), Y, at("a2"))
    assert rugs(state) == TWO_RED.replace("R1R1", "Y1R1").replace("R2R2", "Y1R2")
    assert state.whole == placement_on(at("a1"), at("a2")).bit
    assert state.colours[R] == 1 << at("b1") | 1 << at("b2")


def test_a_number_visible_elsewhere_is_not_used_again() -> None:
    """Both squares are halves of rugs that stay visible, so neither number is free."""
    state = correct_square(market(TWO_RED), at("a1"), R, at("a2"))
    assert rugs(state) == TWO_RED.replace("R1R1", "R3R1").replace("R2R2", "R3R2")


def test_covering_rules_apply_to_corrected_halves() -> None:
    state = market(THREE_RED, "lay", "d3s", "Y")
    state = correct_square(state, at("d5"), R)
    assert rugs(state) == THREE_RED.replace("R2R2", "R3R2")
    # d4-d5 shows R1 and R3 and is open; as one rug it is not.
    assert "lay d4-d5" in map(str, legal_actions(state))
    state = correct_square(state, at("d5"), R, at("d4"))
    assert rugs(state) == THREE_RED.replace("...R1", "...R3").replace("R2R2", "R3R2")
    assert "lay d4-d5" not in map(str, legal_actions(state))


def test_a_rug_laid_later_gets_a_new_number() -> None:
    state = market(EMPTY, "lay")
    for square in ("a1", "c1", "e1"):
        state = correct_square(state, at(square), R)
    state, _ = apply(state, Lay(at("d5"), at("d6")))
    assert rugs(state) == "R1.R2.R3../......./......./......./...R4.../...R4.../......."


@pytest.mark.parametrize(
    ("colour", "square", "after"),
    [
        (None, "d5", "lay"),
        (Y, "d5", "lay"),
        (R, "d5", "pay"),
        (B, "d5", "pay"),
        (None, "e5", "pay"),
    ],
)
def test_a_debt_is_gone_with_the_rug_under_assam(
    colour: Colour | None, square: str, after: str
) -> None:
    state = market(THREE_RED, "pay", "d5e", "Y")
    state = correct_square(state, at(square), colour)
    assert state.phase.label == after
    assert state.hand is (Y if after == "lay" else None)


def test_a_player_without_placements_returns_the_rug() -> None:
    players = "R:30:4,Y:30:12,B:30:12,N:30:12"
    options = "covering=two-colours"
    state = parse_position(written(EMPTY, "a1s", "lay", "R", players, options))
    around = {square for p in BESIDE[0] for square in squares_of(p.squares)}
    for square in around:
        state = correct_square(state, square, R)
    assert legal_actions(state) == (ReturnRug(),)


def test_a_finished_game_stays_over_and_is_counted_again() -> None:
    state = parse_position(POSITIONS["over, no rug left"])
    assert [(row.player, row.score) for row in state.ranking()][:2] == [(3, 60), (0, 33)]
    state = correct_square(correct_dirhams(state, 3, 31), at("a1"), R)
    assert state.is_over
    assert [(row.player, row.score) for row in state.ranking()][:2] == [(0, 34), (3, 31)]


@pytest.mark.parametrize(
    ("laid", "message"),
    [
        (3, "only 3 red rugs were laid, and 3 can be seen elsewhere: correct another square first"),
        (1, "only 1 red rug was laid, and 1 can be seen elsewhere: correct another square first"),
        (0, "no red rug was laid yet: none can be visible"),
    ],
)
def test_no_more_rugs_are_visible_than_were_laid(laid: int, message: str) -> None:
    row = "".join(f"R{number}" for number in range(1, laid + 1)).ljust(7 + laid, ".")
    text = f"{row}/......./......./......./......./......./......."
    players = f"R:30:{12 - laid},Y:30:12,B:30:12,N:30:12"
    state = parse_position(written(text, players=players))
    with pytest.raises(SettingError, match=f"^{message}$"):
        correct_square(state, at("d4"), R)


def test_the_last_free_number_can_be_used() -> None:
    state = market("R1R3...../......./......./......./......./......./.......")
    assert str(correct_square(state, at("d4"), R).rug_on(at("d4"))) == "R2"


def test_a_colour_that_nobody_plays_is_refused() -> None:
    state = parse_position(POSITIONS["three players"])
    with pytest.raises(
        SettingError, match=r"^nobody plays brown: the rugs are red, yellow and blue$"
    ):
        correct_square(state, at("d4"), N)


@pytest.mark.parametrize("other", ["a1", "b2", "c1", "g7"])
def test_halves_of_one_rug_share_a_side(other: str) -> None:
    with pytest.raises(
        SettingError, match=f"^a rug cannot lie on a1 and {other}: they do not share a side$"
    ):
        correct_square(market(EMPTY), at("a1"), R, at(other))


def test_an_empty_square_cannot_have_another_half() -> None:
    with pytest.raises(
        SettingError,
        match=r"^a1 is to be empty, so b1 cannot be the other half of its rug: "
        "correct one square after the other$",
    ):
        correct_square(market(TWO_RED), at("a1"), None, at("b1"))


def test_rugs_of_a_player_who_is_out_can_be_corrected() -> None:
    state = parse_position(POSITIONS["three players, one out"])
    assert str(correct_square(state, at("a1"), Y).rug_on(at("a1"))) == "Y1"


# --- Random corrections -------------------------------------------------------------------


def random_correction(rng: Random, state: State) -> tuple[State, set[int]]:
    """A random correction, or the same position if it is refused; and the corrected squares."""
    kind = rng.choice(("assam", "dirhams", "square", "square", "square"))
    try:
        if kind == "assam":
            return correct_assam(state, rng.randrange(SQUARES), rng.choice(list(Facing))), set()
        if kind == "dirhams":
            player = rng.randrange(len(state.dirhams))
            return correct_dirhams(state, player, rng.choice((0, 1, 5, 30, 121))), set()
        square = rng.choice((state.assam, rng.randrange(SQUARES)))
        other = rng.choice((None, *squares_of(NEIGHBOURS[square])))
        colour = rng.choice((None, *Colour))
        named = {square} if other is None else {square, other}
        return correct_square(state, square, colour, other), named
    except SettingError:
        return state, set()


def check(before: State, after: State, named: set[int]) -> None:
    assert parse_position(position_text(after)) == after
    for square in set(range(SQUARES)) - named:
        assert after.tops[square] == before.tops[square]
    for code in set(after.tops) - {0}:
        squares = [square for square in range(SQUARES) if after.tops[square] == code]
        assert len(squares) == 1 or placement_on(*squares)
    assert (after.setup, after.mover, after.left, after.out, after.piles) == (
        before.setup, before.mover, before.left, before.out, before.piles,
    )  # fmt: skip
    if after.phase is not before.phase:
        assert before.phase is Phase.PAY
        assert after.phase in (Phase.LAY, Phase.DRAW)
    assert bool(legal_actions(after)) is not after.is_over


@given(seeds)
@positions
def test_every_correction_leads_to_a_playable_position(seed: int) -> None:
    rng = Random(seed)
    state = arranged_position(rng)
    for _ in range(12):
        before = state
        state, named = random_correction(rng, before)
        check(before, state, named)
    game = random_game(rng, state)
    assert state.is_over is not bool(game)


@given(seeds)
@positions
def test_correcting_to_the_current_position_changes_nothing(seed: int) -> None:
    rng = Random(seed)
    state = arranged_position(rng)
    assert correct_assam(state, state.assam, state.facing) == state
    for player in set(range(len(state.dirhams))) - state.out:
        assert correct_dirhams(state, player, state.dirhams[player]) == state
    for square in range(SQUARES):
        rug = state.rug_on(square)
        halves = [s for s in range(SQUARES) if state.tops[s] == state.tops[square]]
        other = next((s for s in halves if rug and s != square), None)
        corrected = correct_square(state, square, rug and rug.colour, other)
        assert corrected == state, square_name(square)


@given(seeds)
@positions
def test_corrections_are_idempotent(seed: int) -> None:
    rng = Random(seed)
    state = arranged_position(rng)
    square = rng.randrange(SQUARES)
    other = rng.choice((None, *squares_of(NEIGHBOURS[square])))
    colour = rng.choice([colour for colours in state.setup.players for colour in colours])
    try:
        once = correct_square(state, square, colour, other)
    except SettingError:
        return
    rug = once.rug_on(square)
    assert rug is not None
    assert rug.colour is colour
    assert {s for s in range(SQUARES) if once.rug_on(s) == rug} == {
        square,
        square if other is None else other,
    }
    assert correct_square(once, square, colour, other) == once
