"""The game as it was told: BACK leads to its start and east to its end, and nothing is guessed."""

from __future__ import annotations

from random import Random

import pytest
from helpers.rules.strategies import random_setup
from helpers.table.table_driver import begun, written

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
    Ready,
    TakeBack,
    TellAgain,
)
from companion.table.game import Game, Moment, begin, facings, tell

FOUR = Beginning(Setup(usual_players(4)))


def told(*entries: Entry, game: Game | None = None) -> Game:
    game = game or begin(FOUR)
    for entry in entries:
        game = tell(game, entry)
    return game


def lay(on: str) -> Act:
    place = parse_placement(on)
    return Act(Lay(place.first, place.second))


def as_seen(moment: Moment) -> tuple[object, ...]:
    """All of a moment but the way back."""
    return moment.state, moment.facing, moment.told, moment.events, moment.path, moment.number


# --- Turning Assam and rolling ------------------------------------------------------------


def test_turning_assam_is_free_until_the_die_commits_it() -> None:
    game = told(Face(Facing.EAST), Face(Facing.WEST), Face(Facing.SOUTH), Face(Facing.EAST))
    assert (game.state.facing, game.now.facing, game.now.is_chosen) == (
        Facing.SOUTH,
        Facing.EAST,
        True,
    )
    game = told(Act(Rolled(2)), game=game)
    assert [type(event) for event in game.now.events] == [Oriented, Walked]
    assert (game.state.assam, game.state.facing) == (parse_square("f4"), Facing.EAST)
    assert (game.now.facing, game.now.is_chosen) == (Facing.EAST, False)
    assert [step.square for step in game.now.path] == [25, 26]


def test_assam_cannot_be_turned_round_nor_when_he_is_on_his_way() -> None:
    with pytest.raises(IllegalActionError, match="cannot be turned north now"):
        told(Face(Facing.EAST), Face(Facing.NORTH))
    with pytest.raises(IllegalActionError, match="cannot be turned east now"):
        told(Act(Rolled(1)), Face(Facing.EAST))
    assert facings(told(Act(Rolled(1))).state) == ()


def test_the_path_stays_with_the_turn_and_goes_with_it() -> None:
    game = told(Act(Rolled(3)), Aim(parse_placement("c6-c7")))
    assert len(game.now.path) == 3
    assert told(lay("c6-c7"), game=game).now.path == ()


def test_a_pivot_is_chosen_first_and_committed_then() -> None:
    options = FOUR.setup.options.but({"turn_order": "pivot-last"})
    start = begin(Beginning(Setup(usual_players(4), options)))
    game = told(Act(Rolled(1)), lay("d6-d7"), Face(Facing.WEST), game=start)
    assert (game.state.phase, game.state.facing, game.now.facing) == (
        Phase.PIVOT,
        Facing.SOUTH,
        Facing.WEST,
    )
    assert len(game.now.path) == 1
    game = told(Act(Pivot(Facing.WEST)), game=game)
    assert (game.state.mover, game.state.facing, game.now.path) == (1, Facing.WEST, ())


# --- Aiming -------------------------------------------------------------------------------


def test_an_aim_holds_until_the_game_goes_on() -> None:
    game = told(Act(Rolled(3)))
    first = game.aim
    aimed = told(Aim(parse_placement("c6-c7")), game=game)
    assert (str(first), str(aimed.aim)) == ("b7-c7", "c6-c7")
    assert aimed.now is game.now
    assert told(lay("c6-c7"), game=aimed).chosen is None
    assert told(TakeBack(), TellAgain(), game=aimed).aim == first
    assert told(CorrectDirhams(0, 29), game=aimed).aim == first


def test_an_aim_at_what_is_not_offered_is_refused() -> None:
    game = told(Act(Rolled(3)))
    with pytest.raises(IllegalActionError, match="cannot be laid on a1-b1\nposition: "):
        tell(game, Aim(parse_placement("a1-b1")))
    with pytest.raises(IllegalActionError, match="cannot be laid on a1-b1"):
        told(Aim(parse_placement("a1-b1")))
    assert begin(FOUR).aim is None


# --- BACK ---------------------------------------------------------------------------------


def random_entries(chance: Random, game: Game) -> Entry:
    """Something that may be told now, corrections too."""
    state = game.state
    kind = chance.random()
    if kind < 0.04:
        return CorrectAssam(chance.randrange(49), chance.choice(list(Facing)))
    if kind < 0.08:
        in_game = [seat for seat in range(len(state.dirhams)) if seat not in state.out]
        seat = chance.choice(in_game)
        return CorrectDirhams(seat, max(0, state.dirhams[seat] - chance.randrange(5)))
    if kind < 0.12:
        return CorrectSquare(chance.randrange(49), None)
    if (turns := facings(state)) and kind < 0.4:
        return Face(chance.choice(turns))
    if (places := game.offered()) and kind < 0.4:
        return Aim(chance.choice(places))
    if state.phase is Phase.ORIENT:
        return Act(Rolled(chance.choice((1, 2, 3, 4))), chance.random() < 0.5)
    return Act(chance.choice(legal_actions(state)))


