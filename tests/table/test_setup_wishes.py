"""Set-up from a phone: wishes change the set-up, and the buttons continue from there."""

from __future__ import annotations

from random import Random

import pytest
from helpers.table.table_driver import RENDERER, TableDriver, started_game

from companion.errors import SettingError
from companion.games.marrakech import BOOKLETS, OPTIONS, Colour, Setup, booklet_named, usual_players
from companion.table.conversation import BeginGame, SettingUp, Stage
from companion.table.setup_stages import SETUP_STAGES, SetupWishes, apply_wishes

RED, YELLOW, BLUE, BROWN = Colour
NAMES = ("Amina", "Bruno")


def activity_of(driver: TableDriver) -> SettingUp:
    assert isinstance(driver.conversation.activity, SettingUp)
    return driver.conversation.activity


def wish(driver: TableDriver, wishes: SetupWishes) -> TableDriver:
    result = apply_wishes(driver.conversation, wishes)
    assert not result.commands
    driver.conversation, driver.refusal = result.conversation, result.refusal
    return driver


def setting_error(driver: TableDriver, wishes: SetupWishes) -> str:
    with pytest.raises(SettingError) as caught:
        apply_wishes(driver.conversation, wishes)
    return str(caught.value)


def test_all_wishes_at_the_first_stage_are_used_for_the_game() -> None:
    wishes = SetupWishes(2, NAMES, ((BROWN,), (RED,)), "cs", {"two_player": "one-colour"})
    driver = wish(TableDriver(), wishes)
    assert driver.news() == ["The set-up was changed from a phone."]
    driver.press("ok ok ok ok")
    (begin,) = driver.commands
    assert isinstance(begin, BeginGame)
    options = booklet_named("cs").options.with_changes({"two_player": "one-colour"})
    assert begin.beginning.setup == Setup(((BROWN,), (RED,)), options)
    assert (begin.beginning.booklet, begin.beginning.names) == ("cs", NAMES)
    assert driver.title() == "Amina: your turn"


@pytest.mark.parametrize("stages", range(4))
def test_wishes_do_not_change_the_stage(stages: int) -> None:
    driver = wish(
        TableDriver().press("ok " * stages), SetupWishes(3, colours=((BLUE,), (RED,), (BROWN,)))
    )
    assert driver.stage is SETUP_STAGES[stages]
    driver.press("ok " * (4 - stages))
    assert driver.state.setup.players == ((BLUE,), (RED,), (BROWN,))


@pytest.mark.parametrize("stages", range(4))
def test_empty_wishes_change_nothing_but_the_news(stages: int) -> None:
    driver = TableDriver(names=NAMES).press("ok " * stages)
    before = activity_of(driver)
    assert activity_of(wish(driver, SetupWishes())) == before


def test_colours_alone_decide_the_number_of_players() -> None:
    driver = wish(TableDriver(), SetupWishes(colours=((BROWN, RED), (YELLOW, BLUE))))
    assert activity_of(driver).players == 2
    assert activity_of(driver).seats == ((RED, BROWN), (YELLOW, BLUE))


@pytest.mark.parametrize("stages", [2, 3])
def test_from_stage_colours_on_a_new_number_of_players_gets_the_usual_colours(stages: int) -> None:
    driver = wish(
        TableDriver().press("ok ok east east east" + " ok" * (stages - 2)), SetupWishes(players=2)
    )
    assert activity_of(driver).seats == usual_players(2)
    assert activity_of(driver).seat == 1, "the selected seat still exists"


def test_chosen_colours_stay_while_they_are_playable() -> None:
    driver = TableDriver(players=3).press("ok ok east east north")
    assert activity_of(wish(driver, SetupWishes(names=NAMES))).seats == (
        (RED,),
        (YELLOW,),
        (BROWN,),
    )
    driver = wish(driver, SetupWishes(options={"box": "57"}))  # with only 12 brown rugs
    assert activity_of(driver).seats == ((RED,), (YELLOW,), (BLUE,))


def test_wished_colours_are_dropped_when_the_number_of_players_changes() -> None:
    driver = wish(TableDriver(), SetupWishes(colours=((BLUE,), (RED,), (BROWN,))))
    assert activity_of(driver.press("north")).seats == ()
    assert activity_of(driver.press("ok ok")).seats == usual_players(4)


def test_wished_colours_are_dropped_when_the_booklet_has_too_few_rugs() -> None:
    driver = wish(TableDriver(), SetupWishes(colours=((BLUE,), (RED,), (BROWN,)))).press("ok")
    while activity_of(driver).booklet != "sr":  # a box of 57
        driver.press("west")
    assert activity_of(driver.press("ok")).seats == ((RED,), (YELLOW,), (BLUE,))


def test_another_booklet_changes_the_options_and_keeps_the_order_of_a_turn() -> None:
    """As with the buttons. The current booklet changes nothing."""
    driver = TableDriver(options={"loops": "nw-se"}).press("ok south")
    wish(driver, SetupWishes(booklet="fi", options={"purse": "share-120"}))
    changes = {"loops": "nw-se", "turn_order": "pivot-last", "purse": "share-120"}
    assert activity_of(driver).options == booklet_named("fi").options.with_changes(changes)
    assert activity_of(wish(driver, SetupWishes(booklet="fi"))).options.purse == "share-120"
    assert activity_of(wish(driver, SetupWishes(booklet="en"))).options.purse == "thirty"


