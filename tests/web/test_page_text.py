"""The page gets its words, and which form goes with which number."""

from __future__ import annotations

import pytest

from companion.i18n.catalogue_loader import speech_in
from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES
from companion.web.page_text import COUNTED, page_words


def test_the_page_gets_its_own_words_and_those_for_things() -> None:
    told = page_words(speech_in("en").catalogue)
    rooms = ("web.", "button.", "colour.", "facing.")
    assert list(told["words"]) == [key for key in ENGLISH if key.startswith(rooms)]
    assert told["words"]["web.dirhams"] == "Dirhams"
    assert told["words"]["web.dirhams_of"] == ["{count} dirham", "{count} dirhams"]
    assert told["plurals"] == [1, 0] + [1] * (COUNTED - 2)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_page_finds_the_very_form_that_the_table_says(code: str) -> None:
    """As words.js does: by the number, or above the table by its last two digits."""
    catalogue = speech_in(code).catalogue
    told = page_words(catalogue)
    for key, english in ENGLISH.items():
        if isinstance(english, str) or key not in told["words"]:
            continue
        for count in range(1000):
            place = told["plurals"][count if count < COUNTED else 100 + count % 100]
            assert told["words"][key][place] == catalogue.counted(key, count), count


def test_a_page_knows_its_language_and_all_others_by_their_own_names() -> None:
    told = page_words(speech_in("fa").catalogue)
    assert (told["language"], told["direction"]) == ("fa", "rtl")
    assert told["languages"]["cs"] == "Čeština"
    assert list(told["languages"]) == list(LANGUAGES)
    assert page_words(speech_in("cs").catalogue)["direction"] == "ltr"
