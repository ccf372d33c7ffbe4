"""A phone's language: the one chosen on the page, the browser's own, or the table's."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from companion.i18n.catalogue_loader import RendererLoader
from companion.i18n.languages import ENGLISH, LANGUAGES
from companion.i18n.renderer import TextRenderer

LANGUAGE_COOKIE = "marrakech-language"
"""Set by the page's language menu."""
TABLE_LANGUAGE: web.AppKey[Callable[[], object]] = web.AppKey("table_language")
"""Returns the table's language, if it is known."""
RENDERERS = web.AppKey("renderers", RendererLoader)
_MAX_TAGS = 20

# Tags that browsers send for languages that we know by another tag.
_ALIASES = {
    "zh": "zh-CN",
    "zh-hans": "zh-CN",
    "zh-sg": "zh-CN",
    "zh-hant": "zh-TW",
    "zh-hk": "zh-TW",
    "zh-mo": "zh-TW",
    "no": "nb",
    "nn": "nb",
}
_CODES = {code.lower(): code for code in LANGUAGES} | _ALIASES


def request_renderer(request: web.Request) -> TextRenderer:
    """The renderer in the language of the phone that sends this request."""
    chosen, accepted = (
        request.cookies.get(LANGUAGE_COOKIE),
        request.headers.get("Accept-Language", ""),
    )
    language = choose_language(chosen, accepted, request.app[TABLE_LANGUAGE]())
    return request.app[RENDERERS].load(language)


def choose_language(chosen: str | None, accepted: str, table_language: object) -> str:
    """From the cookie, the Accept-Language header and the table's language."""
    if chosen in LANGUAGES:
        return chosen
    for tag in _accepted_tags(accepted):
        if (code := _language_of(tag)) is not None:
            return code
    is_known = isinstance(table_language, str) and table_language in LANGUAGES
    return str(table_language) if is_known else ENGLISH


def _accepted_tags(accepted: str) -> list[str]:
    """The tags of the header by descending weight. Malformed parts are ignored."""
    found: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted.split(",")[:_MAX_TAGS]):
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


def _language_of(tag: str) -> str | None:
    """Looks up zh-Hant-HK, then zh-Hant, then zh."""
    while tag:
        if tag in _CODES:
            return _CODES[tag]
        tag = tag.rpartition("-")[0]
    return None
