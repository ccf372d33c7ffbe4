"""How to play is told by the options themselves, so that words and rules cannot disagree."""

from __future__ import annotations

import re

import pytest

from companion.catalogues.reading import speech_in
from companion.games.marrakech import BOOKLETS, OPTIONS, Options, booklet_named
from companion.words.languages import LANGUAGES
from companion.words.message import Message, message
from companion.words.rules import Rules, meaning_of, rules_of
from companion.words.speech import Speech

SEEN_IN_SETUP = ("loops", "short_colour")
EN = booklet_named("en")


def option(name: str, value: str) -> Message:
    return Message(f"option.{name}.{value}")


def sentences(rules: Rules) -> list[Message]:
    return [one for part in (*rules.paragraphs, rules.differs, rules.agreed) for one in part]


def english(rules: Rules) -> str:
    return " ".join(map(Speech().say, sentences(rules)))


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in OPTIONS.items() for value in values]
)
def test_whatever_a_table_sets_is_told(name: str, value: str) -> None:
    told = sentences(rules_of(EN, Options().but({name: value})))
    is_usual = value == OPTIONS[name][0]
    if name in SEEN_IN_SETUP or (is_usual and name in ("two_player", "turn_order", "pivot", "box")):
        assert option(name, value) not in told
    else:
        assert option(name, value) in told
    for other in OPTIONS[name]:
        assert other == value or option(name, other) not in told


@pytest.mark.parametrize("code", BOOKLETS)
def test_a_booklet_is_told_with_all_that_it_decides_otherwise(code: str) -> None:
    booklet = BOOKLETS[code]
    rules = rules_of(booklet, booklet.options)
    changes = booklet.options.differences(Options())
    heading, *differs = rules.differs
    assert heading == (message("rules.differs") if changes else message("rules.same"))
    assert [one for one in differs if one != message("rules.variant")] == [
        option(name, value) for name, value in changes.items()
    ]
    assert (message("rules.variant") in differs) == booklet.prints_variant
    assert Message(f"begins.{booklet.begins}") in rules.paragraphs[0]
    assert rules.agreed == ()


def test_the_other_order_is_told_as_the_order_that_is_played() -> None:
    rules = rules_of(EN, Options(turn_order="pivot-last"))
    assert message("rules.turn_pivot_last") in rules.paragraphs[1]
    assert option("pivot", "must") in rules.paragraphs[1]
    assert message("rules.turn_classic") not in sentences(rules)
    assert message("rules.variant") not in sentences(rules)
    assert rules.agreed == (message("rules.set"), option("turn_order", "pivot-last"))


def test_the_czech_booklet_in_words() -> None:
    czech = booklet_named("cs")
    assert english(rules_of(czech, czech.options)).endswith(
        "The end: when all rugs are laid, points are counted, and most points win. "
        "A tie is shared. "
        "By this booklet, and otherwise than by the English one: "
        "Two players have two colours each, alternating in the pile. "
        "A tie is shared."
    )


def test_it_is_short() -> None:
    """Some 150 words, and a sentence for each option: it is read while the others wait."""
    ours = [one for one in sentences(rules_of(EN, Options())) if not one.key.startswith("option.")]
    assert 130 <= len(" ".join(map(Speech().say, ours)).split()) <= 200


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_tells_it_in_words_of_its_own(code: str) -> None:
    booklet, speech = booklet_named(code), speech_in(code)
    told = [speech.say(one) for one in sentences(rules_of(booklet, booklet.options))]
    assert all(told)
    assert not any(re.search(r"[{}]", text) for text in told)
    if code != "en":
        assert not set(told) & {Speech().say(one) for one in sentences(rules_of(EN, EN.options))}


def test_settings_files_say_what_a_value_means() -> None:
    assert meaning_of("tie_break", "shared") == "A tie is shared."
