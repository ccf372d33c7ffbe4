"""Which language a phone is spoken to in: the one chosen on it, its own, or that of the table."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from companion.i18n.catalogue_loader import Library
from companion.i18n.languages import ENGLISH, LANGUAGES
from companion.i18n.renderer import TextRenderer

COOKIE = "marrakech-language"
"""Set by the page's menu."""
USUAL: web.AppKey[Callable[[], object]] = web.AppKey("usual")
"""What tells the table's own language, as far as it is known."""
LIBRARY = web.AppKey("library", Library)
_MOST_WISHES = 20

# Tags that phones use, and no booklet has, for languages that one of them is read in.
_SAME = {
    "zh": "zh-CN",
    "zh-hans": "zh-CN",
    "zh-sg": "zh-CN",
    "zh-hant": "zh-TW",
    "zh-hk": "zh-TW",
    "zh-mo": "zh-TW",
    "no": "nb",
    "nn": "nb",
}
_CODES = {code.lower(): code for code in LANGUAGES} | _SAME


def speech_of(request: web.Request) -> TextRenderer:
    """For whoever asks this."""
    chosen, accepted = request.cookies.get(COOKIE), request.headers.get("Accept-Language", "")
    language = language_for(chosen, accepted, request.app[USUAL]())
    return request.app[LIBRARY].speech(language)


def language_for(chosen: str | None, accepted: str, usual: object) -> str:
    """`chosen` is the cookie's, `accepted` the header Accept-Language, `usual` the table's."""
    if chosen in LANGUAGES:
        return chosen
    for tag in _wishes(accepted):
        if (code := _known(tag)) is not None:
            return code
    return usual if isinstance(usual, str) and usual in LANGUAGES else ENGLISH


def _wishes(accepted: str) -> list[str]:
    """The tags of a header, the most wanted first; whatever is no wish is passed over."""
    found: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted.split(",")[:_MOST_WISHES]):
        tag, _, parameter = part.strip().partition(";")
        weight = 1.0
        name, _, value = parameter.strip().partition("=")
        if name.strip() == "q":
            try:
                weight = float(value)
            except ValueError:
                continue
        if 0 < weight <= 1:
            found.append((-weight, place, tag.strip().lower()))
    return [tag for _, _, tag in sorted(found)]


def _known(tag: str) -> str | None:
    """zh-Hant-HK is looked for as it is, then as zh-Hant, then as zh."""
    while tag:
        if tag in _CODES:
            return _CODES[tag]
        tag = tag.rpartition("-")[0]
    return None
