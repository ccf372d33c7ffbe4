"""Loads catalogues and makes renderers. A catalogue is read when its language is first used."""

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
    """The catalogue of a known language cannot be read."""


class TranslatedCatalogue:
    """A gettext catalogue. The key is the msgctxt, the English sentence the msgid."""

    def __init__(self, language: str, translations: GNUTranslations) -> None:
        self.language = language
        self._translations = translations

    def text(self, key: str) -> str:
        english = ENGLISH[key]
        assert isinstance(english, str), f"{key} has plural forms"
        return self._translations.pgettext(key, english)

    def plural_index(self, count: int) -> int:
        return int(self._translations.plural(count))  # type: ignore[attr-defined]

    def plural(self, key: str, count: int) -> str:
        english = ENGLISH[key]
        assert isinstance(english, tuple), f"{key} has no plural forms"
        return self._translations.npgettext(key, *english, count)


@cache
def renderer_for(language: str) -> TextRenderer:
    """The renderer for one of `LANGUAGES`. Cached."""
    if language == ENGLISH_CODE:
        return TextRenderer()
    return TextRenderer(TranslatedCatalogue(language, _read(language)))


class RendererLoader:
    """Loads renderers and never fails: falls back to English.

    Calls `report` once for each language whose catalogue cannot be read.
    """

    def __init__(self, report: Callable[[str], None] = lambda _: None) -> None:
        self._report = report
        self._failed: set[str] = set()

    def load(self, language: str) -> TextRenderer:
        try:
            return renderer_for(language)
        except CatalogueError as error:
            if language not in self._failed:
                self._failed.add(language)
                self._report(str(error))
            return renderer_for(ENGLISH_CODE)


def _read(language: str) -> GNUTranslations:
    from gettext import GNUTranslations

    path = LOCALE / LANGUAGES[language].locale / "LC_MESSAGES" / f"{DOMAIN}.mo"
    try:
        with path.open("rb") as file:
            return GNUTranslations(file)
    except (OSError, ValueError, struct.error) as error:
        raise CatalogueError(
            f"the catalogue of {language} cannot be read ({error}): install the companion again; "
            "in a checkout, run ./marrakech"
        ) from None
