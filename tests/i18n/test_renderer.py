"""Messages become sentences."""

from __future__ import annotations

from typing import ClassVar

import pytest

from companion.games.marrakech import Colour, Facing
from companion.games.marrakech.text.record import TURNING
from companion.i18n.message import Book, Message, Who, message
from companion.i18n.renderer import TextRenderer, isolated

RED, YELLOW, BLUE, BROWN = Colour
SAY = TextRenderer().say


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (message("no.edge"), "The market ends here."),
        (message("news.faces", facing=Facing.WEST), "Assam faces west."),
        (message("back.under_rug", square="d4", colour=BROWN), "Under it on d4: brown."),
        (message("title.turn", player=Who("", (RED,))), "Red: your turn"),
        (message("title.turn", player=Who("", (BLUE, BROWN))), "Blue & Brown: your turn"),
        (message("title.turn", player=Who("Ana", (BLUE, BROWN))), "Ana: your turn"),
    ],
)
def test_values_are_said_in_the_words_of_the_language(said: Message, text: str) -> None:
    assert SAY(said) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "Corrected: Red has 0 dirhams."),
        (1, "Corrected: Red has 1 dirham."),
        (2, "Corrected: Red has 2 dirhams."),
        (101, "Corrected: Red has 101 dirhams."),
    ],
)
def test_the_count_chooses_the_form(count: int, text: str) -> None:
    assert SAY(message("news.corrected_dirhams", player=Who("", (RED,)), count=count)) == text


def test_a_name_is_said_as_it_is_whatever_is_in_it() -> None:
    for name in ("{count}", "{", "%s", "Żółć", "red"):
        assert SAY(message("title.turn", player=Who(name, (RED,)))) == f"{name}: your turn"


class Czech:
    """A language with three forms, and just the words that are needed here."""

    language = "cs"
    words: ClassVar = {
        "player.red": "Červená",
        "colour.red": "červená",
        "facing.south": "jih",
        "booklet.ru-2012": "Русский, vydání z roku 2012",
        "news.begun": "Podle sešitu: {booklet}.",
        "news.faces": "Assam hledí na {facing}.",
        "news.drew": "{player}: {colour}.",
        "todo.top_empty": "{square}: nic.",
        "title.won": ("{player}: {count} bod", "{player}: {count} body", "{player}: {count} bodů"),
    }

    def text(self, key: str) -> str:
        return str(self.words[key])

    def counted(self, key: str, count: int) -> str:
        return str(self.words[key][self.form(count)])

    def form(self, count: int) -> int:
        return 0 if count == 1 else 1 if count in (2, 3, 4) else 2


class Persian(Czech):
    """The same, read from the right."""

    language = "fa"


CZECH, PERSIAN = TextRenderer(Czech()), TextRenderer(Persian())


def test_another_language_is_another_catalogue() -> None:
    red = Who("", (RED,))
    assert CZECH.say(message("news.faces", facing=Facing.SOUTH)) == "Assam hledí na jih."
    assert CZECH.say(message("news.drew", player=red, colour=RED)) == "Červená: červená."
    assert [CZECH.say(message("title.won", player=red, count=count)) for count in (1, 2, 5)] == [
        "Červená: 1 bod",
        "Červená: 2 body",
        "Červená: 5 bodů",
    ]


@pytest.mark.parametrize(
    ("code", "name"),
    [("cs", "Čeština"), ("zh-TW", "繁體中文"), ("ru-2012", "Русский, vydání z roku 2012")],
)
def test_a_booklet_is_called_as_its_language_calls_itself(code: str, name: str) -> None:
    assert CZECH.word(Book(code)) == name
    assert CZECH.say(message("news.begun", booklet=Book(code))) == f"Podle sešitu: {name}."


def test_names_and_numbers_are_set_apart_where_one_reads_from_the_right() -> None:
    ana = Who("Ana", (RED,))
    assert PERSIAN.say(message("title.won", player=ana, count=7)) == "⁨Ana⁩: ⁨7⁩ bodů"
    assert PERSIAN.say(message("todo.top_empty", square="d4")) == "⁨d4⁩: nic."
    assert PERSIAN.word(ana) == "Ana"


def test_words_of_the_language_itself_are_not_set_apart() -> None:
    red = Who("", (RED,))
    assert PERSIAN.say(message("news.drew", player=red, colour=RED)) == "Červená: červená."


@pytest.mark.parametrize("name", ["دانا", "דנה", "Ana دانا"])
def test_a_name_that_is_read_from_the_right_is_set_apart_everywhere(name: str) -> None:
    assert SAY(message("title.turn", player=Who(name, (RED,)))) == f"⁨{name}⁩: your turn"
    assert isolated(name, is_rtl=False) == f"⁨{name}⁩"


@pytest.mark.parametrize("name", ["Ana", "Żółć", "大阪", "7", ""])
def test_other_names_are_left_alone_where_one_reads_from_the_left(name: str) -> None:
    assert isolated(name, is_rtl=False) == name


@pytest.mark.parametrize("sign", TURNING)
def test_nothing_in_a_name_turns_the_sentence_round(sign: str) -> None:
    """An older game may hold a name that nobody could be given today."""
    amina, dana = Who(f"{sign}Am{sign}ina{sign}", (RED,)), Who(f"دانا{sign}", (RED,))
    assert SAY(message("title.turn", player=amina)) == "Amina: your turn"
    assert SAY(message("title.turn", player=dana)) == "⁨دانا⁩: your turn"
    assert PERSIAN.say(message("title.won", player=amina, count=7)) == "⁨Amina⁩: ⁨7⁩ bodů"
    assert PERSIAN.say(message("todo.top_empty", square=f"d4{sign}")) == "⁨d4⁩: nic."
    assert SAY(message("page.host", host=f"{sign}pi")).startswith("This page is not called pi:")
    assert TextRenderer().word(amina) == "Amina"


def test_who_has_only_such_signs_for_a_name_is_called_by_colour() -> None:
    nobody = Who("\u200f\u202e", (RED,))
    assert SAY(message("title.turn", player=nobody)) == "Red: your turn"
    assert PERSIAN.say(message("news.drew", player=nobody, colour=RED)) == "Červená: červená."


@pytest.mark.parametrize("name", ["علی\u200cرضا", "\U0001f468\u200d\U0001f469\u200d\U0001f467"])
def test_joiners_stay_in_a_name(name: str) -> None:
    assert TextRenderer().word(Who(name, (RED,))) == name
    assert name in SAY(message("title.turn", player=Who(name, (RED,))))


def test_sentences_follow_one_another_as_the_language_has_it() -> None:
    class Japanese(Czech):
        language = "ja"

    said = [message("todo.top_empty", square=square) for square in ("a1", "b2")]
    assert CZECH.say_all(said) == "a1: nic. b2: nic."
    assert TextRenderer(Japanese()).say_all(said) == "a1: nic.b2: nic."


def test_a_message_tells_its_values_by_name() -> None:
    said = message("news.drew", player=Who("Ana", (RED, YELLOW)), colour=RED)
    assert (said.key, said.value("colour")) == ("news.drew", RED)
    assert said == message("news.drew", player=Who("Ana", (RED, YELLOW)), colour=RED)
