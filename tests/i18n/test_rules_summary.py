"""The rules summary has the sentences of the options, so it cannot disagree with the rules."""

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
from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import BookletName, Message, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.rules_summary import RulesSummary, option_sentence, summarize_rules

SEEN_IN_SETUP = ("loops", "short_colour")
EN = booklet_named("en")


def option(name: str, value: str) -> Message:
    return Message(f"option.{name}.{value}")


def sentences(rules: RulesSummary) -> list[Message]:
    parts = (*rules.paragraphs, (rules.booklet,), rules.differs, rules.agreed)
    return [one for part in parts for one in part]


def english(rules: RulesSummary) -> str:
    return " ".join(map(TextRenderer().render, sentences(rules)))


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in OPTIONS.items() for value in values]
)
def test_every_option_of_the_table_has_its_sentence(name: str, value: str) -> None:
    summary = sentences(summarize_rules(EN, Options().with_changes({name: value})))
    is_usual = value == OPTIONS[name][0]
    if name in SEEN_IN_SETUP or (is_usual and name in ("turn_order", "pivot", "box")):
        assert option(name, value) not in summary
    else:
        assert option(name, value) in summary
    for other in OPTIONS[name]:
        assert other == value or option(name, other) not in summary


@pytest.mark.parametrize("code", BOOKLETS)
def test_the_summary_lists_how_a_booklet_differs(code: str) -> None:
    booklet = BOOKLETS[code]
    rules = summarize_rules(booklet, booklet.options)
    changes = booklet.options.differences(Options())
    differs = [option(name, value) for name, value in changes.items()]
    if code == "en":
        assert rules.differs == ()
    elif differs:
        assert rules.differs == (message("rules.differs"), *differs)
    else:
        assert rules.differs == (message("rules.same"),)
    assert rules.booklet == message("rules.booklet", booklet=BookletName(code))
    assert (message("rules.variant") in rules.paragraphs[1]) == booklet.has_pivot_last_variant
    assert Message(f"begins.{booklet.first_player}") in rules.paragraphs[0]
    assert rules.agreed == ()


def test_the_summary_has_the_turn_order_in_play() -> None:
    rules = summarize_rules(EN, Options(turn_order="pivot-last"))
    assert message("rules.turn_pivot_last") in rules.paragraphs[1]
    assert option("pivot", "must") in rules.paragraphs[1]
    assert message("rules.turn_classic") not in sentences(rules)
    assert message("rules.variant") not in sentences(rules)
    assert rules.agreed == (message("rules.set"), option("turn_order", "pivot-last"))


def test_the_czech_booklet() -> None:
    czech = booklet_named("cs")
    assert english(summarize_rules(czech, czech.options)).endswith(
        "The end: when all rugs are laid, or only one player is left, points are counted, and "
        "most points win. A tie is shared. "
        "Booklet: Čeština "
        "By this booklet, and otherwise than by the English one: "
        "Two players have two colours each, alternating in the pile. "
        "A tie is shared."
    )


def test_the_english_booklet_ends_with_the_options_of_the_table() -> None:
    assert english(summarize_rules(EN, Options())).endswith(" more dirhams. Booklet: English")
    assert english(summarize_rules(EN, Options(tie_break="shared"))).endswith(
        " Booklet: English By agreement at this table, and otherwise than by the booklet: "
        "A tie is shared."
    )


@pytest.mark.parametrize("bankruptcy", OPTIONS["bankruptcy"])
def test_the_end_with_one_player_left_is_mentioned_if_players_can_be_out(bankruptcy: str) -> None:
    """Compared with the rules: yellow cannot pay red, and the others are out."""
    squares = "R1R1...../......./......./......./......./......./......."
    position = f"{squares} a1n pay Y R:30:10,Y:1:10,B:out,N:out bankruptcy={bankruptcy}"
    state, _ = apply(parse_position(position), Pay())
    ending = summarize_rules(EN, state.setup.options).paragraphs[-1][0]
    assert ending == message("rules.end_or_alone" if state.is_over else "rules.end")
    assert state.is_over == (bankruptcy == "out")


@pytest.mark.parametrize("two_player", OPTIONS["two_player"])
def test_the_numbers_of_rugs_are_those_of_the_rules(two_player: str) -> None:
    options = Options(two_player=two_player)
    (rugs,) = [one for one in sentences(summarize_rules(EN, options)) if one.key == "rules.rugs"]
    for players, name in ((4, "four"), (3, "three"), (2, "two")):
        state = new_game(Setup(usual_players(players, options), options))
        assert {state.rugs_left(player) for player in range(players)} == {rugs.value(name)}


def test_the_sentence_about_rugs() -> None:
    assert " Rugs for each: 12 with four players, 15 with three, 24 with two. " in english(
        summarize_rules(EN, Options())
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_sentence_about_the_die_has_its_six_faces(code: str) -> None:
    sentence = renderer_for(code).render(message("rules.die"))
    assert tuple(map(int, re.findall(r"\d", sentence))) == DIE


def test_the_summary_is_short() -> None:
    """About 180 words, and a sentence for each option."""
    fixed = [
        TextRenderer().render(one)
        for one in sentences(summarize_rules(EN, Options()))
        if not one.key.startswith("option.") and one.key != "rules.variant"
    ]
    assert 160 <= len(re.findall(r"[A-Za-z']+", " ".join(fixed))) <= 190


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_its_own_sentences(code: str) -> None:
    booklet, renderer = booklet_named(code), renderer_for(code)
    texts = [renderer.render(one) for one in sentences(summarize_rules(booklet, booklet.options))]
    assert all(texts)
    assert not any(re.search(r"[{}]", text) for text in texts)
    if code != "en":
        assert not set(texts) & {
            TextRenderer().render(one) for one in sentences(summarize_rules(EN, EN.options))
        }


def test_an_option_has_an_english_sentence_for_settings_files() -> None:
    assert option_sentence("tie_break", "shared") == "A tie is shared."
