"""Every language translates every sentence, with the same placeholders, in all plural forms."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from string import Formatter
from typing import Any, NamedTuple

import pytest
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as PoEntry

from companion.i18n.catalogue_loader import LOCALE, renderer_for
from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES, Language
from companion.i18n.template import (
    TEMPLATE,
    make_template,
    po_path,
    po_text,
    read_catalogue,
    updated_catalogue,
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
"""Texts that are printed on a button or key, or typed: the same in every language."""
MAX_LENGTH = {"sim.keys": 78, "sim.banner": 70, "sim.out": 4}
MAX_LENGTH_BY_PREFIX = {"sim.head_": 8, "sim.short_": 3}
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
    """A sentence in a language, with all its plural forms."""

    key: str
    forms: tuple[str, ...]
    is_fuzzy: bool


@cache
def lines(language: Language) -> list[Line]:
    return [line(entry) for entry in catalogue(language) if entry.id]


def line(entry: PoEntry) -> Line:
    assert entry.context is not None, "every sentence has a key"
    assert entry.string is not None
    forms = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string)
    return Line(entry.context, forms, entry.fuzzy)


def english(key: str) -> str:
    text = ENGLISH[key]
    return text if isinstance(text, str) else text[1]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_the_languages_are_the_thirty_of_the_box() -> None:
    codes = (
        "en fr nl es it fi sv cs el pt pl is ar et lv lt ru zh-TW ja zh-CN hu sl ro nb sr hr de ko "
        "th fa"
    )
    assert list(LANGUAGES) == codes.split()
    assert {path.name for path in LOCALE.iterdir()} == {
        TEMPLATE.name,
        *(language.locale for language in TRANSLATED),
    }


def test_the_template_is_up_to_date() -> None:
    assert TEMPLATE.read_bytes() == po_text(make_template(), "English"), (
        "the English sentences have changed: run python -m companion.i18n.template"
    )


@each_language
def test_a_catalogue_is_up_to_date_with_the_template(language: Language) -> None:
    """No sentence is missing, left over, outdated or out of order."""
    fresh = updated_catalogue(catalogue(language), language)
    assert po_path(language).read_bytes() == po_text(fresh, language.name), (
        "run python -m companion.i18n.template, and translate what is empty"
    )


@each_language
def test_no_translation_is_empty_or_fuzzy(language: Language) -> None:
    assert [entry.key for entry in lines(language)] == list(ENGLISH)
    assert not catalogue(language).obsolete
    for entry in lines(language):
        assert not entry.is_fuzzy, entry.key
        for text in entry.forms:
            assert text, entry.key
            assert text == text.strip(), entry.key


@each_language
def test_translations_have_the_placeholders_of_the_english_sentence(language: Language) -> None:
    for entry in lines(language):
        for text in entry.forms:
            assert placeholders(text) == placeholders(english(entry.key)), entry.key


@each_language
def test_plural_forms_are_those_of_the_language(language: Language) -> None:
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
def test_number_of_plural_forms(code: str, count: int) -> None:
    assert catalogue(LANGUAGES[code]).num_plurals == count


@each_language
def test_labels_and_commands_are_not_translated(language: Language) -> None:
    for entry in lines(language):
        for word in AS_WRITTEN:
            if re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", english(entry.key)):
                for text in entry.forms:
                    assert word in text, entry.key


@each_language
def test_translations_have_no_bidi_controls(language: Language) -> None:
    for entry in lines(language):
        for text in entry.forms:
            assert not re.search("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", text), entry.key


@each_language
def test_digits_are_ascii(language: Language) -> None:
    for entry in lines(language):
        for text in entry.forms:
            assert all(char in "0123456789" for char in text if char.isdigit()), entry.key


@each_language
def test_texts_with_little_space_are_short(language: Language) -> None:
    for entry in lines(language):
        max_length = MAX_LENGTH.get(entry.key)
        for prefix, limit in MAX_LENGTH_BY_PREFIX.items():
            max_length = limit if entry.key.startswith(prefix) else max_length
        if max_length is not None:
            assert max(map(len, entry.forms)) <= max_length, entry.key


@each_language
def test_no_sentence_is_left_in_english(language: Language) -> None:
    for entry in lines(language):
        source = english(entry.key)
        words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\{\w+\}|'[^']*'|\[\w+\] \w+", "", source))
        if len(words) > 2:
            assert source not in entry.forms, entry.key


@each_language
def test_the_compiled_catalogue_has_the_translations(language: Language) -> None:
    renderer = renderer_for(language.code)
    assert renderer.language == language.code
    for entry in lines(language):
        if isinstance(ENGLISH[entry.key], str):
            assert renderer.catalogue.text(entry.key) == entry.forms[0]
            continue
        for count in range(200):
            form = renderer.catalogue.plural_index(count)
            assert renderer.catalogue.plural(entry.key, count) == entry.forms[form]


# --- Glossaries ---------------------------------------------------------------------------


def glossary(language: Language) -> dict[str, Any]:
    return tomllib.loads((LOCALE / language.locale / "glossary.toml").read_text())


@each_language
def test_a_glossary_names_the_source_of_each_term(language: Language) -> None:
    found = glossary(language)
    assert found.pop("language") == language.code
    assert tuple(found) == TERMS
    for term, row in found.items():
        assert set(row) == {"word", "source", "note"}, term
        assert row["source"] in ("booklet", "ours"), term
        assert row["word"], term
        assert row["note"], term


@each_language
@pytest.mark.parametrize("term", ["rug", "assam", "dirham", "seller", "die", "market"])
def test_the_catalogue_uses_the_terms_of_the_glossary(term: str, language: Language) -> None:
    """Compares the beginnings of words, because words are inflected."""
    word = glossary(language)[term]["word"].casefold()
    stem = word[: max(min(2, len(word)), round(len(word) * 0.6))]
    texts = [text.casefold() for entry in lines(language) for text in entry.forms]
    assert any(stem in text for text in texts), f"{stem}... ({word}) is missing"
