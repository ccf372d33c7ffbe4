"""The rule booklets as presets: the options in which each differs from the English one.

The box has thirty booklets, one per language; three more are in circulation. Where a booklet does
not mention a rule, the publisher's English and French text applies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.errors import SettingError, unknown
from companion.games.marrakech.options import Options

# Who has the first turn. The catalogue has a sentence for each (`begins.…`).
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
    first_player: str
    """Who has the first turn. Only shown to the players: they decide themselves."""
    has_pivot_last_variant: bool
    """Whether the booklet prints turn_order = pivot-last as a variant."""


# code: (language, who has the first turn, options that differ from the English booklet)
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
    code: Booklet(
        code, language, Options().with_changes(changes), first_player, code in _WITH_VARIANT
    )
    for code, (language, first_player, changes) in _PRINTED.items()
}


# Page headings of the printed booklet, where they differ from the language code.
_PAGES = {
    "gb": "en", "se": "sv", "gr": "el", "ee": "et", "tw": "zh-TW", "jp": "ja", "cn": "zh-CN",
    "si": "sl", "no": "nb", "kr": "ko", "ir": "fa",
}  # fmt: skip


@cache
def _codes() -> dict[str, str]:
    """The code of each name of a booklet, in lower case."""
    languages = {booklet.language.lower(): code for code, booklet in BOOKLETS.items()}
    return languages | _PAGES | {code.lower(): code for code in BOOKLETS}


def booklet_named(name: str) -> Booklet:
    """Find a booklet by its code, the English name of its language, or its page heading."""
    try:
        return BOOKLETS[_codes()[name.lower()]]
    except KeyError:
        raise SettingError(unknown("booklet", name, BOOKLETS)) from None
