"""Every language has every sentence, with just its values, in all its forms."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from string import Formatter
from typing import Any, NamedTuple

import pytest
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as StampedEntry

from companion.i18n.catalogue_loader import LOCALE, speech_in
from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES, Language
from companion.i18n.template import (
    TEMPLATE,
    brought_up_to_date,
    make_template,
    po_path,
    read_catalogue,
    text_of,
)

TRANSLATED = list(LANGUAGES.values())[1:]
AS_WRITTEN = (
    "OK",
    "BACK",
    "ROLL",
    "F8",
    "ESC",
    "SVG",
    "'marrakech status'",
    "'sudo adduser $USER dialout'",
    "[web] hosts",
    "[web] enabled",
    "[pad] port",
    "application/json",
)
"""What stands on a button, a key, a screen or in a file, and so in every language."""
LONGEST = {"sim.keys": 78, "sim.banner": 70, "sim.out": 4}
LONGEST_HEADS = {"sim.head_": 8, "sim.short_": 3}
TERMS = (
    "rug",
    "half",
    "assam",
    "dirham",
    "seller",
    "die",
    "tribute",
    "market",
    "square",
    "point",
    "turn",
    "pile",
)

each_language = pytest.mark.parametrize("language", TRANSLATED, ids=lambda one: one.code)


@cache
def catalogue(language: Language) -> Catalog:
    return read_catalogue(language)


class Line(NamedTuple):
    """A sentence in a language."""

    key: str
    forms: tuple[str, ...]
    is_fuzzy: bool


@cache
def lines(language: Language) -> list[Line]:
    return [line(entry) for entry in catalogue(language) if entry.id]


def line(entry: StampedEntry) -> Line:
    assert entry.context is not None, "every sentence has its name"
    assert entry.string is not None
    forms = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string)
    return Line(entry.context, forms, entry.fuzzy)


def english(key: str) -> str:
    text = ENGLISH[key]
    return text if isinstance(text, str) else text[1]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_there_are_the_thirty_languages_of_the_box() -> None:
    codes = (
        "en fr nl es it fi sv cs el pt pl is ar et lv lt ru zh-TW ja zh-CN hu sl ro nb sr hr de ko "
        "th fa"
    )
    assert list(LANGUAGES) == codes.split()
    assert {path.name for path in LOCALE.iterdir()} == {
        TEMPLATE.name,
        *(language.locale for language in TRANSLATED),
    }


def test_the_template_has_the_english_words() -> None:
    assert TEMPLATE.read_bytes() == text_of(make_template(), "English"), (
        "the English words have changed: run python -m companion.i18n.template"
    )


@each_language
def test_a_catalogue_is_up_to_date_with_the_template(language: Language) -> None:
    """No sentence is missing or left over, none is of an older English, none is in disorder."""
    fresh = brought_up_to_date(catalogue(language), language)
    assert po_path(language).read_bytes() == text_of(fresh, language.name), (
        "run python -m companion.i18n.template, and translate what is empty"
    )


@each_language
def test_nothing_is_empty_and_nothing_is_unsure(language: Language) -> None:
    assert [entry.key for entry in lines(language)] == list(ENGLISH)
    assert not catalogue(language).obsolete
    for entry in lines(language):
        assert not entry.is_fuzzy, entry.key
        for text in entry.forms:
            assert text, entry.key
            assert text == text.strip(), entry.key


@each_language
def test_no_value_is_lost_and_none_is_invented(language: Language) -> None:
    for entry in lines(language):
        for text in entry.forms:
            assert placeholders(text) == placeholders(english(entry.key)), entry.key


@each_language
def test_the_forms_are_those_of_the_language(language: Language) -> None:
    usual = Catalog(locale=language.locale)
    assert catalogue(language).plural_forms == usual.plural_forms
    for entry in lines(language):
        count = usual.num_plurals if isinstance(ENGLISH[entry.key], tuple) else 1
        assert len(entry.forms) == count, entry.key


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("ar", 6),
        ("sl", 4),
        *((code, 3) for code in ["cs", "pl", "lt", "lv", "ru", "sr", "hr", "ro"]),
    ]
    + [(code, 1) for code in ["ja", "ko", "zh-TW", "zh-CN", "th"]],
)
def test_languages_with_many_forms_or_one_have_them(code: str, count: int) -> None:
    assert catalogue(LANGUAGES[code]).num_plurals == count


@each_language
def test_what_is_written_on_the_table_stays_as_it_is_written(language: Language) -> None:
    for entry in lines(language):
        for word in AS_WRITTEN:
            if re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", english(entry.key)):
                for text in entry.forms:
                    assert word in text, entry.key


@each_language
def test_directions_of_writing_are_the_programs_business(language: Language) -> None:
    for entry in lines(language):
        for text in entry.forms:
            assert not re.search("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", text), entry.key


@each_language
def test_digits_are_those_of_the_die_and_the_coins(language: Language) -> None:
    for entry in lines(language):
        for text in entry.forms:
            assert all(sign in "0123456789" for sign in text if sign.isdigit()), entry.key


@each_language
def test_what_has_little_room_is_short(language: Language) -> None:
    for entry in lines(language):
        longest = LONGEST.get(entry.key)
        for prefix, most in LONGEST_HEADS.items():
            longest = most if entry.key.startswith(prefix) else longest
        if longest is not None:
            assert max(map(len, entry.forms)) <= longest, entry.key


@each_language
def test_no_sentence_was_left_in_english(language: Language) -> None:
    for entry in lines(language):
        source = english(entry.key)
        words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\{\w+\}|'[^']*'|\[\w+\] \w+", "", source))
        if len(words) > 2:
            assert source not in entry.forms, entry.key


@each_language
def test_what_is_read_by_the_companion_is_what_was_translated(language: Language) -> None:
    """The compiled catalogue, found as the companion finds it."""
    speech = speech_in(language.code)
    assert speech.language == language.code
    for entry in lines(language):
        if isinstance(ENGLISH[entry.key], str):
            assert speech.catalogue.text(entry.key) == entry.forms[0]
            continue
        for count in range(200):
            place = speech.catalogue.form(count)
            assert speech.catalogue.counted(entry.key, count) == entry.forms[place]


# --- Glossaries ---------------------------------------------------------------------------


def glossary(language: Language) -> dict[str, Any]:
    return tomllib.loads((LOCALE / language.locale / "glossary.toml").read_text())


@each_language
def test_a_glossary_says_where_each_word_of_the_game_comes_from(language: Language) -> None:
    found = glossary(language)
    assert found.pop("language") == language.code
    assert tuple(found) == TERMS
    for term, told in found.items():
        assert set(told) == {"word", "source", "note"}, term
        assert told["source"] in ("booklet", "ours"), term
        assert told["word"], term
        assert told["note"], term


@each_language
@pytest.mark.parametrize("term", ["rug", "assam", "dirham", "seller", "die", "market"])
def test_words_of_the_glossary_are_the_words_of_the_catalogue(
    term: str, language: Language
) -> None:
    """However they are inflected: by how they begin."""
    word = glossary(language)[term]["word"].casefold()
    stem = word[: max(min(2, len(word)), round(len(word) * 0.6))]
    texts = [text.casefold() for entry in lines(language) for text in entry.forms]
    assert any(stem in text for text in texts), f"{stem}, of {word}"
