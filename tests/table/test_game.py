"""The game applies entries, undoes and redoes them, and refuses illegal ones."""

from __future__ import annotations

from random import Random

import pytest
from helpers.rules.strategies import random_setup
from helpers.table.table_driver import round_trip, started_game

from companion.errors import IllegalActionError, SettingError
from companion.games.marrakech import (
    Colour,
    Drew,
    Facing,
    Lay,
    Oriented,
    Pay,
    Phase,
    Pivot,
    Rolled,
    Setup,
    Walked,
    legal_actions,
    parse_placement,
    parse_square,
    usual_players,
)
from companion.storage.game_store import fingerprint
from companion.table.entries import (
    Act,
    Aim,
    Beginning,
    CorrectAssam,
    CorrectDirhams,
    CorrectSquare,
    Entry,
    Face,
    Redo,
    Restored,
    Undo,
)
from companion.table.game import Game, Moment, allowed_facings, apply_entry, start_game

FOUR = Beginning(Setup(usual_players(4)))


def apply_all(*entries: Entry, game: Game | None = None) -> Game:
    game = game or start_game(FOUR)
    for entry in entries:
        game = apply_entry(game, entry)
    return game


def lay(on: str) -> Act:
    place = parse_placement(on)
    return Act(Lay(place.first, place.second))


def fields_of(moment: Moment) -> tuple[object, ...]:
    """A moment without its link to the moment before."""
    return moment.state, moment.facing, moment.entry, moment.events, moment.path, moment.entry_count


# --- Turning Assam and rolling ------------------------------------------------------------


def test_turning_assam_is_free_until_the_roll_commits_it() -> None:
    game = apply_all(Face(Facing.EAST), Face(Facing.WEST), Face(Facing.SOUTH), Face(Facing.EAST))
    assert (game.state.facing, game.now.facing, game.now.is_assam_turned) == (
        Facing.SOUTH,
        Facing.EAST,
        True,
    )
    game = apply_all(Act(Rolled(2)), game=game)
    assert [type(event) for event in game.now.events] == [Oriented, Walked]
    assert (game.state.assam, game.state.facing) == (parse_square("f4"), Facing.EAST)
    assert (game.now.facing, game.now.is_assam_turned) == (Facing.EAST, False)
    assert [step.square for step in game.now.path] == [25, 26]


def test_assam_cannot_turn_round_nor_turn_after_the_roll() -> None:
    with pytest.raises(IllegalActionError, match="cannot be turned north now"):
        apply_all(Face(Facing.EAST), Face(Facing.NORTH))
    with pytest.raises(IllegalActionError, match="cannot be turned east now"):
        apply_all(Act(Rolled(1)), Face(Facing.EAST))
    assert allowed_facings(apply_all(Act(Rolled(1))).state) == ()


def test_the_path_lasts_until_the_turn_ends() -> None:
    game = apply_all(Act(Rolled(3)), Aim(parse_placement("c6-c7")))
    assert len(game.now.path) == 3
    assert apply_all(lay("c6-c7"), game=game).now.path == ()


def test_a_pivot_is_chosen_first_and_then_committed() -> None:
    options = FOUR.setup.options.with_changes({"turn_order": "pivot-last"})
    start = start_game(Beginning(Setup(usual_players(4), options)))
    game = apply_all(Act(Rolled(1)), lay("d6-d7"), Face(Facing.WEST), game=start)
    assert (game.state.phase, game.state.facing, game.now.facing) == (
        Phase.PIVOT,
        Facing.SOUTH,
        Facing.WEST,
    )
    assert len(game.now.path) == 1
    game = apply_all(Act(Pivot(Facing.WEST)), game=game)
    assert (game.state.mover, game.state.facing, game.now.path) == (1, Facing.WEST, ())


# --- Aiming -------------------------------------------------------------------------------


