"""Set-up from a phone: wishes are put on the page, and the buttons go on from there."""

from __future__ import annotations

from random import Random

import pytest
from helpers.table.table_driver import SPEECH, TableDriver, begun

from companion.errors import SettingError
from companion.games.marrakech import BOOKLETS, OPTIONS, Colour, Setup, booklet_named, usual_players
from companion.table.conversation import BeginGame, SettingUp, Stage
from companion.table.setup_stages import PAGES, Wishes, agree

RED, YELLOW, BLUE, BROWN = Colour
NAMES = ("Amina", "Bruno")


def page(talk: TableDriver) -> SettingUp:
    assert isinstance(talk.conversation.page, SettingUp)
    return talk.conversation.page


def wish(talk: TableDriver, wishes: Wishes) -> TableDriver:
    answer = agree(talk.conversation, wishes)
    assert not answer.notes
    talk.conversation, talk.refused = answer.conversation, answer.refused
    return talk


def wrong(talk: TableDriver, wishes: Wishes) -> str:
    with pytest.raises(SettingError) as caught:
        agree(talk.conversation, wishes)
    return str(caught.value)


def test_all_of_it_is_put_on_the_first_page_and_ok_ok_ok_ok_plays_it() -> None:
    wishes = Wishes(2, NAMES, ((BROWN,), (RED,)), "cs", {"two_player": "one-colour"})
    talk = wish(TableDriver(), wishes)
    assert talk.news() == ["The set-up was changed from a phone."]
    talk.say("ok ok ok ok")
    (begin,) = talk.notes
    assert isinstance(begin, BeginGame)
    options = booklet_named("cs").options.but({"two_player": "one-colour"})
    assert begin.beginning.setup == Setup(((BROWN,), (RED,)), options)
    assert (begin.beginning.booklet, begin.beginning.names) == ("cs", NAMES)
    assert talk.title() == "Amina: your turn"


@pytest.mark.parametrize("pages", range(4))
def test_the_stage_stays_where_the_table_is(pages: int) -> None:
    talk = wish(TableDriver().say("ok " * pages), Wishes(3, colours=((BLUE,), (RED,), (BROWN,))))
    assert talk.stage is PAGES[pages]
    talk.say("ok " * (4 - pages))
    assert talk.state.setup.players == ((BLUE,), (RED,), (BROWN,))


@pytest.mark.parametrize("pages", range(4))
def test_nothing_wished_changes_nothing_but_the_news(pages: int) -> None:
    talk = TableDriver(names=NAMES).say("ok " * pages)
    before = page(talk)
    assert page(wish(talk, Wishes())) == before


def test_colours_alone_say_how_many_play() -> None:
    talk = wish(TableDriver(), Wishes(colours=((BROWN, RED), (YELLOW, BLUE))))
    assert page(talk).players == 2
    assert page(talk).seats == ((RED, BROWN), (YELLOW, BLUE))


@pytest.mark.parametrize("pages", [2, 3])
def test_where_colours_are_asked_already_other_players_get_the_usual_ones(pages: int) -> None:
    talk = wish(TableDriver().say("ok ok east east east" + " ok" * (pages - 2)), Wishes(players=2))
    assert page(talk).seats == usual_players(2)
    assert page(talk).seat == 1, "there is no fourth seat to choose for"


def test_chosen_colours_stay_if_they_can_still_be_played_and_else_are_the_usual_ones() -> None:
    talk = TableDriver(players=3).say("ok ok east east north")
    assert page(wish(talk, Wishes(names=NAMES))).seats == ((RED,), (YELLOW,), (BROWN,))
    talk = wish(talk, Wishes(options={"box": "57"}))  # with only 12 brown rugs
    assert page(talk).seats == ((RED,), (YELLOW,), (BLUE,))


def test_colours_that_were_wished_for_are_forgotten_when_others_play() -> None:
    talk = wish(TableDriver(), Wishes(colours=((BLUE,), (RED,), (BROWN,))))
    assert page(talk.say("north")).seats == ()
    assert page(talk.say("ok ok")).seats == usual_players(4)


def test_colours_that_were_wished_for_are_the_usual_ones_where_the_booklet_lacks_rugs() -> None:
    talk = wish(TableDriver(), Wishes(colours=((BLUE,), (RED,), (BROWN,)))).say("ok")
    while page(talk).booklet != "sr":  # a box of 57
        talk.say("west")
    assert page(talk.say("ok")).seats == ((RED,), (YELLOW,), (BLUE,))


def test_another_booklet_brings_its_options_and_keeps_the_order_of_a_turn() -> None:
    """As leafing to it does; a booklet that is on the page already changes nothing."""
    talk = TableDriver(options={"loops": "nw-se"}).say("ok south")
    wish(talk, Wishes(booklet="fi", options={"purse": "share-120"}))
    changes = {"loops": "nw-se", "turn_order": "pivot-last", "purse": "share-120"}
    assert page(talk).options == booklet_named("fi").options.but(changes)
    assert page(wish(talk, Wishes(booklet="fi"))).options.purse == "share-120"
    assert page(wish(talk, Wishes(booklet="en"))).options.purse == "thirty"