def test_configured_names_stay_until_wishes_replace_them() -> None:
    driver = TableDriver(players=2, names=("Cleo", "Dan"))
    assert activity_of(driver).names == ("Cleo", "Dan")
    assert activity_of(wish(driver, SetupWishes(names=("Amina",)))).names == ("Amina",)
    assert driver.press("ok ok ok ok").game.beginning.names == ("Amina", "")


def test_wishes_can_remove_all_names() -> None:
    driver = wish(TableDriver(names=NAMES), SetupWishes(names=()))
    assert driver.press("ok ok ok ok").game.beginning.names == ()


def test_names_beyond_the_last_seat_are_dropped() -> None:
    driver = wish(TableDriver(players=3), SetupWishes(names=("Amina", "Bruno", "Cleo")))
    assert driver.press("south ok ok ok ok").game.beginning.names == NAMES


def test_unplayable_wishes_raise_a_setting_error() -> None:
    driver = TableDriver()
    assert (
        setting_error(driver, SetupWishes(players=2, names=("A", "B", "C")))
        == "3 names for 2 players"
    )
    assert (
        setting_error(driver, SetupWishes(3, colours=((RED,), (BLUE,))))
        == "colours for 2 seats, not for 3"
    )
    assert setting_error(driver, SetupWishes(colours=((RED,),))).startswith(
        "1 player: Marrakech is for 2, 3 or 4"
    )
    assert setting_error(driver, SetupWishes(colours=((RED,), (RED,), (BLUE,)))).startswith(
        "red is taken twice, by players 1 and 2"
    )
    assert setting_error(driver, SetupWishes(colours=((RED,), (BLUE,)))).startswith(
        "player 1 has 1 colour"
    )
    assert setting_error(driver, SetupWishes(options={"purse": "forty"})).startswith(
        "unknown value of purse"
    )
    short = SetupWishes(colours=((RED,), (BLUE,), (BROWN,)), options={"box": "57"})
    assert setting_error(driver, short).startswith("brown has only 12 rugs in a box of 57")


@pytest.mark.parametrize(
    ("names", "duplicate"),
    [
        (("Amina", "Amina"), "Amina"),
        (("Amina", "Bruno", "AMINA"), "AMINA"),
        (("", "Straße", "", "STRASSE"), "STRASSE"),
        (("Amina", " amina "), "amina"),
    ],
)
def test_a_duplicate_name_is_refused_and_nothing_changes(
    names: tuple[str, ...], duplicate: str
) -> None:
    driver = TableDriver(names=NAMES)
    result = apply_wishes(driver.conversation, SetupWishes(players=4, names=names, booklet="cs"))
    assert result.conversation is driver.conversation
    assert result.refusal is not None
    assert RENDERER.render(result.refusal) == (
        f"Two seats have the same name: {duplicate}. Change one of them."
    )


@pytest.mark.parametrize("names", [(), ("", ""), ("", " ", ""), ("Amina", "", "", "Amin")])
def test_empty_names_are_not_duplicates(names: tuple[str, ...]) -> None:
    assert activity_of(wish(TableDriver(), SetupWishes(names=names))).names == names


@pytest.mark.parametrize("inputs", ["", "3", "3 back", "audit", "pause"])
def test_wishes_are_refused_while_there_is_a_game(inputs: str) -> None:
    driver = started_game(inputs)
    result = apply_wishes(driver.conversation, SetupWishes(players=2))
    assert result.conversation is driver.conversation
    assert result.refusal is not None
    assert RENDERER.render(result.refusal) == (
        "There is a game already: set one up when it is over or put away."
    )


def test_wishes_are_accepted_after_the_game_is_archived() -> None:
    driver = started_game("3 pause pause")
    assert activity_of(wish(driver, SetupWishes(players=2))).players == 2


def random_wishes(random: Random) -> SetupWishes:
    colours = None
    if random.random() < 0.4:
        bag = list(Colour)
        random.shuffle(bag)
        each = random.choice((1, 2))
        colours = tuple(
            tuple(bag[at : at + each]) for at in range(0, random.choice((2, 3, 4)), each)
        )
    options = {
        name: random.choice(list(OPTIONS[name])) for name in OPTIONS if random.random() < 0.2
    }
    return SetupWishes(
        random.choice((None, None, 2, 3, 4)),
        random.choice((None, (), NAMES)),
        colours,
        random.choice((None, *BOOKLETS)),
        options,
    )


@pytest.mark.parametrize("seed", range(40))
def test_any_mix_of_wishes_and_presses_leads_to_a_game(seed: int) -> None:
    """Scene and prompts render all the time, and OK leads on from every stage."""
    random = Random(f"wishes {seed}")
    driver = TableDriver(rolls=[1] * 99)
    for _ in range(60):
        if driver.stage not in SETUP_STAGES:
            break
        if random.random() < 0.5:
            try:
                wish(driver, random_wishes(random))
            except SettingError:
                continue
        else:
            driver.refusal = None
            driver.press(random.choice(("ok", "back", "north", "east", "south", "west")))
        if isinstance(driver.conversation.activity, SettingUp):
            driver.frames(0)
            assert driver.todo()
    driver.refusal = None
    while driver.stage in SETUP_STAGES:
        driver.press("ok")
    assert driver.stage in (Stage.ORIENT, Stage.ROLL)
