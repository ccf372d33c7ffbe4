"""`marrakech rules`: explains the rules of a booklet in any language, and its options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from textwrap import fill

from companion.cli.arguments import OUTPUT_WIDTH, add_rules_arguments, read_options
from companion.errors import SettingError, unknown
from companion.games.marrakech import BOOKLETS, OPTIONS, Booklet, Options, booklet_named
from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.languages import ENGLISH, LANGUAGES
from companion.i18n.message import Message
from companion.i18n.renderer import TextRenderer
from companion.i18n.rules_summary import option_sentence, summarize_rules

_UNSPACED_LANGUAGES = ("ja", "th", "zh-CN", "zh-TW")
"""Written without spaces between words, so the terminal wraps their lines."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules_arguments(parser)
    parser.add_argument(
        "--language",
        metavar="L",
        help="explain only how to play, in this language: en, fr, nl, ... (the booklet codes)",
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
    booklet, options = booklet_named(args.booklet), read_options(args)
    if args.language is None:
        print(f"Booklet {booklet.code}: {booklet.language}.\n")
    print("\n".join(_how_to_play(booklet, options, renderer_for(args.language or ENGLISH))))
    if args.language is None:
        print("\n".join(_options(options)))
    return 0


def _how_to_play(booklet: Booklet, options: Options, renderer: TextRenderer) -> Iterator[str]:
    rules = summarize_rules(booklet, options)
    yield renderer.render(rules.title)
    for paragraph in rules.paragraphs:
        yield ""
        yield _filled(renderer.render_all(paragraph), renderer)
    for heading, *sentences in filter(None, (rules.differs, rules.agreed)):
        yield ""
        yield _filled(renderer.render(heading), renderer)
        yield from (_item(sentence, renderer) for sentence in sentences)


def _item(sentence: Message, renderer: TextRenderer) -> str:
    return _filled(f"- {renderer.render(sentence)}", renderer, indent="  ")


def _filled(text: str, renderer: TextRenderer, indent: str = "") -> str:
    if renderer.language in _UNSPACED_LANGUAGES:
        return text
    return fill(text, OUTPUT_WIDTH, subsequent_indent=indent, break_long_words=False)


def _options(options: Options) -> Iterator[str]:
    yield "\nOptions (* = not as in the English booklet):"
    for name, value in options.items():
        mark = "*" if value != getattr(Options(), name) else " "
        others = ", ".join(other for other in OPTIONS[name] if other != value)
        yield f"{mark} {name} = {value}: {option_sentence(name, value)}"
        yield f"      or: {others}"


def _list_booklets() -> None:
    english = Options()
    for number, booklet in enumerate(
        BOOKLETS.values(), start=1
    ):  # the matrix shows the same numbers
        changes = booklet.options.differences(english)
        options = ", ".join(f"{name}={value}" for name, value in changes.items())
        print(f"{number:2}  {booklet.code:9}{booklet.language:27}{options or '-'}")
    print("\n'marrakech rules --booklet fr' explains how to play by a booklet, and its options.")
