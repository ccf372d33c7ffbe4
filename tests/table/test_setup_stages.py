"""Set-up with the buttons: every stage, its limits, and a playable result."""

from __future__ import annotations

from random import Random

import pytest
from helpers.table.table_driver import INPUTS, TableDriver, started_game

from companion.games.marrakech import (
    BOOKLETS,
    Colour,
    Facing,
    Setup,
    booklet_named,
    usual_players,
)
from companion.table.conversation import BeginGame, SettingUp, Stage
from companion.table.entries import Act, Beginning
from companion.table.setup_stages import BOOKLET_CODES, SETUP_STAGES

DIRECTIONS = ("north", "east", "south", "west")
RED, YELLOW, BLUE, BROWN = Colour


def activity_of(driver: TableDriver) -> SettingUp:
    assert isinstance(driver.conversation.activity, SettingUp)
    return driver.conversation.activity


def test_three_oks_and_a_die_key_start_a_game() -> None:
    """By default four players, the English booklet, Assam facing south."""
    driver = TableDriver().press("ok ok ok 3")
    begin, rolled = driver.commands
    assert begin == BeginGame(Beginning(Setup(usual_players(4))))
    assert isinstance(rolled, Act)
    assert (driver.stage, driver.state.assam, driver.state.mover) == (Stage.LAY, 24 + 3 * 7, 0)
    assert driver.news() == ["Red rolled 3: Assam walks to d7 and faces south."]


def test_an_electronic_roll_starts_a_game_too() -> None:
    driver = TableDriver(rolls=[2]).press("ok ok ok roll")
    assert (driver.stage, driver.state.assam) == (Stage.LAY, 24 + 2 * 7)


def test_the_last_ok_starts_the_game_and_names_the_booklet() -> None:
    driver = TableDriver(booklet="fi").press("ok ok ok ok")
    assert (driver.stage, len(driver.commands)) == (Stage.ORIENT, 1)
    assert driver.news() == ["The game begins, by the booklet: Suomi."]


def test_ok_goes_through_the_stages_and_back_returns() -> None:
    driver = TableDriver()
    seen = [driver.stage]
    seen += [driver.press(word).stage for word in ("ok", "ok", "ok", "back", "back", "back")]
    assert seen == [*SETUP_STAGES, *reversed(SETUP_STAGES[:-1])]
    assert driver.press("back").refusal_key == "no.first_page"
    assert not driver.commands


@pytest.mark.parametrize("stages", range(4))
def test_inputs_that_need_a_game_are_refused_at_every_stage(stages: int) -> None:
    for word, why in (
        ("audit", "no.audit_without_game"),
        ("pause", "no.nothing_to_put_away"),
        *(() if stages == 3 else (("3", "no.not_begun"), ("roll", "no.not_begun"))),
    ):
        driver = TableDriver().press("ok " * stages + word)
        assert (driver.stage, driver.refusal_key) == (SETUP_STAGES[stages], why)


# --- Players ------------------------------------------------------------------------------


def test_north_and_east_add_a_player_south_and_west_remove_one() -> None:
    driver = TableDriver(players=3)
    assert [
        activity_of(driver.press(direction)).players
        for direction in ("north", "south", "east", "west")
    ] == [
        4,
        3,
        4,
        3,
    ]


@pytest.mark.parametrize(
    ("players", "direction"), [(4, "north"), (4, "east"), (2, "south"), (2, "west")]
)
def test_fewer_than_two_and_more_than_four_are_refused(players: int, direction: str) -> None:
    driver = TableDriver(players=players).press(direction)
    assert activity_of(driver).players == players
    assert driver.refusal_text() == "Marrakech is for 2, 3 or 4 players."


# --- Booklets -----------------------------------------------------------------------------


def test_east_and_west_cycle_through_all_booklets() -> None:
    driver = TableDriver().press("ok")
    codes = []
    for _ in BOOKLET_CODES:
        codes.append(activity_of(driver).booklet)
        driver.press("east")
    assert codes == list(BOOKLETS)
    assert activity_of(driver).booklet == "en"
    assert activity_of(driver.press("west")).booklet == BOOKLET_CODES[-1]


def test_configured_options_override_those_of_a_booklet() -> None:
    driver = TableDriver(options={"loops": "nw-se"}).press("ok")
    while activity_of(driver).booklet != "fi":
        driver.press("east")
    assert activity_of(driver).options == booklet_named("fi").options.with_changes(
        {"loops": "nw-se"}
    )


def test_north_and_south_change_the_order_of_a_turn_and_other_booklets_keep_it() -> None:
    driver = TableDriver().press("ok south")
    assert activity_of(driver).options.turn_order == "pivot-last"
    assert activity_of(driver.press("east")).options.turn_order == "pivot-last"
    assert activity_of(driver.press("north")).options.turn_order == "classic"
    driver.press("south ok ok ok")
    assert driver.stage is Stage.ROLL


