"""`marrakech rules`: how to play by a booklet, in any language, and what it decides."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from textwrap import fill

from companion.cli.arguments import WIDTH, add_rules_arguments, options_of
from companion.errors import SettingError, unknown
from companion.games.marrakech import BOOKLETS, OPTIONS, Booklet, Options, booklet_named
from companion.i18n.catalogue_loader import speech_in
from companion.i18n.languages import ENGLISH, LANGUAGES
from companion.i18n.message import Message
from companion.i18n.renderer import TextRenderer
from companion.i18n.rules_summary import meaning_of, rules_of

_UNPARTED = ("ja", "th", "zh-CN", "zh-TW")
"""Languages without blanks between words: the terminal breaks their lines where they are full."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules_arguments(parser)
    parser.add_argument(
        "--language",
        metavar="L",
        help="only how to play, in this language: en, fr, nl, ... as the booklets are called",
    )
    parser.set_defaults(booklet=None)


def run(args: argparse.Namespace) -> int:
    if args.language is not None and args.language not in LANGUAGES:
        raise SettingError(unknown("language", args.language, LANGUAGES))
    if args.booklet is None and args.language is None and not args.option:
        _list_booklets()
        return 0
    if args.booklet is None:
        args.booklet = args.language or ENGLISH
    booklet, options = booklet_named(args.booklet), options_of(args)
    if args.language is None:
        print(f"Booklet {booklet.code}: {booklet.language}.\n")
    print("\n".join(_how_to_play(booklet, options, speech_in(args.language or ENGLISH))))
    if args.language is None:
        print("\n".join(_options(options)))
    return 0


def _how_to_play(booklet: Booklet, options: Options, speech: TextRenderer) -> Iterator[str]:
    rules = rules_of(booklet, options)
    yield speech.say(rules.title)
    for paragraph in rules.paragraphs:
        yield ""
        yield _filled(speech.say_all(paragraph), speech)
    for heading, *sentences in filter(None, (rules.differs, rules.agreed)):
        yield ""
        yield _filled(speech.say(heading), speech)
        yield from (_item(sentence, speech) for sentence in sentences)


def _item(sentence: Message, speech: TextRenderer) -> str:
    return _filled(f"- {speech.say(sentence)}", speech, indent="  ")


def _filled(text: str, speech: TextRenderer, indent: str = "") -> str:
    if speech.language in _UNPARTED:
        return text
    return fill(text, WIDTH, subsequent_indent=indent, break_long_words=False)


def _options(options: Options) -> Iterator[str]:
    yield "\nOptions (* = not as in the English booklet):"
    for name, value in options.items():
        mark = "*" if value != getattr(Options(), name) else " "
        others = ", ".join(other for other in OPTIONS[name] if other != value)
        yield f"{mark} {name} = {value}: {meaning_of(name, value)}"
        yield f"      or: {others}"


def _list_booklets() -> None:
    english = Options()
    for number, booklet in enumerate(BOOKLETS.values(), start=1):  # as the matrix numbers them
        changes = booklet.options.differences(english)
        told = ", ".join(f"{name}={value}" for name, value in changes.items())
        print(f"{number:2}  {booklet.code:9}{booklet.language:27}{told or '-'}")
    print("\n'marrakech rules --booklet fr' says how to play by a booklet and what it decides.")
