"""A game is played once, and everything the table said is compared with what it should have said.

Among the five languages are one with six forms by number that is read from the right, one with
four, one with three, one with one, and one like English. To write the texts anew after the words
have changed: MARRAKECH_GOLDEN=write, and read what git shows.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.table.table_driver import INPUTS, TableDriver, at

from companion.i18n.catalogue_loader import speech_in
from companion.i18n.renderer import TextRenderer
from companion.table.text.prompts import words_of

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Amina", "", "Chloé", "دانا")
SET_UP = "west east ok east west ok south ok east"
TURNS = (
    "2 south ok 3 ok east 1 ok ok south 2 ok back back ok east ok west 3 4 ok ok "
    "north 1 ok ok audit ok east ok ok north ok audit"
)
ARRANGED = {
    "one owes more than there is": (
        "......./......./..Y1Y1Y3../...Y2Y3../...Y2Y4../....Y4../....... "
        "d4s pay R R:3:11,Y:57:8,B:30:12,N:30:12 -",
        "north ok",
    ),
    "the last rug": (
        "......./......./..Y1Y1Y3../...Y2Y3../...Y2Y4../....Y4../....... "
        "d4s pay R R:30:1,Y:22:0,B:21:0,N:47:0 -",
        "ok ok",
    ),
}


def told(talk: TableDriver, speech: TextRenderer) -> Iterator[str]:
    words = words_of(talk.conversation)
    yield f"= {speech.say(words.title)}"
    yield from (f"  {speech.say(one)}" for one in words.todo)
    yield from (f"+ {speech.say(one)}" for one in words.news)
    if talk.refused is not None:
        yield f"! {speech.say(talk.refused)}"


def game(speech: TextRenderer) -> Iterator[str]:
    talk = TableDriver(names=NAMES)
    yield from told(talk, speech)
    for word in f"{SET_UP} {TURNS}".split():
        talk.hear(INPUTS[word])
        yield f"\n[{word}]"
        yield from told(talk, speech)
    for name, (position, words) in ARRANGED.items():
        talk = at(position)
        yield f"\n[{name}]"
        yield from told(talk, speech)
        for word in words.split():
            talk.hear(INPUTS[word])
            yield f"\n[{word}]"
            yield from told(talk, speech)


@pytest.mark.parametrize("language", ["ar", "de", "ja", "ru", "sl"])
def test_a_game_is_told_in_these_very_words(language: str) -> None:
    path = GOLDEN / f"{language}.txt"
    said = "\n".join(game(speech_in(language))) + "\n"
    if os.environ.get("MARRAKECH_GOLDEN") == "write":
        path.write_text(said)
    assert said == path.read_text()


def test_the_game_says_most_of_what_a_table_says() -> None:
    """Else it would show little: every kind of sentence is among them."""
    text = "\n".join(game(TextRenderer()))
    for part in ("your turn", "Roll", "pays", "owes", "is out", "Lift", "Corrected", "Put Assam"):
        assert part in text
    assert "! " in text