@pytest.mark.parametrize("seed", range(20))
def test_back_leads_to_the_start_and_east_to_where_it_was(seed: int) -> None:
    """Through every kind of entry: each moment comes back exactly, first and last ones too."""
    chance = Random(seed)
    game = begin(Beginning(random_setup(chance)))
    moments = [as_seen(game.now)]
    for _ in range(120):
        if game.state.is_over:
            break
        entry = random_entries(chance, game)
        game = tell(game, entry)
        if not isinstance(entry, Aim):
            moments.append(as_seen(game.now))
    for number in reversed(range(len(moments) - 1)):
        game = tell(game, TakeBack())
        assert as_seen(game.now) == moments[number]
        assert game.is_putting_back
        assert len(game.put_back) == len(moments) - 1 - number
    with pytest.raises(IllegalActionError, match=r"^nothing was told yet\n"):
        tell(game, TakeBack())
    for number in range(1, len(moments)):
        game = tell(game, TellAgain())
        assert as_seen(game.now) == moments[number]
        assert len(game.put_back) == len(moments) - 1 - number
        assert game.is_putting_back == (number < len(moments) - 1)
    with pytest.raises(IllegalActionError, match=r"^nothing was taken back\n"):
        tell(game, TellAgain())


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
def test_whatever_is_told_next_forgets_what_was_taken_back(entry: Entry) -> None:
    game = told(Act(Rolled(3)), lay("c6-c7"), TakeBack(), TakeBack(), entry)
    assert (game.undone, game.is_putting_back, game.put_back) == (None, False, ())
    with pytest.raises(IllegalActionError, match="nothing was taken back"):
        tell(game, TellAgain())


def test_ready_and_an_aim_do_not_forget_it() -> None:
    game = told(Act(Rolled(3)), lay("c6-c7"), TakeBack(), Ready())
    assert (game.is_putting_back, game.put_back) == (False, ())
    game = told(Aim(parse_placement("e6-e7")), game=game)
    assert tell(game, TellAgain()).state == told(Act(Rolled(3)), lay("c6-c7")).state


def test_after_ready_back_and_east_come_to_the_same_place_with_the_rest_still_to_be_told() -> None:
    game = told(Act(Rolled(3)), lay("c6-c7"), TakeBack(), Ready(), TakeBack(), TellAgain())
    assert (game.state.phase, game.put_back) == (Phase.LAY, ())
    assert game.undone is not None
    assert tell(game, TellAgain()).state == told(Act(Rolled(3)), lay("c6-c7")).state


def test_only_what_was_taken_back_since_the_cardboard_was_right_is_put_back() -> None:
    game = told(Act(Rolled(3)), lay("c6-c7"), TakeBack(), Ready(), TakeBack())
    assert [moment.told for moment in game.put_back] == [Act(Rolled(3))]


# --- Corrections --------------------------------------------------------------------------


def test_a_correction_of_the_square_leaves_assam_turned_as_he_was() -> None:
    game = told(Face(Facing.EAST), CorrectAssam(0, Facing.SOUTH))
    assert (game.state.assam, game.state.facing, game.now.facing) == (
        0,
        Facing.SOUTH,
        Facing.EAST,
    )


@pytest.mark.parametrize("facing", [Facing.NORTH, Facing.SOUTH, Facing.WEST])
def test_a_correction_of_the_facing_is_how_he_stands_then(facing: Facing) -> None:
    """South too, where the position has him, though he was turned east since."""
    game = told(Face(Facing.EAST), CorrectAssam(24, facing))
    assert (game.state.facing, game.now.facing) == (facing, facing)


def test_corrections_leave_the_path_unless_assam_stands_elsewhere() -> None:
    game = told(Act(Rolled(3)))
    assert len(told(CorrectDirhams(0, 3), game=game).now.path) == 3
    assert told(CorrectAssam(3, Facing.EAST), game=game).now.path == ()


def test_a_correction_that_no_position_bears_is_refused() -> None:
    with pytest.raises(SettingError, match="no red rug was laid yet"):
        told(CorrectSquare(0, Colour.RED))
    with pytest.raises(SettingError, match="no player 5"):
        told(CorrectDirhams(4, 3))


def test_a_debt_that_is_corrected_away_is_not_asked_for() -> None:
    owing = told(Act(Rolled(1)), lay("d6-d7"), Act(Rolled(1)))
    assert owing.state.phase is Phase.PAY
    assert told(CorrectSquare(parse_square("d6"), None), game=owing).state.phase is Phase.LAY


# --- Not allowed now ----------------------------------------------------------------------


def test_an_action_out_of_turn_is_refused_and_says_where_the_game_is() -> None:
    for action in (Pay(), Drew(Colour.RED), Lay(0, 1), Pivot(Facing.EAST)):
        with pytest.raises(IllegalActionError, match=r"not allowed now(.|\n)*position: "):
            told(Act(action))


def test_a_fingerprint_tells_apart_whatever_players_see() -> None:
    games = [
        begin(FOUR),
        told(Face(Facing.EAST)),
        told(Face(Facing.EAST), Face(Facing.SOUTH)),
        told(Act(Rolled(3))),
        told(Act(Rolled(3)), Aim(parse_placement("c6-c7"))),
        told(CorrectDirhams(0, 29)),
    ]
    assert len({fingerprint(game) for game in games}) == len(games)


def test_the_words_at_the_table_are_entries_that_tell_the_same_game_again() -> None:
    talk = begun("east 3 west ok back west back ok 2 ok audit ok ok ok south ok audit")
    game = begin(talk.game.beginning)
    for entry in talk.told:
        game = tell(game, written(entry))
    assert as_seen(game.now) == as_seen(talk.game.now)
    assert game.chosen == talk.game.chosen