def test_names_of_the_config_stay_until_others_are_said() -> None:
    talk = TableDriver(players=2, names=("Cleo", "Dan"))
    assert page(talk).names == ("Cleo", "Dan")
    assert page(wish(talk, Wishes(names=("Amina",)))).names == ("Amina",)
    assert talk.say("ok ok ok ok").game.beginning.names == ("Amina", "")


def test_no_names_are_no_names() -> None:
    talk = wish(TableDriver(names=NAMES), Wishes(names=()))
    assert talk.say("ok ok ok ok").game.beginning.names == ()


def test_names_beyond_the_last_seat_go_when_fewer_play() -> None:
    talk = wish(TableDriver(players=3), Wishes(names=("Amina", "Bruno", "Cleo")))
    assert talk.say("south ok ok ok ok").game.beginning.names == NAMES


def test_what_no_game_can_be_played_with_is_told_and_nothing_changes() -> None:
    talk = TableDriver()
    assert wrong(talk, Wishes(players=2, names=("A", "B", "C"))) == "3 names for 2 players"
    assert wrong(talk, Wishes(3, colours=((RED,), (BLUE,)))) == "colours for 2 seats, not for 3"
    assert wrong(talk, Wishes(colours=((RED,),))).startswith("1 player: Marrakech is for 2, 3 or 4")
    assert wrong(talk, Wishes(colours=((RED,), (RED,), (BLUE,)))).startswith(
        "red is taken twice, by players 1 and 2"
    )
    assert wrong(talk, Wishes(colours=((RED,), (BLUE,)))).startswith("player 1 has 1 colour")
    assert wrong(talk, Wishes(options={"purse": "forty"})).startswith("unknown value of purse")
    short = Wishes(colours=((RED,), (BLUE,), (BROWN,)), options={"box": "57"})
    assert wrong(talk, short).startswith("brown has only 12 rugs in a box of 57")


@pytest.mark.parametrize(
    ("names", "twice"),
    [
        (("Amina", "Amina"), "Amina"),
        (("Amina", "Bruno", "AMINA"), "AMINA"),
        (("", "Straße", "", "STRASSE"), "STRASSE"),
        (("Amina", " amina "), "amina"),
    ],
)
def test_a_name_for_two_seats_is_refused_and_nothing_changes(
    names: tuple[str, ...], twice: str
) -> None:
    talk = TableDriver(names=NAMES)
    answer = agree(talk.conversation, Wishes(players=4, names=names, booklet="cs"))
    assert answer.conversation is talk.conversation
    assert answer.refused is not None
    assert SPEECH.say(answer.refused) == (
        f"Two seats have the same name: {twice}. Change one of them."
    )


@pytest.mark.parametrize("names", [(), ("", ""), ("", " ", ""), ("Amina", "", "", "Amin")])
def test_seats_without_a_name_are_told_apart_by_their_colours(names: tuple[str, ...]) -> None:
    assert page(wish(TableDriver(), Wishes(names=names))).names == names


@pytest.mark.parametrize("words", ["", "3", "3 back", "audit", "pause"])
def test_when_there_is_a_game_it_is_refused(words: str) -> None:
    talk = begun(words)
    answer = agree(talk.conversation, Wishes(players=2))
    assert answer.conversation is talk.conversation
    assert answer.refused is not None
    assert SPEECH.say(answer.refused) == (
        "There is a game already: set one up when it is over or put away."
    )


def test_after_the_game_is_put_away_wishes_are_heard_again() -> None:
    talk = begun("3 pause pause")
    assert page(wish(talk, Wishes(players=2))).players == 2


def random_wishes(chance: Random) -> Wishes:
    colours = None
    if chance.random() < 0.4:
        bag = list(Colour)
        chance.shuffle(bag)
        each = chance.choice((1, 2))
        colours = tuple(
            tuple(bag[at : at + each]) for at in range(0, chance.choice((2, 3, 4)), each)
        )
    options = {
        name: chance.choice(list(OPTIONS[name])) for name in OPTIONS if chance.random() < 0.2
    }
    return Wishes(
        chance.choice((None, None, 2, 3, 4)),
        chance.choice((None, (), NAMES)),
        colours,
        chance.choice((None, *BOOKLETS)),
        options,
    )


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_wished_and_pressed_by_turns_a_game_begins(seed: int) -> None:
    """The light and the words of the page can be made, and OK leads on from every page."""
    chance = Random(f"wishes {seed}")
    talk = TableDriver(rolls=[1] * 99)
    for _ in range(60):
        if talk.stage not in PAGES:
            break
        if chance.random() < 0.5:
            try:
                wish(talk, random_wishes(chance))
            except SettingError:
                continue
        else:
            talk.refused = None
            talk.say(chance.choice(("ok", "back", "north", "east", "south", "west")))
        if isinstance(talk.conversation.page, SettingUp):
            talk.frames(0)
            assert talk.todo()
    talk.refused = None
    while talk.stage in PAGES:
        talk.say("ok")
    assert talk.stage in (Stage.ORIENT, Stage.ROLL)
