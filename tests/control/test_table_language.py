"""The table speaks the language that is set, or that of its booklet."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import TableDriver, begun

from companion.control.table_language import TableLanguage


def test_the_booklet_of_the_game_decides() -> None:
    assert TableLanguage("booklet").language(begun(booklet="fi").conversation) == "fi"
    assert TableLanguage("booklet").speech(begun(booklet="fi").conversation).language == "fi"


@pytest.mark.parametrize(
    ("booklet", "language"), [("ru-2012", "ru"), ("fa-sheet", "fa"), ("hu-notes", "hu")]
)
def test_booklets_that_are_not_of_the_box_have_a_language_too(booklet: str, language: str) -> None:
    assert TableLanguage("booklet").language(begun(booklet=booklet).conversation) == language


def test_a_language_that_is_set_stays_whatever_is_played_by() -> None:
    assert TableLanguage("de").language(begun(booklet="fi").conversation) == "de"


def test_before_there_is_a_game_the_booklet_that_is_leafed_to_decides() -> None:
    talk = TableDriver()
    assert TableLanguage("booklet").language(talk.conversation) == "en"
    talk.say("ok east")
    assert TableLanguage("booklet").language(talk.conversation) == "fr"
