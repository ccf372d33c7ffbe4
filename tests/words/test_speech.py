"""Messages become sentences."""

from __future__ import annotations

import pytest

from companion.games.marrakech import Colour, Facing
from companion.words.message import Message, Value, Who, message
from companion.words.speech import Speech, Text

RED, YELLOW, BLUE, BROWN = Colour
SAY = Speech().say


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


def test_another_language_is_another_catalogue() -> None:
    german: dict[str, Text] = {
        "player.red": "Rot",
        "colour.red": "rot",
        "facing.south": "Süden",
        "hello": ("{player}: {count} Teppich, {colour}, {facing}", "{count} Teppiche: {player}"),
    }
    values: dict[str, Value] = {"player": Who("", (RED,)), "colour": RED, "facing": Facing.SOUTH}
    say = Speech(german).say
    assert say(message("hello", count=1, **values)) == "Rot: 1 Teppich, rot, Süden"
    assert say(message("hello", count=2, **values)) == "2 Teppiche: Rot"


def test_a_message_tells_its_values_by_name() -> None:
    said = message("news.drew", player=Who("Ana", (RED, YELLOW)), colour=RED)
    assert (said.key, said.value("colour")) == ("news.drew", RED)
    assert said == message("news.drew", player=Who("Ana", (RED, YELLOW)), colour=RED)
