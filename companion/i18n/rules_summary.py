"""The rules of the game in short: what is always so, and what the options of a table decide.

Whatever an option decides is said by that option's own sentence, so that these words and the rules
that are played by cannot disagree.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.games.marrakech import Booklet, Options, Setup, usual_players
from companion.i18n.languages import ENGLISH
from companion.i18n.message import Book, Message, message
from companion.i18n.renderer import EnglishCatalogue

_NEVER_TOLD = ("loops", "short_colour")
"""How the board lies, and which colour is the short one, is seen in set-up."""


class Rules(NamedTuple):
    """Sentences, in paragraphs."""

    title: Message
    paragraphs: tuple[tuple[Message, ...], ...]
    booklet: Message
    """A heading: which booklet this is."""
    differs: tuple[Message, ...]
    """What this booklet decides otherwise than the English one, under a heading; or that it
    decides nothing otherwise. Of the English one itself, nothing."""
    agreed: tuple[Message, ...]
    """What this table has set otherwise than its booklet, under a heading."""


def rules_of(booklet: Booklet, options: Options) -> Rules:
    """How to play by a booklet, with these options of the table."""
    is_classic = options.turn_order == "classic"
    turn = [message("rules.turn_classic" if is_classic else "rules.turn_pivot_last")]
    if not is_classic:
        turn.append(_option("pivot", options))
    turn.append(message("rules.die"))
    if is_classic and booklet.prints_variant:
        turn.append(message("rules.variant"))
    may_be_alone = options.bankruptcy == "out"  # nobody leaves a game where all are spared
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
            Message(f"begins.{booklet.begins}"),
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
        if name not in _NEVER_TOLD
    ]
    return Rules(
        message("rules.title"),
        paragraphs,
        message("rules.booklet", booklet=Book(booklet.code)),
        _differences(booklet),
        (message("rules.set"), *agreed) if agreed else (),
    )


def _differences(booklet: Booklet) -> tuple[Message, ...]:
    if booklet.code == ENGLISH:
        return ()
    differs = [_option(name, booklet.options) for name in booklet.options.differences(Options())]
    return (message("rules.differs"), *differs) if differs else (message("rules.same"),)


def _rugs_each(players: int, options: Options) -> int:
    """What everybody has in hand at the start, of all colours."""
    setup = Setup(usual_players(players, options), options)
    return sum(setup.rugs[colour] for colour in setup.players[0])


def _option(name: str, options: Options) -> Message:
    return Message(f"option.{name}.{getattr(options, name)}")


def meaning_of(name: str, value: str) -> str:
    """What an option's value means, for settings files and for the command line."""
    return EnglishCatalogue().text(f"option.{name}.{value}")
