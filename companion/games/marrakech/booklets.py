"""The booklets as presets: what each of them decides otherwise than the English one.

Thirty come in the box, one language each; three more are in circulation. Where a booklet is
silent, the publisher's English and French text stands. Every option can also be set alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.errors import SettingError, unknown
from companion.games.marrakech.options import Options

# Who begins: the catalogue has a sentence for each (`begins.…`).
MOROCCO = "morocco"
LOT = "lot"
LOT_OR_YOUNGEST = "lot-or-youngest"
AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class Booklet:
    """One printed set of rules."""

    code: str
    language: str
    options: Options
    begins: str
    """Who begins: words only, the table chooses."""
    prints_variant: bool
    """Whether it offers the order of turn_order = pivot-last."""


# code: (language, who begins, options that differ from the English booklet)
_PRINTED: dict[str, tuple[str, str, dict[str, str]]] = {
    "en": ("English", AGREED, {}),
    "fr": ("French", MOROCCO, {}),
    "nl": ("Dutch", MOROCCO, {}),
    "es": ("Spanish", MOROCCO, {"pivot": "may"}),
    "it": ("Italian", MOROCCO, {}),
    "fi": ("Finnish", AGREED, {"covering": "two-colours"}),
    "sv": ("Swedish", AGREED, {}),
    "cs": ("Czech", AGREED, {"two_player": "alternating", "tie_break": "shared"}),
    "el": ("Greek", AGREED, {}),
    "pt": ("Portuguese", MOROCCO, {}),
    "pl": ("Polish", AGREED, {}),
    "is": ("Icelandic", AGREED, {}),
    "ar": ("Arabic", LOT_OR_YOUNGEST, {"covering": "two-colours"}),
    "et": ("Estonian", AGREED, {}),
    "lv": ("Latvian", AGREED, {}),
    "lt": ("Lithuanian", AGREED, {}),
    "ru": ("Russian", AGREED, {}),
    "zh-TW": ("Chinese (traditional)", AGREED, {"covering": "two-colours"}),
    "ja": ("Japanese", LOT, {}),
    "zh-CN": ("Chinese (simplified)", AGREED, {"covering": "two-colours"}),
    "hu": ("Hungarian", AGREED, {}),
    "sl": ("Slovenian", AGREED, {"box": "57"}),
    "ro": ("Romanian", AGREED, {}),
    "nb": ("Norwegian", AGREED, {}),
    "sr": ("Serbian", AGREED, {"box": "57"}),
    "hr": ("Croatian", AGREED, {}),
    "de": ("German", MOROCCO, {}),
    "ko": ("Korean", AGREED, {"pivot": "may"}),
    "th": ("Thai", AGREED, {"two_player": "alternating"}),
    "fa": ("Persian", LOT, {"box": "57"}),
    "ru-2012": ("Russian, edition of 2012", AGREED, {"box": "57"}),
    "fa-sheet": ("Persian, single sheet", LOT, {"box": "57"}),
    "hu-notes": ("Hungarian, players' notes", AGREED, {"bankruptcy": "spare"}),
}

_WITH_VARIANT = frozenset(["en", "fr", "nl", "es", "it", "ja", "ko", "th", "fa", "fa-sheet"])

BOOKLETS: dict[str, Booklet] = {
    code: Booklet(code, language, Options().but(changes), begins, code in _WITH_VARIANT)
    for code, (language, begins, changes) in _PRINTED.items()
}


# What the pages of the box's booklet are headed with, where that is not the language's code.
_PAGES = {
    "gb": "en", "se": "sv", "gr": "el", "ee": "et", "tw": "zh-TW", "jp": "ja", "cn": "zh-CN",
    "si": "sl", "no": "nb", "kr": "ko", "ir": "fa",
}  # fmt: skip


@cache
def _codes() -> dict[str, str]:
    """Every name a booklet goes by, in small letters."""
    languages = {booklet.language.lower(): code for code, booklet in BOOKLETS.items()}
    return languages | _PAGES | {code.lower(): code for code in BOOKLETS}


def booklet_named(name: str) -> Booklet:
    """The booklet of this code, of this language's English name, or of this page of the box's."""
    try:
        return BOOKLETS[_codes()[name.lower()]]
    except KeyError:
        raise SettingError(unknown("booklet", name, BOOKLETS)) from None
