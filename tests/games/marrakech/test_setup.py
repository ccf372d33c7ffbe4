"""Setups: what players start with, and which setups are refused."""

from __future__ import annotations

import pytest

from companion.errors import SettingError
from companion.games.marrakech import Colour, Facing, Options, Phase, Setup, new_game, usual_players

R, Y, B, N = Colour


@pytest.mark.parametrize(
    ("players", "changes", "dirhams", "rugs"),
    [
        (4, {}, 30, (12, 12, 12, 12)),
        (3, {}, 30, (15, 15, 15, 0)),
        (2, {}, 30, (12, 12, 12, 12)),
        (2, {"two_player": "alternating"}, 30, (12, 12, 12, 12)),
        (2, {"two_player": "one-colour"}, 30, (15, 15, 0, 0)),
        (4, {"purse": "share-120"}, 30, (12, 12, 12, 12)),
        (3, {"purse": "share-120"}, 40, (15, 15, 15, 0)),
        (2, {"purse": "share-120"}, 60, (12, 12, 12, 12)),
        (3, {"box": "57"}, 30, (15, 15, 15, 0)),
        (3, {"box": "57", "short_colour": "yellow"}, 30, (15, 0, 15, 15)),
        (4, {"box": "57"}, 30, (12, 12, 12, 12)),
    ],
)
def test_all_players_start_with_these_dirhams_and_rugs(
    players: int, changes: dict[str, str], dirhams: int, rugs: tuple[int, ...]
) -> None:
    options = Options().with_changes(changes)
    state = new_game(Setup(usual_players(players, options), options))
    assert state.dirhams == (dirhams,) * players
    assert state.left == rugs


def test_the_game_starts_with_assam_in_the_centre_of_an_empty_market() -> None:
    state = new_game(Setup(usual_players(4)))
    assert (state.assam, state.facing, state.phase, state.mover) == (
        24,
        Facing.SOUTH,
        Phase.ORIENT,
        0,
    )
    assert not any(state.tops)
    assert not state.out
    assert state.hand is None
    assert state.piles is None


def test_the_facing_at_the_start_can_be_chosen() -> None:
    assert new_game(Setup(usual_players(3)), facing=Facing.WEST).facing is Facing.WEST


def test_pivot_last_starts_with_the_roll() -> None:
    options = Options(turn_order="pivot-last")
    assert new_game(Setup(usual_players(4, options), options)).phase is Phase.ROLL


def test_two_players_have_two_colours_each_unless_they_play_with_one() -> None:
    assert usual_players(2) == ((R, Y), (B, N))
    assert usual_players(2, Options(two_player="one-colour")) == ((R,), (Y,))
    assert Setup(usual_players(2)).label(1) == "BN"


@pytest.mark.parametrize(("count", "nearest"), [(5, 4), (1, 2), (0, 2), (9, 4)])
def test_a_wrong_number_of_players_is_refused(count: int, nearest: int) -> None:
    players = "1 player" if count == 1 else f"{count} players"
    message = f"{players}: Marrakech is for 2, 3 or 4; the nearest is {nearest}"
    with pytest.raises(SettingError, match=f"^{message}$"):
        usual_players(count)
    with pytest.raises(SettingError, match=f"^{message}$"):
        Setup(((R,),) * count)


@pytest.mark.parametrize(
    ("players", "changes", "message"),
    [
        (
            ((R,), (Y,), (R,)),
            {},
            "red is taken twice, by players 1 and 3: every colour has one owner; "
            "still free: blue, brown",
        ),
        (
            ((R, Y), (Y, B)),
            {},
            "yellow is taken twice, by players 1 and 2: every colour has one owner; "
            "still free: brown",
        ),
        (
            ((R,), (Y,)),
            {},
            "player 1 has 1 colour: with 2 players and two_player=shuffled everyone has 2",
        ),
        (
            ((R,), (Y,), (B, N)),
            {},
            "player 3 has 2 colours: with 3 players everyone has 1",
        ),
        (
            ((R,), (Y,), (N,)),
            {"box": "57"},
            "brown has only 12 rugs in a box of 57, and 3 players need 15 each: take red, yellow, "
            "blue, or set short_colour to the colour that has fewer rugs in your box",
        ),
        (
            ((R,), (N,)),
            {"box": "57", "short_colour": "red", "two_player": "one-colour"},
            "red has only 12 rugs in a box of 57, and 2 players need 15 each: take yellow, blue, "
            "or set short_colour to the colour that has fewer rugs in your box",
        ),
    ],
)
def test_an_impossible_setup_is_refused(
    players: tuple[tuple[Colour, ...], ...], changes: dict[str, str], message: str
) -> None:
    with pytest.raises(SettingError) as error:
        Setup(players, Options().with_changes(changes))
    assert str(error.value) == message


def test_clockwise_lists_the_other_players_in_order_then_the_player() -> None:
    assert Setup(usual_players(3)).clockwise == ((1, 2, 0), (2, 0, 1), (0, 1, 2))


@pytest.mark.parametrize(
    ("players", "two_player", "is_shuffled"),
    [
        (2, "shuffled", True),
        (2, "alternating", False),
        (2, "one-colour", False),
        (3, "shuffled", False),
    ],
)
def test_only_two_players_with_two_colours_have_shuffled_piles(
    players: int, two_player: str, is_shuffled: bool
) -> None:
    options = Options(two_player=two_player)
    assert Setup(usual_players(players, options), options).has_shuffled_piles is is_shuffled


def test_alternating_piles_are_known_from_the_start() -> None:
    options = Options(two_player="alternating")
    state = new_game(Setup(usual_players(2, options), options))
    assert state.piles == ((R, Y) * 12, (B, N) * 12)


def test_piles_may_be_dealt_in_any_order() -> None:
    dealt = [[Y] * 12 + [R] * 12, [B, N] * 12]
    state = new_game(Setup(usual_players(2)), piles=dealt)
    assert state.piles == (tuple(dealt[0]), tuple(dealt[1]))


@pytest.mark.parametrize(
    ("changes", "players", "piles", "message"),
    [
        ({}, 3, [[R] * 15], "only two players with two colours each have piles to deal"),
        (
            {"two_player": "alternating"},
            2,
            [[R, Y] * 12, [B, N] * 12],
            "the colours alternate: piles cannot be dealt",
        ),
        ({}, 2, [[R, Y] * 12], "1 pile dealt for 2 players"),
        (
            {},
            2,
            [[R, Y] * 12, [B, N] * 11],
            "a pile must be 12 blue and 12 brown rugs, in any order",
        ),
    ],
)
def test_wrong_piles_are_refused(
    changes: dict[str, str], players: int, piles: list[list[Colour]], message: str
) -> None:
    options = Options().with_changes(changes)
    with pytest.raises(SettingError) as error:
        new_game(Setup(usual_players(players, options), options), piles=piles)
    assert str(error.value) == message
