"""Which language a phone gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.i18n.languages import LANGUAGES
from companion.web.http.phone_language import choose_language


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de", "de"),
        ("de-CH, de;q=0.9, fr;q=0.8", "de"),
        ("DE-at", "de"),
        ("xx, fr;q=0.3, pl;q=0.7", "pl"),
        ("sw;q=1.0, fi;q=0.1", "fi"),
        ("pt-BR", "pt"),
        ("zh", "zh-CN"),
        ("zh-CN", "zh-CN"),
        ("zh-Hans-SG", "zh-CN"),
        ("zh-TW", "zh-TW"),
        ("zh-Hant", "zh-TW"),
        ("zh-Hant-HK", "zh-TW"),
        ("zh-HK", "zh-TW"),
        ("no", "nb"),
        ("nn-NO", "nb"),
        ("sr-Latn-RS", "sr"),
        ("fa-IR", "fa"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
    ],
)
def test_a_phone_gets_the_language_of_its_browser(accepted: str, language: str) -> None:
    assert choose_language(None, accepted, "ja") == language


@pytest.mark.parametrize(
    "accepted",
    ["", "*", "sw", "de;q=0", "de;q=nan", "de;q=2", "de;q=x", ";;;,,,", "q=1", "-", "de_DE"],
)
def test_without_a_known_browser_language_the_tables_is_used(accepted: str) -> None:
    assert choose_language(None, accepted, "ja") == "ja"


def test_the_language_chosen_on_the_page_comes_first() -> None:
    assert choose_language("hu", "de", "ja") == "hu"


@pytest.mark.parametrize("chosen", ["", "xx", "EN", "../en"])
def test_an_unknown_chosen_language_is_ignored(chosen: str) -> None:
    assert choose_language(chosen, "de", "ja") == "de"


@pytest.mark.parametrize("table_language", [None, "xx", 3, {}])
def test_english_is_the_default(table_language: object) -> None:
    assert choose_language(None, "", table_language) == "en"


@given(st.none() | st.text(), st.text() | st.text("abz-;=,q.019* "), st.text())
def test_any_header_gives_a_known_language(
    chosen: str | None, accepted: str, table_language: str
) -> None:
    assert choose_language(chosen, accepted, table_language) in LANGUAGES