def test_an_aim_lasts_until_the_next_entry() -> None:
    game = apply_all(Act(Rolled(3)))
    first = game.aim
    aimed = apply_all(Aim(parse_placement("c6-c7")), game=game)
    assert (str(first), str(aimed.aim)) == ("b7-c7", "c6-c7")
    assert aimed.now is game.now
    assert apply_all(lay("c6-c7"), game=aimed).chosen_placement is None
    assert apply_all(Undo(), Redo(), game=aimed).aim == first
    assert apply_all(CorrectDirhams(0, 29), game=aimed).aim == first


def test_an_aim_at_an_illegal_placement_is_refused() -> None:
    game = apply_all(Act(Rolled(3)))
    with pytest.raises(IllegalActionError, match="cannot be laid on a1-b1\nposition: "):
        apply_entry(game, Aim(parse_placement("a1-b1")))
    with pytest.raises(IllegalActionError, match="cannot be laid on a1-b1"):
        apply_all(Aim(parse_placement("a1-b1")))
    assert start_game(FOUR).aim is None


# --- Undo and redo ------------------------------------------------------------------------


def random_entry(random: Random, game: Game) -> Entry:
    """An entry that is legal now, including corrections."""
    state = game.state
    kind = random.random()
    if kind < 0.04:
        return CorrectAssam(random.randrange(49), random.choice(list(Facing)))
    if kind < 0.08:
        in_game = [seat for seat in range(len(state.dirhams)) if seat not in state.out]
        seat = random.choice(in_game)
        return CorrectDirhams(seat, max(0, state.dirhams[seat] - random.randrange(5)))
    if kind < 0.12:
        return CorrectSquare(random.randrange(49), None)
    if (turns := allowed_facings(state)) and kind < 0.4:
        return Face(random.choice(turns))
    if (places := game.now.placements) and kind < 0.4:
        return Aim(random.choice(places))
    if state.phase is Phase.ORIENT:
        return Act(Rolled(random.choice((1, 2, 3, 4))), random.random() < 0.5)
    return Act(random.choice(legal_actions(state)))


@pytest.mark.parametrize("seed", range(20))
def test_undo_leads_to_the_start_and_redo_back_to_the_end(seed: int) -> None:
    """Through every kind of entry, each moment is restored exactly."""
    random = Random(seed)
    game = start_game(Beginning(random_setup(random)))
    moments = [fields_of(game.now)]
    for _ in range(120):
        if game.state.is_over:
            break
        entry = random_entry(random, game)
        game = apply_entry(game, entry)
        if not isinstance(entry, Aim):
            moments.append(fields_of(game.now))
    for number in reversed(range(len(moments) - 1)):
        game = apply_entry(game, Undo())
        assert fields_of(game.now) == moments[number]
        assert game.is_restoring
        assert len(game.to_restore) == len(moments) - 1 - number
    with pytest.raises(IllegalActionError, match=r"^there is nothing to undo\n"):
        apply_entry(game, Undo())
    for number in range(1, len(moments)):
        game = apply_entry(game, Redo())
        assert fields_of(game.now) == moments[number]
        assert len(game.to_restore) == len(moments) - 1 - number
        assert game.is_restoring == (number < len(moments) - 1)
    with pytest.raises(IllegalActionError, match=r"^there is nothing to redo\n"):
        apply_entry(game, Redo())


@pytest.mark.parametrize(
    "entry",
    [
        Act(Rolled(1)),
        Face(Facing.EAST),
        CorrectDirhams(0, 1),
        CorrectAssam(0, Facing.EAST),
        CorrectSquare(0, None),
    ],
)
def test_a_new_entry_discards_the_redo_history(entry: Entry) -> None:
    game = apply_all(Act(Rolled(3)), lay("c6-c7"), Undo(), Undo(), entry)
    assert (game.undone, game.is_restoring, game.to_restore) == (None, False, ())
    with pytest.raises(IllegalActionError, match="there is nothing to redo"):
        apply_entry(game, Redo())


