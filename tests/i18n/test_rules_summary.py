"""How to play is told by the options themselves, so that words and rules cannot disagree."""

from __future__ import annotations

import re

import pytest

from companion.games.marrakech import (
    BOOKLETS,
    OPTIONS,
    Options,
    Pay,
    Setup,
    apply,
    booklet_named,
    new_game,
    parse_position,
    usual_players,
)
from companion.games.marrakech.market import DIE
from companion.i18n.catalogue_loader import speech_in
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import Book, Message, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.rules_summary import Rules, meaning_of, rules_of

SEEN_IN_SETUP = ("loops", "short_colour")
EN = booklet_named("en")


def option(name: str, value: str) -> Message:
    return Message(f"option.{name}.{value}")


def sentences(rules: Rules) -> list[Message]:
    parts = (*rules.paragraphs, (rules.booklet,), rules.differs, rules.agreed)
    return [one for part in parts for one in part]


def english(rules: Rules) -> str:
    return " ".join(map(TextRenderer().say, sentences(rules)))


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in OPTIONS.items() for value in values]
)
def test_whatever_a_table_sets_is_told(name: str, value: str) -> None:
    told = sentences(rules_of(EN, Options().but({name: value})))
    is_usual = value == OPTIONS[name][0]
    if name in SEEN_IN_SETUP or (is_usual and name in ("turn_order", "pivot", "box")):
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
    differs = [option(name, value) for name, value in changes.items()]
    if code == "en":
        assert rules.differs == ()
    elif differs:
        assert rules.differs == (message("rules.differs"), *differs)
    else:
        assert rules.differs == (message("rules.same"),)
    assert rules.booklet == message("rules.booklet", booklet=Book(code))
    assert (message("rules.variant") in rules.paragraphs[1]) == booklet.prints_variant
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
        "The end: when all rugs are laid, or only one player is left, points are counted, and "
        "most points win. A tie is shared. "
        "Booklet: Čeština "
        "By this booklet, and otherwise than by the English one: "
        "Two players have two colours each, alternating in the pile. "
        "A tie is shared."
    )


def test_below_the_english_booklet_stands_only_what_is_agreed_otherwise() -> None:
    assert english(rules_of(EN, Options())).endswith(" more dirhams. Booklet: English")
    assert english(rules_of(EN, Options(tie_break="shared"))).endswith(
        " Booklet: English By agreement at this table, and otherwise than by the booklet: "
        "A tie is shared."
    )


@pytest.mark.parametrize("bankruptcy", OPTIONS["bankruptcy"])
def test_a_game_ends_with_its_last_player_where_somebody_can_be_out(bankruptcy: str) -> None:
    """As it is played: yellow cannot pay red, and the others are out."""
    squares = "R1R1...../......./......./......./......./......./......."
    told = f"{squares} a1n pay Y R:30:10,Y:1:10,B:out,N:out bankruptcy={bankruptcy}"
    state, _ = apply(parse_position(told), Pay())
    ending = rules_of(EN, state.setup.options).paragraphs[-1][0]
    assert ending == message("rules.end_or_alone" if state.is_over else "rules.end")
    assert state.is_over == (bankruptcy == "out")


@pytest.mark.parametrize("two_player", OPTIONS["two_player"])
def test_everybody_has_as_many_rugs_as_it_says(two_player: str) -> None:
    options = Options(two_player=two_player)
    (told,) = [one for one in sentences(rules_of(EN, options)) if one.key == "rules.rugs"]
    for players, name in ((4, "four"), (3, "three"), (2, "two")):
        state = new_game(Setup(usual_players(players, options), options))
        assert {state.rugs_left(player) for player in range(players)} == {told.value(name)}


def test_rugs_in_words() -> None:
    assert " Rugs for each: 12 with four players, 15 with three, 24 with two. " in english(
        rules_of(EN, Options())
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_die_shows_what_is_on_it(code: str) -> None:
    told = speech_in(code).say(message("rules.die"))
    assert tuple(map(int, re.findall(r"\d", told))) == DIE


def test_it_is_short() -> None:
    """Some 180 words, and a sentence for each option: it is read while the others wait."""
    ours = [
        TextRenderer().say(one)
        for one in sentences(rules_of(EN, Options()))
        if not one.key.startswith("option.") and one.key != "rules.variant"
    ]
    assert 160 <= len(re.findall(r"[A-Za-z']+", " ".join(ours))) <= 190


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_tells_it_in_words_of_its_own(code: str) -> None:
    booklet, speech = booklet_named(code), speech_in(code)
    told = [speech.say(one) for one in sentences(rules_of(booklet, booklet.options))]
    assert all(told)
    assert not any(re.search(r"[{}]", text) for text in told)
    if code != "en":
        assert not set(told) & {
            TextRenderer().say(one) for one in sentences(rules_of(EN, EN.options))
        }


def test_settings_files_say_what_a_value_means() -> None:
    assert meaning_of("tie_break", "shared") == "A tie is shared."
