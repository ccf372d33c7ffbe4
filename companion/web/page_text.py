"""The catalogue's part for the page in one language, and what it must know of that language."""

from __future__ import annotations

from typing import Any

from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES
from companion.i18n.renderer import Catalogue

SAID_BY_THE_PAGE = ("web.", "button.", "colour.", "facing.")
COUNTED = 200
"""Numbers that a page counts with are below this; above it, the last two digits decide."""


def page_words(catalogue: Catalogue) -> dict[str, Any]:
    """A text that goes by number has its forms, and `plurals` the place of the form for each number
    from 0 on: so the page needs no rules of its own, and no program is sent to it.
    """
    plurals = [catalogue.form(number) for number in range(COUNTED)]
    examples = [plurals.index(form) for form in range(max(plurals) + 1)]
    words: dict[str, str | list[str]] = {}
    for key, english in ENGLISH.items():
        if not key.startswith(SAID_BY_THE_PAGE):
            continue
        if isinstance(english, str):
            words[key] = catalogue.text(key)
        else:
            words[key] = [catalogue.counted(key, number) for number in examples]
    language = LANGUAGES[catalogue.language]
    return {
        "language": language.code,
        "direction": "rtl" if language.is_rtl else "ltr",
        "blank": " " if language.has_blanks else "",
        "languages": {one.code: one.name for one in LANGUAGES.values()},
        "plurals": plurals,
        "words": words,
    }