def test_a_configured_turn_order_is_the_default() -> None:
    assert started_game(options={"turn_order": "pivot-last"}).stage is Stage.ROLL


# --- Colours ------------------------------------------------------------------------------


def test_a_seat_that_takes_a_colour_gives_its_own_in_exchange() -> None:
    driver = TableDriver().press("ok ok north")
    assert activity_of(driver).seats == ((YELLOW,), (RED,), (BLUE,), (BROWN,))
    assert activity_of(driver.press("south south")).seats == ((BROWN,), (YELLOW,), (BLUE,), (RED,))


def test_a_seat_can_take_an_unused_colour() -> None:
    driver = TableDriver(players=3).press("ok ok east east north")
    assert activity_of(driver).seats == ((RED,), (YELLOW,), (BROWN,))


def test_two_players_choose_pairs_of_colours() -> None:
    driver = TableDriver(players=2).press("ok ok")
    seats = [activity_of(driver).seats]
    seats += [activity_of(driver.press("north")).seats for _ in range(6)]
    assert [one for one, _ in seats] == [
        (RED, YELLOW), (RED, BLUE), (RED, BROWN), (YELLOW, BLUE), (YELLOW, BROWN), (BLUE, BROWN),
        (RED, YELLOW),
    ]  # fmt: skip
    assert all(sorted(one + other) == list(Colour) for one, other in seats)


def test_directions_stop_at_the_first_and_last_seat() -> None:
    driver = TableDriver(players=2).press("ok ok east east")
    assert (activity_of(driver).seat, driver.refusal_key) == (1, "no.seat")
    driver = TableDriver().press("ok ok west")
    assert (activity_of(driver).seat, driver.refusal_key) == (0, "no.seat")


def test_a_colour_with_too_few_rugs_in_the_box_is_not_offered() -> None:
    """A box of 57 has 12 brown rugs, and three players need 15 of each."""
    driver = TableDriver(players=3, booklet="sr").press("ok ok")
    seen = {activity_of(driver.press("north")).seats[0] for _ in range(4)}
    assert seen == {(RED,), (YELLOW,), (BLUE,)}


def test_going_back_from_the_colours_resets_them() -> None:
    """The number of players or the box may change there."""
    driver = TableDriver().press("ok ok north east back")
    assert activity_of(driver).seats == ()
    assert activity_of(driver.press("back west ok ok")).seats == usual_players(3)
    assert activity_of(driver).seat == 0


def test_going_back_to_the_colours_keeps_them() -> None:
    driver = TableDriver().press("ok ok north ok back")
    assert activity_of(driver).seats == ((YELLOW,), (RED,), (BLUE,), (BROWN,))


@pytest.mark.parametrize("booklet", BOOKLETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_presses_leave_playable_colours(booklet: str, players: int) -> None:
    """After every press at stage COLOURS the seats make a `Setup` with all players."""
    random = Random(f"{booklet} {players}")
    two_player = random.choice(("shuffled", "alternating", "one-colour"))
    driver = TableDriver(
        players=players, booklet=booklet, options={"two_player": two_player}
    ).press("ok ok")
    for _ in range(25):
        driver.handle(INPUTS[random.choice(DIRECTIONS)])
        seats = activity_of(driver).seats
        setup = Setup(seats, activity_of(driver).options)
        assert len(setup.players) == players
        assert all(list(colours) == sorted(colours) for colours in seats)
    driver.refusal = None
    driver.press("ok ok")
    assert driver.state.setup.players == seats


# --- Facing and start ---------------------------------------------------------------------


def test_assam_can_face_anywhere_before_the_first_turn() -> None:
    driver = TableDriver().press("ok ok ok")
    assert [
        activity_of(driver.press(direction)).facing
        for direction in ("north", "west", "south", "east")
    ] == [
        Facing.NORTH,
        Facing.WEST,
        Facing.SOUTH,
        Facing.EAST,
    ]
    assert driver.press("ok").state.facing is Facing.EAST


def test_the_current_facing_is_refused() -> None:
    driver = TableDriver().press("ok ok ok south")
    assert driver.refusal_text() == "Assam faces south already."


def test_configured_names_are_given_to_the_first_seats() -> None:
    names = ("Ana", "Bo", "Cleo")
    assert started_game(players=3, names=names).game.beginning.names == names
    assert started_game(players=2, names=names).game.beginning.names == names[:2]
    assert started_game(players=4, names=names).game.beginning.names == (*names, "")
    assert started_game(players=4, names=names).title() == "Ana: your turn"
    assert started_game(players=4).game.beginning.names == ()


def test_the_companion_deals_shuffled_piles_if_configured() -> None:
    driver = started_game("3", players=2, deals_piles=True)
    assert (driver.stage, driver.state.hand) == (Stage.LAY, RED)
    assert driver.game.beginning.piles == ((RED, YELLOW) * 12, (BLUE, BROWN) * 12)
    assert started_game("3", players=2).stage is Stage.DRAW
    assert started_game(players=3, deals_piles=True).game.beginning.piles is None
