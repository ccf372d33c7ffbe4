"""The page's texts and plural forms."""

from __future__ import annotations

import pytest

from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES
from companion.web.page_text import PLURAL_NUMBERS, page_text


def test_the_text_has_the_keys_that_the_page_uses() -> None:
    text = page_text(renderer_for("en").catalogue)
    prefixes = ("web.", "button.", "colour.", "facing.")
    assert list(text["words"]) == [key for key in ENGLISH if key.startswith(prefixes)]
    assert text["words"]["web.dirhams"] == "Dirhams"
    assert text["words"]["web.dirhams_of"] == ["{count} dirham", "{count} dirhams"]
    assert text["plurals"] == [1, 0] + [1] * (PLURAL_NUMBERS - 2)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_plural_table_gives_the_same_form_as_the_catalogue(code: str) -> None:
    """As in words.js: by the number, or beyond the table by its last two digits."""
    catalogue = renderer_for(code).catalogue
    text = page_text(catalogue)
    for key, english in ENGLISH.items():
        if isinstance(english, str) or key not in text["words"]:
            continue
        for count in range(1000):
            form = text["plurals"][count if count < PLURAL_NUMBERS else 100 + count % 100]
            assert text["words"][key][form] == catalogue.plural(key, count), count


def test_the_text_has_its_language_and_the_names_of_all_others() -> None:
    text = page_text(renderer_for("fa").catalogue)
    assert (text["language"], text["direction"]) == ("fa", "rtl")
    assert text["languages"]["cs"] == "Čeština"
    assert list(text["languages"]) == list(LANGUAGES)
    assert page_text(renderer_for("cs").catalogue)["direction"] == "ltr"
