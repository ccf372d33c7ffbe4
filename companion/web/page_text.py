"""The page's texts in one language, with the language's direction and plural forms."""

from __future__ import annotations

from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES
from companion.i18n.renderer import Catalogue
from companion.json_types import JsonObject

PAGE_KEYS = ("web.", "button.", "colour.", "facing.")
PLURAL_NUMBERS = 200
"""The size of the plural table. Above it, the last two digits decide."""


def page_text(catalogue: Catalogue) -> JsonObject:
    """A text with plural forms is a list of them, and `plurals` has the index of the form for each
    number from 0. So the page needs no plural rules of its own.
    """
    plurals = [catalogue.plural_index(number) for number in range(PLURAL_NUMBERS)]
    examples = [plurals.index(form) for form in range(max(plurals) + 1)]
    words: dict[str, str | list[str]] = {}
    for key, english in ENGLISH.items():
        if not key.startswith(PAGE_KEYS):
            continue
        if isinstance(english, str):
            words[key] = catalogue.text(key)
        else:
            words[key] = [catalogue.plural(key, number) for number in examples]
    language = LANGUAGES[catalogue.language]
    return {
        "language": language.code,
        "direction": "rtl" if language.is_rtl else "ltr",
        "blank": " " if language.has_spaces else "",
        "languages": {one.code: one.name for one in LANGUAGES.values()},
        "plurals": plurals,
        "words": words,
    }
