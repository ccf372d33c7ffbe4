"""A summary of the rules: fixed sentences, and one sentence for each option of the table.

Each option value has its own sentence, so the summary cannot disagree with the rules in play.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.games.marrakech import Booklet, Options, Setup, usual_players
from companion.i18n.languages import ENGLISH
from companion.i18n.message import BookletName, Message, message
from companion.i18n.renderer import EnglishCatalogue

_SHOWN_IN_SETUP = ("loops", "short_colour")
"""Not listed as differences: players see these during set-up."""


class RulesSummary(NamedTuple):
    """The sentences of the summary, by paragraph."""

    title: Message
    paragraphs: tuple[tuple[Message, ...], ...]
    booklet: Message
    """A heading with the name of the booklet."""
    differs: tuple[Message, ...]
    """How this booklet differs from the English one, with a heading; or a sentence that it does
    not differ. Empty for the English booklet."""
    agreed: tuple[Message, ...]
    """How this table differs from its booklet, with a heading."""


def summarize_rules(booklet: Booklet, options: Options) -> RulesSummary:
    is_classic = options.turn_order == "classic"
    turn = [message("rules.turn_classic" if is_classic else "rules.turn_pivot_last")]
    if not is_classic:
        turn.append(_option("pivot", options))
    turn.append(message("rules.die"))
    if is_classic and booklet.has_pivot_last_variant:
        turn.append(message("rules.variant"))
    may_be_alone = options.bankruptcy == "out"  # otherwise nobody ever leaves
    paragraphs = (
        (
            message("rules.aim"),
            _option("purse", options),
            message(
                "rules.rugs",
                four=_rugs_each(4, options),
                three=_rugs_each(3, options),
                two=_rugs_each(2, options),
            ),
            _option("two_player", options),
            Message(f"begins.{booklet.first_player}"),
        ),
        tuple(turn),
        (message("rules.pay"), _option("bankruptcy", options)),
        (message("rules.lay"), _option("covering", options)),
        (
            message("rules.end_or_alone" if may_be_alone else "rules.end"),
            _option("tie_break", options),
        ),
    )
    agreed = [
        _option(name, options)
        for name in options.differences(booklet.options)
        if name not in _SHOWN_IN_SETUP
    ]
    return RulesSummary(
        message("rules.title"),
        paragraphs,
        message("rules.booklet", booklet=BookletName(booklet.code)),
        _differences(booklet),
        (message("rules.set"), *agreed) if agreed else (),
    )


def _differences(booklet: Booklet) -> tuple[Message, ...]:
    if booklet.code == ENGLISH:
        return ()
    differs = [_option(name, booklet.options) for name in booklet.options.differences(Options())]
    return (message("rules.differs"), *differs) if differs else (message("rules.same"),)


def _rugs_each(players: int, options: Options) -> int:
    """Rugs of each player at the start, all colours together."""
    setup = Setup(usual_players(players, options), options)
    return sum(setup.rugs[colour] for colour in setup.players[0])


def _option(name: str, options: Options) -> Message:
    return Message(f"option.{name}.{getattr(options, name)}")


def option_sentence(name: str, value: str) -> str:
    """The English sentence for an option's value, for the config file and the command line."""
    return EnglishCatalogue().text(f"option.{name}.{value}")
