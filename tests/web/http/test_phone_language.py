"""Which language a phone is spoken to in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.i18n.languages import LANGUAGES
from companion.web.http.phone_language import language_for


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
def test_a_phone_is_spoken_to_in_its_own(accepted: str, language: str) -> None:
    assert language_for(None, accepted, "ja") == language


@pytest.mark.parametrize(
    "accepted",
    ["", "*", "sw", "de;q=0", "de;q=nan", "de;q=2", "de;q=x", ";;;,,,", "q=1", "-", "de_DE"],
)
def test_where_it_wishes_for_nothing_we_have_the_tables_is_spoken(accepted: str) -> None:
    assert language_for(None, accepted, "ja") == "ja"


def test_what_was_chosen_on_the_phone_counts_first() -> None:
    assert language_for("hu", "de", "ja") == "hu"


@pytest.mark.parametrize("chosen", ["", "xx", "EN", "../en"])
def test_a_choice_that_is_none_is_passed_over(chosen: str) -> None:
    assert language_for(chosen, "de", "ja") == "de"


@pytest.mark.parametrize("usual", [None, "xx", 3, {}])
def test_english_where_nobody_knows(usual: object) -> None:
    assert language_for(None, "", usual) == "en"


@given(st.none() | st.text(), st.text() | st.text("abz-;=,q.019* "), st.text())
def test_whatever_is_asked_some_language_is_spoken(
    chosen: str | None, accepted: str, usual: str
) -> None:
    assert language_for(chosen, accepted, usual) in LANGUAGES
