"""The table's language: the configured one, or that of its booklet."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import TableDriver, started_game

from companion.control.table_language import TableLanguage


def test_without_a_setting_the_language_is_that_of_the_games_booklet() -> None:
    assert TableLanguage("booklet").language(started_game(booklet="fi").conversation) == "fi"
    assert (
        TableLanguage("booklet").renderer(started_game(booklet="fi").conversation).language == "fi"
    )


@pytest.mark.parametrize(
    ("booklet", "language"), [("ru-2012", "ru"), ("fa-sheet", "fa"), ("hu-notes", "hu")]
)
def test_additional_booklets_have_a_language_too(booklet: str, language: str) -> None:
    assert TableLanguage("booklet").language(started_game(booklet=booklet).conversation) == language


def test_a_configured_language_overrides_the_booklet() -> None:
    assert TableLanguage("de").language(started_game(booklet="fi").conversation) == "de"


def test_before_a_game_the_language_is_that_of_the_selected_booklet() -> None:
    driver = TableDriver()
    assert TableLanguage("booklet").language(driver.conversation) == "en"
    driver.press("ok east")
    assert TableLanguage("booklet").language(driver.conversation) == "fr"
