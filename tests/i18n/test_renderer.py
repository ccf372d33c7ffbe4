"""Messages are rendered as sentences."""

from __future__ import annotations

from typing import ClassVar

import pytest

from companion.games.marrakech import Colour, Facing
from companion.games.marrakech.text.record import BIDI_CONTROLS
from companion.i18n.message import BookletName, Message, PlayerName, message
from companion.i18n.renderer import TextRenderer, isolate

RED, YELLOW, BLUE, BROWN = Colour
render = TextRenderer().render


@pytest.mark.parametrize(
    ("unrendered", "text"),
    [
        (message("no.edge"), "The market ends here."),
        (message("news.faces", facing=Facing.WEST), "Assam faces west."),
        (message("back.under_rug", square="d4", colour=BROWN), "Under it on d4: brown."),
        (message("title.turn", player=PlayerName("", (RED,))), "Red: your turn"),
        (message("title.turn", player=PlayerName("", (BLUE, BROWN))), "Blue & Brown: your turn"),
        (message("title.turn", player=PlayerName("Ana", (BLUE, BROWN))), "Ana: your turn"),
    ],
)
def test_values_are_rendered_in_the_language(unrendered: Message, text: str) -> None:
    assert render(unrendered) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "Corrected: Red has 0 dirhams."),
        (1, "Corrected: Red has 1 dirham."),
        (2, "Corrected: Red has 2 dirhams."),
        (101, "Corrected: Red has 101 dirhams."),
    ],
)
def test_the_count_chooses_the_plural_form(count: int, text: str) -> None:
    assert (
        render(message("news.corrected_dirhams", player=PlayerName("", (RED,)), count=count))
        == text
    )


def test_a_name_is_rendered_unchanged() -> None:
    for name in ("{count}", "{", "%s", "Żółć", "red"):
        assert (
            render(message("title.turn", player=PlayerName(name, (RED,)))) == f"{name}: your turn"
        )


class Czech:
    """A language with three plural forms, and only the texts that these tests need."""

    language = "cs"
    texts: ClassVar = {
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
        return str(self.texts[key])

    def plural(self, key: str, count: int) -> str:
        return str(self.texts[key][self.plural_index(count)])

    def plural_index(self, count: int) -> int:
        return 0 if count == 1 else 1 if count in (2, 3, 4) else 2


class Persian(Czech):
    """The same texts, right-to-left."""

    language = "fa"


CZECH, PERSIAN = TextRenderer(Czech()), TextRenderer(Persian())


def test_a_catalogue_decides_the_language() -> None:
    red = PlayerName("", (RED,))
    assert CZECH.render(message("news.faces", facing=Facing.SOUTH)) == "Assam hledí na jih."
    assert CZECH.render(message("news.drew", player=red, colour=RED)) == "Červená: červená."
    assert [CZECH.render(message("title.won", player=red, count=count)) for count in (1, 2, 5)] == [
        "Červená: 1 bod",
        "Červená: 2 body",
        "Červená: 5 bodů",
    ]


@pytest.mark.parametrize(
    ("code", "name"),
    [("cs", "Čeština"), ("zh-TW", "繁體中文"), ("ru-2012", "Русский, vydání z roku 2012")],
)
def test_a_booklet_has_the_native_name_of_its_language(code: str, name: str) -> None:
    assert CZECH.render_value(BookletName(code)) == name
    assert (
        CZECH.render(message("news.begun", booklet=BookletName(code))) == f"Podle sešitu: {name}."
    )


def test_names_and_numbers_are_isolated_in_a_right_to_left_language() -> None:
    ana = PlayerName("Ana", (RED,))
    assert PERSIAN.render(message("title.won", player=ana, count=7)) == "⁨Ana⁩: ⁨7⁩ bodů"
    assert PERSIAN.render(message("todo.top_empty", square="d4")) == "⁨d4⁩: nic."
    assert PERSIAN.render_value(ana) == "Ana"


def test_words_from_the_catalogue_are_not_isolated() -> None:
    red = PlayerName("", (RED,))
    assert PERSIAN.render(message("news.drew", player=red, colour=RED)) == "Červená: červená."


@pytest.mark.parametrize("name", ["دانا", "דנה", "Ana دانا"])
def test_a_right_to_left_name_is_isolated_in_every_language(name: str) -> None:
    assert render(message("title.turn", player=PlayerName(name, (RED,)))) == f"⁨{name}⁩: your turn"
    assert isolate(name, is_rtl=False) == f"⁨{name}⁩"


@pytest.mark.parametrize("name", ["Ana", "Żółć", "大阪", "7", ""])
def test_other_names_are_not_isolated_in_a_left_to_right_language(name: str) -> None:
    assert isolate(name, is_rtl=False) == name


@pytest.mark.parametrize("control", BIDI_CONTROLS)
def test_bidi_controls_are_removed_from_values(control: str) -> None:
    """Names are checked today, but an old game may contain such a name."""
    amina, dana = (
        PlayerName(f"{control}Am{control}ina{control}", (RED,)),
        PlayerName(f"دانا{control}", (RED,)),
    )
    assert render(message("title.turn", player=amina)) == "Amina: your turn"
    assert render(message("title.turn", player=dana)) == "⁨دانا⁩: your turn"
    assert PERSIAN.render(message("title.won", player=amina, count=7)) == "⁨Amina⁩: ⁨7⁩ bodů"
    assert PERSIAN.render(message("todo.top_empty", square=f"d4{control}")) == "⁨d4⁩: nic."
    assert render(message("page.host", host=f"{control}pi")).startswith(
        "This page is not called pi:"
    )
    assert TextRenderer().render_value(amina) == "Amina"


def test_a_player_whose_name_is_only_bidi_controls_is_called_by_colour() -> None:
    nobody = PlayerName("\u200f\u202e", (RED,))
    assert render(message("title.turn", player=nobody)) == "Red: your turn"
    assert PERSIAN.render(message("news.drew", player=nobody, colour=RED)) == "Červená: červená."


@pytest.mark.parametrize("name", ["علی\u200cرضا", "\U0001f468\u200d\U0001f469\u200d\U0001f467"])
def test_joiners_stay_in_a_name(name: str) -> None:
    assert TextRenderer().render_value(PlayerName(name, (RED,))) == name
    assert name in render(message("title.turn", player=PlayerName(name, (RED,))))


def test_sentences_are_separated_as_in_the_language() -> None:
    class Japanese(Czech):
        language = "ja"

    messages = [message("todo.top_empty", square=square) for square in ("a1", "b2")]
    assert CZECH.render_all(messages) == "a1: nic. b2: nic."
    assert TextRenderer(Japanese()).render_all(messages) == "a1: nic.b2: nic."


def test_a_message_has_its_values_by_name() -> None:
    drew = message("news.drew", player=PlayerName("Ana", (RED, YELLOW)), colour=RED)
    assert (drew.key, drew.value("colour")) == ("news.drew", RED)
    assert drew == message("news.drew", player=PlayerName("Ana", (RED, YELLOW)), colour=RED)
