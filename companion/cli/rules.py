"""`marrakech rules`: what a booklet decides."""

from __future__ import annotations

import argparse

from companion.cli.common import add_rules_arguments, options_of
from companion.games.marrakech import BOOKLETS, OPTIONS, Options, booklet_named

_TURNS = {
    "classic": (
        "Turn Assam a quarter left or right, or leave him; never about.",
        "Roll, and move him that many squares straight ahead, round the edge loops.",
        "On an opponent's rug, pay one dirham for each square of that colour joined to his.",
        "Lay a rug of yours beside him, on two squares that share a side.",
    ),
    "pivot-last": (
        "Roll, and move Assam that many squares the way he faces, round the edge loops.",
        "On an opponent's rug, pay one dirham for each square of that colour joined to his.",
        "Lay a rug of yours beside him, on two squares that share a side.",
        "Turn him for the next player, who must go that way.",
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules_arguments(parser)
    parser.set_defaults(booklet=None)


def run(args: argparse.Namespace) -> int:
    if args.booklet is None and not args.option:
        _list_booklets()
        return 0
    if args.booklet is None:
        args.booklet = "en"
    booklet, options = booklet_named(args.booklet), options_of(args)
    print(f"Booklet {booklet.code}: {booklet.language}. Who begins: {booklet.begins}.")
    print("\nA turn:")
    for number, text in enumerate(_TURNS[options.turn_order], start=1):
        print(f"  {number}. {text}")
    if booklet.prints_variant and options.turn_order == "classic":
        print("  It also prints the other order: --option turn_order=pivot-last.")
    print("\nOptions (* = not as in the English booklet):")
    for name, value in options.items():
        mark = "*" if value != getattr(Options(), name) else " "
        others = ", ".join(other for other in OPTIONS[name] if other != value)
        print(f"{mark} {name} = {value}: {OPTIONS[name][value]}")
        print(f"      or: {others}")
    return 0


def _list_booklets() -> None:
    english = Options()
    for number, booklet in enumerate(BOOKLETS.values(), start=1):  # as the matrix numbers them
        changes = booklet.options.differences(english)
        told = ", ".join(f"{name}={value}" for name, value in changes.items())
        print(f"{number:2}  {booklet.code:9}{booklet.language:27}{told or '-'}")
    print("\n'marrakech rules --booklet fr' says what a booklet decides.")
