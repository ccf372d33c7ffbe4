"""Speech in any of the languages. What a language needs is read when it is first spoken."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.i18n.english import ENGLISH
from companion.i18n.languages import ENGLISH as ENGLISH_CODE
from companion.i18n.languages import LANGUAGES
from companion.i18n.renderer import TextRenderer

if TYPE_CHECKING:
    from gettext import GNUTranslations

LOCALE = Path(__file__).parent / "locale"
DOMAIN = "marrakech"


class CatalogueError(CompanionError):
    """A language that is known and cannot be read."""


class TranslatedCatalogue:
    """A catalogue of gettext. Sentences are found by their names and what they are in English."""

    def __init__(self, language: str, translations: GNUTranslations) -> None:
        self.language = language
        self._translations = translations

    def text(self, key: str) -> str:
        english = ENGLISH[key]
        assert isinstance(english, str), f"{key} has forms by number"
        return self._translations.pgettext(key, english)

    def form(self, count: int) -> int:
        return int(self._translations.plural(count))  # type: ignore[attr-defined]

    def counted(self, key: str, count: int) -> str:
        english = ENGLISH[key]
        assert isinstance(english, tuple), f"{key} has no forms by number"
        return self._translations.npgettext(key, *english, count)


@cache
def speech_in(language: str) -> TextRenderer:
    """Speech in one of LANGUAGES."""
    if language == ENGLISH_CODE:
        return TextRenderer()
    return TextRenderer(TranslatedCatalogue(language, _read(language)))


class Library:
    """Speech for those who have to speak, come what may. A language that is lost is told once."""

    def __init__(self, tell: Callable[[str], None] = lambda _: None) -> None:
        self._tell = tell
        self._lost: set[str] = set()

    def speech(self, language: str) -> TextRenderer:
        """English where a catalogue cannot be read: to be spoken to at all is worth more."""
        try:
            return speech_in(language)
        except CatalogueError as error:
            if language not in self._lost:
                self._lost.add(language)
                self._tell(str(error))
            return speech_in(ENGLISH_CODE)


def _read(language: str) -> GNUTranslations:
    from gettext import GNUTranslations

    path = LOCALE / LANGUAGES[language].locale / "LC_MESSAGES" / f"{DOMAIN}.mo"
    try:
        with path.open("rb") as file:
            return GNUTranslations(file)
    except (OSError, ValueError, struct.error) as error:
        raise CatalogueError(
            f"the words of {language} cannot be read ({error}): install the companion again; in a "
            "checkout, ./marrakech does that"
        ) from None