def test_restored_and_aim_keep_the_redo_history() -> None:
    game = apply_all(Act(Rolled(3)), lay("c6-c7"), Undo(), Restored())
    assert (game.is_restoring, game.to_restore) == (False, ())
    game = apply_all(Aim(parse_placement("e6-e7")), game=game)
    assert apply_entry(game, Redo()).state == apply_all(Act(Rolled(3)), lay("c6-c7")).state


def test_undo_and_redo_after_restoring_keep_the_rest_of_the_redo_history() -> None:
    game = apply_all(Act(Rolled(3)), lay("c6-c7"), Undo(), Restored(), Undo(), Redo())
    assert (game.state.phase, game.to_restore) == (Phase.LAY, ())
    assert game.undone is not None
    assert apply_entry(game, Redo()).state == apply_all(Act(Rolled(3)), lay("c6-c7")).state


def test_only_moments_undone_since_the_last_restore_are_to_be_restored() -> None:
    game = apply_all(Act(Rolled(3)), lay("c6-c7"), Undo(), Restored(), Undo())
    assert [moment.entry for moment in game.to_restore] == [Act(Rolled(3))]


# --- Corrections --------------------------------------------------------------------------


def test_a_correction_of_the_square_keeps_the_turned_facing() -> None:
    game = apply_all(Face(Facing.EAST), CorrectAssam(0, Facing.SOUTH))
    assert (game.state.assam, game.state.facing, game.now.facing) == (
        0,
        Facing.SOUTH,
        Facing.EAST,
    )


@pytest.mark.parametrize("facing", [Facing.NORTH, Facing.SOUTH, Facing.WEST])
def test_a_correction_of_the_facing_sets_the_shown_facing_too(facing: Facing) -> None:
    """Including south, which the state has already, after he was turned east."""
    game = apply_all(Face(Facing.EAST), CorrectAssam(24, facing))
    assert (game.state.facing, game.now.facing) == (facing, facing)


def test_only_a_correction_of_assam_removes_the_path() -> None:
    game = apply_all(Act(Rolled(3)))
    assert len(apply_all(CorrectDirhams(0, 3), game=game).now.path) == 3
    assert apply_all(CorrectAssam(3, Facing.EAST), game=game).now.path == ()


def test_an_impossible_correction_is_refused() -> None:
    with pytest.raises(SettingError, match="no red rug was laid yet"):
        apply_all(CorrectSquare(0, Colour.RED))
    with pytest.raises(SettingError, match="no player 5"):
        apply_all(CorrectDirhams(4, 3))


def test_a_correction_can_remove_the_tribute_that_was_due() -> None:
    owing = apply_all(Act(Rolled(1)), lay("d6-d7"), Act(Rolled(1)))
    assert owing.state.phase is Phase.PAY
    assert apply_all(CorrectSquare(parse_square("d6"), None), game=owing).state.phase is Phase.LAY


# --- Not allowed now ----------------------------------------------------------------------


def test_an_illegal_action_is_refused_with_the_position() -> None:
    for action in (Pay(), Drew(Colour.RED), Lay(0, 1), Pivot(Facing.EAST)):
        with pytest.raises(IllegalActionError, match=r"not allowed now(.|\n)*position: "):
            apply_all(Act(action))


def test_fingerprints_differ_wherever_players_see_a_difference() -> None:
    games = [
        start_game(FOUR),
        apply_all(Face(Facing.EAST)),
        apply_all(Face(Facing.EAST), Face(Facing.SOUTH)),
        apply_all(Act(Rolled(3))),
        apply_all(Act(Rolled(3)), Aim(parse_placement("c6-c7"))),
        apply_all(CorrectDirhams(0, 29)),
    ]
    assert len({fingerprint(game) for game in games}) == len(games)


def test_replaying_the_entries_of_a_table_gives_the_same_game() -> None:
    driver = started_game("east 3 west ok back west back ok 2 ok audit ok ok ok south ok audit")
    game = start_game(driver.game.beginning)
    for entry in driver.entries:
        game = apply_entry(game, round_trip(entry))
    assert fields_of(game.now) == fields_of(driver.game.now)
    assert game.chosen_placement == driver.game.chosen_placement
